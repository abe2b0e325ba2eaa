"""The hourly job that escalates cases: set when a rule becomes active, gone when none is."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from clones.core import clock, jobs
from clones.core.models import Job

KIND: Final = "crm.escalation"
HOUR: Final = timedelta(hours=1)
# The sweeps do not fall on the hour.
_OFFSET: Final = timedelta(minutes=17)


def start_sweeps() -> None:
    """Set the hourly sweep, unless it is set already."""
    if Job.objects.filter(kind=KIND, state="pending").exists():
        return
    now = clock.now()
    due = now.replace(minute=0, second=0, microsecond=0) + _OFFSET
    jobs.enqueue(KIND, due=due if due > now else due + HOUR, key=KIND)
