"""Times and days as pages show them, in the zone of the one who looks."""

from __future__ import annotations

from datetime import date, datetime
from zoneinfo import ZoneInfo

from clones.tracker.domain.errors import Invalid


def when(moment: datetime | None, zone: ZoneInfo) -> str:
    """Return a time in words: April 30, 2025 at 1:14 PM; "" for none."""
    if moment is None:
        return ""
    local = moment.astimezone(zone)
    return f"{local:%B} {local.day}, {local.year} at {local.hour % 12 or 12}:{local:%M %p}"


def day_text(day: date | None) -> str:
    """Return a day in words: Apr 30, 2025; "" for none."""
    return "" if day is None else f"{day:%b} {day.day}, {day.year}"


def typed_moment(moment: datetime | None, zone: ZoneInfo) -> str:
    """Return a time as an input of times has it."""
    return "" if moment is None else f"{moment.astimezone(zone):%Y-%m-%dT%H:%M}"


def read_moment(text: str, zone: ZoneInfo) -> datetime:
    """Return the time that an input of times sent.

    Raises:
        Invalid: it is none.
    """
    try:
        found = datetime.fromisoformat(text)
    except ValueError as error:
        raise Invalid(f"Error parsing time: {text}") from error
    return found if found.tzinfo is not None else found.replace(tzinfo=zone)
