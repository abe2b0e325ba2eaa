"""What follows `finish`: nobody at the keyboard, in a copy, until the people are done.

The graded sandbox is never touched: a fork's clock runs on, people check what they were told, and
their satisfaction is read from the fork.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

from clones.core import clock, jobs
from clones.core.server import server
from clones.core.tenancy import SandboxRow, unit_of_work
from episodes.rewards import QualityParts
from episodes.tasks.spec import Aftermath, Arranged, Family
from seeds.people.reports import PersonReport, reports

if TYPE_CHECKING:
    from episodes.host import Host

SPAN: Final = timedelta(hours=72)


def aftermath(
    host: Host, row: SandboxRow, family: Family, arranged: Arranged, start: int
) -> Aftermath:
    """Run the aftermath of an episode in a fork and return what people made of it."""
    fork = host.sandboxes.fork(row.id)
    try:
        with server().stores.bind(fork.store, fork.id):
            with unit_of_work("write"):
                jobs.advance(clock.now() + SPAN)
            with unit_of_work("read"):
                found = reports(arranged.facts.get("people", ()))
                sla = family.sla(arranged.facts) if family.sla is not None else None
    finally:
        host.sandboxes.delete(fork.id)
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
        "rating": report.rating,
    }
