"""Statuses: the newer operations on them, and the older lists of those in use."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, cast

from django.db.models import QuerySet
from pydantic import Field

from clones.core.operations import Call
from clones.core.operations.inputs import CommaList
from clones.tracker.api.admin_lists import AdminBody, project_of
from clones.tracker.api.operations import Query, actor, operation, show
from clones.tracker.api.paging import ids_page, number_of, page_bean
from clones.tracker.api.presenters.kinds import new_status_body, status_body
from clones.tracker.domain import statuses
from clones.tracker.domain.administration import NOT_ADMIN
from clones.tracker.domain.errors import Forbidden, Invalid, NotFound
from clones.tracker.domain.scheme_parts import key_of
from clones.tracker.models import Status
from clones.tracker.queries.kinds import (
    projects_with_status,
    statuses_of,
    types_with_status,
    visible_statuses,
    workflows_with_status,
)

PATH = "/rest/api/3/statuses"
MANY = 50
SPECIFIC = "/{statusId}"


class ProjectId(AdminBody):
    """The space of a status's scope, by its id."""

    id: str


class StatusScope(AdminBody):
    """The scope of statuses: the site's, or a team-managed space's own."""

    type: Literal["PROJECT", "GLOBAL"]
    project: ProjectId | None = None


class StatusWrite(AdminBody):
    """A status: its name, category and description."""

    id: str | None = None
    name: str | None = None
    category: str | None = Field(None, alias="statusCategory")
    description: str | None = None


class NewStatuses(AdminBody):
    """Statuses to create, and their scope."""

    scope: StatusScope
    statuses: list[StatusWrite]


class ChangedStatuses(AdminBody):
    """Statuses to change."""

    statuses: list[StatusWrite]


class Ids(Query):
    """The ids of the statuses to show or delete."""

    id: CommaList[str] | None = None


class Names(Query):
    """The names of the statuses to show, and their space."""

    name: list[str] | None = None
    project: str | None = Field(None, alias="projectId")


class StatusSearch(Query):
    """Filters of a search of statuses: space, a part of the name, category."""

    project: str | None = Field(None, alias="projectId")
    text: str | None = Field(None, alias="searchString")
    category: str | None = Field(None, alias="statusCategory")


class Pointer(Query):
    """The token with which a list of a status's uses goes on."""

    token: str | None = Field(None, alias="nextPageToken")


def _admins_of_something(call: Call) -> None:
    """Hold the caller to running the site or a space: others are not shown how things are set up.

    Raises:
        Forbidden: they run nothing.
    """
    rights = actor(call)
    if not rights.is_admin and not rights.projects_with("ADMINISTER_PROJECTS"):
        raise Forbidden(NOT_ADMIN)


def _scoped(project: str | None) -> QuerySet[Status]:
    return statuses_of(None if project is None else key_of(project))


def _few(values: Sequence[str] | None, name: str) -> list[str]:
    if not values:
        raise Invalid(f"The {name} has to be provided.")
    if len(values) > MANY:
        raise Invalid(f"The {name} must contain no more than {MANY} items.")
    return list(values)


def _wanted(given: list[StatusWrite]) -> list[statuses.StatusValues]:
    if len(given) > MANY:
        raise Invalid(f"The statuses must contain no more than {MANY} items.")
    return [statuses.StatusValues(one.name, one.category, one.description, one.id) for one in given]


@operation(
    "getStatusesById",
    "GET",
    PATH,
    summary="Show statuses by their ids.",
    query=Ids,
)
def show_statuses(call: Call) -> list[Any]:
    """Show statuses by id; ids of nothing are passed over."""
    _admins_of_something(call)
    keys = [key_of(text) for text in _few(call.query.id, "id")]
    found = Status.objects.in_bulk(keys)
    return [new_status_body(found[key]) for key in dict.fromkeys(keys) if key in found]


@operation(
    "createStatuses",
    "POST",
    PATH,
    summary="Make statuses of the site, or of a team-managed space.",
    body=NewStatuses,
)
def create(call: Call) -> list[Any]:
    """Make statuses."""
    given: NewStatuses = call.body
    project = None
    if given.scope.type == "PROJECT":
        if given.scope.project is None:
            raise Invalid("The project has to be provided.")
        project = project_of(given.scope.project.id)
    made = statuses.create_statuses(project, _wanted(given.statuses), actor=actor(call))
    return [new_status_body(row) for row in made]


@operation(
    "updateStatuses",
    "PUT",
    PATH,
    summary="Change statuses.",
    body=ChangedStatuses,
    status=204,
)
def update(call: Call) -> None:
    """Change statuses."""
    statuses.update_statuses(_wanted(call.body.statuses), actor=actor(call))


