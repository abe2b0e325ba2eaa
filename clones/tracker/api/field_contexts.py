"""Contexts of custom fields: in which spaces and for which types a field is there."""

from __future__ import annotations

from itertools import groupby
from typing import Any

from django.db.models import QuerySet
from pydantic import Field

from clones.core.operations import Call
from clones.core.operations.inputs import CommaList
from clones.tracker.api.admin_lists import AdminBody, Id
from clones.tracker.api.operations import Query, actor, flag, operation
from clones.tracker.api.paging import page_bean
from clones.tracker.api.presenters.fields import context_body
from clones.tracker.domain import custom_fields
from clones.tracker.domain import field_contexts as contexts
from clones.tracker.domain.errors import Invalid, NotFound
from clones.tracker.domain.scheme_parts import key_of
from clones.tracker.models import (
    CustomField,
    FieldContext,
    FieldContextProject,
    FieldContextType,
    IssueType,
    Project,
)
from clones.tracker.queries.fields import Layouts

PATH = "/rest/api/3/field/{fieldId}/context"
ONE = PATH + "/{contextId}"


class ContextWrite(AdminBody):
    """A custom field context to create: its name, text, spaces and issue types."""

    name: str | None = None
    description: str | None = None
    projects: list[str] = Field([], alias="projectIds")
    types: list[str] = Field([], alias="issueTypeIds")


class ContextChange(AdminBody):
    """The attributes of a custom field context that can change: name and description."""

    name: str | None = None
    description: str | None = None


class TypeIds(AdminBody):
    """The ids of issue types to add to a custom field context, or to take out."""

    types: list[str] = Field([], alias="issueTypeIds")


class ProjectIds(AdminBody):
    """The ids of spaces to add to a custom field context, or to take out."""

    projects: list[str] = Field([], alias="projectIds")


class Pair(AdminBody):
    """An issue type in a space, for which a custom field context is looked up."""

    type: str = Field(alias="issueTypeId")
    project: str = Field(alias="projectId")


class Pairs(AdminBody):
    """Issue types in spaces, for which custom field contexts are looked up."""

    mappings: list[Pair]


class ContextQuery(Query):
    """Filters of a custom field's contexts: ids, for any issue type, for all spaces."""

    contexts: CommaList[Id] | None = Field(None, alias="contextId")
    any_type: str | None = Field(None, alias="isAnyIssueType")
    everywhere: str | None = Field(None, alias="isGlobalContext")


def field_of(call: Call) -> CustomField:
    """Return the custom field that a path names.

    Raises:
        NotFound: there is none.
    """
    return custom_fields.find_field(call.path["fieldId"])


def context_of(call: Call) -> FieldContext:
    """Return the context that a path names.

    Raises:
        NotFound: there is no such field, or it has no such context.
    """
    return contexts.find_context(field_of(call), call.path["contextId"])


def asked_contexts(call: Call) -> QuerySet[FieldContext]:
    """Return the contexts of a field that a query asks for, by id."""
    rows = FieldContext.objects.filter(field=field_of(call)).order_by("id")
    wanted: list[Id] | None = call.query.contexts
    return rows.filter(id__in=wanted) if wanted else rows


@operation(
    "getContextsForField",
    "GET",
    PATH,
    summary="List the contexts of a custom field.",
    query=ContextQuery,
    access="admin",
)
def list_contexts(call: Call) -> dict[str, Any]:
    """List contexts: all, or those for all types or spaces."""
    asked: ContextQuery = call.query
    rows = asked_contexts(call)
    if asked.any_type is not None:
        rows = rows.filter(all_issue_types=flag(asked.any_type))
    if asked.everywhere is not None:
        rows = rows.filter(all_projects=flag(asked.everywhere))
    return page_bean(call, rows, lambda found: [context_body(row) for row in found])


@operation(
    "getContextsForFieldDeprecated",
    "GET",
    "/rest/api/3/field/{fieldId}/contexts",
    summary="List the contexts of a custom field in the old way.",
    access="admin",
)
def list_names(call: Call) -> dict[str, Any]:
    """List the numbers and names of contexts."""
    rows = FieldContext.objects.filter(field=field_of(call)).order_by("id")

    def present(found: list[FieldContext]) -> list[Any]:
        return [{"id": row.id, "name": row.name} for row in found]

    return page_bean(call, rows, present, max_results=20)


@operation(
    "createCustomFieldContext",
    "POST",
    PATH,
    summary="Make a context of a custom field.",
    body=ContextWrite,
    access="admin",
    status=201,
)
def create_context(call: Call) -> dict[str, Any]:
    """Make a context."""
    given: ContextWrite = call.body
    made = contexts.create_context(
        field_of(call),
        given.name,
        given.description,
        given.projects,
        given.types,
        actor=actor(call),
    )
    return {
        "id": str(made.id),
        "name": made.name,
        "description": made.description,
        "projectIds": given.projects,
        "issueTypeIds": given.types,
    }


