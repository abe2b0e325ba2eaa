"""Changes to the oracle of T05 that need to know the job: membership, states, dates, order."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Final

from episodes.certify.tracker_mutants import with_body
from episodes.families.t05.solve import CHANGE, PUT
from episodes.tasks.acting import Acts, Mutant, RecordedAct
from episodes.tasks.mutating import place_of, replaced
from episodes.tasks.spec import Facts

READING: Final = ("tracker_getIssue", "tracker_getComments")


def mutants(acts: Acts, facts: Facts) -> list[Mutant]:
    """Return the mutants of one recorded run of the oracle by API."""
    return [
        *_of_the_work(acts, facts),
        *_of_the_sprints(acts, facts),
        *_of_the_dates(acts),
        *_that_change_nothing(acts),
        *_that_look_less(acts),
    ]


def _place(acts: Acts, tool: str, state: str | None = None) -> int:
    def fits(taken: RecordedAct) -> bool:
        body = taken.arguments.get("body") or {}
        return taken.tool == tool and (state is None or body.get("state") == state)

    place = place_of(acts, fits)
    if place is None:
        raise LookupError(f"the oracle does not do {tool}")
    return place


def _of_the_work(acts: Acts, facts: Facts) -> Iterator[Mutant]:
    """One work item too few or too many in the next sprint."""
    place = _place(acts, PUT)
    keys = list(acts[place].arguments["body"]["issues"])
    for key in keys:
        others = [one for one in keys if one != key]
        fewer = [with_body(acts[place], issues=others)] if others else []
        changed = replaced(acts, place, *fewer)
        yield Mutant("carried", "harmful", f"without {key}", changed)
    for key in [*facts["returned_keys"], *facts["finished_keys"], facts["neighbour"]]:
        more = with_body(acts[place], issues=[*keys, key])
        yield Mutant("carried", "harmful", f"with {key}", replaced(acts, place, more))


def _of_the_sprints(acts: Acts, facts: Facts) -> Iterator[Mutant]:
    """The other sprint completed, or one of the two steps left out."""
    for state, name in (("closed", "not completed"), ("active", "not started")):
        place = _place(acts, CHANGE, state)
        yield Mutant("states", "harmful", name, replaced(acts, place))
    place = _place(acts, CHANGE, "closed")
    body = acts[place].arguments["body"]
    other = RecordedAct(CHANGE, {"sprint": facts["beside"], "body": body})
    yield Mutant(
        "states", "harmful", "the other as well", replaced(acts, place, acts[place], other)
    )


def _of_the_dates(acts: Acts) -> Iterator[Mutant]:
    """The next sprint for a week more, or begun some days later."""
    place = _place(acts, CHANGE, "active")
    body = acts[place].arguments["body"]
    begin = datetime.fromisoformat(body["startDate"])
    end = datetime.fromisoformat(body["endDate"])
    longer = with_body(acts[place], endDate=(end + timedelta(weeks=1)).isoformat())
    yield Mutant("dates", "harmful", "a week longer", replaced(acts, place, longer))
    late = timedelta(days=4)
    later = with_body(
        acts[place], startDate=(begin + late).isoformat(), endDate=(end + late).isoformat()
    )
    yield Mutant("dates", "harmful", "four days later", replaced(acts, place, later))


def _that_change_nothing(acts: Acts) -> Iterator[Mutant]:
    """Another order of the keys, and the work moved one by one."""
    place = _place(acts, PUT)
    keys = list(acts[place].arguments["body"]["issues"])
    turned = with_body(acts[place], issues=keys[::-1])
    yield Mutant("carried", "equivalent", "in another order", replaced(acts, place, turned))
    single = [with_body(acts[place], issues=[key]) for key in keys]
    yield Mutant("carried", "equivalent", "one by one", replaced(acts, place, *single))


def _that_look_less(acts: Acts) -> Iterator[Mutant]:
    """Nothing of the guide is read."""
    kept = [taken for taken in acts if taken.tool not in READING]
    yield Mutant("looking", "careless", "without the guide", kept)
