"""Literal dates, datetimes and times of day: what they mean, and which are none."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time, timedelta, timezone
from typing import Final

from clones.crm.rules.soql.errors import malformed
from clones.crm.rules.soql.nodes import DateTimeValue, DateValue, TimeValue

# The vendor's calendar begins and ends here.
FIRST_DAY: Final = date(1700, 1, 1)
LAST_DAY: Final = date(4000, 12, 31)
_DATE = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})")
_TIME = re.compile(r"([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]{1,9}))?")
_OFFSET = re.compile(r"[Zz]|([+-])([0-9]{2}):?([0-9]{2})")
_FARTHEST: Final = timedelta(hours=14)


def read_date(value: DateValue) -> date:
    """Return the day that a literal is.

    Raises:
        SoqlError: there is no such day, or it is out of the vendor's calendar.
    """
    found = _day(value.text)
    if found is None:
        raise malformed(f"Invalid date: {value.text}", value.span)
    return found


def read_datetime(value: DateTimeValue) -> datetime:
    """Return the moment that a literal is, in UTC and to the millisecond.

    Raises:
        SoqlError: there is no such moment, it has no offset, or it is out of the vendor's calendar.
    """
    text = value.text
    day, clock = _day(text[:10]), _TIME.match(text, 11)
    offset = _OFFSET.fullmatch(text, clock.end()) if clock is not None else None
    zone = _zone(offset) if offset is not None else None
    moment = _clock(clock) if clock is not None else None
    if day is None or moment is None or zone is None:
        raise malformed(f"Invalid datetime: {text}", value.span)
    return datetime.combine(day, moment, zone).astimezone(UTC)


def read_time(value: TimeValue) -> time:
    """Return the time of day that a literal is.

    Raises:
        SoqlError: there is no such time, or it has no `Z`.
    """
    found = _TIME.match(value.text)
    clock = _clock(found) if found is not None else None
    if found is None or clock is None or value.text[found.end() :].upper() != "Z":
        raise malformed(f"Invalid time: {value.text}", value.span)
    return clock


def _day(text: str) -> date | None:
    if (found := _DATE.fullmatch(text)) is None:
        return None
    year, month, day = map(int, found.groups())
    try:
        made = date(year, month, day)
    except ValueError:
        return None
    return made if FIRST_DAY <= made <= LAST_DAY else None


def _clock(found: re.Match[str]) -> time | None:
    hour, minute, second = int(found[1]), int(found[2]), int(found[3])
    if hour > 23 or minute > 59 or second > 59:
        return None
    thousandths = int(f"{found[4] or '':0<3}"[:3])
    return time(hour, minute, second, thousandths * 1000)


def _zone(found: re.Match[str]) -> timezone | None:
    if found[1] is None:
        return UTC
    length = timedelta(hours=int(found[2]), minutes=int(found[3]))
    if int(found[3]) > 59 or length > _FARTHEST:
        return None
    return timezone(-length if found[1] == "-" else length)
