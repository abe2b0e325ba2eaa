"""Schemes of screens by type: which screens are used for which type of a space."""

from __future__ import annotations

from collections import defaultdict
from typing import Any, Final

from django.db.models import F, Q
from pydantic import Field

from clones.core import resources
from clones.core.operations import Call
from clones.core.operations.inputs import CommaList
from clones.tracker.api.admin_lists import AdminBody, Id, ListQuery, matching, project_of
from clones.tracker.api.operations import Query, actor, operation, show
from clones.tracker.api.paging import page_bean
from clones.tracker.api.presenters.kinds import inner_page
from clones.tracker.api.presenters.refs import project_ref
from clones.tracker.api.presenters.screens import type_screens_body
from clones.tracker.api.resources import by_id, id_only, register_resource
from clones.tracker.domain import screen_schemes as schemes
from clones.tracker.models import IssueTypeScreenScheme, IssueTypeScreenSchemeItem, Project
from clones.tracker.queries.schemes import classic_type_screens, spaces_of_type_screens

PATH = "/rest/api/3/issuetypescreenscheme"
ONE = PATH + "/{issueTypeScreenSchemeId}"


class Mapping(AdminBody):
    """An issue type, or `default`, and its screen scheme."""

    type: str = Field(alias="issueTypeId")
    screens: str = Field(alias="screenSchemeId")


class SchemeWrite(AdminBody):
    """An issue type screen scheme to create: its name, text and mappings."""

    name: str | None = None
    description: str | None = None
    mappings: list[Mapping] = Field([], alias="issueTypeMappings")

    def pairs(self) -> list[tuple[str, str]]:
        """Return the mappings for the domain."""
        return [(one.type, one.screens) for one in self.mappings]

    def read(self) -> dict[str, Any]:
        """Return all values for the domain."""
        return {"name": self.name, "description": self.description, "pairs": self.pairs()}


class DefaultScreens(AdminBody):
    """The screen scheme of the issue types that a scheme does not name."""

    screens: str | None = Field(None, alias="screenSchemeId")


class TypeIds(AdminBody):
    """The ids of issue types to take out of an issue type screen scheme."""

    types: list[str] = Field([], alias="issueTypeIds")


class Assignment(AdminBody):
    """The issue type screen scheme of a space."""

    scheme: str | None = Field(None, alias="issueTypeScreenSchemeId")
    project: str | None = Field(None, alias="projectId")


class MappingQuery(Query):
    """Filter of issue type screen scheme items: the ids of their schemes."""

    schemes: CommaList[Id] | None = Field(None, alias="issueTypeScreenSchemeId")


class ProjectsQuery(Query):
    """Filter of issue type screen schemes: the spaces that use them."""

    projects: CommaList[Id] = Field(alias="projectId")


class TextQuery(Query):
    """Filter of the spaces of an issue type screen scheme: a part of their name."""

    text: str | None = Field(None, alias="query")


SCHEMES: Final = resources.ResourceApi(
    resource=schemes.ISSUE_TYPE_SCREEN_SCHEME,
    path=PATH,
    one="/{issueTypeScreenSchemeId}",
    find=by_id(schemes.ISSUE_TYPE_SCREEN_SCHEME, schemes.TYPES_GONE),
    present=id_only,
    body=SchemeWrite,
    reads="admin",
)


def _list(call: Call) -> dict[str, Any]:
    """List schemes, with the spaces that use them where asked for."""
    asked: ListQuery = call.query
    with_projects, reading = "projects" in frozenset(asked.expand), show(call)

    def present(rows: list[IssueTypeScreenScheme]) -> list[Any]:
        bodies = [type_screens_body(row) for row in rows]
        if with_projects:
            spaces = spaces_of_type_screens([row.id for row in rows])
            for row, body in zip(rows, bodies, strict=True):
                users = [project_ref(project, reading) for project in spaces.get(row.id, [])]
                body["projects"] = inner_page(users)
        return bodies

    return page_bean(call, matching(classic_type_screens(), asked), present)


