"""The work items that meet a board which was set up: on both sides of each edge of its filters.

Some are drawn around the second filter, whatever status they come to. For what is nearly one of
the filters and shows the same of these there are more, in a status that the board should show.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import tzinfo
from random import Random
from typing import Any, Final

from clones.core import clock
from clones.core.journal import act
from clones.tracker.models import Issue
from clones.tracker.queries.rights import Rights
from episodes.families.t02.drawing import WEEK, Drawer, Plan, shape
from episodes.families.t02.planting import enter, go, land_of
from episodes.families.t02.reading import Condition, Row, belongs, rows_for
from episodes.families.t10.params import DOING, DONE, REVIEW, TODO
from episodes.tasks.spec import Facts, Stage

PROBES: Final = 25
# So many are drawn around a filter for those that tell it from what it nearly is.
DRAWN: Final = 120
SIDES: Final[Mapping[str, str]] = {"all": "any", "any": "all"}


def near_misses(conditions: Sequence[Condition]) -> Iterator[list[Condition]]:
    """Yield what is nearly a filter.

    A condition left out, one of several values left out, a time a week off, and a condition that
    must hold in place of one of which one must, or the other way round.
    """
    for place, each in enumerate(conditions):
        before, after = list(conditions[:place]), list(conditions[place + 1 :])
        yield [*before, *after]
        if len(each["values"]) > 1:
            for value in each["values"]:
                fewer = [other for other in each["values"] if other != value]
                yield [*before, {**each, "values": fewer}, *after]
        if each["days"] is not None:
            for days in (each["days"] - WEEK, each["days"] + WEEK):
                yield [*before, {**each, "days": days}, *after]
        if any(other["side"] == "any" for other in (*before, *after)):
            yield [*before, {**each, "side": SIDES[each["side"]]}, *after]


def enter_probes(facts: Facts, stage: Stage, viewer: Rights) -> None:
    """Make the probes: in every status of the space, then what else the filters' edges need."""
    chance, land = stage.chance("probes"), land_of(**facts["land"])
    around = Drawer(_in_space(facts, 1), land, clock.now(), viewer.zone)
    known = set(rows_for(viewer))
    for place, issue in enumerate(_entered(facts, around.around(chance, PROBES), chance, viewer)):
        # Conditions ask for no status, so each may go anywhere.
        _take(issue, (TODO, DOING, REVIEW, DONE)[place % 4])
    shown = _shown(facts, viewer, known)
    more = [
        plan
        for place in range(len(facts["quick"]))
        for plan in telling(facts, place, shown, chance, viewer.zone)
    ]
    to = next(status for column in facts["columns"] for status in column["statuses"])
    for issue in _entered(facts, more, chance, viewer):
        _take(issue, to)


def telling(
    facts: Facts, place: int, shown: Iterable[Row], chance: Random, zone: tzinfo
) -> list[Plan]:
    """Return plans that tell a filter from what is nearly it, where what is shown does not."""
    conditions, now = facts["quick"][place]["conditions"], clock.now()

    def told(miss: Sequence[Condition], row: Row) -> bool:
        return belongs(conditions, row, now, zone) != belongs(miss, row, now, zone)

    rows = list(shown)
    untold = [m for m in near_misses(conditions) if not any(told(m, row) for row in rows)]
    found: list[Plan] = []
    if not untold:
        return found
    land = land_of(**facts["land"])
    for plan in Drawer(_in_space(facts, place), land, now, zone).around(chance, DRAWN):
        row = shape(plan, land, now, zone)
        left = [miss for miss in untold if not told(miss, row)]
        if plan["space"] == facts["space"] and len(left) < len(untold):
            found.append(plan)
            untold = left
    return found


def _in_space(facts: Facts, place: int) -> list[Condition]:
    """Return the conditions of a filter of the board, with that of its space."""
    space = {
        "side": "all",
        "about": "space",
        "test": "one_of",
        "values": [facts["space"]],
        "days": None,
        "words": [],
    }
    return [space, *facts["quick"][place]["conditions"]]


def _entered(facts: Facts, plans: Sequence[Plan], chance: Random, viewer: Rights) -> list[Issue]:
    """Make work items by plans and return those of the board's space."""
    before = set(Issue.objects.values_list("id", flat=True))
    enter(plans, land_of(**facts["land"]), chance, viewer.zone)
    made = Issue.objects.exclude(id__in=before).filter(project__key=facts["space"])
    return list(made.select_related("project__lead", "issue_type", "status").order_by("id"))


def _take(issue: Issue, to: str) -> None:
    """Take a work item to a status, if it is in another one."""
    if issue.status.name != to:
        with act(actor="world", label="work"):
            go(issue, to, actor=Rights(issue.project.lead))


def _shown(facts: Facts, viewer: Rights, known: set[int]) -> list[dict[str, Any]]:
    """Return the rows of new work items that stand in a column of the board as it should be."""
    named = {status for column in facts["columns"] for status in column["statuses"]}
    made = Issue.objects.filter(project__key=facts["space"], status__name__in=named)
    keys = set(made.exclude(id__in=known).values_list("id", flat=True))
    return [row for key, row in rows_for(viewer).items() if key in keys]
