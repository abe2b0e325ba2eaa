"""Work items by plans, all at once: rows as the tracker's domain would leave them.

Probes make a hundred and more of them in a copy that is thrown away, each time a run is graded.
One by one, through `domain/`, that takes longer than all else that the run does; a test makes the
same plans by the domain's own functions and finds the same rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta, tzinfo
from itertools import islice
from random import Random
from typing import Any, Final

from django.db.models import F, Model

from clones.core import clock
from clones.core.journal import act
from clones.core.models import Record
from clones.tracker.domain.issues.defaults import default_values
from clones.tracker.domain.numbering import next_ids
from clones.tracker.domain.ranking import ranks_at_end
from clones.tracker.models import (
    ChangeGroup,
    ChangeItem,
    Issue,
    IssueComponent,
    IssueLabel,
    IssueSprint,
    IssueText,
    IssueType,
    IssueVersion,
    Project,
    Resolution,
    Status,
    User,
    Watcher,
)
from clones.tracker.queries.agile_fields import sprint_field
from clones.tracker.queries.fieldsets import Fieldset, fields_of
from clones.tracker.queries.rights import Rights
from clones.tracker.queries.workflows import initial_status
from episodes.families.t02.drawing import Land, Plan
from episodes.families.t02.planting import SUMMARIES, Values, spaces_of

# Keys are given model by model, and rows written in this order: what is pointed to comes first.
MODELS: Final[tuple[type[Record], ...]] = (
    *(Issue, IssueText, IssueLabel, IssueComponent, IssueVersion, IssueSprint, Watcher),
    *(ChangeGroup, ChangeItem),
)
# What happens to a field after the making: (when, field, value), as a status or a record has it.
Step = tuple[datetime, str, Any]


def enter(
    batches: Sequence[tuple[Sequence[Plan], Random]], land: Land, zone: tzinfo
) -> list[list[int]]:
    """Write work items by plans: now, but as if it had all happened over the last months.

    Each batch of plans comes with the chance by which the rest of it is drawn. Return the keys of
    the work items of each.
    """
    entry = Entry(land, clock.now(), zone)
    for plans, chance in batches:
        for plan in plans:
            entry.add(plan, chance)
    with act(actor="world", label="work"):
        keys = iter(entry.write())
    return [list(islice(keys, len(plans))) for plans, _ in batches]


@dataclass(frozen=True, slots=True)
class Home:
    """What all work items of one type in one space share."""

    space: Project
    kind: IssueType
    fieldset: Fieldset
    first: Status
    defaults: dict[str, Any] = field(default_factory=dict)

    @property
    def lead(self) -> User:
        """Who makes and changes them."""
        return self.space.lead


class Entry:
    """Rows of work items, gathered by plans and written together."""

    def __init__(self, land: Land, now: datetime, zone: tzinfo) -> None:
        self._now = now
        self._spaces = spaces_of(land.spaces)
        self._values = Values(land, self._spaces, now, zone)
        self._homes: dict[tuple[str, str], Home] = {}
        self._numbers = {key: space.last_number for key, space in self._spaces.items()}
        self._done = Resolution.objects.filter(name="Done").earliest("id")
        rows = Status.objects.filter(project=None).order_by("-id")
        self._states = {row.name: row for row in rows}
        kinds = IssueType.objects.filter(project=None).order_by("-id")
        self._kinds = {row.name: row for row in kinds}
        self._sprints = sprint_field()
        self._rows: dict[type[Record], list[Any]] = {model: [] for model in MODELS}

    def add(self, plan: Plan, chance: Random) -> None:
        """Gather the rows of one work item, and of what the plan lets happen to it."""
        home = self._home(plan["space"], plan["type"])
        values = self._values.of(plan)
        values["summary"] = chance.choice(SUMMARIES)
        if plan["repriced"] is not None:
            values["priority"] = self._values.priority("Medium")
        if plan["former"]:
            values["assignee"] = self._values.person(plan["former"])
        issue = self._issue(home, values, self._now - timedelta(days=plan["age"]))
        self._beside(issue, home, values)
        for step in self._steps(plan, chance):
            self._change(issue, home, step)

    def write(self) -> list[int]:
        """Write everything that was gathered; return the keys of the work items."""
        issues = self._rows[Issue]
        for issue, rank in zip(issues, ranks_at_end(len(issues)), strict=True):
            issue.rank = rank
        for model in MODELS:
            rows = self._rows[model]
            for row, key in zip(rows, next_ids(model, len(rows)), strict=True):
                row.id = key
            for row in rows:
                # Rows that this one points to have their keys by now.
                _point(row)
            model.objects.bulk_create(rows)
        for space in self._spaces.values():
            taken = self._numbers[space.key] - space.last_number
            rows_of = Project.objects.filter(id=space.id)
            rows_of.update(last_number=F("last_number") + taken)
        return [issue.id for issue in issues]

    def _home(self, key: str, kind_name: str) -> Home:
        if (key, kind_name) not in self._homes:
            space, kind = self._spaces[key], self._kinds[kind_name]
            fieldset = fields_of(space, kind)
            defaults = default_values(fieldset, Rights(space.lead))
            self._homes[key, kind_name] = Home(
                space, kind, fieldset, initial_status(space, kind), defaults
            )
        return self._homes[key, kind_name]

    def _issue(self, home: Home, values: dict[str, Any], at: datetime) -> Issue:
        key = home.space.key
        self._numbers[key] += 1
        number = self._numbers[key]
        issue = Issue(
            project=home.space,
            number=number,
            key=f"{key}-{number}",
            issue_type=home.kind,
            status=home.first,
            status_category_changed=at,
            summary=values["summary"],
            priority=values["priority"],
            assignee=values["assignee"],
            due_date=values["duedate"],
            security_level=home.defaults.get("security"),
            reporter=home.lead,
            creator=home.lead,
            created=at,
            updated=at,
        )
        self._rows[Issue].append(issue)
        return issue

    def _beside(self, issue: Issue, home: Home, values: dict[str, Any]) -> None:
        """Gather the rows of lists that a work item begins with, of fields that its space has."""
        rows, known = self._rows, home.fieldset.fields
        rows[IssueText].append(IssueText(issue=issue, field="summary", text=issue.summary))
        rows[Watcher].append(Watcher(issue=issue, user=home.lead))
        if "labels" in known:
            rows[IssueLabel] += [IssueLabel(issue=issue, label=name) for name in values["labels"]]
        if "components" in known:
            rows[IssueComponent] += [
                IssueComponent(issue=issue, component=part) for part in values["components"]
            ]
        if "fixVersions" in known:
            rows[IssueVersion] += [
                IssueVersion(issue=issue, version=version, kind="fix")
                for version in values["fixVersions"]
            ]
        sprint = values[self._sprints]
        if self._sprints in known and sprint is not None:
            rows[IssueSprint].append(IssueSprint(issue=issue, sprint=sprint))

    def _steps(self, plan: Plan, chance: Random) -> list[Step]:
        """Return what happens to a work item after it was made, in order."""
        age = plan["age"]
        moments = sorted((chance.uniform(0.02, 0.98) * age for _ in plan["path"][1:]), reverse=True)
        found: list[tuple[float, str, Any]] = [
            (days, "status", self._states[name])
            for days, name in zip(moments, plan["path"][1:], strict=True)
        ]
        if plan["resolved"]:
            found.append((moments[-1] - 1e-6, "resolution", self._done))
        if plan["repriced"] is not None:
            priority = self._values.priority(plan["priority"])
            found.append((min(plan["repriced"], age * 0.99), "priority", priority))
        if plan["former"]:
            person = self._values.person(plan["assignee"])
            found.append((chance.uniform(0.02, 0.98) * age, "assignee", person))
        found.sort(key=lambda step: -step[0])
        return [(self._now - timedelta(days=days), name, value) for days, name, value in found]

    def _change(self, issue: Issue, home: Home, step: Step) -> None:
        """Let one thing happen: the column, and the entry of the history."""
        at, name, value = step
        old = getattr(issue, name)
        if old == value or (name != "status" and name not in home.fieldset.fields):
            return
        if name == "status" and old.category != value.category:
            issue.status_category_changed = at
        if name == "resolution":
            issue.resolution_date = at
        setattr(issue, name, value)
        issue.updated = at
        group = ChangeGroup(issue=issue, author=home.lead, created=at)
        before, after = _told(old), _told(value)
        self._rows[ChangeGroup].append(group)
        self._rows[ChangeItem].append(
            ChangeItem(
                group=group,
                issue=issue,
                created=at,
                field=name,
                field_type="jira",
                field_id=name,
                old=before[0],
                old_string=before[1],
                new=after[0],
                new_string=after[1],
            )
        )


def _told(record: Any) -> tuple[str | None, str | None]:
    """Return the key and the name of a record as histories have them."""
    if record is None:
        return None, None
    if hasattr(record, "account_id"):
        return record.account_id, record.display_name
    return str(record.id), record.name


def _point(row: Model) -> None:
    """Take over the keys of records that had none when the row was made of them."""
    for name in ("issue", "group"):
        if name in row._state.fields_cache:
            setattr(row, f"{name}_id", getattr(row, name).id)
    if isinstance(row, IssueText):
        row.source = row.issue_id
