"""What tests of rules' pages share: who makes them, what the API shows, forms sent back."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

from django.test import Client

from clones.core import jobs
from clones.core.accounts import account_cards
from clones.core.clock import now
from clones.core.tenancy import unit_of_work
from clones.helpdesk.api.handouts import authorization
from tests.helpdesk.web.conftest import AGENT, Office

OWNER = "olga@kestrel.example"
RULES = "/admin/objects-rules/rules"
TOOLS = "/admin/workspaces/agent-workspace"
TRIGGERS = f"{RULES}/triggers"
AUTOMATIONS = f"{RULES}/automations"
SLAS = f"{RULES}/slas"
GROUP_SLAS = f"{RULES}/group-slas"
VIEWS = f"{TOOLS}/views"
MACROS = f"{TOOLS}/macros"


def api(office: Office, path: str, *, by: str = OWNER) -> Any:
    """Return what the API shows somebody."""
    status, body = call(office, "GET", path, by=by)
    assert status == 200, body
    return body


def call(
    office: Office, method: str, path: str, body: Any = None, *, by: str = OWNER
) -> tuple[int, Any]:
    """Call the API as somebody and return status and body."""
    with office.bound(), unit_of_work("read"):
        card = next(card for card in account_cards(office.row) if card.login == by)
    client = Client(headers={"host": f"helpdesk.{office.row.id}.localhost:8800"})
    answer: Any = client.generic(
        method,
        f"/api/v2/{path}",
        json.dumps(body) if body is not None else "",
        content_type="application/json",
        headers=authorization(card),
    )
    return answer.status_code, json.loads(answer.content) if answer.content else None


def write_ticket(office: Office, **values: Any) -> dict[str, Any]:
    """Create a ticket by the API as an agent and return it as it then stands."""
    given = {"subject": "A ticket", "requester_id": office.keys.customer, **values}
    given.setdefault("comment", {"body": "Something happened."})
    status, body = call(office, "POST", "tickets", {"ticket": given}, by=AGENT)
    assert status == 201, body
    shown: dict[str, Any] = api(office, f"tickets/{body['ticket']['id']}")["ticket"]
    return shown


def advance(office: Office, **span: float) -> None:
    """Move the clock and run what falls due."""
    with office.bound(), unit_of_work("write"):
        jobs.advance(now() + timedelta(**span))


def key_of(location: str) -> str:
    """Return the key at the end of a rule's address."""
    return location.rpartition("/")[2]
