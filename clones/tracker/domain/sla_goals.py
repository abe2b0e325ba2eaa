"""Changing the goals of an SLA."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from clones.tracker.domain.errors import Invalid
from clones.tracker.domain.numbering import next_ids
from clones.tracker.domain.request_types import require_manager
from clones.tracker.domain.slas import aim_anew
from clones.tracker.models import Calendar, SlaGoal, SlaMetric
from clones.tracker.queries import searching
from clones.tracker.queries.rights import Rights


@dataclass(frozen=True, slots=True)
class Goal:
    """How long an SLA takes for the requests of a query; without one, for all others.

    `milliseconds` None: these requests have no goal. Without a calendar all time counts.
    """

    jql: str
    milliseconds: int | None
    calendar: Calendar | None = None


def change_goals(metric: SlaMetric, goals: Sequence[Goal], *, actor: Rights) -> list[SlaGoal]:
    """Give an SLA other goals, in this order; running clocks go by them from now on.

    Raises:
        Forbidden: the actor does not administer the desk.
        Invalid: a length is none, a calendar another desk's, or a goal without a query is not the
            last.
        JqlError: a query cannot be run.
    """
    require_manager(actor, metric.desk)
    for position, goal in enumerate(goals, start=1):
        if goal.milliseconds is not None and goal.milliseconds <= 0:
            raise Invalid(fields={"duration": "The goal must be longer than nothing."})
        if goal.calendar is not None and goal.calendar.desk_id != metric.desk_id:
            raise Invalid(fields={"calendar": "The calendar is another service desk's."})
        if not goal.jql.strip() and position < len(goals):
            raise Invalid(fields={"jql": "Only the last goal can be for all remaining requests."})
        if goal.jql.strip():
            searching.read_search(goal.jql, actor)
    metric.goals.all().delete()
    keys = next_ids(SlaGoal, len(goals))
    made = [
        SlaGoal(
            id=key,
            metric=metric,
            position=position,
            jql=goal.jql.strip(),
            milliseconds=goal.milliseconds,
            calendar=goal.calendar,
        )
        for position, (key, goal) in enumerate(zip(keys, goals, strict=True))
    ]
    SlaGoal.objects.bulk_create(made)
    aim_anew(metric)
    return made
