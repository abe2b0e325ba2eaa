"""Reading types of issues, statuses, priorities and resolutions, and what spaces offer of them."""

from __future__ import annotations

from collections.abc import Collection

from django.db.models import Exists, OuterRef, Q, QuerySet

from clones.core.lookups import key_list
from clones.tracker.models import (
    IssueType,
    IssueTypeSchemeItem,
    Priority,
    PrioritySchemeItem,
    Project,
    Resolution,
    Status,
    Workflow,
    WorkflowSchemeItem,
    WorkflowStatus,
)
from clones.tracker.queries import hot_fields
from clones.tracker.queries.fields import OPERATIONS, Layouts
from clones.tracker.queries.rights import Rights, visible_projects


def types_of(project: Project) -> list[IssueType]:
    """Return the types that a space offers, in the order of its scheme."""
    rows = hot_fields.TYPES_OF_SCHEMES.all(key_list([project.issue_type_scheme_id]))
    return [item.issue_type for item in rows]


def types_of_projects(projects: Collection[Project]) -> dict[int, list[IssueType]]:
    """Return the types that spaces offer, by the space's id, at the cost of one statement."""
    schemes: dict[int, list[IssueType]] = {project.issue_type_scheme_id: [] for project in projects}
    for item in hot_fields.TYPES_OF_SCHEMES.all(key_list(schemes)):
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
    found = hot_fields.PRIORITY_SCHEME.first(project.priority_scheme_id)
    if found is not None and found.default_priority is not None:
        return found.default_priority
    return hot_fields.DEFAULT_PRIORITY.first()


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

    Active are workflows of the spaces that they see; an admin sees every space.
    """
    spaces = visible_projects(rights) if not rights.is_admin else Project.objects.all()
    spaces = spaces.filter(deleted_at=None).order_by()
    named = WorkflowSchemeItem.objects.filter(
        scheme__in=spaces.values("workflow_scheme"), workflow=OuterRef("workflow")
    )
    defaults = spaces.values("workflow_scheme__default_workflow")
    active = WorkflowStatus.objects.filter(status=OuterRef("pk")).filter(
        Exists(named) | Q(workflow__in=defaults)
    )
    return Status.objects.filter(Exists(active)).order_by("id")


def alternatives(kind: IssueType) -> list[IssueType]:
    """Return the types that issues of a type could be of as they are, by id.

    In each space that offers the type, they are offered too, and have the same workflow, field
    configuration and screens there. The number of statements does not grow with the spaces.
    """
    spaces = list(Project.objects.filter(issue_type_scheme__items__issue_type=kind).order_by("id"))
    candidates = IssueType.objects.filter(
        hierarchy_level=kind.hierarchy_level, project=kind.project_id
    )
    found = list(candidates.exclude(id=kind.id).order_by("id"))
    if not spaces:
        return found
    offered = types_of_projects(spaces)
    layouts = Layouts(spaces)
    flows: dict[int, dict[int, int]] = {space.workflow_scheme_id: {} for space in spaces}
    for item in WorkflowSchemeItem.objects.filter(scheme__in=flows):
        flows[item.scheme_id][item.issue_type_id] = item.workflow_id

    def way(space: Project, one: IssueType) -> tuple[object, ...]:
        screens = [layouts.screen(space, one, operation) for operation in OPERATIONS]
        flow = flows[space.workflow_scheme_id].get(one.id)
        return (flow, layouts.configuration(space, one), *screens)

    return [
        one
        for one in found
        if all(
            any(other.id == one.id for other in offered[space.id])
            and way(space, one) == way(space, kind)
            for space in spaces
        )
    ]


def workflows_with_status(status: Status) -> QuerySet[Workflow]:
    """Return the workflows that have a status."""
    return Workflow.objects.filter(
        Exists(WorkflowStatus.objects.filter(workflow=OuterRef("pk"), status=status))
    )


def projects_with_status(status: Status) -> QuerySet[Project]:
    """Return the spaces of whose workflows one has a status; those in the trash are left out."""
    flows = workflows_with_status(status).values("id")
    named = WorkflowSchemeItem.objects.filter(
        scheme=OuterRef("workflow_scheme"), workflow__in=flows
    )
    return Project.objects.filter(deleted_at=None).filter(
        Exists(named) | Q(workflow_scheme__default_workflow__in=flows)
    )


def types_with_status(status: Status, project: Project) -> QuerySet[IssueType]:
    """Return the types of a space that go through a workflow with a status."""
    flows = workflows_with_status(status).values("id")
    items = WorkflowSchemeItem.objects.filter(
        scheme=project.workflow_scheme_id, issue_type=OuterRef("pk")
    )
    found = Q(Exists(items.filter(workflow__in=flows)))
    default = Workflow.objects.filter(
        id__in=flows, pk__in=[project.workflow_scheme.default_workflow_id]
    )
    if default.exists():
        found |= ~Q(Exists(items))
    offered = IssueTypeSchemeItem.objects.filter(scheme=project.issue_type_scheme_id)
    return IssueType.objects.filter(found, id__in=offered.values("issue_type"))


def statuses_of(project: int | None) -> QuerySet[Status]:
    """Return the statuses of the site, or those that count in a space: its own, its workflows'."""
    rows = Status.objects.filter(project=None)
    if project is None:
        return rows
    found = Project.objects.filter(id=project)
    flows = Workflow.objects.filter(
        Q(scheme_items__scheme__in=found.values("workflow_scheme"))
        | Q(id__in=found.values("workflow_scheme__default_workflow"))
    )
    used = WorkflowStatus.objects.filter(status=OuterRef("pk"), workflow__in=flows.values("id"))
    return Status.objects.filter(Q(project=project) | Exists(used))
