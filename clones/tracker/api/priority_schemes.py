"""Schemes of priorities.

They are not declared: what makes one or changes it answers with a task where issues need other
priorities, and one that is gone is refused otherwise by each operation.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from django.db.models import QuerySet
from pydantic import Field

from clones.core.operations import Call, Reply
from clones.core.operations.inputs import CommaList
from clones.tracker.api.admin_lists import AdminBody, Id, ordered
from clones.tracker.api.operations import Query, actor, flag, operation, show
from clones.tracker.api.paging import page_bean
from clones.tracker.api.presenters.context import Show
from clones.tracker.api.presenters.kinds import (
    inner_page,
    placed_priority_body,
    priority_scheme_body,
)
from clones.tracker.api.presenters.refs import project_ref
from clones.tracker.api.task_replies import task_progress
from clones.tracker.domain import priority_schemes as schemes
from clones.tracker.domain.errors import Invalid
from clones.tracker.domain.scheme_parts import key_of, one_of
from clones.tracker.models import Priority, PriorityScheme, PrioritySchemeItem, Project

PATH = "/rest/api/3/priorityscheme"


class MappingsBody(AdminBody):
    """The priorities that issues get in place of others when a scheme changes."""

    into: dict[Id, Id] | None = Field(None, alias="in")
    out: dict[Id, Id] | None = None

    def read(self) -> schemes.PriorityMappings:
        """Return the mappings for the domain."""
        return schemes.PriorityMappings(self.into, self.out)


class SchemeWrite(AdminBody):
    """A priority scheme to create: its name, text, priorities and spaces."""

    name: str | None = None
    description: str | None = None
    default: Id | None = Field(None, alias="defaultPriorityId")
    priorities: list[Id] = Field([], alias="priorityIds")
    projects: list[Id] = Field([], alias="projectIds")
    mappings: MappingsBody = MappingsBody()


class IdsBody(AdminBody):
    """Ids of priorities or spaces to add to a priority scheme, or to take out."""

    ids: list[Id] = []


class AddRemove(AdminBody):
    """Priorities or spaces that a priority scheme gets and loses."""

    add: IdsBody = IdsBody()
    remove: IdsBody = IdsBody()


class SchemeUpdate(AdminBody):
    """The attributes of a priority scheme that can change."""

    name: str | None = None
    description: str | None = None
    default: Id | None = Field(None, alias="defaultPriorityId")
    priorities: AddRemove = AddRemove()
    projects: AddRemove = AddRemove()
    mappings: MappingsBody = MappingsBody()


class PlainAddRemove(AdminBody):
    """Ids of priorities or spaces that a planned change would add and take out."""

    add: list[Id] = []
    remove: list[Id] = []


class SchemePlan(AdminBody):
    """A planned change of a priority scheme, whose mappings are asked for."""

    scheme: Id | None = Field(None, alias="schemeId")
    priorities: PlainAddRemove = PlainAddRemove()
    projects: PlainAddRemove = PlainAddRemove()
    start: int = Field(0, alias="startAt", ge=0)
    most: int = Field(50, alias="maxResults", ge=0)


class SchemeSearch(Query):
    """Filters, order and expansions of the list of priority schemes."""

    priorities: CommaList[Id] | None = Field(None, alias="priorityId")
    schemes: CommaList[Id] | None = Field(None, alias="schemeId")
    name: str | None = Field(None, alias="schemeName")
    only_default: str | None = Field(None, alias="onlyDefault")
    order: str | None = Field(None, alias="orderBy")
    expand: CommaList[str] = []


class AvailableSearch(Query):
    """Filters of the priorities that a priority scheme could get."""

    text: str | None = Field(None, alias="query")
    scheme: str = Field(alias="schemeId")
    exclude: CommaList[str] | None = None


class ProjectSearch(Query):
    """Filters of the spaces of a priority scheme: ids, a part of the name."""

    projects: CommaList[Id] | None = Field(None, alias="projectId")
    text: str | None = Field(None, alias="query")


def _scheme(id: str | int | None) -> PriorityScheme:
    return one_of(PriorityScheme.objects.all(), id, schemes.GONE)


def _spaces(schemes: list[PriorityScheme]) -> QuerySet[Project]:
    rows = Project.objects.filter(priority_scheme__in=schemes, deleted_at=None)
    return rows.select_related("category").order_by("id")


def _bodies(found: list[PriorityScheme], beside: set[str], reading: Show) -> list[dict[str, Any]]:
    """Return schemes with their priorities and spaces, as asked for: a statement for each."""
    bodies = [priority_scheme_body(scheme, reading) for scheme in found]
    if "priorities" in beside:
        items: dict[int, list[PrioritySchemeItem]] = defaultdict(list)
        rows = PrioritySchemeItem.objects.filter(scheme__in=found).select_related("priority")
        for item in rows.order_by("position", "id"):
            items[item.scheme_id].append(item)
        for scheme, body in zip(found, bodies, strict=True):
            body["priorities"] = inner_page(_placed(items[scheme.id], reading, scheme), most=50)
    if "projects" in beside:
        spaces: dict[int, list[Any]] = defaultdict(list)
        for project in _spaces(found):
            spaces[project.priority_scheme_id].append(project_ref(project, reading))
        for scheme, body in zip(found, bodies, strict=True):
            body["projects"] = inner_page(spaces[scheme.id], most=50)
    return bodies


def _placed(items: list[PrioritySchemeItem], reading: Show, scheme: PriorityScheme) -> list[Any]:
    default = scheme.default_priority_id
    return [
        placed_priority_body(item.priority, item.position, reading, default=default)
        for item in items
    ]


@operation(
    "getPrioritySchemes",
    "GET",
    PATH,
    summary="List the schemes of priorities.",
    query=SchemeSearch,
)
def list_schemes(call: Call) -> dict[str, Any]:
    """List schemes, with their priorities and spaces where asked for."""
    asked: SchemeSearch = call.query
    rows = PriorityScheme.objects.all()
    if asked.schemes:
        rows = rows.filter(id__in=asked.schemes)
    if asked.priorities:
        rows = rows.filter(
            id__in=PrioritySchemeItem.objects.filter(priority__in=asked.priorities).values("scheme")
        )
    if asked.name:
        rows = rows.filter(name__icontains=asked.name)
    if flag(asked.only_default):
        rows = rows.filter(is_default=True)
    beside, reading = set(asked.expand), show(call)
    return page_bean(
        call,
        ordered(rows, asked.order, default="name"),
        lambda found: _bodies(found, beside, reading),
    )


@operation(
    "createPriorityScheme",
    "POST",
    PATH,
    summary="Make a scheme of priorities, and let spaces use it.",
    body=SchemeWrite,
    access="admin",
    status=201,
)
def create_scheme(call: Call) -> Reply:
    """Make a scheme: 202 with a task where issues need other priorities."""
    given: SchemeWrite = call.body
    wanted = schemes.SchemeChange(
        name=given.name,
        description=given.description,
        default=given.default,
        add=given.priorities,
        add_projects=given.projects,
        mappings=given.mappings.read(),
    )
    made, task = schemes.create_scheme(wanted, actor=actor(call))
    body: dict[str, Any] = {"id": str(made.id)}
    if task is None:
        return Reply(body, status=201)
    return Reply({**body, "task": task_progress(task, show(call))}, status=202)


@operation(
    "suggestedPrioritiesForMappings",
    "POST",
    PATH + "/mappings",
    summary="List the priorities that a change of a scheme would leave to be mapped.",
    body=SchemePlan,
    writes=False,
)
def suggest(call: Call) -> dict[str, Any]:
    """List the priorities that issues would have to get others for."""
    plan: SchemePlan = call.body
    scheme = None if plan.scheme is None else _scheme(plan.scheme)
    have = set() if scheme is None else {*scheme.items.values_list("priority_id", flat=True)}
    coming = list(Project.objects.filter(id__in=plan.projects.add, deleted_at=None).order_by("id"))
    final = (have | set(plan.priorities.add)) - set(plan.priorities.remove)
    used = scheme is not None and Project.objects.filter(priority_scheme=scheme).exists()
    removed = [id for id in plan.priorities.remove if id in have] if used else []
    needed = schemes.needed_into(final, coming, removed=removed)
    rows = Priority.objects.filter(id__in=needed).order_by("position", "id")
    start, most = plan.start, min(plan.most, 100)
    total = rows.count()
    reading = show(call)
    return {
        "maxResults": most,
        "startAt": start,
        "total": total,
        "isLast": start + most >= total,
        "values": [
            placed_priority_body(row, row.position, reading) for row in rows[start : start + most]
        ],
    }


@operation(
    "getAvailablePrioritiesByPriorityScheme",
    "GET",
    PATH + "/priorities/available",
    summary="List the priorities that a scheme could get.",
    query=AvailableSearch,
)
def list_available(call: Call) -> dict[str, Any]:
    """List the priorities that a scheme has not got."""
    asked: AvailableSearch = call.query
    scheme = _scheme(asked.scheme)
    rows = Priority.objects.exclude(places__scheme=scheme)
    if asked.exclude:
        rows = rows.exclude(id__in=[key_of(text) for text in asked.exclude])
    if asked.text:
        rows = rows.filter(name__icontains=asked.text)
    reading = show(call)
    return page_bean(
        call,
        rows.order_by("position", "id"),
        lambda found: [placed_priority_body(row, row.position, reading) for row in found],
    )


@operation(
    "deletePriorityScheme",
    "DELETE",
    PATH + "/{schemeId}",
    summary="Remove a scheme of priorities that no space uses.",
    access="admin",
    status=204,
)
def delete_scheme(call: Call) -> None:
    """Remove a scheme."""
    scheme = PriorityScheme.objects.filter(id=key_of(call.path["schemeId"])).first()
    if scheme is None:
        # The description of this operation knows no 404.
        raise Invalid(schemes.GONE)
    schemes.delete_scheme(scheme, actor=actor(call))


@operation(
    "updatePriorityScheme",
    "PUT",
    PATH + "/{schemeId}",
    summary="Change a scheme: its details, priorities and spaces.",
    body=SchemeUpdate,
    access="admin",
    status=202,
)
def update_scheme(call: Call) -> dict[str, Any]:
    """Change a scheme; the answer has the task where issues need other priorities."""
    given: SchemeUpdate = call.body
    scheme = _scheme(call.path["schemeId"])
    change = schemes.SchemeChange(
        name=given.name,
        description=given.description,
        default=given.default,
        add=given.priorities.add.ids,
        remove=given.priorities.remove.ids,
        add_projects=given.projects.add.ids,
        remove_projects=given.projects.remove.ids,
        mappings=given.mappings.read(),
    )
    task = schemes.update_scheme(scheme, change, actor=actor(call))
    reading = show(call)
    body: dict[str, Any] = {
        "priorityScheme": _bodies([scheme], {"priorities", "projects"}, reading)[0]
    }
    return body if task is None else {**body, "task": task_progress(task, reading)}


@operation(
    "getPrioritiesByPriorityScheme",
    "GET",
    PATH + "/{schemeId}/priorities",
    summary="List the priorities of a scheme.",
)
def list_priorities(call: Call) -> dict[str, Any]:
    """List the priorities of a scheme in their order."""
    scheme, reading = _scheme(call.path["schemeId"]), show(call)
    rows = PrioritySchemeItem.objects.filter(scheme=scheme).select_related("priority")
    return page_bean(
        call,
        rows.order_by("position", "id"),
        lambda found: _placed(found, reading, scheme),
    )


@operation(
    "getProjectsByPriorityScheme",
    "GET",
    PATH + "/{schemeId}/projects",
    summary="List the spaces that use a scheme.",
    query=ProjectSearch,
)
def list_projects(call: Call) -> dict[str, Any]:
    """List the spaces that use a scheme."""
    asked: ProjectSearch = call.query
    rows = _spaces([_scheme(call.path["schemeId"])])
    if asked.projects:
        rows = rows.filter(id__in=asked.projects)
    if asked.text:
        rows = rows.filter(name__icontains=asked.text)
    reading = show(call)
    return page_bean(call, rows, lambda found: [project_ref(row, reading) for row in found])
