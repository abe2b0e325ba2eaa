"""Visitors of the portal: end users of every kind, with browsers and API clients of their own."""

from __future__ import annotations

import json
import re
from typing import Any

from clones.core.accounts import account_cards
from clones.core.accounts.authentication import basic_header
from clones.core.journal import act
from clones.core.tenancy import unit_of_work
from clones.helpdesk.domain import accounts, people
from clones.helpdesk.models import Organization, User
from tests.helpdesk.web.conftest import Office, Shown

HOME = "/hc/en-us/requests"
NEW = f"{HOME}/new"
MARA = "mara@acme.example"


class Visitor:
    """Somebody's browser at the portal, signed in unless `login` is None, and their API client."""

    def __init__(self, office: Office, login: str | None) -> None:
        self.office = office
        self.client = office.browser()
        self.login = login
        self.token = ""
        if login is None:
            return
        with office.bound(), unit_of_work("read"):
            cards = {card.login: card for card in account_cards(office.row)}
        self.password = cards[login].secrets["password"]
        self.api_token = cards[login].secrets["api_token"]
        form = {"email": login, "password": self.password, "return_to": HOME}
        answer = self.client.post("/auth/v2/login/signin", form)
        assert answer.headers["Location"] == HOME
        self.token = self.get(HOME).field("authenticity_token")

    def get(self, path: str = HOME, **query: Any) -> Shown:
        """Open a page."""
        return self._shown(self.client.get(path, query or None))

    def post(self, path: str, **data: Any) -> Shown:
        """Send a form with the session's token, if there is a session."""
        token = {"authenticity_token": self.token} if self.token else {}
        return self._shown(self.client.post(path, {**token, **data}))

    def submit(self, *, form: str | None = None, **data: Any) -> Shown:
        """Open the form of a new request, fill it in and send it."""
        query = {} if form is None else {"ticket_form_id": form}
        return self.post(NEW, **{**self.get(NEW, **query).fields("new-request"), **data})

    def api(self, path: str, method: str = "GET", body: Any = None) -> tuple[int, Any]:
        """Call the API as the same person, with the API token."""
        headers = basic_header(f"{self.login}/token", self.api_token)
        answer = self.client.generic(
            method,
            f"/api/v2/{path}",
            "" if body is None else json.dumps(body),
            content_type="application/json",
            headers=headers,
        )
        return answer.status_code, answer.json()

    def listed(self, path: str = HOME, **query: Any) -> list[int]:
        """Return the requests that a list shows, in its order."""
        return [
            int(key) for key in re.findall(r'data-entity-id="(\d+)"', self.get(path, **query).html)
        ]

    def asked_of_api(self, path: str) -> list[int]:
        """Return the requests that the API lists."""
        status, body = self.api(path)
        assert status == 200, body
        return [item["id"] for item in body["requests"]]

    @staticmethod
    def _shown(response: Any) -> Shown:
        return Shown(
            response.status_code,
            response.content.decode(),
            response.headers.get("Location", ""),
            response.headers,
        )


def add_customer(office: Office, name: str, *, member: bool = False, **values: Any) -> Visitor:
    """Make an end user who can sign in, of Mara's organization if a `member`, and their browser."""
    email = f"{name.split(maxsplit=1)[0].lower()}@else.example"
    with office.bound(), unit_of_work("write"), act(actor="test", label="customer"):
        organization = Organization.objects.get(name="Acme Works") if member else None
        user = people.add_user(name=name, email=email, role="end-user", organization=organization)
        User.objects.filter(id=user.id).update(**values)
        accounts.open_account(user, listed=True)
    return Visitor(office, email)
