"""Moving an issue to another space or type, step by step: where to, statuses, fields, a last look.

Nothing is kept between the steps but in their forms: each carries on what the former ones said.
What the last look shows is what a rehearsal of the move changed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from django.http import HttpResponse

from clones.core.digits import is_digits
from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.posted import posted_text
from clones.tracker.domain.errors import Forbidden, Invalid, NotFound
from clones.tracker.domain.fieldset import Fieldset, fields_of
from clones.tracker.domain.moving import NOT_ALLOWED, MoveDestination, move_issue
from clones.tracker.domain.richtext import read_rich_text
from clones.tracker.models import ChangeItem, Issue, IssueType, Project, Status
from clones.tracker.queries.kinds import types_of
from clones.tracker.queries.rights import Rights, find_issue, visible_projects
from clones.tracker.queries.workflows import statuses_by_type
from clones.tracker.web.access import Visitor
from clones.tracker.web.issue.access import issue_address, page_of_issue
from clones.tracker.web.parts.attempts import FormErrors, attempt, rehearse
from clones.tracker.web.parts.choices import Choice, Choices, parents_of
from clones.tracker.web.parts.controls import (
    ORIGINAL,
    REMAINING,
    Control,
    Typed,
    control_of,
    is_controlled,
    payload,
    typed_of,
)
from clones.tracker.web.shell import from_script, go, page, words

STEPS: Final = {"place": "Place", "status": "Status", "fields": "Fields", "confirm": "Confirm"}
STATUS: Final = "status-"  # begins the names of inputs that map statuses
# Inputs that say where one is, and not what is wanted.
_OF_STEPS: Final = frozenset({"atl_token", "step", "reload"})
# Changes that nobody needs to be shown before they move an issue.
_UNSHOWN: Final = frozenset({"Rank"})


@dataclass(frozen=True, slots=True)
class MovePlan:
    """What is asked for by now: where to, and what the forms' inputs hold."""

    project: Project
    issue_type: IssueType
    typed: Typed
    spaces: Sequence[Project]
    types: Sequence[IssueType]
    subtasks: Sequence[Issue]

    def first(self, name: str) -> str:
        """Return what an input holds."""
        return (self.typed.get(name) or [""])[0].strip()

    @property
    def statuses(self) -> dict[int, int]:
        """The statuses that are mapped, by id."""
        return {
            int(name.removeprefix(STATUS)): int(values[0])
            for name, values in self.typed.items()
            if name.startswith(STATUS)
            and is_digits(name.removeprefix(STATUS))
            and values[:1]
            and is_digits(values[0])
        }


@dataclass(frozen=True, slots=True)
class Placing:
    """A status that is not there, and those that can take its place."""

    status: Status
    choices: Sequence[Choice]


@dataclass(frozen=True, slots=True)
class MoveChange:
    """Something that moving changes: of which issue, what, and its texts before and after."""

    key: str
    name: str
    old: str
    new: str


@dataclass(slots=True)
class MoveStep:
    """A step as it is shown: what stands in it, and the names of its inputs."""

    name: str
    problems: Sequence[str] = ()
    mappings: Sequence[Placing] = ()
    controls: Sequence[Control] = ()
    changes: Sequence[MoveChange] = ()
    inputs: set[str] = field(default_factory=set)


@page_of_issue
def move(request: SandboxRequest, who: Visitor, issue: Issue) -> HttpResponse:
    """Move an issue: show a step, or take one and show the next."""
    if not who.rights.may_on("MOVE_ISSUES", issue):
        raise Forbidden(NOT_ALLOWED)
    return _Wizard(request, who, issue, conversion=False).answer()


@page_of_issue
def convert(request: SandboxRequest, who: Visitor, issue: Issue) -> HttpResponse:
    """Make an issue part of another one of its space, or a part one of its own."""
    if not who.rights.may_on("EDIT_ISSUES", issue):
        raise Forbidden("You do not have permission to edit issues in this project.")
    return _Wizard(request, who, issue, conversion=True).answer()


