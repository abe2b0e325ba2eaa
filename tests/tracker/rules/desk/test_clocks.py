"""Clocks of SLAs: what starts, rests and stops them, and that no time is lost."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clones.tracker.rules.desk import conditions
from clones.tracker.rules.desk.calendars import AllTime, Calendar, WorkingTime
from clones.tracker.rules.desk.clocks import Clock, Terms, acts, fresh

HOUR = 3_600_000
START = datetime(2026, 6, 12, 10, tzinfo=UTC)
WORK = WorkingTime.parse(
    "America/New_York",
    {day: [["09:00", "17:00"]] for day in ("MONDAY", "TUESDAY", "THURSDAY", "FRIDAY", "SUNDAY")},
    [],
)


def at(hours: float) -> datetime:
    return START + timedelta(hours=hours)


def test_a_clock_counts_rests_and_stops() -> None:
    clock = fresh(START, 4 * HOUR, None)
    assert (clock.elapsed_at(at(1)), clock.remaining_at(at(1))) == (HOUR, 3 * HOUR)
    assert clock.breaks_at() == at(4)
    resting = clock.paused(at(1))
    assert resting.elapsed_at(at(9)) == HOUR
    assert resting.breaks_at() is None
    assert resting.paused(at(5)) is resting
    running = resting.resumed(at(9))
    assert running.breaks_at() == at(12)
    assert running.elapsed_at(at(10)) == 2 * HOUR
    assert not running.is_breached_at(at(11.9))
    assert running.is_breached_at(at(12))
    stopped = running.stopped(at(13))
    assert stopped.elapsed_at(at(99)) == 5 * HOUR
    assert stopped.remaining_at(at(99)) == -HOUR
    assert stopped.stopped(at(14)) is stopped
    assert stopped.resumed(at(14)) is stopped


def test_another_goal_keeps_what_has_passed() -> None:
    clock = fresh(START, 8 * HOUR, None).aimed(at(3), 4 * HOUR, AllTime())
    assert clock.elapsed_at(at(3)) == 3 * HOUR
    assert clock.breaks_at() == at(4)
    lower = clock.aimed(at(3.5), 2 * HOUR, AllTime())
    assert lower.is_breached_at(at(3.5))
    none = lower.aimed(at(3.5), None, AllTime())
    assert none.remaining_at(at(50)) is None
    assert none.breaks_at() is None
    assert not none.is_breached_at(at(50))
    # A calendar that is closed at the moment counts from its next opening.
    closed = fresh(START, 8 * HOUR, None).aimed(at(3), 4 * HOUR, WORK)
    assert closed.elapsed_at(at(3)) == 3 * HOUR
    assert closed.breaks_at() == datetime(2026, 6, 12, 14, tzinfo=UTC)


TERMS = Terms(
    start=[conditions.ISSUE_CREATED, conditions.RESOLUTION_CLEARED],
    pause=[conditions.in_status(7), conditions.NOT_ASSIGNED],
    stop=[conditions.RESOLUTION_SET],
)
RUNNING = fresh(START, HOUR, None)
RESTING = RUNNING.paused(at(1))
CREATED = frozenset({conditions.ISSUE_CREATED})
SET = frozenset({conditions.RESOLUTION_SET})
IDLE: frozenset[str] = frozenset()
AWAY = frozenset({conditions.in_status(7)})


@pytest.mark.parametrize(
    ("ongoing", "happened", "state", "todo"),
    [
        (None, CREATED, IDLE, ["start"]),
        (None, CREATED, AWAY, ["start", "pause"]),
        (None, IDLE, AWAY, []),
        (None, SET, IDLE, []),
        (None, CREATED | SET, IDLE, []),
        (RUNNING, CREATED, IDLE, []),
        (RUNNING, IDLE, AWAY, ["pause"]),
        (RUNNING, SET, AWAY, ["stop"]),
        (RESTING, IDLE, AWAY, []),
        (RESTING, IDLE, IDLE, ["resume"]),
        (RESTING, SET, IDLE, ["stop"]),
    ],
)
def test_what_is_done_with_a_clock(
    ongoing: Clock | None, happened: frozenset[str], state: frozenset[str], todo: list[str]
) -> None:
    assert acts(TERMS, ongoing, happened=happened, state=state) == todo


@pytest.mark.parametrize(
    ("field", "old", "new", "found"),
    [
        ("status", "3", "7", {conditions.left(3), conditions.entered(7)}),
        ("resolution", None, "1", {conditions.RESOLUTION_SET}),
        ("resolution", "1", None, {conditions.RESOLUTION_CLEARED}),
        ("assignee", None, "a", {conditions.ASSIGNEE_SET, conditions.ASSIGNEE_CHANGED}),
        ("assignee", "a", None, {conditions.ASSIGNEE_CLEARED, conditions.ASSIGNEE_CHANGED}),
        ("assignee", "a", "b", {conditions.ASSIGNEE_CHANGED}),
        ("duedate", None, "2026-01-01", {conditions.DUE_DATE_SET}),
        ("duedate", "2026-01-01", None, {conditions.DUE_DATE_CLEARED}),
        ("summary", "a", "b", set()),
        ("status", "3", "3", set()),
    ],
)
def test_what_a_change_is(field: str, old: str | None, new: str | None, found: set[str]) -> None:
    assert conditions.of_change(field, old, new) == found


def test_the_states_of_a_request() -> None:
    assert conditions.state(status=7, has_assignee=False, has_resolution=False) == {
        "Status: 7",
        conditions.NOT_ASSIGNED,
        conditions.NOT_RESOLVED,
    }


STEPS = st.lists(
    st.tuples(
        st.integers(min_value=0, max_value=200 * HOUR),
        st.sampled_from(["pause", "resume", "count", "aim"]),
    ),
    max_size=12,
)


@given(steps=STEPS, calendar=st.sampled_from([AllTime(), WORK]))
@settings(max_examples=80, deadline=None)
def test_no_time_is_lost_and_none_is_won(steps: list[tuple[int, str]], calendar: Calendar) -> None:
    """What counts is the working time outside of pauses, whatever happens to the clock."""
    clock, moment, counted = fresh(START, 5 * HOUR, calendar), START, 0
    for wait, step in steps:
        later = moment + timedelta(milliseconds=wait)
        if clock.runs:
            counted += calendar.milliseconds_between(moment, later)
        moment = later
        match step:
            case "pause":
                clock = clock.paused(moment)
            case "resume":
                clock = clock.resumed(moment)
            case "count":
                clock = clock.counted(moment)
            case _:
                clock = clock.aimed(moment, 7 * HOUR, calendar)
        assert clock.elapsed_at(moment) == counted
        assert counted <= (moment - START) // timedelta(milliseconds=1)
        breaks = clock.breaks_at()
        if breaks is not None and clock.goal is not None and counted < clock.goal:
            assert clock.elapsed_at(breaks) == clock.goal
            assert not clock.is_breached_at(breaks - timedelta(milliseconds=1))
    assert clock.stopped(moment).elapsed_at(moment + timedelta(days=9)) == counted
