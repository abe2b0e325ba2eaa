"""A ticket that is sent twice under one key is made once (the vendor's page "Idempotency").

That keys are an account's, kept for two hours, that a first use is a miss and a repeated one a hit,
and the refusal's words are what public clients and their makers write of production.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from clones.core import clock
from clones.core.tenancy import unit_of_work
from clones.helpdesk.models import IdempotencyKey, Ticket
from snapshots.sandboxes import Sandboxes
from tests.conftest import bind
from tests.helpdesk.conftest import Answer, Desk

LOOKUP = "x-idempotency-lookup"


def sent(desk: Desk, key: str, subject: str = "Printer", **headers: str) -> Answer:
    """Make a ticket under a key."""
    body = {"ticket": {"subject": subject, "comment": {"body": "It smokes."}}}
    return desk.call("POST", "tickets.json", body, **{"Idempotency-Key": key, **headers})


def count(desk: Desk, **where: Any) -> int:
    """Return how many tickets there are."""
    with bind(desk.row), unit_of_work("read"):
        return Ticket.objects.filter(**where).count()


def test_the_second_answer_is_the_first_one(desk: Desk) -> None:
    first = sent(desk, "k-1")
    desk.put(f"tickets/{first.body['ticket']['id']}.json", {"ticket": {"priority": "high"}})
    second = sent(desk, "k-1")
    assert (first.status, first.headers[LOOKUP]) == (201, "miss")
    assert (second.status, second.headers[LOOKUP]) == (201, "hit")
    assert second.body == first.body
    assert second.headers["Location"] == first.headers["Location"]
    assert count(desk, subject="Printer") == 1


def test_another_key_is_another_ticket_and_none_looks_nothing_up(desk: Desk) -> None:
    one, other = sent(desk, "k-2"), sent(desk, "k-3")
    assert other.headers[LOOKUP] == "miss"
    assert other.body["ticket"]["id"] != one.body["ticket"]["id"]
    plain = desk.call("POST", "tickets.json", {"ticket": {"comment": {"body": "Hello."}}})
    assert plain.status == 201
    assert LOOKUP not in plain.headers


def test_other_parameters_under_the_key_are_refused(desk: Desk) -> None:
    sent(desk, "k-4")
    answer = sent(desk, "k-4", subject="Scanner")
    assert (answer.status, answer.body) == (
        400,
        {
            "error": "IdempotentRequestError",
            "description": "Request parameters don't match the given idempotency key",
        },
    )
    assert count(desk, subject="Scanner") == 0


def test_a_key_is_forgotten_after_two_hours(desk: Desk) -> None:
    first = sent(desk, "k-5")
    with bind(desk.row), unit_of_work("write"):
        clock.set_time(clock.now() + timedelta(minutes=119))
    assert sent(desk, "k-5").body["ticket"]["id"] == first.body["ticket"]["id"]
    with bind(desk.row), unit_of_work("write"):
        clock.set_time(clock.now() + timedelta(minutes=2))
    again = sent(desk, "k-5", subject="Scanner")
    assert again.headers[LOOKUP] == "miss"
    assert again.body["ticket"]["id"] != first.body["ticket"]["id"]


def test_unverified_a_refused_request_leaves_its_key_free(desk: Desk) -> None:
    body = {"ticket": {"subject": "Printer", "comment": {"body": ""}, "status": "no such"}}
    refused = desk.call("POST", "tickets.json", body, **{"Idempotency-Key": "k-6"})
    assert refused.status == 422
    assert sent(desk, "k-6").headers[LOOKUP] == "miss"


def test_changes_of_a_ticket_take_no_key(desk: Desk) -> None:
    ticket = desk.ticket()
    for priority in ("high", "low"):
        answer = desk.call(
            "PUT",
            f"tickets/{ticket['id']}.json",
            {"ticket": {"priority": priority}},
            **{"Idempotency-Key": "k-7"},
        )
        assert (answer.status, answer.body["ticket"]["priority"]) == (200, priority)
        assert LOOKUP not in answer.headers


def test_a_rewind_forgets_the_key_and_no_diff_shows_it(desk: Desk, sandboxes: Sandboxes) -> None:
    sandboxes.mark(desk.row.id, "before")
    first = sent(desk, "k-8")
    changed = {change["table"] for change in sandboxes.diff(desk.row.id, "before")}
    assert "helpdesk_idempotencykey" not in changed
    sandboxes.rewind(desk.row.id, "before")
    with bind(desk.row), unit_of_work("read"):
        assert not IdempotencyKey.objects.exists()
    again = sent(desk, "k-8")
    assert again.headers[LOOKUP] == "miss"
    assert again.body["ticket"]["id"] == first.body["ticket"]["id"]  # equal acts, equal rows