@operation(
    "deleteStatusesById",
    "DELETE",
    PATH,
    summary="Remove statuses that nothing uses.",
    query=Ids,
    status=204,
)
def delete(call: Call) -> None:
    """Remove statuses."""
    statuses.delete_statuses(_few(call.query.id, "id"), actor=actor(call))


@operation(
    "getStatusesByName",
    "GET",
    PATH + "/byNames",
    summary="Show statuses by their names.",
    query=Names,
)
def show_named(call: Call) -> list[Any]:
    """Show the site's statuses, or a space's, that have one of these names."""
    _admins_of_something(call)
    asked: Names = call.query
    rows = _scoped(asked.project).filter(name__in=_few(asked.name, "name"))
    return [new_status_body(row) for row in rows.order_by("id")]


@operation(
    "search",
    "GET",
    PATH + "/search",
    summary="Search statuses by name, category and space.",
    query=StatusSearch,
)
def search(call: Call) -> dict[str, Any]:
    """Search statuses: the site's and every space's own, or those of one space."""
    _admins_of_something(call)
    asked: StatusSearch = call.query
    rows = Status.objects.all() if asked.project is None else _scoped(asked.project)
    if asked.text:
        rows = rows.filter(name__icontains=asked.text)
    if asked.category:
        if asked.category not in statuses.CATEGORIES:
            raise Invalid(f"The status category '{asked.category}' is invalid.")
        rows = rows.filter(category=statuses.CATEGORIES[asked.category])
    return page_bean(
        call,
        rows.order_by("id"),
        lambda found: [new_status_body(row) for row in found],
        max_results=200,
        limit=200,
    )


def _status(call: Call) -> Status:
    _admins_of_something(call)
    text = call.path["statusId"]
    found = Status.objects.filter(id=key_of(text)).first()
    if found is None:
        raise NotFound(f"The status with ID {text} was not found.")
    return found


def _usages(call: Call, rows: QuerySet[Any], column: str) -> dict[str, Any]:
    """Return a page of ids, and the token of the next page where there is one."""
    most = min(number_of(call, "maxResults", 50, least=1), 200)
    return ids_page(call, rows.values_list(column, flat=True), most)


@operation(
    "getProjectUsagesForStatus",
    "GET",
    PATH + SPECIFIC + "/projectUsages",
    summary="List the spaces whose workflows have a status.",
    query=Pointer,
)
def list_projects(call: Call) -> dict[str, Any]:
    """List the spaces that use a status."""
    status = _status(call)
    rows = projects_with_status(status).order_by("id")
    return {"statusId": str(status.id), "projects": _usages(call, rows, "id")}


@operation(
    "getWorkflowUsagesForStatus",
    "GET",
    PATH + SPECIFIC + "/workflowUsages",
    summary="List the workflows that have a status.",
    query=Pointer,
)
def list_workflows(call: Call) -> dict[str, Any]:
    """List the workflows that have a status."""
    status = _status(call)
    rows = workflows_with_status(status).order_by("id")
    return {"statusId": str(status.id), "workflows": _usages(call, rows, "uuid")}


@operation(
    "getProjectIssueTypeUsagesForStatus",
    "GET",
    PATH + SPECIFIC + "/project/{projectId}/issueTypeUsages",
    summary="List the types of a space whose workflows have a status.",
    query=Pointer,
)
def list_types(call: Call) -> dict[str, Any]:
    """List the types of a space that use a status."""
    status = _status(call)
    project = project_of(call.path["projectId"])
    rows = types_with_status(status, project).order_by("id")
    return {
        "statusId": str(status.id),
        "projectId": str(project.id),
        "issueTypes": _usages(call, rows, "id"),
    }


@operation(
    "getStatuses",
    "GET",
    "/rest/api/3/status",
    summary="List the statuses of active workflows.",
    access="anyone",
)
def list_active(call: Call) -> list[Any]:
    """List the statuses of the workflows of spaces that the caller sees."""
    reading = show(call)
    return [status_body(row, reading) for row in visible_statuses(actor(call))]


@operation(
    "getStatus",
    "GET",
    "/rest/api/3/status/{idOrName}",
    summary="Show a status of active workflows, by id or name.",
    access="anyone",
)
def show_active(call: Call) -> dict[str, Any]:
    """Show a status; of several with one name, the first."""
    text = cast(str, call.path["idOrName"])
    rows = visible_statuses(actor(call))
    found = rows.filter(id=key_of(text)).first() or rows.filter(name__iexact=text).first()
    if found is None:
        raise NotFound(f"The status with id or name '{text}' was not found.")
    return status_body(found, show(call))
