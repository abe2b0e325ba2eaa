"""Moving issues to another space or type: a new key, and what has to fit the new place.

    move_issue(issue, Destination(project, issue_type, ...), *, actor) -> Issue

The old key leads to the issue for good. Sub-tasks come along. Components and versions stay where
the new space has some of the same name; values of fields that do not count there go.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from django.db import transaction

from clones.tracker.domain.errors import Forbidden, Invalid
from clones.tracker.domain.events import Event, publish
from clones.tracker.domain.fieldset import Planned, apply, fields_of
from clones.tracker.domain.history import Changes
from clones.tracker.domain.issues.creating import take_number
from clones.tracker.domain.issues.hierarchy import WRONG_TYPE, check_parent
from clones.tracker.domain.issues.named import BadValue
from clones.tracker.domain.issues.values import Stored
from clones.tracker.domain.moved_values import (
    MoveDestination,
    carried_values,
    check_filled,
    drop_values,
    sent_values,
)
from clones.tracker.domain.numbering import next_id
from clones.tracker.domain.transitions import note_status
from clones.tracker.models import (
    FormerIssueKey,
    Issue,
    IssueType,
    Project,
    Status,
)
from clones.tracker.queries.kinds import types_of
from clones.tracker.queries.rights import Rights
from clones.tracker.queries.workflows import initial_status, statuses_by_type

__all__ = ["WITH", "MoveDestination", "move_issue"]

NOT_ALLOWED: Final = "You do not have permission to move issues in this project."
MAY_NOT_CREATE: Final = "You do not have permission to create issues in the target project."
WITH: Final = ("project", "issue_type", "status", "assignee", "parent", "parent__issue_type")


def move_issue(
    issue: Issue,
    to: MoveDestination,
    *,
    actor: Rights,
    notify: bool = True,
    metadata: Any = None,
    conversion: bool = False,
) -> Issue:
    """Move an issue, with its sub-tasks.

    Args:
        issue: read with `WITH`.
        to: where it goes.
        actor: who moves it.
        notify: whether people are told.
        metadata: what integrations say of it, for the history.
        conversion: whether it only becomes part of another issue of its space, or no longer is
            one: that takes the permission to edit.

    Raises:
        Forbidden: the actor may not move it, or not make issues there.
        Invalid: the type is not offered there, its family does not fit, a status has no place
            there, or a required field would be empty.
    """
    away = issue.project_id != to.project.id
    converts = conversion and not away and issue.issue_type.subtask != to.issue_type.subtask
    if not actor.may_on("EDIT_ISSUES" if converts else "MOVE_ISSUES", issue):
        raise Forbidden(NOT_ALLOWED)
    if away and not actor.may("CREATE_ISSUES", to.project):
        raise Forbidden(MAY_NOT_CREATE)
    types = types_of(to.project)
    if to.issue_type not in types:
        raise Invalid(fields={"issuetype": WRONG_TYPE})
    children = Issue.objects.filter(parent=issue).select_related(*WITH)
    subtasks = list(children.filter(issue_type__hierarchy_level__lt=0).order_by("id"))
    parent = _parent(issue, to)
    _check_family(issue, to, parent, has_subtasks=bool(subtasks))
    kinds = [_subtask_type(child, to, types) for child in subtasks] if away else []
    with transaction.atomic():
        _move(issue, to, parent, actor=actor, notify=notify, metadata=metadata)
        for child, kind in zip(subtasks if away else (), kinds, strict=True):
            below = MoveDestination(
                to.project,
                kind,
                issue,
                to.statuses,
                infer_status=to.infer_status,
                fields=to.fields,
                retain=frozenset(to.fields),
            )
            _move(child, below, issue, actor=actor, notify=notify, metadata=metadata)
    return issue


def _move(
    issue: Issue,
    to: MoveDestination,
    parent: Issue | None,
    *,
    actor: Rights,
    notify: bool,
    metadata: Any,
) -> None:
    changes = Changes(issue, actor)
    stored = Stored(issue)
    components, versions = (
        stored.components,
        {
            name: stored.versions(kind)
            for name, kind in (("fixVersions", "fix"), ("versions", "affects"))
        },
    )
    status = _status(issue, to)
    former = _take_key(issue, to.project, changes)
    before = issue.issue_type
    changes.note(
        "issuetype",
        "issuetype",
        str(before.id),
        before.name,
        str(to.issue_type.id),
        to.issue_type.name,
    )
    issue.issue_type = to.issue_type
    note_status(issue, status, changes)
    fieldset = fields_of(to.project, to.issue_type)
    values = carried_values(issue, to, fieldset, components, versions, away=former is not None)
    if parent != issue.parent:
        values["parent"] = parent
    drop_values(issue, fieldset)
    asked = sent_values(issue, to, fieldset, actor)
    check_filled(fieldset, issue, values | asked.values)
    apply(Planned(fieldset, {**values, **asked.values}), issue, changes)
    group = changes.save(metadata)
    issue.save()
    if group is not None:
        details = {"moved": former is not None, "former_key": former}
        publish(
            Event(
                "issue_updated", actor, issue=issue, changes=group, notify=notify, details=details
            )
        )


def _take_key(issue: Issue, project: Project, changes: Changes) -> str | None:
    """Give an issue a key of its new space, and return the one that it had; None if it stays."""
    before = issue.project
    if before.id == project.id:
        return None
    former = issue.key
    number = take_number(project)
    FormerIssueKey.objects.create(id=next_id(FormerIssueKey), key=former, issue=issue)
    issue.project = project
    issue.number = number
    issue.key = f"{project.key}-{number}"
    changes.note("project", "project", str(before.id), before.name, str(project.id), project.name)
    changes.note("Key", "", None, former, None, issue.key)
    return former


def _parent(issue: Issue, to: MoveDestination) -> Issue | None:
    """Return the parent that an issue has after it is moved."""
    if to.parent is not None:
        return to.parent
    kept = issue.parent
    if kept is None or kept.issue_type.hierarchy_level != to.issue_type.hierarchy_level + 1:
        return None
    if to.issue_type.subtask and kept.project_id != to.project.id:
        return None
    return kept


def _check_family(
    issue: Issue, to: MoveDestination, parent: Issue | None, *, has_subtasks: bool
) -> None:
    try:
        check_parent(to.project, to.issue_type, parent, issue)
    except BadValue as error:
        raise Invalid(fields=error.by_field) from error
    if has_subtasks and to.issue_type.subtask:
        raise Invalid(fields={"issuetype": "An issue with sub-tasks cannot become a sub-task."})
    level = to.issue_type.hierarchy_level
    if level != issue.issue_type.hierarchy_level:
        children = Issue.objects.filter(parent=issue)
        if children.exclude(issue_type__hierarchy_level=level - 1).exists():
            raise Invalid(fields={"issuetype": WRONG_TYPE})


def _subtask_type(child: Issue, to: MoveDestination, types: Sequence[IssueType]) -> IssueType:
    offered = [kind for kind in types if kind.subtask]
    if child.issue_type in offered:
        return child.issue_type
    found = to.subtask_type or (offered[0] if offered else None)
    if found is None:
        raise Invalid("The target project does not have a sub-task issue type.")
    return found


def _status(issue: Issue, to: MoveDestination) -> Status:
    """Return the status that an issue has after it is moved."""
    there = statuses_by_type(to.project, [to.issue_type])[to.issue_type.id]
    by_id = {status.id: status for status in there}
    if issue.status_id in by_id:
        return by_id[issue.status_id]
    mapped = to.statuses.get(issue.status_id)
    if mapped is not None:
        if mapped not in by_id:
            raise Invalid("The target status does not exist in the target workflow.")
        return by_id[mapped]
    if not to.infer_status:
        raise Invalid(f"No target status is given for the status '{issue.status.name}'.")
    same = [status for status in there if status.name.casefold() == issue.status.name.casefold()]
    return same[0] if same else initial_status(to.project, to.issue_type)
