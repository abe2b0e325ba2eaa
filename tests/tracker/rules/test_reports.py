"""Reports of sprints and of flow: by hand, and against a slow retelling that forgets nothing."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from clones.tracker.rules.board_settings import working_days
from clones.tracker.rules.reports.courses import Course, course_of
from clones.tracker.rules.reports.flow import StatusPath, cumulative_flow
from clones.tracker.rules.reports.guidelines import guideline, level_days
from clones.tracker.rules.reports.sprints import (
    Report,
    ScopeChange,
    Tale,
    burndown,
    sprint_commitment,
    sprint_report,
    total,
)

BEGIN = datetime(2026, 3, 2, 9, tzinfo=UTC)  # a Monday
ZONE = ZoneInfo("Europe/Berlin")


def hour(number: float) -> datetime:
    return BEGIN + timedelta(hours=number)


def tale(number: int, made: float, *happenings: tuple[float, str, float | bool | None]) -> Tale:
    """Return the history of an issue: `happenings` are (hour, in | done | size, value).

    Those of the hour in which it was made are how it began.
    """
    courses: dict[str, list[tuple[datetime, float | bool | None]]] = {}
    first: dict[str, float | bool | None] = {"in": False, "done": False, "size": None}
    for at, name, value in happenings:
        if at == made:
            first[name] = value
        else:
            courses.setdefault(name, []).append((hour(at), value))
    return Tale(
        number,
        hour(made),
        Course(bool(first["in"]), tuple((at, bool(to)) for at, to in courses.get("in", ()))),
        Course(bool(first["done"]), tuple((at, bool(to)) for at, to in courses.get("done", ()))),
        Course(first["size"], tuple(courses.get("size", ()))),
    )


def brief(events: list[ScopeChange]) -> list[tuple[float, str, int, float, float]]:
    return [
        ((one.at - BEGIN) / timedelta(hours=1), one.kind, one.issue, one.by, one.left)
        for one in events
    ]


def test_a_course_is_read_at_moments_and_before_them() -> None:
    course = course_of("c", [(hour(1), "a", "b"), (hour(2), "b", "x"), (hour(2), "x", "c")])
    assert [course.at(hour(at)) for at in (0, 1, 1.5, 2, 3)] == ["a", "b", "b", "c", "c"]
    assert [course.before(hour(at)) for at in (1, 2, 2.5)] == ["a", "b", "c"]
    assert course_of(7, []).at(hour(0)) == 7


@pytest.mark.parametrize(
    ("happenings", "expected"),
    [
        pytest.param(
            [(-9, "in", True), (-9, "size", 3.0), (5, "done", True)],
            [(0, "start", 1, 3, 3), (5, "completed", 1, -3, 0)],
            id="what was there at the start is burned down",
        ),
        pytest.param(
            [(-9, "size", 3.0), (2, "in", True), (4, "size", 5.0), (6, "in", False)],
            [(2, "added", 1, 3, 3), (4, "estimated", 1, 2, 5), (6, "removed", 1, -5, 0)],
            id="what comes later, grows and goes changes the scope",
        ),
        pytest.param(
            [(-9, "in", True), (-9, "size", 2.0), (1, "done", True), (3, "done", False)],
            [(0, "start", 1, 2, 2), (1, "completed", 1, -2, 0), (3, "reopened", 1, 2, 2)],
            id="what is taken up again is left again",
        ),
        pytest.param(
            [(-9, "in", True), (-9, "size", 2.0), (1, "done", True), (2, "size", 8.0)],
            [(0, "start", 1, 2, 2), (1, "completed", 1, -2, 0)],
            id="estimates of what is done change nothing",
        ),
        pytest.param(
            [(-9, "done", True), (-9, "size", 2.0), (1, "in", True), (2, "in", False)],
            [(1, "added", 1, 0, 0), (2, "removed", 1, 0, 0)],
            id="what was done before weighs nothing",
        ),
        pytest.param(
            [(-9, "in", True), (-5, "in", False), (-3, "size", 9.0)], [], id="gone before the start"
        ),
        pytest.param([(-9, "in", True)], [(0, "start", 1, 0, 0)], id="no estimate weighs nothing"),
        pytest.param(
            [(-9, "in", True), (-9, "size", 1.0), (4, "done", True), (4, "size", 3.0)],
            [(0, "start", 1, 1, 1), (4, "completed", 1, -1, 0)],
            id="two changes in one moment are one event",
        ),
        pytest.param(
            [(-9, "in", True), (-9, "size", 1.0), (99, "done", True)],
            [(0, "start", 1, 1, 1)],
            id="what happens after the end is not told",
        ),
    ],
)
def test_a_burndown_tells_what_changed(
    happenings: list[tuple[float, str, float | bool | None]],
    expected: list[tuple[float, str, int, float, float]],
) -> None:
    assert brief(burndown([tale(1, -9, *happenings)], hour(0), hour(50))) == expected


def test_an_issue_that_is_made_in_a_sprint_is_added_to_it() -> None:
    made = tale(4, 3, (3, "in", True), (3, "size", 2.0))
    assert brief(burndown([made], hour(0), hour(50))) == [(3, "added", 4, 2, 2)]
    assert sprint_report([made], hour(0), hour(50)).not_completed[0].added


def test_a_report_sorts_issues_by_what_became_of_them() -> None:
    tales = [
        tale(1, -9, (-9, "in", True), (-9, "size", 3.0), (5, "size", 5.0), (9, "done", True)),
        tale(2, -9, (-9, "in", True), (-9, "size", 8.0)),
        tale(3, -9, (4, "in", True), (-9, "size", 1.0), (6, "done", True)),
        tale(4, -9, (-9, "in", True), (-9, "size", 2.0), (7, "in", False)),
        tale(5, -9, (-9, "done", True), (-9, "size", 13.0), (2, "in", True)),
        tale(6, -9, (-9, "in", True), (-9, "done", True), (2, "done", False), (3, "done", True)),
        tale(7, -9, (-9, "in", True), (-2, "in", False)),
        tale(8, -9, (8, "in", True), (-9, "done", True), (60, "in", False)),
        tale(9, -9, (1, "in", True), (2, "in", False), (3, "in", True)),
    ]
    found = sprint_report(tales, hour(0), hour(50))
    assert [(line.issue, line.first, line.last, line.added) for line in found.completed] == [
        (1, 3, 5, False),
        (3, 1, 1, True),
        (6, None, None, False),
    ]
    assert [line.issue for line in found.not_completed] == [2, 9]
    assert [line.issue for line in found.elsewhere] == [5, 8]
    assert [(line.issue, line.added) for line in found.removed] == [(4, False)]
    assert total(found.completed) == 6
    kept = sprint_commitment(tales, hour(0), hour(50))
    assert (kept.committed, kept.completed) == (3 + 8 + 2, 6)


@dataclass
class Ledger:
    """An issue as the slow retelling has it: everything that was ever said of it."""

    number: int
    made: int
    said: list[tuple[int, str, float | bool | None]] = field(default_factory=list)

    def state(self, at: float, name: str, *, ere: bool = False) -> float | bool | None:
        found: float | bool | None = None if name == "size" else False
        for when, what, value in self.said:
            if what == name and (when < at or (when == at and not ere)):
                found = value
        return found

    def weight(self, at: float) -> float:
        there = self.made <= at and self.state(at, "in") and not self.state(at, "done")
        return float(self.state(at, "size") or 0) if there else 0.0


def drawn(chance: random.Random, number: int) -> Ledger:
    made = chance.randint(-6, 12)
    ledger = Ledger(number, made)
    for name in ("in", "done", "size"):
        value: float | bool | None = (
            chance.choice([None, 1.0, 2.0, 5.0]) if name == "size" else chance.random() < 0.4
        )
        ledger.said.append((made, name, value))
        for at in sorted(chance.sample(range(made + 1, 40), chance.randint(0, 4))):
            value = chance.choice([None, 1.0, 3.0, 8.0]) if name == "size" else not value
            ledger.said.append((at, name, value))
    return ledger


def fate(ledger: Ledger, until: int) -> str:
    """Return what became of an issue, hour by hour."""
    came, finished = None, None
    for at in range(-10, until + 1):
        if at < ledger.made:
            continue
        inside = ledger.state(at, "in")
        earlier = at > ledger.made and ledger.state(at, "in", ere=True)
        if at == 0 and inside:
            came = at
        if at > 0 and inside and not earlier:
            came = at
        done = ledger.state(at, "done")
        if done and (at == ledger.made or not ledger.state(at, "done", ere=True)):
            finished = at
    if came is None:
        return "stranger"
    if not ledger.state(until, "in"):
        return "removed"
    if not ledger.state(until, "done"):
        return "not_completed"
    assert finished is not None
    return "completed" if finished > came else "elsewhere"


@pytest.mark.parametrize("seed", range(40))
def test_any_sprint_is_told_as_a_slow_retelling_tells_it(seed: int) -> None:
    chance = random.Random(seed)
    ledgers = [drawn(chance, number) for number in range(1, 9)]
    tales = [tale(one.number, one.made, *one.said) for one in ledgers]
    until = 30
    events = burndown(tales, hour(0), hour(until))
    for at in range(until + 1):
        left = [event.left for event in events if event.at <= hour(at)]
        assert (left[-1] if left else 0.0) == sum(one.weight(at) for one in ledgers), at
    found: Report = sprint_report(tales, hour(0), hour(until))
    lists = {name: getattr(found, name) for name in Report.__dataclass_fields__}
    for ledger in ledgers:
        told = [name for name, lines in lists.items() if ledger.number in {x.issue for x in lines}]
        fated = fate(ledger, until)
        assert told == ([] if fated == "stranger" else [fated]), ledger
    for line in (line for lines in lists.values() for line in lines):
        ledger = ledgers[line.issue - 1]
        assert line.added == (ledger.made > 0 or not ledger.state(0, "in"))
        assert line.last == ledger.state(until, "size")
    committed = sum(
        float(one.state(0, "size") or 0) for one in ledgers if one.made <= 0 and one.state(0, "in")
    )
    assert sprint_commitment(tales, hour(0), hour(until)).committed == committed


# Guidelines


def test_a_guideline_is_level_when_nobody_works() -> None:
    start = datetime(2026, 3, 5, 0, tzinfo=ZONE)  # a Thursday
    end = datetime(2026, 3, 11, 0, tzinfo=ZONE)
    is_working = working_days({}).works_on
    corners = {at.date(): value for at, value in guideline(8, start, end, ZONE, is_working)}
    assert [corners[date(2026, 3, day)] for day in range(5, 12)] == [8, 6, 4, 4, 4, 2, 0]
    assert level_days(start, end, ZONE, is_working) == [
        (datetime(2026, 3, 7, tzinfo=ZONE), datetime(2026, 3, 9, tzinfo=ZONE))
    ]
    off = {"workingDays": {"nonWorkingDays": ["2026-03-05", "2026-03-10"]}}
    free = working_days(off).works_on
    corners = {at.date(): value for at, value in guideline(8, start, end, ZONE, free)}
    assert [corners[date(2026, 3, day)] for day in range(5, 12)] == [8, 8, 4, 4, 4, 0, 0]


def test_without_working_days_a_guideline_falls_evenly() -> None:
    start, end = hour(0), hour(48)
    never = working_days({"workingDays": {"days": []}}).works_on
    assert guideline(8, start, end, ZONE, never) == [(start, 8), (end, 0.0)]
    sundays = working_days({"workingDays": {"days": ["sunday"]}}).works_on
    assert sundays(date(2026, 3, 8))
    assert not sundays(date(2026, 3, 9))


def test_a_guideline_follows_days_of_the_viewer_over_a_change_of_clocks() -> None:
    start = datetime(2026, 3, 28, 12, tzinfo=ZONE)  # the clocks go forward on the 29th
    end = datetime(2026, 3, 31, 0, tzinfo=ZONE)
    found = guideline(6, start, end, ZONE, working_days({}).works_on)
    assert [round(value, 6) for _, value in found] == [6, 6, 6, 0]
    assert found[-1][0] == end


# Flow


def test_flow_counts_issues_by_their_columns() -> None:
    ways = [
        StatusPath(hour(0), Course(1, ((hour(2), 2), (hour(4), 3)))),
        StatusPath(hour(1), Course(1)),
        StatusPath(hour(1), Course(1, ((hour(1), 2), (hour(3), 9)))),
    ]
    moments = [hour(at) for at in (-1, 0, 1, 2, 3, 4)]
    assert cumulative_flow(ways, [[1], [2], [3]], moments) == [
        [0, 1, 2, 1, 1, 1],
        [0, 0, 1, 2, 1, 0],
        [0, 0, 0, 0, 0, 1],
    ]


@pytest.mark.parametrize("seed", range(20))
def test_any_flow_is_what_counting_anew_each_time_gives(seed: int) -> None:
    chance = random.Random(seed)
    ways = []
    for _ in range(30):
        made = chance.randint(0, 20)
        steps = sorted(chance.sample(range(made, 30), chance.randint(0, 5)))
        course = Course(
            chance.randint(1, 5), tuple((hour(at), chance.randint(1, 5)) for at in steps)
        )
        ways.append(StatusPath(hour(made), course))
    columns = [[1, 2], [3], [4]]
    moments = [hour(at) for at in sorted(chance.sample(range(35), 8))]
    slow = [
        [sum(way.created <= at and way.status.at(at) in statuses for way in ways) for at in moments]
        for statuses in columns
    ]
    assert cumulative_flow(ways, columns, moments) == slow
