"""Plant incoming reports, what is on record of their faults, and the guide to sorting them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random
from typing import Any, Final

from clones.core import clock
from clones.tracker.models import Component, Issue, Project, User, Version
from clones.tracker.queries.rights import Rights
from episodes.families.t03 import words
from episodes.families.t03.params import (
    CATEGORIES,
    DUPLICATES,
    EFFECTS,
    OPEN_KINDS,
    PRIORITIES,
    REACHES,
    Category,
    Effect,
    Kind,
    Params,
    Reach,
    params_of,
)
from episodes.families.t03.words import FAULTS, INTENDED, LABEL
from episodes.tasks.footprint import Allow
from episodes.tasks.goals import goals_of
from episodes.tasks.personas import CannotArrange
from episodes.tasks.spec import Arranged, Persona, Stage
from episodes.tasks.tracker_allowances import (
    filling,
    linking,
    touching,
    working_on_issues,
)
from episodes.tasks.tracker_people import colleagues, live_spaces, persona_on_tracker, user_of
from episodes.tasks.tracker_planting import History, Planted, in_office_hours
from sandlot.service import Space

FIVE: Final = 5
STEPS: Final = {"new": 1, "namesake": 1, "regression": 2, "intended": 2}


@dataclass(frozen=True, slots=True)
class SpaceContext:
    """Where it happens: the space, its components, versions by age, who reports, the agent."""

    space: Project
    components: dict[Category, Component]
    versions: list[Version]
    people: list[User]
    own: User


@dataclass(slots=True)
class Report:
    """An incoming report: its kind, its fault's code, what it does to whom, and what is on record.

    `category` is what it is about, None where it is meant to be so. `priority` is what whoever
    filed it took, which is never what the guide gives it.
    """

    kind: Kind
    title: str
    text: str
    code: str | None
    effect: Effect
    reach: Reach
    category: Category | None
    priority: str
    planted: Planted | None = None
    record: Planted | None = None

    @property
    def issue(self) -> Planted:
        """The planted report.

        Raises:
            LookupError: it is not planted yet.
        """
        if self.planted is None:
            raise LookupError("this report is not planted yet")
        return self.planted


def arrange(stage: Stage) -> Arranged:
    """Make the instance in the bound sandbox, in the order of what happened.

    Raises:
        CannotArrange: the world has no fitting space, or too few people.
    """
    params = params_of(stage.instance)
    chance = stage.chance("arrange")
    persona = persona_on_tracker("developer")
    ground = _ground(params, user_of(persona), chance)
    intended = chance.sample(INTENDED, len(INTENDED))
    history = History()
    _old_guide(history, ground, chance)
    guide = _guide(history, params, ground, intended, chance)
    reports = _reports(params, intended, chance)
    chance.shuffle(reports)
    for place, report in enumerate(reports):
        _plant(history, ground, report, place, chance)
    history.write()
    facts = _facts(params, ground, reports, guide)
    return Arranged(
        goal=_goal(stage.chance("goal"), ground),
        persona=Persona("triage engineer", persona.logins),
        facts=facts,
        allows=_allows(facts),
        start_path="/jira/for-you",
        oracle_steps=_oracle_steps(reports),
    )


def _oracle_steps(reports: list[Report]) -> dict[Space, int]:
    """Return how many steps the oracle takes: reading, what each report needs, finish."""
    api = 4 + sum(STEPS.get(report.kind, 3) for report in reports) + 1
    page = {"new": 11, "namesake": 11, "regression": 19, "intended": 6}
    browser = 7 + sum(page.get(report.kind, 14) for report in reports) + 1
    return {"api": api, "browser": browser}


# Where and who


def _ground(params: Params, own: User, chance: Random) -> SpaceContext:
    fitting = [
        space
        for space in live_spaces()
        if space.components.count() >= len(CATEGORIES)
        and len(_versions(space)) >= FIVE
        and Rights(own).may("EDIT_ISSUES", space)
    ]
    if not fitting:
        raise CannotArrange("no space of this world has components and versions enough")
    space = chance.choice(fitting)
    rows = list(space.components.order_by("id"))
    place = params.turn % len(rows)
    turned = [*rows[place:], *rows[:place]]
    if params.turn >= len(rows):
        turned.reverse()
    people = colleagues(space, but=[own.id])
    if len(people) < FIVE:
        raise CannotArrange("too few people can have work of this space")
    chance.shuffle(people)
    dealt = dict(zip(CATEGORIES, turned, strict=False))
    return SpaceContext(space, dealt, _versions(space), people, own)


def _versions(space: Project) -> list[Version]:
    """Return the released versions of a space, the oldest first."""
    rows = Version.objects.filter(project=space, released=True, archived=False)
    return list(rows.order_by("release_date", "position", "id"))


# What


def _reports(
    params: Params, intended: list[tuple[str, str, str, str]], chance: Random
) -> list[Report]:
    """Return the reports of the batch, each about a fault of its own."""
    faults = chance.sample(FAULTS, len(FAULTS))
    meant = iter(intended)
    found = []
    for place, (kind, said) in enumerate(
        zip(params.kinds, _draw_said(params, chance), strict=True)
    ):
        right = params.priority(*said)
        priority = chance.choice([name for name in PRIORITIES if name != right])
        if kind == "intended":
            _, title, text, _ = next(meant)
            found.append(Report(kind, title, text, None, *said, None, priority))
            continue
        fault = faults[place]
        code = f"{chance.choice('BCDFGHKLMN')}{chance.choice('PQRSTVWXZ')}X{_number(place, chance)}"
        # A namesake has the very title of what is on record, and another code.
        title = fault.title if kind in ("namesake", "new") else fault.other
        found.append(Report(kind, title, fault.text, code, *said, fault.category, priority))
    return found


def _draw_said(params: Params, chance: Random) -> list[tuple[Effect, Reach]]:
    """Draw what each report does to whom; those that stay open do not all get one priority."""
    while True:
        found = [(chance.choice(EFFECTS), chance.choice(REACHES)) for _ in params.kinds]
        drawn = zip(params.kinds, found, strict=True)
        given = {params.priority(*said) for kind, said in drawn if kind in OPEN_KINDS}
        if len(given) > 1:
            return found


def _number(place: int, chance: Random) -> int:
    return 100 * (10 + place) + chance.randrange(100)


def _ago(days: int, chance: Random) -> datetime:
    return in_office_hours(clock.now() - timedelta(days=days), chance.randrange(20, 500))


def _plant(
    history: History, ground: SpaceContext, report: Report, place: int, chance: Random
) -> None:
    """Write what is on record of a report's fault, and the report."""
    older, fixed, newer = _versions_around(ground, chance)
    if report.kind in ("namesake", "open_duplicate"):
        _record(history, ground, report, chance, fixed=None)
    elif report.kind in ("old_duplicate", "regression"):
        _record(history, ground, report, chance, fixed=fixed)
    seen = older if report.kind == "old_duplicate" else newer
    said = words.said_of(report.effect, report.reach, chance)
    at = clock.now() - timedelta(hours=2 + 4 * place, minutes=chance.randrange(0, 55))
    report.planted = history.make(
        ground.space,
        "Bug",
        report.title,
        by=ground.people[place % len(ground.people)],
        at=at,
        description=words.report(report.text, seen.name, report.code, said),
        priority=report.priority,
        labels=(LABEL,),
    )


