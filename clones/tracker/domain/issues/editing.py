"""Changing issues: their fields, their type, and who has them."""

from __future__ import annotations

from typing import Any, Final

from django.db import transaction

from clones.core import clock
from clones.tracker.domain.errors import Forbidden, Invalid
from clones.tracker.domain.events import Event, publish
from clones.tracker.domain.history import Changes
from clones.tracker.domain.issues.applying import apply
from clones.tracker.domain.issues.hierarchy import WRONG_TYPE, check_parent
from clones.tracker.domain.issues.named import BadValue
from clones.tracker.domain.issues.planning import Planned, check_required
from clones.tracker.domain.issues.resolving import check_assignable
from clones.tracker.domain.issues.side_effects import act
from clones.tracker.domain.properties import checked_properties, set_properties
from clones.tracker.domain.site_options import NOBODYS, unassigned_allowed
from clones.tracker.domain.transitions import workflow_of
from clones.tracker.models import ChangeGroup, Issue, IssueType, User, WorkflowStatus
from clones.tracker.queries.fieldsets import fields_of
from clones.tracker.queries.kinds import types_of
from clones.tracker.queries.rights import Rights

NOT_ALLOWED: Final = "You do not have permission to edit issues in this project."
NOT_EDITABLE: Final = "The issue is not editable in its current status."
MAY_NOT_ASSIGN: Final = "You do not have permission to assign issues."


def require_edit(issue: Issue, actor: Rights) -> None:
    """Hold somebody to the permission to change an issue.

    Raises:
        Forbidden: they have not got it, or the issue's status forbids changes.
    """
    if not actor.may_on("EDIT_ISSUES", issue):
        raise Forbidden(NOT_ALLOWED)
    if not is_editable(issue):
        raise Forbidden(NOT_EDITABLE)


def is_editable(issue: Issue) -> bool:
    """Tell whether the step of its workflow in which an issue is lets it be changed."""
    flow = workflow_of(issue.project, issue.issue_type)
    steps = WorkflowStatus.objects.filter(workflow=flow, status=issue.status_id)
    properties = steps.values_list("properties", flat=True).first() or {}
    return str(properties.get("jira.issue.editable", "true")).lower() != "false"


def edit_issue(
    issue: Issue,
    planned: Planned,
    *,
    actor: Rights,
    metadata: dict[str, Any] | None = None,
    properties: Any = (),
    notify: bool = True,
    trusted: bool = False,
) -> ChangeGroup | None:
    """Change an issue's fields and do what else was planned; return the entry of its history.

    Args:
        issue: with its space, type and status.
        planned: what was read for it (`read_changes`); a new type is a value of `issuetype`.
        actor: who changes it.
        metadata: what integrations say of the change, for the history.
        properties: a list of {"key", "value"}.
        notify: whether people are told.
        trusted: whether the caller has seen to the permission.

    Raises:
        Forbidden: no permission.
        Invalid: a required field would be empty, or the type cannot be.
    """
    if not trusted:
        require_edit(issue, actor)
    check_required(planned, issue)
    pairs = checked_properties(properties)
    with transaction.atomic():
        resolution, level = issue.resolution_id, issue.security_level_id
        changes = Changes(issue, actor)
        apply(planned, issue, changes)
        if issue.resolution_id != resolution:
            issue.resolution_date = None if issue.resolution_id is None else clock.now()
        if issue.security_level_id != level:
            parts = Issue.objects.filter(parent=issue, issue_type__hierarchy_level__lt=0)
            parts.update(security_level=issue.security_level)
        group = changes.save(metadata)
        issue.save()
        set_properties("issue", str(issue.id), pairs)
        if group is not None:
            publish(Event("issue_updated", actor, issue=issue, changes=group, notify=notify))
        act(planned, issue, actor=actor, notify=notify)
    return group


def plan_type(issue: Issue, issue_type: IssueType, planned: Planned) -> None:
    """Plan that an issue becomes one of another type, in its space and its status.

    Raises:
        Invalid: the space does not offer the type, its workflow has not the status, or the issue's
            family does not fit.
    """
    project = issue.project
    flow = workflow_of(project, issue_type)
    fits = (
        issue_type in types_of(project)
        and issue_type.subtask == issue.issue_type.subtask
        and WorkflowStatus.objects.filter(workflow=flow, status=issue.status_id).exists()
    )
    level = issue_type.hierarchy_level
    if level != issue.issue_type.hierarchy_level:
        children = Issue.objects.filter(parent=issue)
        fits = fits and not children.exclude(issue_type__hierarchy_level=level - 1).exists()
    try:
        check_parent(project, issue_type, planned.values.get("parent", issue.parent), issue)
    except BadValue:
        fits = False
    if not fits:
        raise Invalid(fields={"issuetype": WRONG_TYPE})
    planned.values["issuetype"] = issue_type


def assign_issue(issue: Issue, user: User | str | None, *, actor: Rights) -> Issue:
    """Give an issue to somebody, to nobody, or (`AUTOMATIC`) to whom its space names.

    Raises:
        Forbidden: no permission.
        Invalid: they cannot have issues of the space, or it may not be nobody's.
    """
    if not actor.may_on("ASSIGN_ISSUES", issue):
        raise Forbidden(MAY_NOT_ASSIGN)
    fieldset = fields_of(issue.project, issue.issue_type)
    if isinstance(user, User):
        try:
            check_assignable(user, fieldset, issue)
        except BadValue as error:
            raise Invalid(fields={"assignee": error.text}) from error
    elif user is None and not unassigned_allowed():
        raise Invalid(fields={"assignee": NOBODYS})
    edit_issue(issue, Planned(fieldset, {"assignee": user}), actor=actor, trusted=True)
    return issue
