"""The hours of service desks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from zoneinfo import ZoneInfoNotFoundError

from clones.tracker.domain.errors import Conflict, Invalid
from clones.tracker.domain.numbering import next_id
from clones.tracker.domain.request_types import require_manager
from clones.tracker.domain.slas import counted_anew
from clones.tracker.models import Calendar, ServiceDesk, SlaGoal
from clones.tracker.queries.rights import Rights
from clones.tracker.rules.desk.calendars import WEEKDAYS, WorkingTime


def create_calendar(
    desk: ServiceDesk,
    name: str,
    *,
    actor: Rights,
    time_zone: str,
    hours: Mapping[str, Sequence[Sequence[str]]],
    holidays: Sequence[Mapping[str, Any]] = (),
) -> Calendar:
    """Make a calendar: spans of hours by weekday ("MONDAY"), days on which nobody works.

    Raises:
        Forbidden: the actor does not administer the desk.
        Invalid: a zone, a weekday, an hour or a date is none.
    """
    require_manager(actor, desk)
    _check(name, time_zone, hours, holidays)
    return Calendar.objects.create(
        id=next_id(Calendar),
        desk=desk,
        name=name.strip()[:255],
        time_zone=time_zone,
        hours={day: [list(span) for span in spans] for day, spans in hours.items()},
        holidays=[dict(day) for day in holidays],
    )


def change_calendar(
    calendar: Calendar,
    name: str,
    *,
    actor: Rights,
    time_zone: str,
    hours: Mapping[str, Sequence[Sequence[str]]],
    holidays: Sequence[Mapping[str, Any]] = (),
) -> Calendar:
    """Change a calendar; running clocks go by it from now on, what has passed stays.

    Raises:
        Forbidden: the actor does not administer the desk.
        Invalid: a zone, a weekday, an hour or a date is none.
    """
    require_manager(actor, calendar.desk)
    _check(name, time_zone, hours, holidays)
    with counted_anew(calendar):
        calendar.name = name.strip()[:255]
        calendar.time_zone = time_zone
        calendar.hours = {day: [list(span) for span in spans] for day, spans in hours.items()}
        calendar.holidays = [dict(day) for day in holidays]
        calendar.save()
    return calendar


def delete_calendar(calendar: Calendar, *, actor: Rights) -> None:
    """Delete a calendar by which no goal goes.

    Raises:
        Conflict: a goal goes by it.
        Forbidden: the actor does not administer the desk.
    """
    require_manager(actor, calendar.desk)
    if SlaGoal.objects.filter(calendar=calendar).exists():
        raise Conflict("This calendar is used by an SLA. Choose another calendar there first.")
    calendar.delete()


def _check(
    name: str,
    time_zone: str,
    hours: Mapping[str, Sequence[Sequence[str]]],
    holidays: Sequence[Mapping[str, Any]],
) -> None:
    if not name.strip():
        raise Invalid(fields={"name": "You must give the calendar a name."})
    unknown = set(hours) - set(WEEKDAYS)
    if unknown:
        raise Invalid(fields={"hours": f"There is no weekday {min(unknown)}."})
    try:
        WorkingTime.parse(time_zone, hours, holidays)
    except (ValueError, KeyError, ZoneInfoNotFoundError) as error:
        raise Invalid(fields={"hours": "The working hours are invalid."}) from error
