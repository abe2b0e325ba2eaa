"""What fields were: `was`, `changed` and their predicates."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from clones.tracker.rules.jql import parse, plan_query, plan_text
from clones.tracker.rules.jql.dates import FORMATS, Stretch
from clones.tracker.rules.jql.history import EVER
from clones.tracker.rules.jql.plan import Call, Changed, Match, Not, Ref, Side, Was
from tests.tracker.rules.jql.memory import NOW, MemorySite

SITE = MemorySite()


def past(query: str) -> Was | Changed:
    where = plan_text(query, SITE).where
    if isinstance(where, Not):
        where = where.node
    assert isinstance(where, Match)
    assert isinstance(where.test, Was | Changed)
    return where.test


def utc(day: int, hour: int = 0, second: int = 0) -> datetime:
    return datetime(2026, 6, day, hour, 0, second, tzinfo=UTC)


def test_a_value_that_was() -> None:
    assert past("status was Done") == Was((Ref("5"),), False, (), EVER)
    assert past("status was in (Done, 'To Do')") == Was((Ref("5"), Ref("1")), False, (), EVER)
    assert past("assignee was empty") == Was((), True, (), EVER)
    assert past("assignee was in (bob, empty)") == Was((Ref("bob-2"),), True, (), EVER)
    members = Call("membersOf", (("g-1",),))
    assert past('assignee was in membersOf("jira-administrators")').items == (members,)  # type: ignore[union-attr]


@pytest.mark.parametrize("operator", ["was not", "was not in"])
def test_a_value_that_never_was(operator: str) -> None:
    operand = "(Done)" if operator == "was not in" else "Done"
    where = plan_text(f"status {operator} {operand}", SITE).where
    assert isinstance(where, Not)
    assert isinstance(where.node, Match)
    assert where.node.test == past("status was Done")


@pytest.mark.parametrize(
    ("predicate", "during"),
    [
        ("before '2026-06-10'", Stretch(None, utc(9, 22))),
        ("after '2026-06-10'", Stretch(utc(9, 22, 1), None)),
        ("after -1d before now()", Stretch(utc(15, 14, 1), NOW)),
        ("during ('2026-06-10', '2026-06-11')", Stretch(utc(9, 22), utc(10, 22, 1))),
        ("after startOfMonth()", Stretch(datetime(2026, 5, 31, 22, 0, 1, tzinfo=UTC), None)),
        ("after '2026-06-10' during ('2026-06-01', '2026-06-12')",
         Stretch(utc(9, 22, 1), utc(11, 22, 1))),
        ("before lastLogin()", Stretch(NOW, NOW)),
    ],
)  # fmt: skip
def test_a_time_narrows_the_look(predicate: str, during: Stretch) -> None:
    assert past(f"status was Done {predicate}").during == during
    assert past(f"status changed {predicate}").during == during


@pytest.mark.parametrize("moment", ["'2026-06-10'", "'2026-06-10 15:00'"])
def test_unverified_on_is_the_whole_day(moment: str) -> None:
    day = Stretch(utc(9, 22), utc(10, 22))
    assert past(f"status was Done on {moment}").during == day


def test_people_narrow_it_too() -> None:
    assert past("status was Done by bob").by == ((Ref("bob-2"),),)
    assert past("status changed by (bob, currentUser())").by == ((Ref("bob-2"), Ref("ann-1")),)
    assert past("status changed by bob by jane").by == ((Ref("bob-2"),), (Ref("jane"),))
    found = plan_query(parse("status changed by nobody"), SITE)
    assert found.plan is not None
    assert len(found.warnings) == 1


def test_a_change_has_two_sides() -> None:
    assert past("status changed") == Changed(None, None, (), EVER)
    assert past("status changed from 'To Do' to (Done, 'In Progress')") == Changed(
        Side((Ref("1"),), False), Side((Ref("5"), Ref("3")), False), (), EVER
    )
    assert past("assignee changed from empty to currentUser()") == Changed(
        Side((), True), Side((Ref("ann-1"),), False), (), EVER
    )


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("status was nothing", "The value 'nothing' does not exist for the field 'status'."),
        ("status changed from fred", "The value 'fred' does not exist for the field 'status'."),
        (
            "status changed after '20/12/10'",
            f"Date value '20/12/10' for predicate 'after' is invalid. {FORMATS}",
        ),
        (
            "status changed after currentUser()",
            "A date for the predicate 'after' provided by the function 'currentUser' is not valid.",
        ),
        (
            "status was Done before (1, 2)",
            "The BEFORE predicate must be supplied with only 1 date value.",
        ),
        (
            "status was Done during 1",
            "The DURING predicate must be supplied with exactly 2 date values.",
        ),
        (
            "status was Done during (1, 2, 3)",
            "The DURING predicate must be supplied with exactly 2 date values.",
        ),
        ("status was Done after now(1)", "Function 'now' expected '0' arguments but received '1'."),
        ("assignee changed by bogus()", "Unable to find JQL function 'bogus()'."),
        ("assignee was bogus()", "Unable to find JQL function 'bogus()'."),
    ],
)
def test_what_is_wrong_is_told(query: str, text: str) -> None:
    found = plan_query(parse(query), SITE)
    assert found.plan is None
    assert [message.text for message in found.errors] == [text]


def test_unverified_empty_is_no_date() -> None:
    found = plan_query(parse("status changed after empty"), SITE)
    assert [message.text for message in found.errors] == [
        f"Date value 'EMPTY' for predicate 'after' is invalid. {FORMATS}"
    ]