class _Wizard:
    """One request of the steps."""

    def __init__(
        self, request: SandboxRequest, who: Visitor, issue: Issue, *, conversion: bool
    ) -> None:
        self.request = request
        self.who = who
        self.issue = issue
        self.conversion = conversion
        self.plan = _plan(issue, who.rights, typed_of(request), conversion=conversion)

    def answer(self) -> HttpResponse:
        """Return the page of the step that is next, or what comes after the last."""
        taken = posted_text(self.request, "step")
        if self.request.method != "POST" or taken not in STEPS or "reload" in self.plan.typed:
            return self._show(self._place())
        parent, refusal = attempt(self._parent)
        if refusal is not None:
            return self._show(self._place(refusal.sentences))
        missing = self._missing()
        if missing:
            problems = ["Please select a status."] if taken == "status" else []
            inputs = {f"{STATUS}{one.status.id}" for one in missing}
            return self._show(MoveStep("status", problems, mappings=missing, inputs=inputs))
        if taken == "confirm":
            return self._carry_out(parent)
        changes, refusal = rehearse(lambda: self._move(parent))
        if refusal is not None:
            return self._show(self._refused(refusal, taken))
        return self._show(MoveStep("confirm", changes=changes or ()))

    def _carry_out(self, parent: Issue | None) -> HttpResponse:
        _, refusal = attempt(lambda: self._move(parent))
        if refusal is not None:
            return self._show(self._refused(refusal, "confirm"))
        moved = find_issue(self.who.rights, self.issue.id)
        before = self.issue.key
        text = f"{before} moved to {moved.key}" if moved.key != before else f"{before} converted"
        return from_script(self.request, go(issue_address(moved), text))

    def _parent(self) -> Issue | None:
        """Return the parent that is asked for.

        Raises:
            Invalid: none is named where one is needed, or there is none of that key.
        """
        key = self.plan.first("parent")
        if not self.plan.issue_type.subtask:
            return None
        if not key:
            raise Invalid("Select a parent: its key.")
        try:
            return find_issue(self.who.rights, key)
        except NotFound as error:
            raise Invalid(str(error)) from error

    def _move(self, parent: Issue | None) -> list[MoveChange]:
        """Move the issue and return what that changed."""
        plan, rights = self.plan, self.who.rights
        issue = find_issue(rights, self.issue.id)
        last = ChangeItem.objects.order_by("-id").values_list("id", flat=True).first() or 0
        to = MoveDestination(
            plan.project,
            plan.issue_type,
            parent,
            statuses=plan.statuses,
            infer_status=False,
            fields=self._values(),
            subtask_type=_subtask_type(plan),
        )
        move_issue(issue, to, actor=rights, conversion=self.conversion)
        keys = {one.id: one.key for one in (self.issue, *plan.subtasks)}  # as they are now
        rows = ChangeItem.objects.filter(id__gt=last, issue__in=list(keys)).order_by("id")
        return [
            MoveChange(
                keys[row.issue_id], row.field, row.old_string or "None", row.new_string or "None"
            )
            for row in rows.exclude(field__in=_UNSHOWN)
        ]

    def _values(self) -> dict[str, Any]:
        """Return the values of the fields that were asked for, as the third version has them."""
        fieldset = self._fieldset()
        found: dict[str, Any] = {}
        for id in self.plan.typed.get("asked", ()):
            known = fieldset.fields.get(id)
            if known is None or not is_controlled(known):
                continue
            value = payload(known, self.plan.typed)
            found[id] = read_rich_text(value, "either", id) if known.kind.name == "rich" else value
        return found

    def _fieldset(self) -> Fieldset:
        return fields_of(self.plan.project, self.plan.issue_type)

    def _missing(self) -> list[Placing]:
        """Return the statuses that need a place in the new workflows, and have none yet."""
        kinds = {self.plan.issue_type.id: self.plan.issue_type}
        pairs = [(self.issue.status, self.plan.issue_type)]
        if self.plan.project.id != self.issue.project_id:
            other = _subtask_type(self.plan)
            offered = {one.id for one in self.plan.types}
            for part in self.plan.subtasks:
                kind = part.issue_type if part.issue_type_id in offered else other
                if kind is not None:
                    kinds[kind.id] = kind
                    pairs.append((part.status, kind))
        there = statuses_by_type(self.plan.project, list(kinds.values()))
        mapped = self.plan.statuses
        found: dict[int, Placing] = {}
        for status, kind in pairs:
            offered_there = [one.id for one in there[kind.id]]
            if status.id in offered_there or mapped.get(status.id) in offered_there:
                continue
            choices = [
                Choice(str(one.id), one.name, one.name.casefold() == status.name.casefold())
                for one in there[kind.id]
            ]
            found.setdefault(status.id, Placing(status, choices))
        return list(found.values())

    def _place(self, problems: Sequence[str] = ()) -> MoveStep:
        return MoveStep("place", problems, inputs={"pid", "issuetype", "parent", "subtasktype"})

    def _refused(self, refusal: FormErrors, taken: str) -> MoveStep:
        """Return the step in which what was refused can be put right."""
        fieldset = self._fieldset()
        before = [id for id in self.plan.typed.get("asked", ()) if id in fieldset.fields]
        wanted = [
            id
            for id in refusal.fields
            if id in fieldset.fields and is_controlled(fieldset.fields[id]) and id != "parent"
        ]
        ids = list(dict.fromkeys([*before, *wanted]))
        if not wanted:
            return self._place(refusal.sentences)
        choices = Choices(fieldset, self.who.rights)
        controls = [
            control_of(
                fieldset.fields[id],
                self.plan.typed,
                choices,
                refusal.fields.get(id, "") if taken in ("fields", "confirm") else "",
            )
            for id in ids
        ]
        inputs = {*ids, *(f"{id}:1" for id in ids), "asked", ORIGINAL, REMAINING}
        return MoveStep("fields", refusal.beside(ids), controls=controls, inputs=inputs)

    def _show(self, step: MoveStep) -> HttpResponse:
        kept = [
            (name, value)
            for name, values in self.plan.typed.items()
            if name not in _OF_STEPS and name not in step.inputs
            for value in values
        ]
        heading = f"Move {self.issue.key}"
        if self.conversion:
            to = "subtask" if not self.issue.issue_type.subtask else words().item
            heading = f"Convert {self.issue.key} to {to}"
        context = {
            "issue": self.issue,
            "plan": self.plan,
            "step": step,
            "steps": [(label, name == step.name) for name, label in STEPS.items()],
            "heading": heading,
            "action": f"{issue_address(self.issue)}/{'convert' if self.conversion else 'move'}",
            "kept": kept if step.name != "place" else [],
            "conversion": self.conversion,
            **self._place_choices(step),
        }
        status = 422 if step.problems or any(one.error for one in step.controls) else 200
        return page(
            self.request, self.who, "tracker/issue/move.html", context,
            title=heading, project=self.issue.project, status=status,
        )  # fmt: skip

    def _place_choices(self, step: MoveStep) -> dict[str, Any]:
        if step.name != "place":
            return {}
        plan = self.plan
        away = plan.project.id != self.issue.project_id
        below = [one for one in plan.types if one.subtask]
        parents = []
        if plan.issue_type.subtask:
            found = parents_of(plan.project, plan.issue_type, self.who.rights)
            parents = [Choice(key, summary) for key, summary in found if key != self.issue.key]
        return {
            "spaces": _choices(plan.spaces, plan.project.id),
            "types": _choices(
                _offered(self.issue, plan.types, self.conversion), plan.issue_type.id
            ),
            "parents": parents,
            "parent_typed": plan.first("parent"),
            "subtask_types": _choices(below, getattr(_subtask_type(plan), "id", 0))
            if away and plan.subtasks and len(below) > 1
            else [],
        }


