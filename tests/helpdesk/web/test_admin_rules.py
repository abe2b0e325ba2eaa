"""Admin Center's triggers and automations: what the pages write is what the API shows, and fires."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client

from clones.core.accounts import account_cards
from clones.core.tenancy import unit_of_work
from clones.helpdesk.api.handouts import authorization
from tests.helpdesk.web.conftest import Office

OWNER = "olga@kestrel.example"
TRIGGERS = "/admin/objects-rules/rules/triggers"
AUTOMATIONS = "/admin/objects-rules/rules/automations"


@pytest.fixture
def olga(office: Office) -> Office:
    """The small desk with its owner signed in."""
    return office.sign_in(OWNER)


def api(office: Office, path: str) -> Any:
    """Return what the API shows its owner."""
    with office.bound(), unit_of_work("read"):
        cards = [card for card in account_cards(office.row) if card.login == OWNER]
    client = Client(headers={"host": f"helpdesk.{office.row.id}.localhost:8800"})
    answer = client.get(f"/api/v2/{path}", headers=authorization(cards[0]))
    assert answer.status_code == 200, answer.content
    return json.loads(answer.content)


def test_a_trigger_is_made_by_page(olga: Office) -> None:
    assert olga.get(f"{TRIGGERS}").status == 200
    page = olga.get(f"{TRIGGERS}/new")
    assert page.status == 200
    sent = {
        "title": "Escalate urgent",
        "description": "For the night shift",
        "all-0-field": "priority",
        "all-0-operator": "is",
        "all-0-value": "urgent",
        "any-0-field": "current_tags",
        "any-0-operator": "includes",
        "any-0-value": "fire smoke",
        "actions-0-field": "group_id",
        "actions-0-value": str(olga.keys.billing),
        "actions-1-field": "notification_user",
        "actions-1-value": "requester_id",
        "actions-1-subject": "Heard: {{ticket.title}}",
        "actions-1-body": "We are\r\non it.",
    }
    made = olga.post(f"{TRIGGERS}/new", sent)
    assert made.status == 302, made.text
    key = made.location.rpartition("/")[2]
    shown = api(olga, f"triggers/{key}")["trigger"]
    assert shown["conditions"] == {
        "all": [{"field": "priority", "operator": "is", "value": "urgent"}],
        "any": [{"field": "current_tags", "operator": "includes", "value": "fire smoke"}],
    }
    assert shown["actions"] == [
        {"field": "group_id", "value": str(olga.keys.billing)},
        {
            "field": "notification_user",
            "value": ["requester_id", "Heard: {{ticket.title}}", "We are\non it."],
        },
    ]
    page = olga.get(made.location)