def _versions_around(ground: SpaceContext, chance: Random) -> tuple[Version, Version, Version]:
    """Return three released versions in the order of their age."""
    places = sorted(chance.sample(range(len(ground.versions)), 3))
    older, fixed, newer = (ground.versions[place] for place in places)
    return older, fixed, newer


def _record(
    history: History, ground: SpaceContext, report: Report, chance: Random, *, fixed: Version | None
) -> None:
    """Write what was known before: of the same fault, or of another with the same title."""
    code = report.code or ""
    if report.kind == "namesake":
        code = f"{code[:3]}{int(code[3:]) + 5000}"
    by, holder = chance.sample(ground.people, 2)
    at = _ago(chance.randrange(70, 200), chance)
    title = report.title
    if report.kind != "namesake":
        title = next(fault.title for fault in FAULTS if fault.other == report.title)
    component = ground.components[report.category or "saving"]
    record = history.make(
        ground.space,
        "Bug",
        title,
        by=by,
        at=at,
        description=words.record(report.text, code),
        assignee=holder,
        priority=chance.choice(("High", "Medium", "Low")),
        components=(component,),
    )
    report.record = record
    if fixed is not None:
        done = at + timedelta(days=chance.randrange(8, 30))
        history.change(record, holder, at=done, fixVersions=(fixed,))
        later = done + timedelta(minutes=chance.randrange(3, 50))
        history.move(record, "Close", by=holder, at=later, resolution="Done")