register_resource(
    SCHEMES,
    resources.lists(
        "getIssueTypeScreenSchemes",
        "List the schemes of screens by type.",
        query=ListQuery,
        view=_list,
    ),
    resources.creates(
        "createIssueTypeScreenScheme", "Make a scheme of screens by type.", values=SchemeWrite.read
    ),
    resources.updates(
        "updateIssueTypeScreenScheme",
        "Change the name or description of a scheme.",
        values=lambda given: {"name": given.name, "description": given.description},
        status=204,
    ),
    resources.deletes("deleteIssueTypeScreenScheme", "Remove a scheme that no space uses."),
    module=__name__,
)


@operation(
    "getIssueTypeScreenSchemeMappings",
    "GET",
    PATH + "/mapping",
    summary="List which screens are used for which type, scheme by scheme.",
    query=MappingQuery,
    access="admin",
)
def list_mappings(call: Call) -> dict[str, Any]:
    """List the screens of types; of all others under `default`."""
    rows = IssueTypeScreenSchemeItem.objects.filter(scheme__in=classic_type_screens().values("id"))
    if call.query.schemes:
        rows = rows.filter(scheme__in=call.query.schemes)
    return page_bean(
        call,
        rows.order_by("scheme_id", F("issue_type").asc(nulls_last=True), "id"),
        lambda found: [
            {
                "issueTypeScreenSchemeId": str(item.scheme_id),
                "issueTypeId": "default" if item.issue_type_id is None else str(item.issue_type_id),
                "screenSchemeId": str(item.screen_scheme_id),
            }
            for item in found
        ],
    )


@operation(
    "getIssueTypeScreenSchemeProjectAssociations",
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
    for id, scheme in spaces.values_list("id", "screen_scheme_id"):
        users[scheme].append(str(id))
    return page_bean(
        call,
        IssueTypeScreenScheme.objects.filter(id__in=users).order_by("id"),
        lambda rows: [
            {"issueTypeScreenScheme": type_screens_body(row), "projectIds": users[row.id]}
            for row in rows
        ],
    )


@operation(
    "assignIssueTypeScreenSchemeToProject",
    "PUT",
    PATH + "/project",
    summary="Let a space use a scheme of screens by type.",
    body=Assignment,
    access="admin",
    status=204,
)
def assign_scheme(call: Call) -> None:
    """Let a space use a scheme."""
    given: Assignment = call.body
    scheme = SCHEMES.of_key(given.scheme)
    schemes.assign_type_screens(scheme, project_of(given.project), actor=actor(call))


@operation(
    "appendMappingsForIssueTypeScreenScheme",
    "PUT",
    ONE + "/mapping",
    summary="Say for more types which screens are used.",
    body=SchemeWrite,
    access="admin",
    status=204,
)
def append_mappings(call: Call) -> None:
    """Say for more types which screens are used."""
    schemes.append_mappings(SCHEMES.record(call), call.body.pairs(), actor=actor(call))


@operation(
    "updateDefaultScreenScheme",
    "PUT",
    ONE + "/mapping/default",
    summary="Say which screens are used for the types that are not named.",
    body=DefaultScreens,
    access="admin",
    status=204,
)
def set_default(call: Call) -> None:
    """Set the screens of the types that are not named."""
    schemes.set_default_mapping(SCHEMES.record(call), call.body.screens, actor=actor(call))


@operation(
    "removeMappingsFromIssueTypeScreenScheme",
    "POST",
    ONE + "/mapping/remove",
    summary="Take types out of a scheme.",
    body=TypeIds,
    access="admin",
    status=204,
)
def remove_mappings(call: Call) -> None:
    """Take types out of a scheme."""
    schemes.remove_mappings(SCHEMES.record(call), call.body.types, actor=actor(call))


@operation(
    "getProjectsForIssueTypeScreenScheme",
    "GET",
    ONE + "/project",
    summary="List the spaces that use a scheme.",
    query=TextQuery,
    access="admin",
)
def list_projects(call: Call) -> dict[str, Any]:
    """List the spaces that use a scheme."""
    rows = Project.objects.filter(screen_scheme=SCHEMES.record(call), deleted_at=None)
    if call.query.text:
        text = call.query.text
        rows = rows.filter(Q(name__icontains=text) | Q(key__icontains=text))
    reading = show(call)
    return page_bean(
        call,
        rows.select_related("category").order_by("id"),
        lambda found: [project_ref(row, reading) for row in found],
    )
