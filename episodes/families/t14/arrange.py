"""Plant a release, what blocks it and what only seems to, and the release after it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from random import Random
from typing import Any, Final

from clones.core import clock
from clones.core.journal import act
from clones.tracker.domain.versions import create_version
from clones.tracker.models import Project, User, Version
from clones.tracker.queries.rights import Rights
from episodes.families.t14 import words
from episodes.families.t14.graph import (
    Plan,
    blockers,
    draw,
    due_first,
    levels,
    listed,
    wrong_lists,
)
from episodes.families.t14.params import Params, params_of
from episodes.tasks.goals import goals_of
from episodes.tasks.personas import CannotArrange
from episodes.tasks.spec import Arranged, Persona, Stage
from episodes.tasks.tracker_people import colleagues, live_spaces, persona_on_tracker, user_of
from episodes.tasks.tracker_planting import History, Planted, in_office_hours
from sandlot.service import Space

PEOPLE: Final = 4
PRIORITIES: Final = ("High", "Medium", "Low")
# Days ago, from when to when things of a kind happened: one after the other, whatever the weekday.
MADE: Final = (20, 46)
LINKED: Final = (9, 17)
BEGUN: Final = (9, 17)
ENDED: Final = (2, 7)
# Days from now on which the release is planned, and how much later the one after it is.
PLANNED: Final = (3, 12)
AFTER: Final = (3, 9)


@dataclass(frozen=True, slots=True)
class SpaceContext:
    """Where it happens: the release's space, another one, who works in both."""

    space: Project
    elsewhere: Project
    people: list[User]


@dataclass(frozen=True, slots=True)
class Releases:
    """The release that is asked about and the one after it, and what their descriptions say."""

    own: Version
    later: Version
    codename: str


def arrange(stage: Stage) -> Arranged:
    """Make the instance in the bound sandbox, in the order of what happened.

    Raises:
        CannotArrange: no space can have another release soon, or too few people work there.
    """
    params, chance = params_of(stage.instance), stage.chance("arrange")
    persona = persona_on_tracker("developer")
    ground = _ground(user_of(persona), chance)
    releases = _releases(ground.space, chance)
    plan = draw(params, chance)
    issues = _plant(plan, ground, releases, chance)
    return Arranged(
        goal=_goal(params, stage.chance("goal"), ground.space, releases),
        persona=Persona("release manager", persona.logins),
        facts=_facts(params, plan, issues, releases),
        allows=(),
        start_path="/jira/for-you",
        oracle_steps=_steps(params, plan),
    )


def _steps(params: Params, plan: Plan) -> dict[Space, int]:
    """Return how many steps the oracle takes: a query for each link, from the release's own on."""
    far = max(levels(plan, passes=params.passes).values())
    found = 0 if params.way == "name" else 2
    # On the pages: to the box for queries, what is one link further than any, and the list.
    return {"api": found + 1 + far + 1, "browser": found + 3 + far + 1 + 1 + 1}


# Where and who


def _ground(reader: User, chance: Random) -> SpaceContext:
    spaces = [space for space in live_spaces() if Rights(reader).may("BROWSE_PROJECTS", space)]
    fitting = [space for space in spaces if _days_left(space) > PLANNED[0]]
    chance.shuffle(fitting)
    for space in fitting:
        people = colleagues(space, but=[reader.id])
        others = [one for one in spaces if one.id != space.id]
        chance.shuffle(others)
        for elsewhere in others:
            both = [user for user in people if Rights(user).may("ASSIGNABLE_USER", elsewhere)]
            if len(both) >= PEOPLE:
                chance.shuffle(both)
                return SpaceContext(space, elsewhere, both[: 2 * PEOPLE])
    raise CannotArrange("no space with a release to come has people who work in another one too")


def _days_left(space: Project) -> int:
    """Return in how many days a space's next release comes, 0 if it has none behind it."""
    rows = Version.objects.filter(project=space, archived=False)
    if not rows.filter(released=True).exists():
        return 0
    today = clock.now().date()
    coming = rows.filter(released=False, release_date__gte=today - timedelta(days=1))
    days = [(day - today).days for day in coming.values_list("release_date", flat=True) if day]
    return min(days, default=PLANNED[1] + 1)


# What


