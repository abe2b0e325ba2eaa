"""Writing the account's business hours: schedules, their week and their holidays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, Final

from clones.core import clock, ids
from clones.core.resources import Resource, ResourceField
from clones.helpdesk.domain.audit_logs import logged
from clones.helpdesk.domain.changes import plain_text
from clones.helpdesk.domain.errors import AccessDenied, RecordInvalid, RecordNotFound
from clones.helpdesk.models import Schedule, User
from clones.helpdesk.rules.schedules import WEEK_MINUTES
from clones.helpdesk.rules.zones import zone_of

DAY = 24 * 60
# Monday to Friday, nine to five.
OFFICE_HOURS = [
    {"start_time": day * DAY + 9 * 60, "end_time": day * DAY + 17 * 60} for day in range(1, 6)
]
Holiday = dict[str, Any]


@logged("create")
def create_schedule(*, actor: User, changes: Mapping[str, Any]) -> Schedule:
    """Create a schedule of office hours; the first one is the account's default.

    Raises:
        AccessDenied: the actor is no admin.
        RecordInvalid: it has no name, or no time zone.
    """
    _admins_only(actor)
    now = clock.now()
    schedule = Schedule(
        id=ids.next_stamp(Schedule),
        intervals=[dict(item) for item in OFFICE_HOURS],
        default=not Schedule.objects.filter(default=True).exists(),
        created_at=now,
        updated_at=now,
    )
    _set(schedule, {"name": None, "time_zone": None, **changes})
    schedule.save(force_insert=True)
    return schedule


@logged("update")
def update_schedule(schedule: Schedule, *, actor: User, changes: Mapping[str, Any]) -> Schedule:
    """Rename a schedule, or put it into another time zone.

    Raises:
        AccessDenied: the actor is no admin.
        RecordInvalid: a value breaks a rule.
    """
    _admins_only(actor)
    _set(schedule, changes)
    return _stored(schedule)


@logged("destroy")
def delete_schedule(schedule: Schedule, *, actor: User) -> None:
    """Remove a schedule. After the default one the oldest of the others is the default.

    Raises:
        AccessDenied: the actor is no admin.
    """
    _admins_only(actor)
    was_default = schedule.default
    schedule.delete()
    heir = Schedule.objects.order_by("id").first() if was_default else None
    if heir is not None:
        heir.default = True
        heir.save(update_fields=["default"])


@logged("update")
def set_week(
    schedule: Schedule, *, actor: User, intervals: Sequence[Mapping[str, int]]
) -> Schedule:
    """Give a schedule other hours: minutes since Sunday 00:00, within one day each.

    Raises:
        AccessDenied: the actor is no admin.
        RecordInvalid: an interval is empty, spans days, lies outside the week, or two overlap.
    """
    _admins_only(actor)
    found = sorted((item["start_time"], item["end_time"]) for item in intervals)
    last = 0
    for start, end in found:
        if not 0 <= start < end <= WEEK_MINUTES:
            raise _wrong("intervals", "Intervals: must start before they end, within the week")
        if end > (start // DAY + 1) * DAY:
            raise _wrong("intervals", "Intervals: can't span calendar days")
        if start < last:
            raise _wrong("intervals", "Intervals: can't overlap")
        last = end
    schedule.intervals = [{"start_time": start, "end_time": end} for start, end in found]
    return _stored(schedule)


def holidays_of(schedule: Schedule) -> list[Holiday]:
    """Return a schedule's holidays with their ids.

    Those that the account began with have none in their rows: theirs follow the schedule's own,
    where no other record's can lie, and are kept with them at the first write.
    """
    return [
        {**item, "id": item.get("id", schedule.id + 1 + index)}
        for index, item in enumerate(schedule.holidays)
    ]


def holiday_of(schedule: Schedule, key: int) -> Holiday:
    """Return one holiday of a schedule.

    Raises:
        RecordNotFound: it has no such holiday.
    """
    for item in holidays_of(schedule):
        if item["id"] == key:
            return item
    raise RecordNotFound("holiday", key)


@logged("update")
def add_holiday(schedule: Schedule, *, actor: User, changes: Mapping[str, Any]) -> Holiday:
    """Add a holiday to a schedule: days, the last one included, on which nobody works.

    Raises:
        AccessDenied: the actor is no admin.
        RecordInvalid: it has no name or no days, or ends before it begins.
    """
    _admins_only(actor)
    given = {"name": None, "start_date": None, "end_date": None, **changes}
    made = {"id": ids.next_stamp(Schedule), **_holiday({}, given)}
    schedule.holidays = [*holidays_of(schedule), made]
    _stored(schedule)
    return made


@logged("update")
def update_holiday(
    schedule: Schedule, key: int, *, actor: User, changes: Mapping[str, Any]
) -> Holiday:
    """Change a holiday of a schedule.

    Raises:
        AccessDenied: the actor is no admin.
        RecordNotFound: the schedule has no such holiday.
        RecordInvalid: a value breaks a rule.
    """
    _admins_only(actor)
    found = {"id": key, **_holiday(holiday_of(schedule, key), changes)}
    schedule.holidays = [found if item["id"] == key else item for item in holidays_of(schedule)]
    _stored(schedule)
    return found


@logged("update")
def delete_holiday(schedule: Schedule, key: int, *, actor: User) -> None:
    """Remove a holiday from a schedule.

    Raises:
        AccessDenied: the actor is no admin.
        RecordNotFound: the schedule has no such holiday.
    """
    _admins_only(actor)
    holiday_of(schedule, key)
    schedule.holidays = [item for item in holidays_of(schedule) if item["id"] != key]
    _stored(schedule)


def _stored(schedule: Schedule) -> Schedule:
    schedule.updated_at = clock.now()
    schedule.save()
    return schedule


def _set(schedule: Schedule, changes: Mapping[str, Any]) -> None:
    if "name" in changes:
        schedule.name = _name(changes["name"])
    if "time_zone" in changes:
        zone = zone_of(plain_text("time_zone", changes["time_zone"], 64) or "")
        if zone is None:
            raise _wrong("time_zone", "Time zone: is not a valid time zone")
        schedule.time_zone = zone


def _holiday(before: Mapping[str, Any], changes: Mapping[str, Any]) -> Holiday:
    values = {**before, **changes}
    first, last = _day("start_date", values), _day("end_date", values)
    if last < first:
        raise _wrong("end_date", "End date: can't be before the start date")
    return {
        "name": _name(values["name"]),
        "start_date": first.isoformat(),
        "end_date": last.isoformat(),
    }


def _day(name: str, values: Mapping[str, Any]) -> date:
    try:
        return date.fromisoformat(str(values[name]))
    except ValueError as error:
        label = name.replace("_", " ").capitalize()
        raise _wrong(name, f"{label}: is not a valid date") from error


def _name(value: Any) -> str:
    text = (plain_text("name", value, 255) or "").strip()
    if not text:
        raise RecordInvalid.of("name", "Name: cannot be blank", "BlankValue")
    return text


def _wrong(attribute: str, text: str) -> RecordInvalid:
    return RecordInvalid.of(attribute, text, "InvalidValue")


def _admins_only(actor: User) -> None:
    if actor.role != "admin":
        raise AccessDenied("only admins keep business hours")


SCHEDULE: Final = Resource(
    Schedule,
    "schedule",
    (
        ResourceField("name", required=True),
        ResourceField("time_zone", required=True, about="As `London`, or by its IANA name."),
        ResourceField("id", "id"),
    ),
    create=create_schedule,
    update=update_schedule,
    delete=delete_schedule,
)
