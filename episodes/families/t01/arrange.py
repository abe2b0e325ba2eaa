"""Plant the work item that a question is about, its near-twin, its duplicate, what blocks it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random
from typing import Any, Final
from zoneinfo import ZoneInfo

from clones.core import clock
from clones.tracker.models import Component, Issue, Project, User, Version
from clones.tracker.queries.rights import Rights
from episodes.families.t01.cases import PRIORITIES, Case, draw_values
from episodes.families.t01.params import GUESSABLE, Params, params_of
from episodes.families.t01.words import FORMS, QUESTIONS, TOPICS, WAY_WORDS, day_words
from episodes.tasks.goals import goals_of
from episodes.tasks.personas import CannotArrange
from episodes.tasks.spec import Arranged, Persona, Stage
from episodes.tasks.tracker_people import colleagues, live_spaces, persona_on_tracker, user_of
from episodes.tasks.tracker_planting import History, Planted, in_office_hours

ZONES: Final = {
    "London": "Europe/London",
    "Berlin": "Europe/Berlin",
    "New York": "America/New_York",
}
CASES: Final = 3


@dataclass(frozen=True, slots=True)
class SpaceContext:
    """Where it happened: the space, another one, versions, components, people in a drawn order."""

    space: Project
    elsewhere: Project
    versions: list[Version]
    components: list[Component]
    people: list[User]


def arrange(stage: Stage) -> Arranged:
    """Make the instance in the bound sandbox, in the order of what happened.

    Raises:
        CannotArrange: the world has no fitting space, or too few people.
    """
    params = params_of(stage.instance)
    chance = stage.chance("arrange")
    persona = persona_on_tracker("developer")
    reader = user_of(persona)
    ground = _ground(reader, chance)
    target, others = _cases(params, ground, chance)
    history, present = History(), clock.now()
    for case in (target, *others.values()):
        case.plant(history, present, chance)
    blockers = _links(history, ground, target, others, chance)
    history.write()
    zone = chance.choice(sorted(ZONES))
    facts = _facts(params, target, others, blockers, ZONES[zone])
    goal = _goal(
        params,
        stage.chance("goal"),
        space=ground.space.name,
        topic=facts["described"],
        code=target.values.code,
        reporter=target.reporter.display_name,
        day=day_words(target.issue.made.created.date()),
        component=target.component.name,
        former=target.former,
        zone=zone,
        page_zone=reader.time_zone.rpartition("/")[2].replace("_", " "),
    )
    return Arranged(
        goal=goal,
        persona=Persona("support engineer", persona.logins),
        facts=facts,
        allows=(),
        start_path="/jira/for-you",
        oracle_steps={"api": 3, "browser": 6},
    )


# Where and who


def _ground(reader: User, chance: Random) -> SpaceContext:
    spaces = [space for space in live_spaces() if Rights(reader).may("BROWSE_PROJECTS", space)]
    fitting = [space for space in spaces if len(_versions(space)) >= 2 * CASES]
    if not fitting:
        raise CannotArrange("no space of this world has versions enough")
    space = chance.choice(fitting)
    elsewhere = chance.choice([one for one in spaces if one.id != space.id])
    versions, components = _versions(space), list(space.components.order_by("id"))
    people = colleagues(space, but=[reader.id])
    people = [user for user in people if _is_plain(user.display_name)]
    if len(people) < 3 * CASES + 2 or len(components) < CASES:
        raise CannotArrange("too few people can have work of this space")
    chance.shuffle(versions)
    chance.shuffle(components)
    chance.shuffle(people)
    return SpaceContext(space, elsewhere, versions, components, people)


def _versions(space: Project) -> list[Version]:
    return list(Version.objects.filter(project=space, archived=False).order_by("id"))


def _is_plain(name: str) -> bool:
    """Tell whether a name has nothing in it that a goal's sentence could end at."""
    return all(part.replace("-", "").isalpha() for part in name.split())


# What