def _plan(
    issue: Issue, rights: Rights, typed: Mapping[str, list[str]], *, conversion: bool
) -> MovePlan:
    """Return the plan that forms say so far: where they say nothing, where the issue is."""
    spaces = [issue.project]
    if not conversion:
        ids = rights.projects_with("CREATE_ISSUES")
        rows = visible_projects(rights).filter(id__in=sorted(ids), archived_at=None)
        spaces = [issue.project, *rows.exclude(id=issue.project_id)[:500]]
        spaces.sort(key=lambda one: (one.name.casefold(), one.id))
    wanted = (typed.get("pid") or [""])[0]
    project = next((one for one in spaces if str(one.id) == wanted), issue.project)
    types = types_of(project)
    offered = _offered(issue, types, conversion)
    if not offered:
        raise Invalid(f"This {words().space} has no {words().type} for that.")
    wanted = (typed.get("issuetype") or [""])[0]
    kind = next((one for one in offered if str(one.id) == wanted), None)
    if kind is None:
        same = [one for one in offered if one.name == issue.issue_type.name]
        level = [one for one in offered if one.hierarchy_level == issue.issue_type.hierarchy_level]
        kind = [*same, *level, *offered][0]
    parts = Issue.objects.filter(parent=issue, issue_type__hierarchy_level__lt=0)
    related = ("issue_type", "status", "project")
    subtasks = list(parts.select_related(*related).order_by("id"))
    return MovePlan(project, kind, typed, spaces, types, subtasks)


def _offered(issue: Issue, types: Sequence[IssueType], conversion: bool) -> list[IssueType]:  # noqa: FBT001 - a mode
    """Return the types that can be chosen."""
    if conversion:
        level = 0 if issue.issue_type.subtask else -1
        return [one for one in types if one.hierarchy_level == level]
    return list(types)


def _subtask_type(plan: MovePlan) -> IssueType | None:
    """Return the type that was chosen for parts whose own is not offered."""
    below = [one for one in plan.types if one.subtask]
    wanted = plan.first("subtasktype")
    return next((one for one in below if str(one.id) == wanted), below[0] if below else None)


def _choices(rows: Sequence[Project] | Sequence[IssueType], chosen: int) -> list[Choice]:
    return [Choice(str(row.id), row.name, row.id == chosen) for row in rows]