@operation(
    "getIssueTypeMappingsForContexts",
    "GET",
    PATH + "/issuetypemapping",
    summary="List for which types the contexts of a field are.",
    query=ContextQuery,
    access="admin",
)
def list_types(call: Call) -> dict[str, Any]:
    """List the types of contexts: by context, then by type."""
    rows = list(asked_contexts(call))
    items = FieldContextType.objects.filter(context__in=rows).order_by(
        "context_id", "issue_type_id"
    )
    by_context = {id: list(some) for id, some in groupby(items, lambda item: item.context_id)}
    found: list[dict[str, Any]] = []
    for row in rows:
        if row.all_issue_types:
            found.append({"contextId": str(row.id), "isAnyIssueType": True})
        found += [
            {"contextId": str(row.id), "issueTypeId": str(item.issue_type_id)}
            for item in by_context.get(row.id, [])
        ]
    return page_bean(call, found, list)


@operation(
    "getProjectContextMapping",
    "GET",
    PATH + "/projectmapping",
    summary="List for which spaces the contexts of a field are.",
    query=ContextQuery,
    access="admin",
)
def list_projects(call: Call) -> dict[str, Any]:
    """List the spaces of contexts: by context, then by space."""
    rows = list(asked_contexts(call))
    items = FieldContextProject.objects.filter(context__in=rows).order_by(
        "context_id", "project_id"
    )
    by_context = {id: list(some) for id, some in groupby(items, lambda item: item.context_id)}
    found: list[dict[str, Any]] = []
    for row in rows:
        if row.all_projects:
            found.append({"contextId": str(row.id), "isGlobalContext": True})
        found += [
            {"contextId": str(row.id), "projectId": str(item.project_id)}
            for item in by_context.get(row.id, [])
        ]
    return page_bean(call, found, list)


@operation(
    "getCustomFieldContextsForProjectsAndIssueTypes",
    "POST",
    PATH + "/mapping",
    summary="Tell which context of a field counts for types in spaces.",
    body=Pairs,
    access="admin",
    writes=False,
)
def tell_contexts(call: Call) -> dict[str, Any]:
    """Tell the context of each pair, in the order of the request."""
    field = field_of(call)
    given: list[Pair] = call.body.mappings
    pairs = [(pair.project, pair.type) for pair in given]
    if not pairs:
        raise Invalid("The mappings have to be provided.")
    if len(set(pairs)) < len(pairs):
        raise Invalid("Duplicate project and issue type mappings cannot be provided.")
    projects = _bulk(Project.objects.filter(deleted_at=None), [one for one, _ in pairs], "projects")
    types = _bulk(IssueType.objects.all(), [one for _, one in pairs], "issue types")
    layouts = Layouts(list(projects.values()), fields=[field.id])

    def present(rows: list[tuple[str, str]]) -> list[Any]:
        found = []
        for project, kind in rows:
            context = layouts.context(field.id, projects[key_of(project)], types[key_of(kind)])
            found.append(
                {
                    "projectId": project,
                    "issueTypeId": kind,
                    "contextId": None if context is None else str(context.id),
                }
            )
        return found

    return page_bean(call, pairs, present)


def _bulk(rows: QuerySet[Any], ids: list[str], what: str) -> dict[int, Any]:
    found = rows.in_bulk([key_of(id) for id in ids])
    gone = [id for id in dict.fromkeys(ids) if key_of(id) not in found]
    if gone:
        raise NotFound(f"These {what} were not found: {', '.join(gone)}.")
    return found


@operation(
    "deleteCustomFieldContext",
    "DELETE",
    ONE,
    summary="Remove a context of a custom field.",
    access="admin",
    status=204,
)
def delete_context(call: Call) -> None:
    """Remove a context."""
    contexts.delete_context(context_of(call), actor=actor(call))


@operation(
    "updateCustomFieldContext",
    "PUT",
    ONE,
    summary="Change the name or description of a context.",
    body=ContextChange,
    access="admin",
    status=204,
)
def update_context(call: Call) -> None:
    """Change a context."""
    given: ContextChange = call.body
    contexts.update_context(context_of(call), given.name, given.description, actor=actor(call))


@operation(
    "addIssueTypesToContext",
    "PUT",
    ONE + "/issuetype",
    summary="Let a context be for more types.",
    body=TypeIds,
    access="admin",
    status=204,
)
def add_types(call: Call) -> None:
    """Let a context be for more types."""
    contexts.add_types(context_of(call), call.body.types, actor=actor(call))


@operation(
    "removeIssueTypesFromContext",
    "POST",
    ONE + "/issuetype/remove",
    summary="Take types out of a context.",
    body=TypeIds,
    access="admin",
    status=204,
)
def remove_types(call: Call) -> None:
    """Take types out of a context."""
    contexts.remove_types(context_of(call), call.body.types, actor=actor(call))


@operation(
    "assignProjectsToCustomFieldContext",
    "PUT",
    ONE + "/project",
    summary="Let a context be for more spaces.",
    body=ProjectIds,
    access="admin",
    status=204,
)
def add_projects(call: Call) -> None:
    """Let a context be for more spaces."""
    contexts.add_projects(context_of(call), call.body.projects, actor=actor(call))


@operation(
    "removeCustomFieldContextFromProjects",
    "POST",
    ONE + "/project/remove",
    summary="Take spaces out of a context.",
    body=ProjectIds,
    access="admin",
    status=204,
)
def remove_projects(call: Call) -> None:
    """Take spaces out of a context."""
    contexts.remove_projects(context_of(call), call.body.projects, actor=actor(call))
