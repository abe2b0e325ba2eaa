"""What follows `finish`: nobody at the keyboard, in a copy, until the people are done.

The graded sandbox is never touched: a fork's clock runs on, people check what they were told, and
their satisfaction is read from the fork.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any, Final

from clones.core import clock, jobs
from clones.core.server import server
from clones.core.tenancy import unit_of_work
from episodes.context import EpisodeContext
from episodes.rewards import QualityParts
from episodes.tasks.spec import Aftermath
from seeds.people.reports import PersonReport, reports

SPAN: Final = timedelta(hours=72)


def aftermath(ground: EpisodeContext) -> Aftermath:
    """Run the aftermath of an episode in a fork and return what people made of it.

    Where nobody waits and no target runs there is nothing to see, and none is run.
    """
    sandboxes, family, facts = ground.host.sandboxes, ground.family, ground.arranged.facts
    if not facts.get("people") and family.sla is None:
        return Aftermath(people=(), parts=QualityParts())
    fork = sandboxes.fork(ground.sandbox.id)
    try:
        with server().stores.bind(fork.store, fork.id):
            with unit_of_work("write"):
                jobs.advance(clock.now() + SPAN)
            with unit_of_work("read"):
                found = reports(facts.get("people", ()))
                sla = family.sla(facts) if family.sla is not None else None
    finally:
        sandboxes.delete(fork.id)
    return Aftermath(
        people=tuple(_plain(report) for report in found),
        parts=QualityParts(sla=sla, csat=_mean([report.satisfaction for report in found])),
    )


def _mean(values: list[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


def _plain(report: PersonReport) -> dict[str, Any]:
    return {
        "person": report.person,
        "kind": report.kind,
        "state": report.mood,
        "satisfaction": report.satisfaction,
        "reopens": report.reopens,
        "untruths": report.untruths,
        "rating": report.rating,
    }
