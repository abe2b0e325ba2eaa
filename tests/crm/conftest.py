"""A small CRM: Ada administers it, Ben works in it."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pytest
from django.test import Client

from clones.core.accounts import AccountCard, account_cards
from clones.core.journal import act
from clones.core.tenancy import SandboxRow, unit_of_work
from tests.conftest import bind
from tests.crm.calls import CALLS, WatchedClient, named

# Its app is installed only where somebody asks for it (docs/adr/0029).
IS_MADE = "crm" in os.environ.get("SANDLOT_MAKING", "").split(",")
if not IS_MADE:
    collect_ignore_glob = ["test_*.py", "soql/*", "web/*"]

ADA, BEN = "ada@kestrel.example", "ben@kestrel.example"
VERSION = "v64.0"


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer of the API: its body read, its headers as they came."""

    status: int
    body: Any
    headers: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Org:
    """A sandbox with an organization of two users."""

    row: SandboxRow
    cards: dict[str, AccountCard]
    users: dict[str, str]  # the ids of users by their logins

    def client(self) -> Client:
        """Return a client that is not signed in."""
        return WatchedClient(CALLS, headers={"host": f"crm.{self.row.id}.localhost:8800"})

    def token(self, login: str = ADA) -> str:
        """Return somebody's access token."""
        from clones.crm.api.dialect import access_token  # noqa: PLC0415 - the app may not be there

        return access_token(self.cards[login].secrets["api_token"])

    def ask(
        self, method: str, path: str, body: Any = None, *, login: str | None = ADA, **headers: str
    ) -> Answered:
        """Return an answer to a call below the version's address."""
        if login is not None:
            headers["Authorization"] = f"Bearer {self.token(login)}"
        sent = "" if body is None else body if isinstance(body, str) else json.dumps(body)
        whole = path if path.startswith("/services") else f"/services/data/{VERSION}{path}"
        answer = self.client().generic(method, whole, sent, "application/json", headers=headers)
        read = json.loads(answer.content) if answer.content else None
        return Answered(answer.status_code, read, answer.headers)

    def call(
        self, method: str, path: str, body: Any = None, *, status: int = 200, **how: Any
    ) -> Any:
        """Return the body of an answer whose status is checked."""
        answer = self.ask(method, path, body, **how)
        assert answer.status == status, answer.body
        return answer.body

    def refused(self, method: str, path: str, body: Any = None, **how: Any) -> dict[str, Any]:
        """Return the one error of a refusal, its status beside it."""
        answer = self.ask(method, path, body, **how)
        assert answer.status >= 400, answer.body
        assert isinstance(answer.body, list), answer.body
        (error,) = answer.body
        return {"status": answer.status, **error}

    def make(self, of: str, **values: Any) -> str:
        """Make a record, and return its id."""
        made = self.call("POST", f"/sobjects/{of}", values, status=201)
        assert made["success"] is True
        return str(made["id"])

    def show(self, of: str, id: str) -> dict[str, Any]:
        """Return a record as the API shows it."""
        found: dict[str, Any] = self.call("GET", f"/sobjects/{of}/{id}")
        return found

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Open a read transaction."""
        with bind(self.row), unit_of_work("read"):
            yield


@pytest.fixture
def org(empty_sandbox: SandboxRow) -> Org:
    """A sandbox with an organization of two users."""
    from clones.crm.domain.accounts import open_account  # noqa: PLC0415 - see IS_MADE
    from clones.crm.domain.organization import (  # noqa: PLC0415 - see IS_MADE
        found_organization,
        open_user,
        profile_named,
    )

    with bind(empty_sandbox), unit_of_work("write"), act(actor="test", label="test"):
        ada = found_organization("Kestrel", admin=ADA, first_name="Ada", last_name="Quist")
        who = {"FirstName": "Ben", "LastName": "Ode", "Email": BEN, "Username": BEN}
        ben = open_user(who, profile=profile_named("Standard User"), by=str(ada.pk))
        open_account(ada, role="admin", listed=True)
        open_account(ben, role="user", listed=True)
    with bind(empty_sandbox), unit_of_work("read"):
        cards = {card.login: card for card in account_cards(empty_sandbox)}
    return Org(empty_sandbox, cards, {ADA: str(ada.pk), BEN: str(ben.pk)})


@pytest.fixture(autouse=True)
def vouched(request: pytest.FixtureRequest) -> Iterator[None]:
    """Hold a test to what `witnesses.json` says that it sees."""
    CALLS.seen.clear()
    yield
    missed = CALLS.broken_promises(named(request.node.nodeid))
    assert not missed, (
        f"{missed}: no longer seen here. `make coverage-report CLONE=crm` finds other tests."
    )
