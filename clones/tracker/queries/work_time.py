"""How long work lasts on the site, and whether it is tracked at all: settings of admins."""

from __future__ import annotations

from typing import Final

from clones.tracker.domain.settings import setting
from clones.tracker.rules.durations_of_work import USUAL, WorkTime

# The vendor's object of the same settings: workingHoursPerDay, workingDaysPerWeek, timeFormat,
# defaultUnit.
SETTING: Final = "time_tracking"
# The key of the provider that is chosen: an empty text where none is.
PROVIDER: Final = "time_tracking_provider"
UNITS: Final = {"minute": "m", "hour": "h", "day": "d", "week": "w"}


def work_time() -> WorkTime:
    """Return how long a day and a week of work are."""
    found = setting(SETTING)
    if not isinstance(found, dict):
        return USUAL
    return WorkTime(
        hours_per_day=float(found.get("workingHoursPerDay", USUAL.hours_per_day)),
        days_per_week=float(found.get("workingDaysPerWeek", USUAL.days_per_week)),
        unit=UNITS.get(str(found.get("defaultUnit")), USUAL.unit),
    )


def is_tracked() -> bool:
    """Tell whether time is tracked on the site."""
    return bool(setting(PROVIDER, "JIRA"))