def _releases(space: Project, chance: Random) -> Releases:
    """Make the release, the next that is planned of its space, and one that comes after it."""
    now, today = clock.now(), clock.now().date()
    rows = Version.objects.filter(project=space)
    shipped = rows.filter(released=True, archived=False).order_by("-release_date", "-id")[0]
    taken = {name.lower() for name in rows.values_list("name", flat=True)}
    names = [f"{shipped.name}.{number}" for number in range(1, 40)]
    names = [name for name in names if name.lower() not in taken]
    days = {day for pair in rows.values_list("start_date", "release_date") for day in pair}
    planned = today + timedelta(
        days=chance.randrange(PLANNED[0], min(PLANNED[1], _days_left(space)))
    )
    after = _free([planned + timedelta(days=more) for more in range(*AFTER)], days, chance)
    began = _free([today - timedelta(days=ago) for ago in range(50, 70)], days, chance)
    later = _free([began + timedelta(days=more) for more in range(5, 20)], days, chance)
    codename, other = chance.choice(words.CODENAMES)
    made = []
    for name, start, due, called in (
        (names[0], began, planned, codename),
        (names[1], later, after, other),
    ):
        at = now - timedelta(days=(today - start).days, minutes=chance.randrange(300))
        changes = {
            "name": name,
            "start_date": start,
            "release_date": due,
            "description": f"{called}: {chance.choice(words.CONTENTS)}",
        }
        with clock.at(at), act(actor="world", label="version"):
            made.append(create_version(space, changes, actor=Rights(space.lead)))
    return Releases(made[0], made[1], codename)


def _free(days: Sequence[date], taken: set[date | None], chance: Random) -> date:
    """Return one of several days on which nothing of the space's begins or ends.

    Raises:
        CannotArrange: something does on each of them.
    """
    found = [day for day in days if day not in taken]
    if not found:
        raise CannotArrange("every day of the space has a version of its own")
    return chance.choice(found)


def _plant(plan: Plan, ground: SpaceContext, releases: Releases, chance: Random) -> list[Planted]:
    """Make the work items of a plan, and let happen to them what made them so."""
    history, present = History(), clock.now()

    def moment(days: tuple[int, int]) -> datetime:
        day = present - timedelta(days=chance.randrange(*days))
        return in_office_hours(day, chance.randrange(30, 510))

    versions = {"own": releases.own, "own_done": releases.own, "later": releases.later}
    summaries = words.titles(chance, [node.bug for node in plan])
    people = [chance.choice(ground.people) for _ in plan]
    made = []
    for node, by, summary in zip(plan, people, summaries, strict=True):
        values: dict[str, Any] = {"priority": chance.choice(PRIORITIES)}
        if node.role in versions:
            values["fixVersions"] = (versions[node.role],)
        if node.due is not None:
            values["duedate"] = present.date() + timedelta(days=node.due)
        if not node.nobody:
            values["assignee"] = chance.choice(ground.people)
        made.append(
            history.make(
                ground.elsewhere if node.elsewhere else ground.space,
                "Bug" if node.bug else "Task",
                summary,
                by=by,
                at=moment(MADE),
                description=chance.choice(words.NOTES),
                **values,
            )
        )
    for place, node in enumerate(plan):
        for kind, ends in (("Blocks", node.blocks), ("Relates", node.relates)):
            for end in ends:
                history.link(made[place], kind, made[end], by=people[place], at=moment(LINKED))
        if not node.untouched:
            history.move(made[place], "In Progress", by=people[place], at=moment(BEGUN))
        if node.done:
            at = moment(ENDED)
            history.move(made[place], "Close", by=people[place], at=at, resolution="Done")
    history.write()
    return made


# Facts and goal


def _facts(
    params: Params, plan: Plan, issues: Sequence[Planted], releases: Releases
) -> dict[str, Any]:
    graph = sorted(issues[place].id for place in blockers(plan, passes=params.passes))
    near = next(place for place, node in enumerate(plan) if node.role == "near")
    wrong = wrong_lists(plan, params)
    return {
        "depth": params.depth,
        "scope": params.scope,
        "way": params.way,
        "passes": params.passes,
        "release": releases.own.id,
        "graph": graph,
        "answer": _answer(plan, issues, listed(plan, params)),
        "others": {name: _answer(plan, issues, places) for name, places in wrong.items()},
        "own": sorted(issues[at].key for at, node in enumerate(plan) if node.role == "own"),
        "support": [[["tracker_issue", str(key)] for key in graph]],
        "neighbour": issues[near].key,
        "obligations": [],
        "giver_reply": "I have told you all that I know. The links in the tracker say the rest.",
    }


def _answer(plan: Plan, issues: Sequence[Planted], places: Iterable[int]) -> dict[str, Any]:
    """Return the answer that a list of places makes; the first of it is "" if none is due."""
    found = list(places)
    first = due_first(plan, found)
    return {
        "blockers": sorted(issues[place].key for place in found),
        "first": "" if first is None else issues[first].key,
    }


def _goal(params: Params, chance: Random, space: Project, releases: Releases) -> str:
    own = releases.own
    day = own.start_date if params.way == "start" else own.release_date
    release = words.RELEASE_WORDS[params.way].format(
        space=space.name,
        version=own.name,
        day="" if day is None else words.day_words(day),
        codename=releases.codename,
    )
    template = chance.choice(goals_of(__file__))["text"]
    return str(
        template.format(
            release=release,
            closed=words.CLOSED_WORDS[params.closed],
            scope=words.SCOPE_WORDS[params.scope],
            form=words.FORM,
        )
    )
