"""Schemes of types of issues."""

from __future__ import annotations

from collections import defaultdict
from typing import Any, Final

from pydantic import Field

from clones.core import resources
from clones.core.operations import Call
from clones.core.operations.inputs import CommaList
from clones.tracker.api.admin_lists import AdminBody, Id, ListQuery, matching, project_of
from clones.tracker.api.operations import Query, actor, operation, show
from clones.tracker.api.paging import page_bean
from clones.tracker.api.presenters.kinds import type_scheme_body
from clones.tracker.api.resources import by_id, register_resource
from clones.tracker.domain import issue_type_schemes as schemes
from clones.tracker.models import IssueTypeScheme, IssueTypeSchemeItem, Project
from clones.tracker.queries.schemes import (
    classic_type_schemes,
    spaces_of_type_schemes,
    types_of_schemes,
)

PATH = "/rest/api/3/issuetypescheme"


class SchemeWrite(AdminBody):
    """An issue type scheme to create: its name, text, types and default type."""

    name: str | None = None
    description: str | None = None
    type_ids: list[str] = Field([], alias="issueTypeIds")
    default: str | None = Field(None, alias="defaultIssueTypeId")


class TypeIds(AdminBody):
    """The ids of issue types to add to an issue type scheme."""

    types: list[str] = Field([], alias="issueTypeIds")


class TypeOrder(TypeIds):
    """Issue types of a scheme to move, and where they go."""

    after: str | None = None
    position: str | None = None


class Assignment(AdminBody):
    """The issue type scheme of a space."""

    scheme: str = Field(alias="issueTypeSchemeId")
    project: str = Field(alias="projectId")


class MappingQuery(Query):
    """Filter of issue type scheme items: the ids of their schemes."""

    scheme: CommaList[Id] | None = Field(None, alias="issueTypeSchemeId")


class ProjectsQuery(Query):
    """Filter of issue type schemes: the spaces that use them."""

    projects: CommaList[Id] = Field(alias="projectId")


SCHEMES: Final = resources.ResourceApi(
    resource=schemes.ISSUE_TYPE_SCHEME,
    path=PATH,
    one="/{issueTypeSchemeId}",
    find=by_id(schemes.ISSUE_TYPE_SCHEME, schemes.GONE),
    present=lambda scheme, _: {"issueTypeSchemeId": str(scheme.id)},
    body="SchemeChange",
    about="The attributes of an issue type scheme that can change.",
    reads="admin",
)


def _scheme(call: Call) -> IssueTypeScheme:
    return SCHEMES.of_key(call.path["issueTypeSchemeId"])


def _list(call: Call) -> dict[str, Any]:
    """List schemes, with their spaces and types where asked for."""
    asked: ListQuery = call.query
    beside, reading = frozenset(asked.expand), show(call)

    def present(rows: list[IssueTypeScheme]) -> list[Any]:
        ids = [row.id for row in rows]
        projects = spaces_of_type_schemes(ids) if "projects" in beside else None
        types = types_of_schemes(ids) if "issueTypes" in beside else None
        return [
            type_scheme_body(
                row,
                reading,
                projects=None if projects is None else projects.get(row.id, []),
                types=None if types is None else types.get(row.id, []),
            )
            for row in rows
        ]

    return page_bean(call, matching(classic_type_schemes(), asked), present)


register_resource(
    SCHEMES,
    resources.lists(
        "getAllIssueTypeSchemes", "List the schemes of types.", query=ListQuery, view=_list
    ),
    resources.creates("createIssueTypeScheme", "Make a scheme of types.", body=SchemeWrite),
    resources.deletes(
        "deleteIssueTypeScheme", "Remove a scheme of types; its spaces use the default one."
    ),
    resources.updates("updateIssueTypeScheme", "Change a scheme of types.", status=204),
    module=__name__,
)


@operation(
    "getIssueTypeSchemesMapping",
    "GET",
    PATH + "/mapping",
    summary="List which scheme has which types.",
    query=MappingQuery,
    access="admin",
)
def list_mappings(call: Call) -> dict[str, Any]:
    """List the types of schemes, scheme by scheme."""
    rows = IssueTypeSchemeItem.objects.filter(scheme__in=classic_type_schemes().values("id"))
    if call.query.scheme:
        rows = rows.filter(scheme__in=call.query.scheme)
    return page_bean(
        call,
        rows.order_by("scheme_id", "position", "id"),
        lambda items: [
            {"issueTypeSchemeId": str(item.scheme_id), "issueTypeId": str(item.issue_type_id)}
            for item in items
        ],
    )


@operation(
    "getIssueTypeSchemeForProjects",
    "GET",
    PATH + "/project",
    summary="List the schemes of spaces.",
    query=ProjectsQuery,
    access="admin",
)
def list_project_schemes(call: Call) -> dict[str, Any]:
    """List the schemes that spaces use, each with those of the spaces that use it."""
    spaces = Project.objects.filter(
        id__in=call.query.projects, style="classic", deleted_at=None
    ).order_by("id")
    users: dict[int, list[str]] = defaultdict(list)
    for id, scheme in spaces.values_list("id", "issue_type_scheme_id"):
        users[scheme].append(str(id))
    reading = show(call)
    return page_bean(
        call,
        IssueTypeScheme.objects.filter(id__in=users).order_by("id"),
        lambda rows: [
            {"issueTypeScheme": type_scheme_body(row, reading), "projectIds": users[row.id]}
            for row in rows
        ],
    )


@operation(
    "assignIssueTypeSchemeToProject",
    "PUT",
    PATH + "/project",
    summary="Let a space use a scheme of types.",
    body=Assignment,
    access="admin",
    status=204,
)
def assign_scheme(call: Call) -> None:
    """Let a space use a scheme."""
    given: Assignment = call.body
    scheme = SCHEMES.of_key(given.scheme)
    schemes.assign_type_scheme(scheme, project_of(given.project), actor=actor(call))


@operation(
    "addIssueTypesToIssueTypeScheme",
    "PUT",
    PATH + "/{issueTypeSchemeId}/issuetype",
    summary="Add types to a scheme, at its end.",
    body=TypeIds,
    access="admin",
    status=204,
)
def add_types(call: Call) -> None:
    """Add types to a scheme."""
    schemes.add_types(_scheme(call), call.body.types, actor=actor(call))


@operation(
    "reorderIssueTypesInIssueTypeScheme",
    "PUT",
    PATH + "/{issueTypeSchemeId}/issuetype/move",
    summary="Move types within a scheme.",
    body=TypeOrder,
    access="admin",
    status=204,
)
def move_types(call: Call) -> None:
    """Move types within a scheme."""
    given: TypeOrder = call.body
    schemes.move_types(
        _scheme(call),
        given.types,
        after=given.after,
        position=given.position,
        actor=actor(call),
    )


@operation(
    "removeIssueTypeFromIssueTypeScheme",
    "DELETE",
    PATH + "/{issueTypeSchemeId}/issuetype/{issueTypeId}",
    summary="Take a type out of a scheme.",
    access="admin",
    status=204,
)
def remove_type(call: Call) -> None:
    """Take a type out of a scheme."""
    schemes.remove_type(_scheme(call), call.path["issueTypeId"], actor=actor(call))
