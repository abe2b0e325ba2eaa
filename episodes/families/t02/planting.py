"""Work items around the edges of a wish: how plans become issues, and issues come to be like them.

Everything is done by the tracker's own domain functions, by the lead of the space, at the times
that the plan says.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime, timedelta, tzinfo
from random import Random
from typing import Any, Final

from clones.core import clock
from clones.core.journal import act
from clones.tracker.domain.fieldset import Fieldset, Planned, fields_of
from clones.tracker.domain.issues.creating import create_issue
from clones.tracker.domain.issues.editing import edit_issue
from clones.tracker.domain.transitions import available, change_status, move, plan_move
from clones.tracker.models import (
    Component,
    Issue,
    IssueType,
    Priority,
    Project,
    Resolution,
    Sprint,
    Status,
    User,
    Version,
)
from clones.tracker.queries.agile_fields import sprint_field
from clones.tracker.queries.kinds import types_of
from clones.tracker.queries.rights import Rights
from episodes.families.t02.drawing import PATHS, PRIORITIES, TYPES, Drawer, Land, Plan
from episodes.families.t02.reading import Condition
from episodes.tasks.personas import CannotArrange

SUMMARIES: Final = (
    "Export takes too long with many layers",
    "Wrong unit after an update",
    "Message is cut off on small screens",
    "Check the numbers of last month",
    "Tidy up after the move",
    "Preview differs from the result",
    "Crash when the cable is pulled",
    "Old entries come back after a restart",
    "Describe the steps for new colleagues",
    "Timeout in the middle of a job",
)
# Work items that stand still for so long are nobody's hands at the moment.
QUIET: Final = timedelta(hours=12)


def spaces_of(keys: Iterable[str]) -> dict[str, Project]:
    """Return live spaces by their keys."""
    rows = Project.objects.filter(key__in=list(keys), archived_at=None, deleted_at=None)
    return {row.key: row for row in rows.select_related("lead").order_by("key")}


def land_of(keys: Collection[str], labels: Sequence[str], people: Sequence[str]) -> Land:
    """Return what plans are made of in some spaces.

    Raises:
        CannotArrange: no sprint runs.
    """
    sprint = Sprint.objects.filter(state="active").order_by("id").first()
    if sprint is None:
        raise CannotArrange("no sprint runs in this world")
    spaces = {}
    for key, project in spaces_of(keys).items():
        versions = Version.objects.filter(project=project, released=False, archived=False)
        spaces[key] = {
            "components": _keys(Component.objects.filter(project=project).order_by("id")),
            "planned": _keys(versions.order_by("id")),
            "types": [kind.name for kind in types_of(project) if kind.name in TYPES],
        }
    kinds = IssueType.objects.filter(project=None, name__in=TYPES).order_by("-id")
    ranks = Priority.objects.filter(name__in=PRIORITIES).order_by("-id")
    states = Status.objects.filter(project=None, name__in={name for path in PATHS for name in path})
    return Land(
        spaces=spaces,
        priorities={row.name: str(row.id) for row in ranks},
        types={row.name: str(row.id) for row in kinds},
        statuses={row.name: str(row.id) for row in states.order_by("-id")},
        sprint=str(sprint.id),
        people=tuple(people),
        labels=tuple(labels),
    )


def _keys(rows: Any) -> list[str]:
    return [str(row.id) for row in rows]


def drawer_of(facts: Mapping[str, Any], now: datetime, zone: tzinfo) -> Drawer:
    """Return what draws plans around a wish."""
    return Drawer(facts["conditions"], land_from(facts), now, zone)


def land_from(facts: Mapping[str, Any]) -> Land:
    """Return the land that facts speak of."""
    return land_of(**facts["land"])


def enter(plans: Iterable[Plan], land: Land, chance: Random, zone: tzinfo) -> None:
    """Make issues by plans: now, but as if it had all happened over the last months."""
    maker = _Maker(land, clock.now(), zone)
    for plan in plans:
        maker.make(plan, chance)


class _Maker:
    """Makes issues, with everything that it looks up read once."""

    def __init__(self, land: Land, now: datetime, zone: tzinfo) -> None:
        self._now, self._zone = now, zone
        self._spaces = spaces_of(land.spaces)
        self._leads = {key: Rights(space.lead) for key, space in self._spaces.items()}
        self._values = Values(land, self._spaces, now, zone)
        self._fieldsets: dict[tuple[int, int], Fieldset] = {}
        self._done = Resolution.objects.filter(name="Done").earliest("id")
        states = Status.objects.filter(project=None).order_by("-id")
        self._states = {row.name: row for row in states}
        self._kinds = {
            row.name: row for row in IssueType.objects.filter(project=None).order_by("-id")
        }

    def make(self, plan: Plan, chance: Random) -> Issue:
        """Make one issue and let happen to it what the plan says."""
        space, actor = self._spaces[plan["space"]], self._leads[plan["space"]]
        kind, age = self._kinds[plan["type"]], plan["age"]
        values = self._values.of(plan)
        values["summary"] = chance.choice(SUMMARIES)
        if plan["repriced"] is not None:
            values["priority"] = self._values.priority("Medium")
        if plan["former"]:
            values["assignee"] = self._values.person(plan["former"])
        fieldset = self._fieldset(space, kind)
        with clock.at(self._now - timedelta(days=age)), act(actor="world", label="work"):
            issue = create_issue(
                space, kind, Planned(fieldset, values), actor=actor, notify=False, trusted=True
            )
        for moment, step in self._steps(plan, chance):
            with clock.at(moment), act(actor="world", label="work"):
                if isinstance(step, str):
                    change_status(issue, self._states[step], actor=actor)
                else:
                    planned = Planned(fieldset, step)
                    edit_issue(issue, planned, actor=actor, notify=False, trusted=True)
        return issue

    def _fieldset(self, space: Project, kind: IssueType) -> Fieldset:
        key = (space.id, kind.id)
        if key not in self._fieldsets:
            self._fieldsets[key] = fields_of(space, kind)
        return self._fieldsets[key]

    def _steps(self, plan: Plan, chance: Random) -> list[tuple[datetime, str | dict[str, Any]]]:
        """Return what happens to an issue after it was made, in order."""
        age = plan["age"]
        moments = sorted((chance.uniform(0.02, 0.98) * age for _ in plan["path"][1:]), reverse=True)
        found: list[tuple[float, str | dict[str, Any]]] = list(
            zip(moments, plan["path"][1:], strict=True)
        )
        if plan["resolved"]:
            found.append((moments[-1] - 1e-6, {"resolution": self._done}))
        if plan["repriced"] is not None:
            priority = self._values.priority(plan["priority"])
            found.append((min(plan["repriced"], age * 0.99), {"priority": priority}))
        if plan["former"]:
            person = self._values.person(plan["assignee"])
            found.append((chance.uniform(0.02, 0.98) * age, {"assignee": person}))
        found.sort(key=lambda step: -step[0])
        return [(self._now - timedelta(days=days), step) for days, step in found]


class Values:
    """What fields hold by a plan, as the domain takes it."""

    def __init__(
        self, land: Land, spaces: Mapping[str, Project], now: datetime, zone: tzinfo
    ) -> None:
        self._land = land
        self._today = now.astimezone(zone).date()
        self._priorities = Priority.objects.in_bulk([int(key) for key in land.priorities.values()])
        self._people = {row.account_id: row for row in User.objects.all()}
        self._sprint = Sprint.objects.get(id=int(land.sprint))
        versions = Version.objects.filter(project__in=list(spaces.values())).order_by("-id")
        self._planned: dict[str, Version] = {}
        self._shipped: dict[str, Version] = {}
        keys = {project.id: key for key, project in spaces.items()}
        for version in versions:
            of = self._shipped if version.released else self._planned
            if not version.archived:
                of[keys[version.project_id]] = version
        self._components = Component.objects.in_bulk()
        self._sprints = sprint_field()

    def priority(self, name: str) -> Priority:
        """Return a priority by its name."""
        return self._priorities[int(self._land.priorities[name])]

    def person(self, account: str) -> User | None:
        """Return whoever has an account, None for nobody."""
        return self._people[account] if account else None

    def of(self, plan: Plan) -> dict[str, Any]:
        """Return the values of all fields that a plan speaks of."""
        version = None
        if plan["version"]:
            of = self._planned if plan["version"] == "planned" else self._shipped
            version = of.get(plan["space"])
        due = plan["due"]
        return {
            "priority": self.priority(plan["priority"]),
            "assignee": self.person(plan["assignee"]),
            "labels": tuple(sorted(set(plan["labels"]))),
            "components": tuple(self._components[int(key)] for key in plan["components"]),
            "fixVersions": () if version is None else (version,),
            "duedate": None if due is None else self._today + timedelta(days=due),
            self._sprints: self._sprint if plan["sprint"] else None,
        }


def go(issue: Issue, to: str, *, actor: Rights, resolution: str | None = None) -> None:
    """Take an issue to a status; with a resolution by the way whose screen asks for one.

    Raises:
        CannotArrange: no transition leads there.
    """
    offered = [found for found in available([issue], actor)[issue.id] if found.to.name == to]
    asking = [found for found in offered if found.transition.screen_id is not None]
    plain = [found for found in offered if found.transition.screen_id is None]
    chosen = (asking if resolution else plain)[:1]
    if not chosen:
        raise CannotArrange(f"{issue.key} cannot go to {to}")
    fields = {"fields": {"resolution": {"name": resolution}}} if resolution else {}
    planned = plan_move(chosen[0], issue, fields, actor=actor)
    move(issue, chosen[0].number, actor=actor, found=chosen[0], planned=planned, notify=False)


def refile(
    conditions: Sequence[Condition],
    plans: Iterable[Plan],
    land: Land,
    chance: Random,
    *,
    before: datetime,
    zone: tzinfo,
) -> list[str]:
    """Bring issues that stand still to where plans say, as their teams file them; return the keys.

    Only what the conditions ask about is changed. What cannot be changed (age and type) stays.
    """
    spaces = spaces_of(land.spaces)
    values = Values(land, spaces, before, zone)
    quiet = Issue.objects.filter(
        project__in=list(spaces.values()),
        archived_at=None,
        issue_type__name__in=TYPES,
        security_level=None,
        updated__lt=before - QUIET,
        created__lt=before - QUIET,
    )
    rows = list(quiet.select_related("project__lead", "issue_type", "status").order_by("id"))
    chance.shuffle(rows)
    asked = {each["about"] for each in conditions}
    made = []
    for plan in plans:
        issue = next((row for row in rows if row.project.key == plan["space"]), None)
        if issue is None:
            continue
        rows.remove(issue)
        moment = _between(max(issue.updated, before - timedelta(days=20)), before, chance)
        with clock.at(moment), act(actor="world", label="filing"):
            _bring(issue, plan, values, asked)
        made.append(issue.key)
    return made


FIELDS: Final = {
    "priority": "priority",
    "assignee": "assignee",
    "labels": "labels",
    "components": "components",
    "unreleased": "fixVersions",
    "due": "duedate",
}


def _bring(issue: Issue, plan: Plan, values: Values, asked: Collection[str]) -> None:
    actor = Rights(issue.project.lead)
    fieldset = fields_of(issue.project, issue.issue_type)
    wanted = {FIELDS[about] for about in asked if about in FIELDS}
    if "sprints" in asked:
        wanted.add(sprint_field())
    of = {name: value for name, value in values.of(plan).items() if name in wanted}
    edit_issue(issue, Planned(fieldset, of), actor=actor, trusted=True)
    issue = Issue.objects.select_related("project", "issue_type", "status").get(id=issue.id)
    if {"status", "category", "resolution"} & set(asked):
        here, there = issue.status.name, plan["path"][-1]
        if here != there:
            go(issue, there, actor=actor, resolution="Done" if plan["resolved"] else None)


def _between(start: datetime, end: datetime, chance: Random) -> datetime:
    """Return a moment between two that are some hours apart."""
    minutes = int((end - start).total_seconds() // 60)
    return start + timedelta(minutes=chance.randrange(1, max(minutes, 2)))
