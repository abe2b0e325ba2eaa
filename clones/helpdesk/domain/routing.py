"""Asking for tickets to be routed, which a job does once what was asked in is written."""

from __future__ import annotations

from clones.core import clock, jobs
from clones.core.models import Job
from clones.helpdesk.queries.routing import account_routing

KIND = "helpdesk.routing"


def ask_for_routing() -> None:
    """Have the waiting tickets given out, if the account routes; once, however often asked."""
    if not account_routing().enabled:
        return
    now = clock.now()
    if not Job.objects.filter(kind=KIND, state="pending", due__lte=now).exists():
        jobs.enqueue(KIND, due=now, key=KIND)
