"""The arithmetic of reports."""

from __future__ import annotations

from datetime import date
from itertools import pairwise

import pytest

from clones.helpdesk.rules import reporting

TODAY = date(2026, 6, 16)


def test_a_week_is_counted_by_days() -> None:
    parts = reporting.stretches(TODAY, 7)
    assert [part.first for part in parts] == [part.last for part in parts]
    assert (parts[0].first, parts[-1].last) == (date(2026, 6, 10), TODAY)


def test_a_quarter_is_counted_by_weeks_without_gaps() -> None:
    parts = reporting.stretches(TODAY, 90)
    assert len(parts) == 13
    assert parts[-1].last == TODAY
    assert (parts[-1].last - parts[0].first).days == 89
    for before, after in pairwise(parts):
        assert (after.first - before.last).days == 1


def test_days_fall_into_their_stretches() -> None:
    parts = reporting.stretches(TODAY, 7)
    days = [TODAY, TODAY, date(2026, 6, 10), date(2026, 6, 1)]
    assert reporting.counted(days, parts) == [1, 0, 0, 0, 0, 0, 2]


def test_the_backlog_is_what_came_less_what_went() -> None:
    assert reporting.backlog(5, [2, 0, 1], [0, 4, 1]) == [7, 3, 3]


def test_medians_and_scores() -> None:
    assert reporting.middle([]) is None
    assert reporting.middle([60, 120, 600]) == 120
    assert reporting.middle([60, 121]) == 90
    assert reporting.score(0, 0) is None
    assert reporting.score(3, 1) == 75


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(None, "-"), (59, "0m"), (720, "12m"), (3900, "1h 5m"), (97_200, "1d 3h")],
)
def test_times_in_words(seconds: int | None, words: str) -> None:
    assert reporting.in_words(seconds) == words
