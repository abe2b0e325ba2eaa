"""Issues: what they are called, and that type, status, parent and links fit their space."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import F

from clones.tracker.models import (
    FormerIssueKey,
    Issue,
    IssueLink,
    IssueTypeSchemeItem,
    Project,
    WorkflowStatus,
)
from clones.tracker.queries.workflows import Paths


def keys() -> Iterator[str]:
    """Check that keys are their spaces' and numbers, and that the space has counted so far.

    Source: `domain.issues.creating.take_number`, `domain.project_keys`, `models.Project` ("the
    number of the last issue made in it: none is used twice"). A former key leads to one issue, so
    it is nobody's present one (`queries.rights.find_issue`).
    """
    present = set()
    rows = Issue.objects.order_by("id")
    for key, number, space, last in rows.values_list(
        "key", "number", "project__key", "project__last_number"
    ):
        present.add(key)
        if key != f"{space}-{number}":
            yield f"issue {key} is number {number} of {space}"
        if number > last:
            yield f"issue {key} has a number after {last}, the last of its space"
    for key in FormerIssueKey.objects.order_by("id").values_list("key", flat=True):
        if key in present:
            yield f"issue key {key} is a former and a present one"


def kinds() -> Iterator[str]:
    """Check that the types of issues are offered in their spaces.

    Source: `domain.issues.planning` and `domain.moving` take no other, and `domain.
    issue_type_schemes` lets no scheme lose a type that issues have.
    """
    offered = set(IssueTypeSchemeItem.objects.values_list("scheme_id", "issue_type_id"))
    rows = Issue.objects.order_by("id").select_related("issue_type")
    for issue in rows.select_related("project").only(
        "key", "issue_type", "project__issue_type_scheme"
    ):
        if (issue.project.issue_type_scheme_id, issue.issue_type_id) not in offered:
            yield f"issue {issue.key} is of type {issue.issue_type_id}, which its space has not"


def statuses() -> Iterator[str]:
    """Check that issues are in statuses of the workflows that they go through.

    Source: `queries.workflows`: a space's scheme names the workflow of a type; reference
    tracker.md, workflows. `domain.workflow_switching` maps statuses that go.
    """
    schemes = dict(Project.objects.values_list("id", "workflow_scheme_id"))
    paths = Paths(schemes.values())
    there = set(WorkflowStatus.objects.values_list("workflow_id", "status_id"))
    for key, project, kind, status in Issue.objects.order_by("id").values_list(
        "key", "project_id", "issue_type_id", "status_id"
    ):
        if (paths.workflow_id(schemes[project], kind), status) not in there:
            yield f"issue {key} is in status {status}, which its workflow has not"


def resolutions() -> Iterator[str]:
    """Check that issues have the date of their resolution if and only if they have one.

    Source: reference tracker.md ("`resolutiondate` follows"); `transitions._keep_resolution_date`.
    That a status of the category done has a resolution is no rule: that is up to its workflow.
    """
    rows = Issue.objects.order_by("id")
    for key, chosen, at, created in rows.values_list(
        "key", "resolution_id", "resolution_date", "created"
    ):
        if (chosen is None) != (at is None):
            yield f"issue {key} has resolution {chosen}, and its date {at}"
        if at is not None and at < created:
            yield f"issue {key} was resolved before it was created"


def parents() -> Iterator[str]:
    """Check that parents are one level up, and those of sub-tasks there and of the same space.

    Source: `domain.issues.hierarchy.check_parent`.
    """
    rows = Issue.objects.order_by("id").filter(parent=None, issue_type__hierarchy_level__lt=0)
    yield from (f"sub-task {key} has no parent" for key in rows.values_list("key", flat=True))
    wrong = Issue.objects.exclude(parent=None).order_by("id")
    for key, above, level, higher, space, other in wrong.values_list(
        "key",
        "parent__key",
        "issue_type__hierarchy_level",
        "parent__issue_type__hierarchy_level",
        "project_id",
        "parent__project_id",
    ):
        if higher != level + 1:
            yield f"issue {key} of level {level} is below {above} of level {higher}"
        if level < 0 and space != other:
            yield f"sub-task {key} is in another space than {above}"


def links() -> Iterator[str]:
    """Check that no issue is linked to itself.

    Source: `domain.links.link_issues` ("You cannot link an issue to itself.").
    """
    rows = IssueLink.objects.filter(source=F("destination")).order_by("id")
    for link, key in rows.values_list("id", "source__key"):
        yield f"link {link} leads from {key} to itself"
