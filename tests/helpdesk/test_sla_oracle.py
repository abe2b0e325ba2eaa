"""Four SLA metrics against a second derivation, over random pasts."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from clones.core import clock
from clones.helpdesk.models import Schedule
from tests.helpdesk.conftest import Desk
from tests.helpdesk.sla_oracle import Office, Past, breaches
from tests.helpdesk.test_rules import new_request, policy

DAY = 24 * 60
TARGETS = {
    "first_reply_time": 95,
    "next_reply_time": 130,
    "requester_wait_time": 600,
    "agent_work_time": 420,
}
WEEK = tuple((DAY * day + 540, DAY * day + 1035) for day in range(1, 6))
HOLIDAYS = (date(2026, 6, 18), date(2026, 6, 24))
OFFICES = [
    None,
    Office("UTC", WEEK, ()),
    Office("America/New_York", WEEK, HOLIDAYS),
    Office("Asia/Kolkata", ((0, 300), *WEEK, (DAY * 6 + 600, DAY * 7)), HOLIDAYS[:1]),
]
STATUSES = ("", "open", "pending", "hold", "solved")
GAPS = st.one_of(st.integers(1, 240), st.integers(1, 4000))
STEPS = st.lists(
    st.tuples(GAPS, st.sampled_from(("reply", "note", "ask")), st.sampled_from(STATUSES)),
    min_size=1,
    max_size=9,
)


def install(desk: Desk, office: Office) -> None:
    """Make these the account's hours."""
    at = datetime(2026, 1, 1, tzinfo=UTC)
    days = [{"id": n, "name": "Off", "start_date": str(day), "end_date": str(day)}
            for n, day in enumerate(office.holidays, 1)]  # fmt: skip
    week = [{"start_time": start, "end_time": end} for start, end in office.week]
    with desk.writing():
        Schedule.objects.create(
            id=1,
            name="Office",
            time_zone=office.zone,
            intervals=week,
            holidays=days,
            default=True,
            created_at=at,
            updated_at=at,
        )


def take(desk: Desk, key: int, kind: str, status: str, *, answered: bool) -> bool:
    """Do one step to a ticket; tell whether an agent has answered by now.

    A ticket is solved only with or after an answer: what a first reply is otherwise, nobody says.
    Nothing is done to one that was closed, days after it was solved.
    """
    now = desk.get(f"tickets/{key}.json")["ticket"]["status"]
    if now == "closed":
        return answered
    if kind == "ask":
        body = {"request": {"comment": {"body": "And?"}}}
        desk.put(f"requests/{key}.json", body, by="rosa")
        return answered
    if kind == "note" and (now == "solved" or (status == "solved" and not answered)):
        return answered
    given: dict[str, Any] = {"comment": {"body": "Well.", "public": kind == "reply"}}
    if status:
        given |= {"status": status, "assignee_id": desk.ids["ana"]}
    desk.put(f"tickets/{key}.json", {"ticket": given})
    return answered or kind == "reply"


def found_by_us(desk: Desk, key: int) -> set[tuple[str, int, datetime]]:
    """Return the breaches that the API tells of."""
    events = desk.get("incremental/ticket_metric_events.json?start_time=0", by="olga")
    assert events["end_of_stream"] is True
    return {
        (item["metric"], item["instance_id"], datetime.fromisoformat(item["time"]))
        for item in events["ticket_metric_events"]
        if item["ticket_id"] == key and item["type"] == "breach"
    }


@pytest.mark.parametrize("office", OFFICES, ids=["calendar", "utc", "new_york", "kolkata"])
def test_breaches_are_those_of_a_second_derivation(desk: Desk, office: Office | None) -> None:
    if office is not None:
        install(desk, office)
    policy(desk, *TARGETS.items(), business=office is not None)
    agents = {desk.ids["ana"]}
    some: set[str] = set()

    @settings(
        max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
    )
    @given(STEPS)
    def check(steps: list[tuple[int, str, str]]) -> None:
        key = new_request(desk, priority="high")
        answered = False
        for gap, kind, status in steps:
            desk.advance(minutes=gap)
            answered = take(desk, key, kind, status, answered=answered)
        desk.advance(days=3)
        with desk.bound():
            now = clock.now()
        past = Past.of(desk.get(f"tickets/{key}/audits.json")["audits"], agents)
        expected = breaches(past, TARGETS, office, now)
        assert found_by_us(desk, key) == expected
        some.update(metric for metric, _, _ in expected)

    check()
    assert len(some) >= 2, "the pasts drawn breach hardly anything"
