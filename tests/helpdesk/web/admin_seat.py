"""An admin at the pages of Admin Center, and what the API shows of the same desk."""

from __future__ import annotations

import base64
import json
import re
from typing import Any

from clones.core.accounts import account_cards
from clones.core.tenancy import unit_of_work
from tests.helpdesk.web.conftest import Office, Shown

OWNER = "olga@kestrel.example"


class Seat:
    """The owner signed in: her pages, and her API."""

    def __init__(self, office: Office) -> None:
        self.office = office.sign_in(OWNER)
        self.keys = office.keys
        with office.bound(), unit_of_work("read"):
            cards = [card for card in account_cards(office.row) if card.login == OWNER]
        self.token = cards[0].secrets["api_token"]

    def get(self, path: str, **query: Any) -> Shown:
        """Open a page that is there."""
        page = self.office.get(path, **query)
        assert page.status == 200, (path, page.text)
        return page

    def post(self, path: str, data: dict[str, Any] | None = None) -> Shown:
        """Send a form."""
        return self.office.post(path, data)

    def save(self, path: str, data: dict[str, Any] | None = None) -> str:
        """Send a form that is taken, and return where it leads."""
        page = self.post(path, data)
        assert page.status == 302, page.text
        return page.location

    def change(self, path: str, **changes: Any) -> str:
        """Open a form, change what is given, and send it: it is taken."""
        return self.save(path, {**form_of(self.get(path)), **changes})

    def refused(self, path: str, data: dict[str, Any] | None = None) -> Shown:
        """Send a form that is refused, and return the page that says why."""
        page = self.post(path, data)
        assert page.status == 422, page.text
        return page

    def api(self, path: str, *, login: str = OWNER, token: str = "") -> Any:
        """Return what the API answers."""
        answer = self.ask(path, login=login, token=token)
        assert answer.status_code == 200, answer.content
        return answer.json()

    def ask(
        self,
        path: str,
        *,
        login: str = OWNER,
        token: str = "",
        method: str = "GET",
        body: Any = None,
    ) -> Any:
        """Ask the API, whatever it answers."""
        secret = f"{login}/token:{token or self.token}"
        header = "Basic " + base64.b64encode(secret.encode()).decode()
        return self.office.browser().generic(
            method,
            f"/api/v2/{path}",
            json.dumps(body) if body is not None else "",
            content_type="application/json",
            headers={"Authorization": header},
        )


def form_of(page: Shown) -> dict[str, Any]:
    """Return what a browser would send of a record's form, untouched."""
    form = page.html.partition('id="admin-form"')[2].partition("</form>")[0]
    shown = Shown(page.status, f'id="ticket-form"{form}</form>', "", {})
    boxes = [
        (re.findall(r'name="([^"]*)"', tag)[0], re.findall(r'value="([^"]*)"', tag)[0], tag)
        for tag in re.findall(r'<label class="checks__item">(<input\b[^>]*>)', form)
    ]
    several = {
        name: [value for other, value, tag in boxes if other == name and " checked" in tag]
        for name, _, _ in boxes
    }
    return {**shown.fields(), **several}


def rows(prefix: str, *items: dict[str, str]) -> dict[str, str]:
    """Return rows of a form as its inputs send them."""
    sent = {f"{prefix}-count": str(len(items))}
    for index, item in enumerate(items):
        sent |= {f"{prefix}-{index}-{name}": value for name, value in item.items()}
    return sent
