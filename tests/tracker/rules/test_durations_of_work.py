"""Durations of work: read, written, and told in words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clones.tracker.rules.durations_of_work import (
    NotADuration,
    WorkTime,
    parse,
    pretty,
    text_of,
)


def test_texts_mean_seconds_of_work() -> None:
    for text, seconds in (
        ("3h 20m", 12_000),
        ("1w", 144_000),
        ("1w 2d", 201_600),
        ("1.5h", 5_400),
        ("2D", 57_600),
        ("90", 5_400),
        (" 1h30m ", 5_400),
        ("0m", 0),
    ):
        assert parse(text) == seconds, text
    assert parse("1d", WorkTime(hours_per_day=6)) == 21_600
    assert parse("2", WorkTime(unit="h")) == 7_200
    for text in ("", "soon", "3x", "-1h", "1h later", "9" * 12 + "w"):
        with pytest.raises(NotADuration):
            parse(text)


def test_seconds_are_told_in_the_largest_units() -> None:
    assert text_of(12_000) == "3h 20m"
    assert text_of(201_600) == "1w 2d"
    assert text_of(59) == "0m"
    assert text_of(21_600, WorkTime(hours_per_day=6)) == "1d"
    assert pretty(201_660) == "1 week, 2 days, 1 minute"


@given(st.integers(min_value=0, max_value=10**7))
def test_what_is_told_is_read_as_the_same(minutes: int) -> None:
    assert parse(text_of(minutes * 60)) == minutes * 60
