"""Comparison by type and meaning: 25 = 25.0, minor units, time zones, sets, html as its text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Hashable, Iterable
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal, InvalidOperation
from typing import Any
from zoneinfo import ZoneInfo

from clones.billing.rules.money import decimals
from clones.core.plaintext import plain_of_html
from seeds.people.extraction import extract

DURATION = re.compile(
    r"P?(?:(?P<weeks>\d+(?:\.\d+)?) ?(?:weeks?|w))?[ ,]*"
    r"(?:(?P<days>\d+(?:\.\d+)?) ?(?:days?|d))?(?:[ ,]|and|T)*"
    r"(?:(?P<hours>\d+(?:\.\d+)?) ?(?:hours?|hrs?|h))?(?:[ ,]|and)*"
    r"(?:(?P<minutes>\d+(?:\.\d+)?) ?(?:minutes?|mins?|m))?(?:[ ,]|and)*"
    r"(?:(?P<seconds>\d+(?:\.\d+)?) ?(?:seconds?|secs?|s))?",
    re.IGNORECASE,
)

# Typographic quotes read as straight ones.
STRAIGHT = {0x2018: "'", 0x2019: "'", 0x201C: '"', 0x201D: '"'}


def as_number(value: Any) -> Decimal | None:
    """Return a number given as int, float, Decimal or digits, None if it is none."""
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal | str):
        return None
    text = str(value).strip()
    if isinstance(value, str):
        text = re.sub(r"(?<=\d),(?=\d{3}(?:\D|$))", "", text)
    try:
        number = Decimal(text)
    except InvalidOperation:
        return None
    return number if number.is_finite() else None


def same_number(expected: Any, given: Any, *, tolerance: float = 0.0) -> bool:
    """Tell whether two values are the same number."""
    left, right = as_number(expected), as_number(given)
    return left is not None and right is not None and abs(left - right) <= Decimal(str(tolerance))


def same_sum(minor: int, currency: str, given: Any) -> bool:
    """Tell whether `given` is this sum: a number in major units, or text with one sum in it."""
    if not isinstance(given, str) or as_number(given) is not None:
        number = as_number(given)
        return number is not None and number == Decimal(minor).scaleb(-decimals(currency))
    found = extract(given).money
    return len(found) == 1 and found[0].matches(minor, currency)


def as_moment(value: Any, zone: str = "UTC") -> datetime | None:
    """Return a moment in UTC; one without a zone is taken to be in `zone`."""
    moment = value
    if isinstance(value, str):
        try:
            moment = datetime.fromisoformat(value.strip())
        except ValueError:
            return None
    if not isinstance(moment, datetime):
        return None
    zoned = moment if moment.tzinfo is not None else moment.replace(tzinfo=ZoneInfo(zone))
    return zoned.astimezone(UTC)


def same_moment(
    expected: Any, given: Any, *, zone: str = "UTC", tolerance: timedelta = timedelta(0)
) -> bool:
    """Tell whether two values are the same moment, whatever zone they are written in."""
    left, right = as_moment(expected, zone), as_moment(given, zone)
    return left is not None and right is not None and abs(left - right) <= tolerance


def same_day(expected: date, given: Any) -> bool:
    """Tell whether `given` is this day: a date, or text that names exactly one."""
    if isinstance(given, datetime):
        return given.date() == expected
    if isinstance(given, date):
        return given == expected
    found = extract(given).days if isinstance(given, str) else ()
    return len(found) == 1 and found[0].matches(expected)


def as_duration(value: Any, unit: timedelta = timedelta(minutes=1)) -> timedelta | None:
    """Return a duration given in words, ISO 8601 or as a number of `unit`."""
    number = as_number(value)
    if number is not None:
        return float(number) * unit
    if isinstance(value, timedelta):
        return value
    found = DURATION.fullmatch(value.strip()) if isinstance(value, str) else None
    if found is None or not any(found.groupdict().values()):
        return None
    return timedelta(**{name: float(part or 0) for name, part in found.groupdict().items()})


def same_duration(
    expected: Any,
    given: Any,
    *,
    unit: timedelta = timedelta(minutes=1),
    tolerance: timedelta = timedelta(0),
) -> bool:
    """Tell whether two values are the same length of time."""
    left, right = as_duration(expected, unit), as_duration(given, unit)
    return left is not None and right is not None and abs(left - right) <= tolerance


def plain(value: str) -> str:
    """Return a text as it is compared: visible characters, one space, no case."""
    text = plain_of_html(value) if re.search(r"<[a-zA-Z/!][^>]*>", value) else value
    text = unicodedata.normalize("NFKC", text)
    text = text.translate(STRAIGHT)
    return " ".join(text.split()).casefold()


def same_text(expected: str, given: Any) -> bool:
    """Tell whether two texts read the same: markup, spacing and case aside."""
    return isinstance(given, str) and plain(expected) == plain(given)


def same_set(
    expected: Iterable[Any], given: Iterable[Any], *, key: Callable[[Any], Hashable] = plain
) -> bool:
    """Tell whether two collections hold the same values, order and repeats aside."""
    return {key(value) for value in expected} == {key(value) for value in given}
