"""Business hours of an organization, as calendars."""

from __future__ import annotations

import re
from datetime import date
from typing import Final
from zoneinfo import ZoneInfo

from clones.core.calendars import AlwaysOpen, BusinessHours, OpenTime
from clones.crm.models import HolidayHours, SObjectRow, rows_of
from clones.crm.rules.organization import DAYS

TIME: Final = re.compile(r"([01]\d|2[0-3]):([0-5]\d)(?::00(?:\.000)?)?Z?", re.ASCII)
YEARLY: Final = "RecursYearly"
_WHOLE_DAY: Final = 24 * 60


def default_hours() -> str | None:
    """Return the id of the hours that count where nothing else is said, None if there are none."""
    rows = rows_of("BusinessHours").filter(IsDefault=True)
    found: str | None = rows.order_by("Id").values_list("Id", flat=True).first()
    return found


def calendar_of(id: str | None) -> OpenTime:
    """Return business hours by their id, less their holidays; none given never close."""
    row = None if id is None else rows_of("BusinessHours").filter(Id=id).first()
    if row is None:
        return AlwaysOpen()
    week = tuple(_spans(row, day) for day in (*DAYS[1:], DAYS[0]))
    single, yearly = _holidays(row.pk)
    if all(day == ((0, _WHOLE_DAY),) for day in week) and not single and not yearly:
        return AlwaysOpen()
    return BusinessHours(ZoneInfo(row.TimeZoneSidKey), week, single, yearly)


def _spans(row: SObjectRow, day: str) -> tuple[tuple[int, int], ...]:
    opens = _minutes(getattr(row, f"{day}StartTime"))
    closes = _minutes(getattr(row, f"{day}EndTime"))
    if opens is None or closes is None:
        return ()
    return ((opens, closes or _WHOLE_DAY),)


def _minutes(text: str | None) -> int | None:
    found = TIME.fullmatch(text or "")
    return None if found is None else int(found[1]) * 60 + int(found[2])


def _holidays(hours: str) -> tuple[tuple[tuple[date, date], ...], frozenset[tuple[int, int]]]:
    """Return the single days and the yearly ones (month, day) on which hours are closed."""
    ids = list(HolidayHours.objects.filter(hours=hours).values_list("holiday", flat=True))
    rows = list(rows_of("Holiday").filter(Id__in=ids).order_by("Id")) if ids else []
    days = [row for row in rows if row.ActivityDate is not None]
    single = tuple((row.ActivityDate, row.ActivityDate) for row in days if not row.IsRecurrence)
    yearly = (row.ActivityDate for row in days if row.RecurrenceType == YEARLY)
    return single, frozenset((day.month, day.day) for day in yearly)
