"""Making issues: new ones, sub-tasks, clones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from clones.core.digits import is_digits
from clones.tracker.domain.automation.acts.changing import is_told
from clones.tracker.domain.automation.acts.registry import performs
from clones.tracker.domain.automation.context import ActFailed, Run
from clones.tracker.domain.automation.operations import operation_of, plan
from clones.tracker.domain.fieldset import Planned, fields_of
from clones.tracker.domain.issues.cloning import Cloning, clone_issue
from clones.tracker.domain.issues.creating import create_issue
from clones.tracker.domain.issues.editing import edit_issue
from clones.tracker.models import Issue, IssueType, Project
from clones.tracker.queries.kinds import types_of
from clones.tracker.rules.automation.documents import Component
from clones.tracker.rules.automation.events import named

SUBTASKS: Final = 50  # of one action, as the vendor has it


@performs("jira.issue.create")
def create(run: Run, component: Component) -> str:
    """Make an issue."""
    value = component["value"]
    project = _project(run, operation_of(value, "project"))
    kind = _type(run, project, operation_of(value, "issuetype"))
    planned, missing = plan(run, fields_of(project, kind), value, None)
    made = create_issue(project, kind, planned, actor=run.actor, notify=is_told(value))
    run.created(made)
    return " ".join([f"Work items created successfully: {made.key}", *missing])


def _project(run: Run, chosen: Any) -> Project:
    """Return the space that a form names: the same one, or another by id, key or name."""
    said = chosen.get("value") if isinstance(chosen, Mapping) else chosen
    if said in (None, "", "current", "trigger"):
        if run.project is None:
            raise ActFailed("There is no space in which to create a work item.")
        return run.project
    text = run.render(said).strip()
    rows = Project.objects.filter(deleted_at=None, archived_at=None).order_by("id")
    found = rows.filter(id=int(text)).first() if is_digits(text, 17) else None
    found = found or rows.filter(key=text.upper()).first() or rows.filter(name=text).first()
    if found is None:
        raise ActFailed(f"The space could not be found: {text[:80]}")
    return found


def _type(run: Run, project: Project, chosen: Any) -> IssueType:
    """Return the type that a form names: the same one, or another of the space's."""
    types = types_of(project)
    said = chosen.get("value") if isinstance(chosen, Mapping) else chosen
    if said in (None, "", "current", "trigger"):
        issue = run.trigger_issue if said == "trigger" else run.issue
        wanted = None if issue is None else issue.issue_type
        found = next((one for one in types if wanted is not None and one.id == wanted.id), None)
        usual = [one for one in types if not one.subtask]
        if found is None and not usual:
            raise ActFailed("The space offers no work type.")
        return found or usual[0]
    text = run.render(said).strip()
    for one in types:
        if text == str(one.id) or one.name.casefold() == text.casefold():
            return one
    raise ActFailed(f"The work type could not be found: {text[:80]}")


@performs("jira.issue.create.subtasks")
def create_subtasks(run: Run, component: Component) -> str:
    """Make a sub-task of the issue at hand for each line."""
    issue = run.row()
    lines = component["value"].get("subtasks") or ()
    kinds = [one for one in types_of(issue.project) if one.subtask]
    if not kinds:
        raise ActFailed("The space offers no work type of subtasks.")
    if issue.issue_type.subtask:
        raise ActFailed(f"Subtasks cannot have subtasks: {issue.key}")
    made = [_subtask(run, issue, kinds, line) for line in list(lines)[:SUBTASKS]]
    keys = ", ".join(one.key for one in made if one is not None)
    if not keys:
        raise ActFailed("No subtasks are named.")
    return f"Subtasks created successfully: {keys}"


def _subtask(run: Run, issue: Issue, kinds: list[IssueType], line: Any) -> Issue | None:
    """Make one of a line: a summary, or {"summary"} or operations with more of it."""
    whole = dict(line) if isinstance(line, Mapping) else {"summary": line}
    chosen = operation_of(whole, "issuetype") or whole.get("type")
    names = [text for _, text in named(chosen)]
    kind = next((one for one in kinds if {one.name, str(one.id)} & set(names)), kinds[0])
    fieldset = fields_of(issue.project, kind)
    planned, _ = plan(run, fieldset, whole, None)
    if "summary" not in planned.values:
        planned.values["summary"] = " ".join(run.render(whole.get("summary")).split())[:255]
    if not planned.values["summary"]:
        return None
    planned.values["parent"] = issue
    made = create_issue(issue.project, kind, planned, actor=run.actor)
    run.created(made)
    return made


@performs("jira.issue.clone")
def clone(run: Run, component: Component) -> str:
    """Make a copy of the issue at hand, linked to it, with some fields otherwise."""
    value = component["value"]
    issue = run.row()
    chosen = operation_of(value, "summary")
    summary = run.render(chosen) if isinstance(chosen, str) and chosen else issue.summary
    made = clone_issue(issue, Cloning(summary), actor=run.actor)
    rest = [
        one
        for one in value.get("operations") or ()
        if isinstance(one, Mapping) and operation_of({"operations": [one]}, "summary") is None
    ]
    planned: Planned
    planned, missing = plan(
        run, fields_of(made.project, made.issue_type), {**value, "operations": rest}, made
    )
    if planned:
        edit_issue(made, planned, actor=run.actor, notify=False, trusted=True)
    run.created(made)
    return " ".join([f"Work items cloned successfully: {made.key}", *missing])
