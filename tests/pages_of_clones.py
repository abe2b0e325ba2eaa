"""Somebody signed in to the pages of each clone of a sandbox, with a browser without a screen."""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import unescape
from typing import Any, NamedTuple
from urllib.parse import urljoin, urlsplit

from django.test import Client

from clones.core.accounts import AccountCard, account_cards
from clones.core.accounts.handover import mint_handover
from clones.core.models import Account
from clones.core.tenancy import SandboxRow, unit_of_work
from clones.core.vendors import clone_named
from tests.conftest import bind
from tests.page_routes import addresses_of
from tests.page_templates import Templates

# Where each clone's people sign in, what the form calls their address, and where they begin.
SIGN_IN = {
    "helpdesk": ("/auth/v2/login/signin", "email"),
    "tracker": ("/login", "username"),
    "mail": ("/signin", "email"),
}
BEGIN = {
    "helpdesk": ("/agent/dashboard", "/agent/filters", "/admin", "/hc/en-us", "/hc/en-us/requests"),
    "tracker": (
        "/jira/for-you", "/jira/settings", "/jira/projects", "/servicedesk/customer/portals",
    ),
    "mail": ("/folders/inbox", "/folders/sent", "/compose"),
    "billing": (),
}  # fmt: skip


LEAVING = ("logout", "signout", "sign-out")
LINK = re.compile(r'(?:href|hx-get|src)="([^"]+)"')


class Page(NamedTuple):
    """A page that was opened, and the route that serves it."""

    route: str
    path: str
    status: int
    html: str


@dataclass
class Window:
    """A browser at the pages of one clone, as an administrator or the first who is listed there."""

    row: SandboxRow
    clone: str
    client: Client = field(init=False)
    card: AccountCard = field(init=False)

    def __post_init__(self) -> None:
        """Sign in, or take a hand-over of the helpdesk's administrator along."""
        self.client = Client(headers={"host": f"{self.clone}.{self.row.id}.localhost:8800"})
        if self.clone not in SIGN_IN:
            with bind(self.row), unit_of_work("read"):
                agent = Account.objects.get(id=self._administrator("helpdesk"))
            text = mint_handover(self.row, self.clone, agent.id)
            self.client.cookies[f"{self.clone}_session"] = text
            return
        with bind(self.row), unit_of_work("read"):
            cards = [card for card in account_cards(self.row) if card.clone == self.clone]
        self.card = next((card for card in cards if card.role == "admin"), cards[0])
        path, name = SIGN_IN[self.clone]
        answer: Any = self.client.post(
            path, {name: self.card.login, "password": self.card.secrets["password"]}
        )
        assert answer.status_code == 302, answer.content

    def route_of(self, address: str) -> str:
        """Return the route that serves an address of the clone, "" if none does."""
        clone = clone_named(self.clone)
        assert clone is not None
        return Templates(clone.urlconf).route_of(urlsplit(address).path) or ""

    def pages(self, of_one: int) -> Iterator[Page]:
        """Open pages by their links, and by their routes where no link leads; yield each.

        Of a route so many pages are opened. Pages that lead on or are refused are no pages.
        """
        clone = clone_named(self.clone)
        assert clone is not None
        templates, opened = Templates(clone.urlconf), Counter[str]()
        routes = [path for path in addresses_of(clone.urlconf) if not clone.is_api(path)]
        queue, known = deque([*BEGIN[self.clone], *routes]), set[str]()
        while queue:
            path = queue.popleft()
            route = templates.route_of(urlsplit(path).path)
            if path in known or route is None or any(word in path for word in LEAVING):
                continue
            known.add(path)
            if opened[route] >= of_one:
                continue
            answer: Any = self.client.get(path)
            if answer.status_code in (301, 302):
                queue.append(answer.headers["Location"])
            is_page = "html" in answer.headers.get("Content-Type", "")
            if answer.status_code < 500 and not (is_page and answer.status_code == 200):
                continue
            opened[route] += 1
            html = answer.content.decode(errors="replace")
            yield Page(route, path, answer.status_code, html)
            for link in LINK.findall(html):
                to = urlsplit(urljoin(path, unescape(link)))
                if not to.netloc and to.scheme in ("", "http"):
                    queue.append(f"{to.path}?{to.query}" if to.query else to.path)

    def _administrator(self, clone: str) -> int:
        found = (
            Account.objects.filter(clone=clone, role="admin", active=True).order_by("id").first()
        )
        assert found is not None
        return int(found.id)
