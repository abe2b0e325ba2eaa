"""The hours of service desks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from zoneinfo import ZoneInfoNotFoundError

from clones.core.rows import insert_row
from clones.tracker.domain.errors import Forbidden, Invalid
from clones.tracker.domain.numbering import next_id
from clones.tracker.models import Calendar, ServiceDesk
from clones.tracker.queries.desks import is_manager
from clones.tracker.queries.rights import Rights
from clones.tracker.rules.desk.calendars import WEEKDAYS, WorkingTime

ADMINS_ONLY = "Only administrators of this service desk can do this."


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
    if not is_manager(actor, desk):
        raise Forbidden(ADMINS_ONLY)
    if not name.strip():
        raise Invalid(fields={"name": "You must give the calendar a name."})
    unknown = set(hours) - set(WEEKDAYS)
    if unknown:
        raise Invalid(fields={"hours": f"There is no weekday {min(unknown)}."})
    try:
        WorkingTime.parse(time_zone, hours, holidays)
    except (ValueError, KeyError, ZoneInfoNotFoundError) as error:
        raise Invalid(fields={"hours": "The working hours are invalid."}) from error
    return insert_row(
        Calendar(
            id=next_id(Calendar),
            desk=desk,
            name=name.strip()[:255],
            time_zone=time_zone,
            hours={day: [list(span) for span in spans] for day, spans in hours.items()},
            holidays=[dict(day) for day in holidays],
        )
    )
