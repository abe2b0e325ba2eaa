"""What follows `finish`: nobody at the keyboard, in a transaction that is undone.

The clock runs on, people check what they were told, and their satisfaction is read; then all of it
is taken back, so that the sandbox is as the agent left it, and nothing costs by its world's size.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any, Final

from clones.core import clock, jobs
from episodes.context import EpisodeContext
from episodes.rewards import QualityParts
from episodes.tasks.spec import Aftermath
from seeds.people.reports import PersonReport, reports

SPAN: Final = timedelta(hours=72)


def aftermath(ground: EpisodeContext) -> Aftermath:
    """Run the aftermath of an episode, return what people made of it, and undo it.

    Where nobody waits and no target runs there is nothing to see, and none is run.
    """
    family, facts = ground.family, ground.arranged.facts
    if not facts.get("people") and family.sla is None:
        return Aftermath(people=(), parts=QualityParts())
    with ground.undone():
        jobs.advance(clock.now() + SPAN)
        found = reports(facts.get("people", ()))
        sla = family.sla(facts) if family.sla is not None else None
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
