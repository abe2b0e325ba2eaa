"""What a milestone of a case shows of the time: it moves with the clock, so no column has it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import timedelta
from typing import Any, Final

from clones.core import clock
from clones.core.calendars import OpenTime
from clones.crm.models import MilestoneClock, rows_of
from clones.crm.queries.business_hours import calendar_of

OBJECT: Final = "CaseMilestone"
LEFT: Final = ("TimeRemainingInMins", "TimeRemainingInHrs", "TimeRemainingInDays")
SINCE: Final = ("TimeSinceTargetInMins", "TimeSinceTargetInHrs", "TimeSinceTargetInDays")
MOVING: Final = frozenset((*LEFT, *SINCE))


def moving_values(ids: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Return the values of the fields that move with the clock, by the ids of the milestones.

    An open milestone shows the open time up to its target, one that is past it the time since; a
    completed one shows neither. While its case is stopped, they stand still.
    """
    wanted = list(ids)
    rows = list(rows_of(OBJECT).filter(Id__in=wanted))
    stopped = dict(MilestoneClock.objects.filter(id__in=wanted).values_list("id", "stopped_since"))
    calendars: dict[str | None, OpenTime] = {}
    found = {}
    for row in rows:
        if row.IsCompleted or row.TargetDate is None:
            found[row.pk] = dict.fromkeys(MOVING)
            continue
        if row.BusinessHoursId not in calendars:
            calendars[row.BusinessHoursId] = calendar_of(row.BusinessHoursId)
        open_ = calendars[row.BusinessHoursId]
        now = stopped.get(row.pk) or clock.now()
        if now <= row.TargetDate:
            shown = _shown(LEFT, open_.open_time(now, row.TargetDate))
        else:
            shown = _shown(SINCE, open_.open_time(row.TargetDate, now))
        found[row.pk] = {**dict.fromkeys(MOVING), **shown}
    return found


def with_moving(id: str, shown: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is shown of a milestone, with the values that move with the clock."""
    values = moving_values([id]).get(id, {}) if MOVING & shown.keys() else {}
    return {name: values.get(name, value) for name, value in shown.items()}


def hundredths(seconds: float, unit: int) -> float:
    """Return a time in units of some seconds, to two places."""
    return round(seconds / unit, 2)


def _shown(names: tuple[str, str, str], time: timedelta) -> dict[str, Any]:
    seconds = int(time.total_seconds())
    minutes, hours, days = names
    return {
        minutes: f"{seconds // 60}:{seconds % 60:02d}",
        hours: f"{hundredths(seconds, 3600):.2f}",
        days: hundredths(seconds, 86400),
    }
