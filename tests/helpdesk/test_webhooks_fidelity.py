"""What docs/fidelity/helpdesk.md says of webhooks is so, and what nobody recorded has a test."""

from __future__ import annotations

import importlib
import json
import re
from pathlib import Path

import pytest

from clones.core.models import Delivery, DeliveryAttempt
from clones.helpdesk.api.entry import operations
from clones.helpdesk.api.presenters.webhooks import present_attempt
from clones.helpdesk.rules import webhooks as rules
from tests.helpdesk.conftest import Desk
from tests.helpdesk.test_webhooks import make

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "fidelity" / "helpdesk.md").read_text(encoding="utf-8")
TICKET = [
    "actor_id",
    "assignee_id",
    "brand_id",
    "created_at",
    "custom_status",
    "description",
    "external_id",
    "form_id",
    "group_id",
    "id",
    "is_public",
    "organization_id",
    "priority",
    "requester_id",
    "status",
    "subject",
    "submitter_id",
    "tags",
    "type",
    "updated_at",
    "via",
]


def test_the_page_lists_the_operations_and_no_others() -> None:
    listed = set(re.findall(r"^\| `[A-Z]+ /api/v2/webhooks\S*` \| (\w+) \|", TEXT, re.MULTILINE))
    ours = {
        name
        for name, operation in operations().all.items()
        if operation.path.startswith("/api/v2/webhooks")
    }
    assert listed == ours


def test_the_page_lists_the_events_and_no_others() -> None:
    assert set(re.findall(r"`(zen:event-type:[a-z_.]+)`", TEXT)) == set(rules.EVENTS)


def test_each_thing_that_nobody_recorded_has_a_test() -> None:
    named = re.findall(r"`tests/helpdesk/(test_\w+)\.py::(test_\w+)`", TEXT)
    assert len(named) >= 8
    for module, name in named:
        assert callable(getattr(importlib.import_module(f"tests.helpdesk.{module}"), name))


def test_unverified_error_bodies_are_those_of_other_records(desk: Desk) -> None:
    webhook = make(desk)["id"]
    blank = desk.call("PATCH", f"webhooks/{webhook}", {"webhook": {"name": ""}}, by="olga")
    assert (blank.status, blank.body["error"]) == (422, "RecordInvalid")
    gone = desk.call("GET", "webhooks/01EJFTSCC78X5V07NPY2MHR00M", by="olga")
    assert (gone.status, gone.body) == (
        404,
        {"error": "RecordNotFound", "description": "Not found"},
    )


def test_unverified_keys_of_attempts() -> None:
    shown = present_attempt(DeliveryAttempt(id="a", delivery_id="d", status="failed", reason="r"))
    assert list(shown) == [
        "id",
        "invocation_id",
        "status",
        "status_code",
        "completed_at",
        "request",
        "response",
    ]
    assert shown["response"] == {"headers": [], "payload": "r"}


@pytest.mark.parametrize(
    ("number", "status", "timed_out", "seconds"),
    [
        (1, 409, False, 10),
        (3, 409, False, 30),
        (4, 409, False, None),
        (1, None, True, 10),
        (5, None, True, 50),
        (6, None, True, None),
        (1, None, False, None),
    ],
)
def test_unverified_pauses_between_attempts(
    number: int, status: int | None, timed_out: bool, seconds: int | None
) -> None:
    again = rules.retry_seconds(number, status=status, retry_after=None, timed_out=timed_out)
    assert again == seconds


@pytest.mark.parametrize(
    ("request_format", "text", "expected"),
    [("json", 'a"b\n', '{"t": "a\\"b\\n"}'), ("xml", "a<b", '{"t": "a&lt;b"}')],
)
def test_unverified_escapes_in_bodies(request_format: str, text: str, expected: str) -> None:
    _, body = rules.content(
        method="POST",
        request_format=request_format,
        endpoint="https://hooks.example.com/",
        given='{"t": "{{ticket.title}}"}',
        values={"ticket.title": text},
    )
    assert body == expected


def test_unverified_keys_of_a_ticket_event(desk: Desk) -> None:
    make(desk, subscriptions=["zen:event-type:ticket.created"])
    desk.ticket()
    with desk.bound():
        body = json.loads(Delivery.objects.get().body)
    assert sorted(body["detail"]) == TICKET
    assert body["zendesk_event_version"] == "2022-11-06"