def _cases(params: Params, ground: SpaceContext, chance: Random) -> tuple[Case, dict[str, Case]]:
    """Return the case asked for, and the others by what they are to it."""
    topic = chance.choice(TOPICS)
    *_, reporter, other = ground.people
    ages = chance.sample((58, 66, 74, 83), CASES)
    reporter = _quiet(ground, reporter, other)
    other = next(user for user in reversed(ground.people) if user.id != reporter.id)
    priorities = chance.sample(PRIORITIES, len(PRIORITIES))
    drawn = [
        draw_values(chance, ground.versions, ground.people, priorities, number)
        for number in range(CASES)
    ]
    target = Case(
        ground.space,
        topic.summary,
        topic.text,
        reporter,
        ground.components[0],
        ages[0],
        drawn[0],
        born=ground.elsewhere if params.way == "former" else None,
    )
    twin = Case(
        ground.space,
        topic.twin,
        topic.twin_text,
        reporter,
        ground.components[1],
        ages[1],
        drawn[1],
    )
    duplicate = Case(
        ground.space,
        topic.again,
        topic.text,
        other,
        ground.components[0],
        ages[2],
        drawn[2],
        end="Duplicate",
    )
    return target, {"twin": twin, "duplicate": duplicate}


def _quiet(ground: SpaceContext, *wanted: User) -> User:
    """Return one of those wanted who filed nothing on the component, or who else did not."""
    rows = Issue.objects.filter(component_links__component=ground.components[0])
    heard = set(rows.values_list("reporter_id", flat=True))
    for user in (*wanted, *ground.people[3 * CASES :]):
        if user.id not in heard:
            return user
    raise CannotArrange("everybody has filed something on this component")


def _links(
    history: History, ground: SpaceContext, target: Case, others: dict[str, Case], chance: Random
) -> dict[str, Planted]:
    """Let each case be blocked by something of its own, and block and touch other things."""
    present = clock.now()
    found: dict[str, Planted] = {}
    cases = {"target": target, **others}
    for name, case in cases.items():
        at = in_office_hours(present - timedelta(days=case.age - 9), chance.randrange(60, 500))
        by = case.values.hands[2]
        for role in ("blocker", "blocked"):
            found[f"{name} {role}"] = history.make(
                ground.space,
                "Task",
                f"{'Prepare' if role == 'blocker' else 'Follow up'}: {case.summary.lower()}",
                by=by,
                at=at,
            )
        history.link(found[f"{name} blocker"], "Blocks", case.issue, by=by, at=at)
        history.link(case.issue, "Blocks", found[f"{name} blocked"], by=by, at=at)
    at = in_office_hours(present - timedelta(days=30), chance.randrange(60, 500))
    history.link(others["duplicate"].issue, "Duplicate", target.issue, by=target.reporter, at=at)
    history.link(others["twin"].issue, "Relates", target.issue, by=target.reporter, at=at)
    return found


# Facts and goal


def _facts(
    params: Params,
    target: Case,
    others: dict[str, Case],
    blockers: dict[str, Planted],
    zone: str,
) -> dict[str, Any]:
    issue = target.issue
    return {
        "fact": params.fact,
        "way": params.way,
        "issue": issue.id,
        "key": issue.key,
        "answer": _value(params, "target", target, blockers),
        "others": {name: _value(params, name, case, blockers) for name, case in others.items()},
        "keys": {name: case.issue.key for name, case in others.items()},
        "issues": sorted(case.issue.id for case in others.values()),
        "described": next(t.described for t in TOPICS if t.summary == target.summary),
        "zone": zone,
        "support": [[["tracker_issue", str(issue.id)]]],
        "needs_support": params.fact in GUESSABLE,
        "neighbour": others["twin"].issue.key,
        "obligations": [],
        "giver_reply": "You have all that I know. It must be in the tracker.",
    }


def _value(params: Params, name: str, case: Case, blockers: dict[str, Planted]) -> Any:
    """Return the true answer for a case, as plain data."""
    values = case.values
    found = {
        "fixed": values.versions[1].name,
        "taken": _utc(case.taken),
        "before": values.hands[1].display_name,
        "done": _utc(case.done),
        "spent": sum(values.logs),
        "blocker": blockers[f"{name} blocker"].key,
        "priority": values.priorities[0],
        "build": values.builds[1],
    }
    return found[params.fact]


def _utc(moment: datetime | None) -> str:
    return "" if moment is None else moment.astimezone(ZoneInfo("UTC")).isoformat()


def _goal(params: Params, chance: Random, **slots: str) -> str:
    template = chance.choice(goals_of(__file__))["text"]
    return str(
        template.format(
            issue=WAY_WORDS[params.way].format(**slots),
            question=chance.choice(QUESTIONS[params.fact]),
            form=FORMS[params.fact].format(**slots),
        )
    )
