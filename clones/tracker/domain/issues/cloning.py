"""Cloning issues: a new one that holds what another holds, and says of what it is a clone.

What belongs to the life of the first stays with it: its status and resolution, logged work,
comments, watchers and votes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final

from django.db import transaction
from django.db.models import Q

from clones.tracker.domain.attachments import FILES_AT_ONCE, Upload, add_attachments
from clones.tracker.domain.errors import Forbidden, Invalid
from clones.tracker.domain.fieldset import Estimates, Planned, fields_of
from clones.tracker.domain.issues.creating import create_issue
from clones.tracker.domain.issues.planning import NO_SUMMARY
from clones.tracker.domain.issues.resolving import LINE, SUMMARY_TOO_LONG
from clones.tracker.domain.issues.values import Stored
from clones.tracker.domain.links import link_issues
from clones.tracker.models import Attachment, Issue, IssueLink, IssueLinkType
from clones.tracker.queries.rights import BROWSE, Rights

NOT_ALLOWED: Final = "You do not have permission to create issues in this project."
CLONERS: Final = "Cloners"  # the kind of links between a clone and its original
_ENDS: Final = ("source", "source__project", "destination", "destination__project", "type")
# Fields that begin anew, or that acts of their own carry over.
_LEFT: Final = frozenset({"summary", "issuetype", "project", "resolution"})
_KINDS_LEFT: Final = frozenset(
    {"sprint", "epic_link", "issuelinks", "attachment", "comment", "worklog", "timetracking"}
)


@dataclass(frozen=True, slots=True)
class Cloning:
    """What a clone is called, and what of the original comes along beside its fields."""

    summary: str
    links: bool = False
    subtasks: bool = False
    attachments: bool = False
    sprint: bool = False


def clone_issue(issue: Issue, asked: Cloning, *, actor: Rights) -> Issue:
    """Clone an issue in its space.

    Args:
        issue: with its space and type.
        asked: what is wanted.
        actor: who clones it: the creator, and the reporter unless they may name another.

    Raises:
        Forbidden: they may not make issues there, or not add files.
        Invalid: there is no summary, or it is too long.
    """
    if not actor.may("CREATE_ISSUES", issue.project):
        raise Forbidden(NOT_ALLOWED)
    summary = " ".join(asked.summary.split())
    if not summary:
        raise Invalid(fields={"summary": NO_SUMMARY})
    if len(summary) > LINE:
        raise Invalid(fields={"summary": SUMMARY_TOO_LONG})
    with transaction.atomic():
        return _clone(issue, replace(asked, summary=summary), issue.parent, actor)


def _clone(issue: Issue, asked: Cloning, parent: Issue | None, actor: Rights) -> Issue:
    fieldset = fields_of(issue.project, issue.issue_type)
    planned = Planned(fieldset, _values(issue, asked, parent, actor))
    made = create_issue(issue.project, issue.issue_type, planned, actor=actor, trusted=True)
    _say_so(made, issue, actor)
    if asked.links:
        _link(made, issue, actor)
    if asked.attachments:
        _attach(made, issue, actor)
    if asked.subtasks:
        parts = Issue.objects.filter(parent=issue, issue_type__hierarchy_level__lt=0)
        related = ("project", "issue_type", "status", "assignee", "reporter")
        for part in parts.select_related(*related).order_by("rank", "id"):
            # A part is in the sprint of what it is a part of.
            _clone(part, replace(asked, summary=part.summary, sprint=False), made, actor)
    return made


def _values(issue: Issue, asked: Cloning, parent: Issue | None, actor: Rights) -> dict[str, Any]:
    """Return what the clone's fields hold; None stands against defaults."""
    stored = Stored(issue)
    found: dict[str, Any] = {}
    for id, field in fields_of(issue.project, issue.issue_type).fields.items():
        kind = field.kind
        if kind.name == "sprint" and asked.sprint and actor.may_on("SCHEDULE_ISSUES", issue):
            found[id] = stored.open_sprint
        elif kind.operations and id not in _LEFT and kind.name not in _KINDS_LEFT:
            found[id] = stored.value(field)
    found["summary"] = asked.summary
    found["parent"] = parent
    found["timetracking"] = Estimates(issue.original_estimate, issue.original_estimate)
    if not actor.may_on("MODIFY_REPORTER", issue):
        found["reporter"] = actor.user
    assignee = issue.assignee
    if assignee is not None and not Rights(assignee).may("ASSIGNABLE_USER", issue.project):
        found.pop("assignee", None)
    return found


def _say_so(made: Issue, issue: Issue, actor: Rights) -> None:
    """Link a clone with its original, where the site has such links and they may."""
    kind = IssueLinkType.objects.filter(name=CLONERS).first()
    if kind is not None and actor.may_on("LINK_ISSUES", made):
        link_issues(made, issue, kind, actor=actor)


def _link(made: Issue, issue: Issue, actor: Rights) -> None:
    """Link a clone with what its original is linked with; links that they may not make are left."""
    rows = IssueLink.objects.filter(Q(source=issue) | Q(destination=issue))
    for link in rows.exclude(type__name=CLONERS).select_related(*_ENDS).order_by("id"):
        away = link.source_id == issue.id
        other = link.destination if away else link.source
        ends = (made, other) if away else (other, made)
        if actor.may_on(BROWSE, other) and actor.may_on("LINK_ISSUES", ends[0]):
            link_issues(*ends, link.type, actor=actor)


def _attach(made: Issue, issue: Issue, actor: Rights) -> None:
    rows = Attachment.objects.filter(issue=issue).select_related("blob").order_by("id")
    uploads = [Upload(row.filename, row.mime_type, bytes(row.blob.data)) for row in rows]
    for at in range(0, len(uploads), FILES_AT_ONCE):
        add_attachments(made, uploads[at : at + FILES_AT_ONCE], actor=actor)
