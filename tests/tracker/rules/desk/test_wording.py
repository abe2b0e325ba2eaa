"""How portals write durations and moments."""

from datetime import UTC, datetime

import pytest

from clones.tracker.rules.desk.wording import friendly_duration, friendly_moment, title_words

PRESENT = datetime(2026, 6, 16, 14, 0, tzinfo=UTC)  # a Tuesday


@pytest.mark.parametrize(
    ("milliseconds", "text"),
    [
        (0, "0m"),
        (59_999, "0m"),
        (-59_999, "0m"),
        (1_200_000, "20m"),
        (-2_400_000, "-40m"),
        (3_600_000, "1h"),
        (3_900_000, "1h 5m"),
        (-97 * 3_600_000, "-97h"),
    ],
)
def test_unverified_durations_are_hours_and_minutes(milliseconds: int, text: str) -> None:
    assert friendly_duration(milliseconds) == text


@pytest.mark.parametrize(
    ("moment", "text"),
    [
        (datetime(2026, 6, 16, 0, 5, tzinfo=UTC), "Today 12:05 AM"),
        (datetime(2026, 6, 15, 23, 59, tzinfo=UTC), "Yesterday 11:59 PM"),
        (datetime(2026, 6, 17, 12, 0, tzinfo=UTC), "Tomorrow 12:00 PM"),
        (datetime(2026, 6, 12, 9, 30, tzinfo=UTC), "Friday 9:30 AM"),
        (datetime(2026, 6, 9, 9, 30, tzinfo=UTC), "09/Jun/26 9:30 AM"),
    ],
)
def test_unverified_moments_near_by_have_names(moment: datetime, text: str) -> None:
    assert friendly_moment(moment, PRESENT) == text


def test_words_of_a_term_are_pieces_of_titles() -> None:
    assert title_words("prin* is?broken") == ["prin", "is", "broken"]
    assert title_words("  * ") == []
