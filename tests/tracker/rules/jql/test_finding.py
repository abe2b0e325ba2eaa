"""What queries find among a few records: the meaning of plans, run by the oracle."""

from __future__ import annotations

from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clones.tracker.rules.jql import plan_text
from clones.tracker.rules.jql.plan import Call
from tests.tracker.rules.jql.memory import MemorySite
from tests.tracker.rules.jql.oracle import Change, Oracle, Record

SITE = MemorySite()


def at(day: int, hour: int = 0) -> datetime:
    return datetime(2026, 6, day, hour, tzinfo=UTC)


def record(id: str, created: int, changes: list[Change] | None = None, **values: Any) -> Record:
    known = {"issuekey": id, "created": at(created, 8), **values}
    return Record(id, at(created, 8), known, changes or [])


RECORDS = [
    record(
        "1001", 1, project="10000", status="5", assignee="ann-1", priority="1",
        labels=["Red", "hot"], summary="Laser does not start", resolution="6",
        customfield_10016=Decimal(3), customfield_10020=["40", "41"], duedate=date(2026, 6, 10),
        changes=[
            Change(at(3), "status", "1", "3", "ann-1"),
            Change(at(9, 12), "status", "3", "5", "bob-2"),
            Change(at(2), "assignee", None, "ann-1", "jane"),
        ],
    ),
    record(
        "1002", 5, project="10000", status="3", assignee="bob-2", priority="3", labels=["cold"],
        summary="Start the laser cold", customfield_10016=Decimal(5), duedate=date(2026, 6, 20),
        changes=[Change(at(6), "status", "1", "3", "jane")],
    ),
    record("2001", 15, project="10001", status="1", priority="5", summary="Manual in German"),
]  # fmt: skip


def answers(call: Call) -> frozenset[str]:
    return {
        "openSprints": frozenset({"41"}),
        "membersOf": frozenset({"ann-1", "jane"}),
        "linkedIssues": frozenset({"1002"}),
    }[call.function]


ORACLE = Oracle(
    answers,
    {
        "priority": ["5", "3", "1"],
        "issue": ["1001", "1002", "2001"],
        "rank": ["2001", "1002", "1001"],
    },
)


def found(query: str) -> list[str]:
    return ORACLE.find(plan_text(query, SITE), RECORDS)


@pytest.mark.parametrize(
    ("query", "ids"),
    [
        ("", "2001 1002 1001"),
        ("project = AUT", "1002 1001"),
        ("status = Done or status = 'To Do'", "2001 1001"),
        ("status in (Done, 'In Progress') and not priority = Highest", "1002"),
        ("assignee != bob", "1001"),
        ("not assignee = bob", "2001 1001"),
        ("assignee is empty", "2001"),
        ("assignee in (bob, empty)", "2001 1002"),
        ("assignee not in (bob, empty)", "1001"),
        ("assignee not in (bob)", "1001"),
        ("assignee = currentUser()", "1001"),
        ("assignee in membersOf(support)", "1001"),
        ("assignee not in membersOf(support)", "1002"),
        ("assignee = nobody", ""),
        ("assignee != nobody", "1002 1001"),
        ("labels = red", "1001"),
        ("labels != red", "1002"),
        ("sprint in openSprints()", "1001"),
        ("sprint not in openSprints()", ""),
        ("resolution = Unresolved", "2001 1002"),
        ("resolution != Unresolved", "1001"),
        ("priority > Lowest", "1002 1001"),
        ("priority <= Medium", "2001 1002"),
        ("'Story Points' > 3", "1002"),
        ("'Story Points' != 3", "1002"),
        ("'Story Points' in (3, 5)", "1002 1001"),
        ("due <= '2026-06-10'", "1001"),
        ("due > -1d", "1002"),
        ("created >= '2026-06-05' and created < '2026-06-06'", "1002"),
        ("created > startOfWeek()", "2001"),
        ("summary ~ laser", "1002 1001"),
        ("summary ~ '\"laser cold\"'", "1002"),
        ("summary !~ laser", "2001"),
        ("key in (AUT-1, WIN-1)", "2001 1001"),
        ("key > AUT-1", "2001 1002"),
        ("issue in linkedIssues(AUT-1)", "1002"),
        ("status was 'In Progress'", "1002 1001"),
        ("status was 'In Progress' before '2026-06-04'", "1001"),
        ("status was 'In Progress' after '2026-06-12'", "1002"),
        ("status was 'To Do' on '2026-06-02'", "1001"),
        ("status was 'In Progress' by jane", "1002"),
        ("status was not 'In Progress'", "2001"),
        ("status was not in ('In Progress', Done)", "2001"),
        ("assignee was empty", "2001 1001"),
        ("assignee was empty before '2026-06-02' and assignee = ann-1", "1001"),
        ("status changed", "1002 1001"),
        ("status changed to Done by bob", "1001"),
        ("status changed from 'To Do' by (bob, jane)", "1002"),
        ("status changed during ('2026-06-05', '2026-06-07')", "1002"),
        ("status changed on '2026-06-09'", "1001"),
        ("assignee changed from empty", "1001"),
        ("order by created asc", "1001 1002 2001"),
        ("order by due desc", "1002 1001 2001"),
        ("order by assignee desc, key asc", "1002 1001 2001"),
    ],
)
def test_a_query_finds(query: str, ids: str) -> None:
    assert found(query) == ids.split()


CLAUSES = [
    "status = Done", "status != Done", "assignee is empty", "assignee = bob", "labels != red",
    "priority > Lowest", "due <= 0d", "summary ~ laser", "status was 'In Progress'",
    "status changed by bob", "created > '2026-06-04'", "assignee not in (bob, empty)",
]  # fmt: skip


@given(st.sampled_from(CLAUSES), st.sampled_from(CLAUSES), st.sampled_from(CLAUSES))
@settings(max_examples=60, deadline=None)
def test_the_laws_of_logic_hold(one: str, two: str, three: str) -> None:
    everything = set(found(""))
    first, second, third = set(found(one)), set(found(two)), set(found(three))
    assert set(found(f"not {one}")) == everything - first
    assert set(found(f"{one} and {two}")) == first & second
    assert set(found(f"{one} or {two} and {three}")) == first | (second & third)
    assert set(found(f"!({one} || {two})")) == set(found(f"not {one} and not {two}"))
    assert found(f"{one} and ({two} or {three})") == found(
        f"({one} and {two}) or ({one} and {three})"
    )
