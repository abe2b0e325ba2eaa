"""Changes to the oracle of T04 that need to know the job: what is planned, and what is told."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from episodes.certify.tracker_mutants import with_body
from episodes.families.t04.reading import KEY, POINTS
from episodes.families.t04.solve import CHANGE, PUT
from episodes.tasks.acting import Acts, Mutant, RecordedAct
from episodes.tasks.mutating import place_of, replaced
from episodes.tasks.spec import Facts

READING: Final = "tracker_getIssue"
EDIT: Final = "tracker_editIssue"


def mutants(acts: Acts, facts: Facts) -> list[Mutant]:
    """Return the mutants of one recorded run of the oracle by API."""
    return [
        *_of_the_plan(acts, facts),
        *_of_the_sprint(acts, facts),
        *_of_the_goal(acts, facts),
        *_of_the_work(acts, facts),
        *_that_change_nothing(acts),
        *_that_look_less(acts),
    ]


def _place(acts: Acts, tool: str) -> int:
    place = place_of(acts, lambda taken: taken.tool == tool)
    if place is None:
        raise LookupError(f"the oracle does not do {tool}")
    return place


def _planned(acts: Acts) -> list[str]:
    return list(acts[_place(acts, PUT)].arguments["body"]["issues"])


def _of_the_plan(acts: Acts, facts: Facts) -> Iterator[Mutant]:
    """One work item too few or too many, or one for another."""
    place = _place(acts, PUT)
    keys = _planned(acts)
    spare = [entry["key"] for entry in facts["work"].values() if entry["key"] not in keys]
    for key in keys:
        others = [one for one in keys if one != key]
        changed = replaced(acts, place, with_body(acts[place], issues=others))
        yield Mutant("planned", "harmful", f"without {key}", changed)
    for key in [*spare, *facts["lures"]]:
        more = with_body(acts[place], issues=[*keys, key])
        yield Mutant("planned", "harmful", f"with {key}", replaced(acts, place, more))
    for key, other in zip(keys, spare, strict=False):
        swapped = with_body(acts[place], issues=[other if one == key else one for one in keys])
        name = f"{other} for {key}"
        yield Mutant("planned", "harmful", name, replaced(acts, place, swapped))


def _of_the_sprint(acts: Acts, facts: Facts) -> Iterator[Mutant]:
    """Another sprint is filled or told of; the sprint is started, or what was in it taken out."""
    for tool, name in ((PUT, "filled"), (CHANGE, "told of")):
        place = _place(acts, tool)
        other = RecordedAct(tool, {**acts[place].arguments, "sprint": facts["twin"]})
        changed = replaced(acts, place, other)
        yield Mutant("sprint", "harmful", f"another is {name}", changed)
    extras = {
        "started": RecordedAct(CHANGE, {"sprint": facts["sprint"], "body": {"state": "active"}}),
        "renamed": RecordedAct(CHANGE, {"sprint": facts["sprint"], "body": {"name": "Planned"}}),
        "longer": RecordedAct(
            CHANGE, {"sprint": facts["sprint"], "body": {"endDate": "2031-01-01T09:00:00.000Z"}}
        ),
    }
    held = [entry["key"] for entry in facts["held"].values()]
    if held:
        out = "tracker_agile.moveIssuesToBacklog"
        extras["what was in it taken out"] = RecordedAct(out, {"body": {"issues": held}})
    for name, extra in extras.items():
        yield Mutant("sprint", "harmful", name, [*acts[:-1], extra, acts[-1]])


def _of_the_goal(acts: Acts, facts: Facts) -> Iterator[Mutant]:
    """Another sum, a key too few or too many, both sums, nothing."""
    place = _place(acts, CHANGE)
    goal = str(acts[place].arguments["body"]["goal"])
    total = float(POINTS.findall(goal)[0])
    keys = KEY.findall(goal)
    said = [POINTS.sub(f"{total + step:g} points", goal) for step in (-1, 1)]
    said += [goal.replace(key, "more") for key in keys]
    said += [f"{goal} and {facts['lures'][0]}", f"{goal} or {total + 2:g} points", "Planned."]
    for number, text in enumerate(said):
        other = with_body(acts[place], goal=text)
        yield Mutant("goal", "harmful", f"told otherwise, {number}", replaced(acts, place, other))


def _of_the_work(acts: Acts, facts: Facts) -> Iterator[Mutant]:
    """An estimate, a holder or a priority is changed besides."""
    key = _planned(acts)[0]
    changes: dict[str, dict[str, Any]] = {
        "an estimate lowered": {"customfield_10026": 0.5},
        "nobody's": {"assignee": None},
        "a lower priority": {"priority": {"name": "Lowest"}},
        "without labels": {"labels": []},
    }
    for name, fields in changes.items():
        extra = RecordedAct(EDIT, {"issueIdOrKey": key, "body": {"fields": fields}})
        yield Mutant("work", "harmful", name, [*acts[:-1], extra, acts[-1]])


def _that_change_nothing(acts: Acts) -> Iterator[Mutant]:
    """Another order, one by one, in the order of rank; the goal in other words, or told first."""
    place, told = _place(acts, PUT), _place(acts, CHANGE)
    keys = _planned(acts)
    turned = with_body(acts[place], issues=keys[::-1])
    yield Mutant("planned", "equivalent", "in another order", replaced(acts, place, turned))
    single = [with_body(acts[place], issues=[key]) for key in keys]
    yield Mutant("planned", "equivalent", "one by one", replaced(acts, place, *single))
    ranked = with_body(acts[place], issues=keys[1:], rankAfterIssue=keys[0])
    both = [with_body(acts[place], issues=keys[:1]), ranked]
    yield Mutant("planned", "equivalent", "ranked", replaced(acts, place, *both))
    goal = str(acts[told].arguments["body"]["goal"])
    words = goal.replace("points, with", "story points. First of all:").replace(" and ", ", ")
    other = with_body(acts[told], goal=f"The team takes {words}")
    yield Mutant("goal", "equivalent", "in other words", replaced(acts, told, other))
    swapped = list(acts)
    swapped[place], swapped[told] = acts[told], acts[place]
    yield Mutant("swap commuting steps", "equivalent", "told first", swapped)


def _that_look_less(acts: Acts) -> Iterator[Mutant]:
    """Neither guide nor absences are read."""
    kept = [taken for taken in acts if taken.tool != READING]
    yield Mutant("looking", "careless", "without the texts", kept)
