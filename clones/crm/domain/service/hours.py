"""How business hours and holidays of an organization are set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from clones.core import clock
from clones.crm.domain.new_ids import new_id
from clones.crm.domain.service.settings import automated_user
from clones.crm.errors import RecordError
from clones.crm.models import HolidayHours, SObjectRow, model_of, rows_of
from clones.crm.queries.business_hours import TIME, YEARLY
from clones.crm.rules.organization import DAYS


def set_hours(
    name: str,
    zone: str,
    week: Mapping[str, tuple[str, str]],
    *,
    is_default: bool = False,
    holidays: Sequence[str] = (),
) -> SObjectRow:
    """Set business hours by their name: those there are of that name change, else they are new.

    `week` has opening and closing times ("09:00") by the English names of days; on others it is
    closed. Midnight as both opens the whole day. `holidays` are ids.

    Raises:
        RecordError: a time, a day or the zone is none.
    """
    try:
        ZoneInfo(zone)
    except (ZoneInfoNotFoundError, ValueError) as error:
        raise _wrong(f"Time Zone: bad value: {zone[:80]}") from error
    if unknown := [day for day in week if day not in DAYS]:
        raise _wrong(f"There is no day {unknown[0][:80]}.")
    values: dict[str, Any] = {"TimeZoneSidKey": zone, "IsActive": True}
    for day in DAYS:
        opens, closes = week.get(day, (None, None))
        values |= {f"{day}StartTime": _kept(opens), f"{day}EndTime": _kept(closes)}
    row = rows_of("BusinessHours").filter(Name=name).order_by("Id").first()
    row = _new("BusinessHours", Name=name) if row is None else row
    if is_default:
        for other in rows_of("BusinessHours").filter(IsDefault=True).exclude(Id=row.pk):
            other.IsDefault = False
            other.save()
        values["IsDefault"] = True
    _save(row, values)
    HolidayHours.objects.filter(hours=row.pk).delete()
    for holiday in dict.fromkeys(holidays):
        HolidayHours(id=f"{row.pk}.{holiday}", holiday=holiday, hours=row.pk).save(
            force_insert=True
        )
    return row


def add_holiday(name: str, day: date, *, is_yearly: bool = False) -> SObjectRow:
    """Make a holiday of a whole day, every year on that day if it is yearly."""
    row = _new("Holiday", Name=name)
    values: dict[str, Any] = {"ActivityDate": day, "IsAllDay": True, "IsRecurrence": is_yearly}
    if is_yearly:
        values |= {
            "RecurrenceType": YEARLY,
            "RecurrenceStartDate": day,
            "RecurrenceDayOfMonth": day.day,
            "RecurrenceMonthOfYear": day.strftime("%B"),
        }
    _save(row, values)
    return row


def _kept(text: str | None) -> str | None:
    if text is None:
        return None
    found = TIME.fullmatch(text)
    if found is None:
        raise _wrong(f"Time: bad value: {text[:80]}")
    return f"{found[1]}:{found[2]}:00.000Z"


def _new(of: str, **values: Any) -> SObjectRow:
    model = model_of(of)
    user = automated_user()
    stamps = {"CreatedById": user, "CreatedDate": _now(), "LastModifiedById": user}
    row = model(Id=new_id(model.sobject.prefix, model), **stamps, **values)
    row.save(force_insert=True)
    return row


def _save(row: SObjectRow, values: Mapping[str, Any]) -> None:
    for name, value in {**values, "LastModifiedDate": _now(), "SystemModstamp": _now()}.items():
        setattr(row, name, value)
    row.save()


def _now() -> datetime:
    return clock.now().replace(microsecond=0)


def _wrong(message: str) -> RecordError:
    return RecordError("FIELD_INTEGRITY_EXCEPTION", message, ["Metadata"])
