"""A desk with pages to open, cloned for each test, and browsers without a screen to open them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from html import unescape
from typing import Any

import pytest
from django.test import Client

from clones.core import jobs
from clones.core.accounts import account_cards
from clones.core.journal import canonical_changes, journal
from clones.core.server import server
from clones.core.tenancy import Binding, SandboxRow, unit_of_work
from clones.helpdesk.models import Ticket, User
from snapshots.interface import engine
from snapshots.library import Library
from snapshots.manifest import Manifest
from tests.conftest import bind
from tests.helpdesk.web.desk import Desk, build_desk
from tests.sandbox_pool import SandboxPool

AGENT = "ana@kestrel.example"


@dataclass(frozen=True, slots=True)
class Shown:
    """A page as it was answered."""

    status: int
    html: str
    location: str
    headers: Any

    @property
    def text(self) -> str:
        """The words of the page: no tags, single spaces."""
        body = self.html.partition("<body")[2] or self.html
        body = re.sub(r"<(script|style)\b.*?</\1>", " ", body, flags=re.DOTALL)
        return " ".join(unescape(re.sub(r"<[^>]*>", " ", body)).split())

    def field(self, name: str) -> str:
        """Return the value of an input by its name."""
        found = re.search(rf'<input[^>]*\bname="{name}"[^>]*>', self.html)
        assert found is not None, name
        value = re.search(r'\bvalue="([^"]*)"', found.group())
        return unescape(value.group(1)) if value else ""

    def fields(self, form_id: str = "ticket-form") -> dict[str, Any]:
        """Return what a browser would send of one of the page's forms, untouched."""
        return _sent(self.html.partition(f'id="{form_id}"')[2].partition("</form>")[0])

    def fields_of(self, label: str) -> dict[str, Any]:
        """Return what a browser would send of the form of that name, untouched."""
        found = self.html.partition(f'aria-label="{label}"')[2]
        assert found, label
        return _sent(found.partition("</form>")[0])


def _sent(form: str) -> dict[str, Any]:
    """Return the values of a form's controls by name."""
    sent: dict[str, Any] = {}
    for tag in re.findall(r"<input\b[^>]*>", form):
        name, kind = _attribute(tag, "name"), _attribute(tag, "type") or "text"
        if name and kind not in ("file", "checkbox", "radio"):
            sent[name] = _attribute(tag, "value")
        elif name and "checked" in tag:
            sent[name] = _attribute(tag, "value") or "on"
    for head, inner in re.findall(r"<select\b([^>]*)>(.*?)</select>", form, flags=re.DOTALL):
        chosen = re.search(r'<option value="([^"]*)"[^>]* selected', inner)
        first = re.search(r'<option value="([^"]*)"', inner)
        name = _attribute(head, "name")
        if name and " multiple" in head:
            found = re.findall(r'<option value="([^"]*)"[^>]* selected', inner)
            sent[name] = [unescape(value) for value in found]
        elif name and (chosen or first):
            sent[name] = unescape((chosen or first).group(1))  # type: ignore[union-attr]  # one of them is there
    for head, inner in re.findall(r"<textarea\b([^>]*)>(.*?)</textarea>", form, flags=re.DOTALL):
        sent[_attribute(head, "name")] = unescape(inner)
    return sent


def _attribute(tag: str, name: str) -> str:
    found = re.search(rf'\b{name}="([^"]*)"', tag)
    return unescape(found.group(1)) if found else ""


class Office:
    """A sandbox's desk, and a browser at it that is signed in when it is first used."""

    def __init__(self, row: SandboxRow, keys: Desk) -> None:
        self.row = row
        self.keys = keys
        with bind(row), unit_of_work("read"):
            cards = [card for card in account_cards(row) if card.clone == "helpdesk"]
        self.passwords = {card.login: card.secrets["password"] for card in cards}
        self.client = self.browser()
        self.token = ""

    def browser(self) -> Client:
        """Return a browser that is not signed in."""
        return Client(headers={"host": f"helpdesk.{self.row.id}.localhost:8800"})

    def sign_in(self, login: str = AGENT) -> Office:
        """Sign in and keep the token of the session's forms, from the page made quickest."""
        answer = self.client.post(
            "/auth/v2/login/signin",
            {"email": login, "password": self.passwords[login], "return_to": "/agent/dashboard"},
        )
        assert answer.status_code == 302, answer.content
        self.token = self.get("/agent/search/1").field("authenticity_token")
        return self

    def get(self, path: str, **query: Any) -> Shown:
        """Open a page."""
        return _shown(self.client.get(path, query or None))

    def post(self, path: str, data: dict[str, Any] | None = None) -> Shown:
        """Send a form with the session's token."""
        return _shown(self.client.post(path, {"authenticity_token": self.token, **(data or {})}))

    def send_ticket(self, key: int, **changes: Any) -> Shown:
        """Open a ticket's page, change what is given in its form, and submit it."""
        path = f"/agent/tickets/{key}"
        return self.post(path, {**self.get(path).fields(), "submit_as": "", **changes})

    def bound(self) -> AbstractContextManager[Binding]:
        """Bind the sandbox's store."""
        return bind(self.row)

    def changes(self) -> list[dict[str, Any]]:
        """Return what is no longer as it was at the beginning, ambient tables aside."""
        base = server().registry.mark(self.row.id, "base") or 0
        with self.bound(), unit_of_work("read"):
            return canonical_changes(journal().changes(base))

    def changed(self, table: str) -> list[dict[str, Any]]:
        """Return the changed rows of one table."""
        return [change for change in self.changes() if change["table"] == table]

    def ticket(self, key: int) -> Ticket:
        """Return a ticket as it stands, with its people."""
        with self.bound(), unit_of_work("read"):
            return Ticket.objects.select_related("assignee", "group", "requester").get(id=key)

    def user(self, key: int) -> User:
        """Return a user as it stands."""
        with self.bound(), unit_of_work("read"):
            return User.objects.get(id=key)


def _shown(response: Any) -> Shown:
    return Shown(
        response.status_code,
        response.content.decode(),
        response.headers.get("Location", ""),
        response.headers,
    )


@pytest.fixture(scope="session")
def office_image(library: Library) -> tuple[Manifest, Desk]:
    """An image of the small desk, and the keys of what is in it."""
    store = server().data / "office-world.sqlite"
    engine().new_store(store)
    with server().stores.bind(store), unit_of_work("write"):
        keys = build_desk()
        # A month of sweeps, once and not at each test's first request.
        jobs.drain()
    server().stores.discard(store)
    engine().seal(store)
    return library.add(store, world="office", size="tiny", seed=1, parent=None), keys


@pytest.fixture
def office(sandbox_pool: SandboxPool, office_image: tuple[Manifest, Desk]) -> Iterator[Office]:
    """A sandbox of the small desk, nobody signed in."""
    with sandbox_pool.borrow(office_image[0]) as row:
        yield Office(row, office_image[1])


@pytest.fixture
def ana(office: Office) -> Office:
    """The small desk with Ana, an agent of Support and Billing, signed in."""
    return office.sign_in()
