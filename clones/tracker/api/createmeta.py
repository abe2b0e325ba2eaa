"""What issues can be made: spaces, types, and the fields of each type."""

from __future__ import annotations

from typing import Any, Final

from clones.core.operations import Call
from clones.core.operations.inputs import CommaList
from clones.tracker.api.operations import Query, actor, operation, show
from clones.tracker.api.paging import named_list, number_of
from clones.tracker.api.presenters.createmeta import (
    FieldMetas,
    present_create_project,
    present_create_type,
)
from clones.tracker.domain.errors import Invalid, NotFound
from clones.tracker.domain.issues.named import key_of
from clones.tracker.models import Project
from clones.tracker.queries.allowed_values import AllowedValues
from clones.tracker.queries.createmeta import creatable_projects, creatable_types
from clones.tracker.queries.fieldsets import fields_of, fieldsets_of
from clones.tracker.queries.rights import find_project

Json = dict[str, Any]
MOST: Final = 200
FIELDS: Final = "projects.issuetypes.fields"


class MetaQuery(Query):
    """Spaces, issue types and expansions of the fields for creating issues."""

    projectIds: CommaList[str] = []
    projectKeys: CommaList[str] = []
    issuetypeIds: CommaList[str] = []
    issuetypeNames: CommaList[str] = []
    expand: CommaList[str] = []


@operation(
    "getCreateIssueMeta",
    "GET",
    "/rest/api/3/issue/createmeta",
    summary="Tell of which spaces and types issues can be made, with their fields if wanted.",
    query=MetaQuery,
    access="anyone",
)
def create_meta(call: Call) -> Json:
    """Tell what can be made."""
    query: MetaQuery = call.query
    ids, keys = query.projectIds, query.projectKeys
    projects = creatable_projects(actor(call), ids=ids, keys=keys)
    types = creatable_types(projects, query.issuetypeIds, query.issuetypeNames)
    at = show(call)
    fieldsets = fieldsets_of((project, kind) for project in projects for kind in types[project.id])
    metas: FieldMetas | None = None
    if FIELDS in query.expand:
        metas = FieldMetas(at, AllowedValues(at.reader, projects))
    shown = [
        present_create_project(
            project, [fieldsets[project.id, kind.id] for kind in types[project.id]], at, metas
        )
        for project in projects
        if types[project.id]
    ]
    return {"expand": "projects", "projects": shown}


class PageQuery(Query):
    """Paging of the issue types, or fields, for creating issues."""

    startAt: str | None = None
    maxResults: str | None = None


def _space(call: Call) -> Project:
    """Return the space in which the caller wants to make issues.

    Raises:
        Invalid: a page would be larger than the vendor's.
        NotFound: they do not see the space, or may not make issues there.
    """
    if number_of(call, "maxResults", 50) > MOST:
        raise Invalid(f"Parameter 'maxResults' must not exceed the limit '{MOST}'")
    rights = actor(call)
    named = call.path["projectIdOrKey"]
    project = find_project(rights, named)
    if not rights.may("CREATE_ISSUES", project):
        what = "id" if key_of(named) is not None else "key"
        raise NotFound(f"No project could be found with {what} '{named}'.")
    return project


@operation(
    "getCreateIssueMetaIssueTypes",
    "GET",
    "/rest/api/3/issue/createmeta/{projectIdOrKey}/issuetypes",
    summary="List the types of which issues can be made in a space.",
    query=PageQuery,
    access="anyone",
)
def create_meta_types(call: Call) -> Json:
    """List the types."""
    project = _space(call)
    at = show(call)
    types = creatable_types([project], [], [])[project.id]
    fieldsets = list(fieldsets_of((project, kind) for kind in types).values())
    return named_list(
        call,
        fieldsets,
        lambda rows: [present_create_type(one, at) for one in rows],
        "issueTypes",
        limit=MOST,
    )


@operation(
    "getCreateIssueMetaIssueTypeId",
    "GET",
    "/rest/api/3/issue/createmeta/{projectIdOrKey}/issuetypes/{issueTypeId}",
    summary="List the fields of issues of a type that can be made in a space.",
    query=PageQuery,
    access="anyone",
)
def create_meta_fields(call: Call) -> Json:
    """List the fields."""
    project = _space(call)
    text = call.path["issueTypeId"]
    types = creatable_types([project], [text], [])[project.id]
    if not types:
        raise NotFound(f"No issue type could be found with id '{text}' in the project.")
    at = show(call)
    metas = FieldMetas(at, AllowedValues(at.reader, [project])).new(fields_of(project, types[0]))
    rows = [{**meta, "fieldId": id} for id, meta in metas.items()]
    return named_list(call, rows, list, "fields", limit=MOST)
