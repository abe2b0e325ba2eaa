"""Deleting issues, with all that hangs on them."""

from __future__ import annotations

from typing import Final

from django.db import transaction

from clones.tracker.domain.errors import Forbidden, Invalid
from clones.tracker.domain.events import Event, publish
from clones.tracker.domain.properties import forget_properties
from clones.tracker.domain.worklogs import bury_worklog
from clones.tracker.models import Comment, EpicLook, Issue, Worklog
from clones.tracker.queries.rights import Rights

NOT_ALLOWED: Final = "You do not have permission to delete issues in this project."


def delete_issue(
    issue: Issue,
    *,
    actor: Rights,
    delete_subtasks: bool = False,
    notify: bool = True,
    trusted: bool = False,
) -> None:
    """Delete an issue; issues of which it was the epic stay, without it.

    Raises:
        Forbidden: no permission.
        Invalid: it has sub-tasks, and they were not to be deleted.
    """
    if not trusted and not actor.may_on("DELETE_ISSUES", issue):
        raise Forbidden(NOT_ALLOWED)
    parts = Issue.objects.filter(parent=issue, issue_type__hierarchy_level__lt=0)
    subtasks = list(parts.select_related("project", "issue_type", "status").order_by("id"))
    if subtasks and not delete_subtasks:
        raise Invalid(
            f"The issue '{issue.key}' has subtasks.  You must specify the 'deleteSubtasks'"
            " parameter to delete this issue and all its subtasks."
        )
    with transaction.atomic():
        for one in [*subtasks, issue]:
            publish(Event("issue_deleted", actor, issue=one, notify=notify))
            _forget(one)


def _forget(issue: Issue) -> None:
    for worklog in Worklog.objects.filter(issue=issue).order_by("id"):
        forget_properties("worklog", [str(worklog.id)])
        bury_worklog(worklog)
    comments = Comment.objects.filter(issue=issue).values_list("id", flat=True)
    forget_properties("comment", [str(key) for key in comments])
    forget_properties("issue", [str(issue.id)])
    EpicLook.objects.filter(id=issue.id).delete()
    Issue.objects.filter(id=issue.id).delete()
