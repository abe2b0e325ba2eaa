"""Business hours as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from clones.helpdesk.api.presenters.context import Show, when
from clones.helpdesk.models import Schedule
from clones.helpdesk.rules.zones import name_of


def present_schedule(schedule: Schedule, show: Show) -> dict[str, Any]:
    """Return a schedule as JSON, its time zone by the vendor's name."""
    show.note(schedule)
    return {
        "url": show.url(f"business_hours/schedules/{schedule.id}"),
        "id": schedule.id,
        "name": schedule.name,
        "time_zone": name_of(schedule.time_zone),
        "intervals": schedule.intervals,
        "created_at": when(schedule.created_at),
        "updated_at": when(schedule.updated_at),
    }


def present_holiday(holiday: Mapping[str, Any]) -> dict[str, Any]:
    """Return a holiday as JSON."""
    return {name: holiday[name] for name in ("id", "name", "start_date", "end_date")}
