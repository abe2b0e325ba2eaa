"""Making, changing and deleting the SLAs of a desk; their goals are in `sla_goals`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from clones.core import jobs
from clones.tracker.domain.desks import sla_field
from clones.tracker.domain.errors import Invalid
from clones.tracker.domain.numbering import next_id
from clones.tracker.domain.request_types import require_manager
from clones.tracker.domain.slas import JOB
from clones.tracker.models import ServiceDesk, SlaCycle, SlaMetric
from clones.tracker.queries.rights import Rights
from clones.tracker.queries.slas import condition_names

NAME_LIMIT: Final = 255


def create_metric(
    desk: ServiceDesk,
    *,
    actor: Rights,
    name: str,
    start: Sequence[str],
    pause: Sequence[str] = (),
    stop: Sequence[str],
) -> SlaMetric:
    """Make an SLA: its clocks begin with what happens from now on.

    Args:
        desk: whose it is.
        actor: who administers it.
        name: unique within the desk; queries speak of the SLA by it.
        start: conditions of `rules.desk.conditions` that start a clock.
        pause: states in which it rests.
        stop: conditions that stop it.

    Raises:
        Forbidden: the actor does not administer the desk.
        Invalid: the name is empty, too long or taken, or a condition is none or missing.
    """
    require_manager(actor, desk)
    rows = SlaMetric.objects.filter(desk=desk)
    called = _name(name, taken=rows.filter(name__iexact=name.strip()).exists())
    _check(desk, start, pause, stop)
    last = rows.order_by("-position").values_list("position", flat=True).first()
    return SlaMetric.objects.create(
        id=next_id(SlaMetric),
        desk=desk,
        field=sla_field(called),
        name=called,
        start=list(start),
        pause=list(pause),
        stop=list(stop),
        position=0 if last is None else last + 1,
    )


def change_metric(
    metric: SlaMetric,
    *,
    actor: Rights,
    start: Sequence[str],
    pause: Sequence[str] = (),
    stop: Sequence[str],
) -> SlaMetric:
    """Give an SLA other conditions: clocks follow them from what happens next.

    Raises:
        Forbidden: the actor does not administer the desk.
        Invalid: a condition is none or missing.
    """
    require_manager(actor, metric.desk)
    _check(metric.desk, start, pause, stop)
    metric.start, metric.pause, metric.stop = list(start), list(pause), list(stop)
    metric.save()
    return metric


def delete_metric(metric: SlaMetric, *, actor: Rights) -> None:
    """Delete an SLA with its goals and all its clocks.

    Raises:
        Forbidden: the actor does not administer the desk.
    """
    require_manager(actor, metric.desk)
    running = SlaCycle.objects.filter(metric=metric, stopped_at=None)
    for cycle in running.order_by("id").values_list("id", flat=True):
        jobs.cancel(f"{JOB}:{cycle}")
    metric.delete()


def _name(name: str, *, taken: bool) -> str:
    called = name.strip()
    if not called or len(called) > NAME_LIMIT:
        raise Invalid(fields={"name": f"The name must have between 1 and {NAME_LIMIT} characters."})
    if taken:
        raise Invalid(fields={"name": "An SLA with this name already exists."})
    return called


def _check(
    desk: ServiceDesk, start: Sequence[str], pause: Sequence[str], stop: Sequence[str]
) -> None:
    """Hold the conditions of an SLA to those that there are.

    Raises:
        Invalid: one is not, or there is none to start or to stop by.
    """
    known = condition_names(desk)
    wrong = {
        part: "This condition does not exist."
        for part, chosen in (("start", start), ("pause", pause), ("stop", stop))
        if not set(chosen) <= set(known[part])
    }
    if not start:
        wrong["start"] = "Choose at least one condition that starts the clock."
    if not stop:
        wrong["stop"] = "Choose at least one condition that stops the clock."
    if wrong:
        raise Invalid(fields=wrong)
