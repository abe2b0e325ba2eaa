"""Reading types of issues, statuses, priorities and resolutions, and what spaces offer of them."""

from __future__ import annotations

from collections.abc import Collection
from typing import TypeVar

from django.db.models import Exists, Model, OuterRef, Q, QuerySet

from clones.tracker.models import (
    IssueType,
    IssueTypeSchemeItem,
    Priority,
    PriorityScheme,
    PrioritySchemeItem,
    Project,
    Resolution,
    Status,
    WorkflowSchemeItem,
    WorkflowStatus,
)
from clones.tracker.queries.rights import Rights, visible_projects

Row = TypeVar("Row", bound=Model)


def types_of(project: Project) -> list[IssueType]:
    """Return the types that a space offers, in the order of its scheme."""
    items = IssueTypeSchemeItem.objects.filter(scheme=project.issue_type_scheme_id)
    rows = items.select_related("issue_type").order_by("position", "id")
    return [item.issue_type for item in rows]


def types_of_projects(projects: Collection[Project]) -> dict[int, list[IssueType]]:
    """Return the types that spaces offer, by the space's id, at the cost of one statement."""
    schemes: dict[int, list[IssueType]] = {project.issue_type_scheme_id: [] for project in projects}
    rows = IssueTypeSchemeItem.objects.filter(scheme__in=schemes)
    for item in rows.select_related("issue_type").order_by("position", "id"):
        schemes[item.scheme_id].append(item.issue_type)
    return {project.id: schemes[project.issue_type_scheme_id] for project in projects}


def priorities_of(project: Project) -> list[Priority]:
    """Return the priorities that a space offers, in the order of its scheme."""
    items = PrioritySchemeItem.objects.filter(scheme=project.priority_scheme_id)
    rows = items.select_related("priority").order_by("position", "id")
    return [item.priority for item in rows]


def priorities_of_projects(projects: Collection[Project]) -> dict[int, list[Priority]]:
    """Return the priorities that spaces offer, by the space's id, with one statement."""
    schemes: dict[int, list[Priority]] = {project.priority_scheme_id: [] for project in projects}
    rows = PrioritySchemeItem.objects.filter(scheme__in=schemes)
    for item in rows.select_related("priority").order_by("position", "id"):
        schemes[item.scheme_id].append(item.priority)
    return {project.id: schemes[project.priority_scheme_id] for project in projects}


def default_priority(project: Project) -> Priority | None:
    """Return the priority that new issues of a space get: its scheme's, else the site's."""
    scheme = PriorityScheme.objects.select_related("default_priority").filter(
        id=project.priority_scheme_id
    )
    found = scheme.first()
    if found is not None and found.default_priority is not None:
        return found.default_priority
    return Priority.objects.filter(is_default=True).order_by("position", "id").first()


def resolutions() -> QuerySet[Resolution]:
    """Return the resolutions in their order."""
    return Resolution.objects.order_by("position", "id")


def visible_types(rights: Rights) -> QuerySet[IssueType]:
    """Return the types that somebody sees: an admin all, others those of spaces that they see."""
    rows = IssueType.objects.order_by("id")
    if rights.is_admin:
        return rows
    spaces = visible_projects(rights).order_by()
    offered = IssueTypeSchemeItem.objects.filter(
        issue_type=OuterRef("pk"), scheme__in=spaces.values("issue_type_scheme")
    )
    return rows.filter(Exists(offered))


def visible_statuses(rights: Rights) -> QuerySet[Status]:
    """Return the statuses of active workflows that somebody sees, by id.

    Active are workflows of the spaces that he sees; an admin sees every space.
    """
    spaces = visible_projects(rights) if not rights.is_admin else Project.objects.all()
    schemes = spaces.filter(deleted_at=None).order_by().values("workflow_scheme")
    named = WorkflowSchemeItem.objects.filter(scheme__in=schemes, workflow=OuterRef("workflow"))
    active = WorkflowStatus.objects.filter(status=OuterRef("pk")).filter(
        Exists(named) | Q(workflow__in=_default_workflows(spaces))
    )
    return Status.objects.filter(Exists(active)).order_by("id")


def _default_workflows(spaces: QuerySet[Project]) -> QuerySet[Project]:
    rows = spaces.filter(deleted_at=None).order_by()
    # A query of single values, which stands for their rows in conditions.
    return rows.values("workflow_scheme__default_workflow")  # type: ignore[return-value]