def _guide(
    history: History,
    params: Params,
    ground: SpaceContext,
    intended: list[tuple[str, str, str, str]],
    chance: Random,
) -> Planted:
    components = {name: row.name for name, row in ground.components.items()}
    text = words.guide_text(params, components, [one[0] for one in intended])
    return history.make(
        ground.space,
        "Task",
        chance.choice(words.GUIDES).format(space=ground.space.name),
        by=ground.space.lead,
        at=_ago(90, chance),
        description=text,
    )


def _old_guide(history: History, ground: SpaceContext, chance: Random) -> None:
    """Write the guide that the one in force replaced."""
    by = ground.people[0]
    old = history.make(
        ground.space,
        "Task",
        chance.choice(words.GUIDES).format(space=ground.space.name),
        by=by,
        at=_ago(400, chance),
        description="Everything gets the priority High. Reports with the same title are duplicates."
        " What cannot be made to happen again is closed as Cannot Reproduce.",
    )
    done = _ago(92, chance)
    history.say(old, by, "Replaced by a new one.", at=done)
    later = done + timedelta(minutes=5)
    history.move(old, "Close", by=by, at=later, resolution="Done")


# Facts and goal


def _facts(
    params: Params, ground: SpaceContext, reports: list[Report], guide: Planted
) -> dict[str, Any]:
    entries = [_entry(params, ground, report) for report in reports]
    entries.sort(key=lambda entry: entry["issue"])
    issues = [entry["issue"] for entry in entries]
    neighbour = _neighbour(ground.space, issues)
    return {
        "space": ground.space.key,
        "guide": guide.id,
        "reports": entries,
        "issues": issues,
        "records": sorted(e["record"] for e in entries if e["record"] is not None),
        "components": sorted(row.id for row in ground.components.values()),
        "namesakes": {
            report.issue.key: report.record.key
            for report in reports
            if report.kind == "namesake" and report.record is not None
        },
        "neighbour": neighbour,
        "obligations": [
            {
                "id": f"filed:{entry['issue']}",
                "kind": "filed",
                "issue": entry["issue"],
                "component": entry["component"],
                "priority": entry["priority"],
            }
            for entry in entries
            if entry["component"] is not None
        ],
        "giver_reply": "The guide of the space says how. I know no more than the reports do.",
    }


def _entry(params: Params, ground: SpaceContext, report: Report) -> dict[str, Any]:
    """Return what is to become of a report, as plain data."""
    stays = report.kind in OPEN_KINDS
    linked = report.kind in DUPLICATES or report.kind == "regression"
    record = report.record if linked else None
    resolution = None
    if not stays:
        resolution = "Duplicate" if report.kind in DUPLICATES else "Won't Do"
    component = ground.components[report.category] if stays and report.category else None
    return {
        "issue": report.issue.id,
        "key": report.issue.key,
        "sort": "regression" if report.kind == "regression" else "other",
        "component": None if component is None else component.id,
        "priority": params.priority(report.effect, report.reach) if stays else None,
        "resolution": resolution,
        "link": None if record is None else _link(report),
        "record": None if record is None else record.id,
        "record_key": None if record is None else record.key,
    }


def _link(report: Report) -> str:
    return "Duplicate" if report.kind in DUPLICATES else "Relates"


def _neighbour(space: Project, but: list[int]) -> str:
    rows = Issue.objects.filter(project=space).exclude(id__in=but)
    rows = rows.exclude(status__category="done").order_by("-created", "-id")
    found = rows.values_list("key", flat=True).first()
    if found is None:
        raise CannotArrange("the space has no other open work")
    return str(found)


def _allows(facts: dict[str, Any]) -> tuple[Allow, ...]:
    issues = facts["issues"]
    return (
        *working_on_issues(issues, "priority_id"),
        *filling(issues, "tracker_issuecomponent"),
        *filling(issues, "tracker_issuelabel", label=words.REGRESSION),
        *linking(issues),
        *touching(facts["records"]),
    )


def _goal(chance: Random, ground: SpaceContext) -> str:
    template = chance.choice(goals_of(__file__))["text"]
    reporter = ground.people[0].display_name
    return str(template.format(space=ground.space.name, reporter=reporter))
