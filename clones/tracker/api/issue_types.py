"""Types of issues."""

from __future__ import annotations

from typing import Any, Final

from pydantic import Field

from clones.core import resources
from clones.core.digits import is_digits
from clones.core.operations import Call
from clones.tracker.api.admin_lists import AdminBody, Id
from clones.tracker.api.operations import ANYTHING, Query, actor, operation, show
from clones.tracker.api.presenters.kinds import issue_type_body
from clones.tracker.api.presenters.refs import avatar_urls
from clones.tracker.api.resources import register_resource
from clones.tracker.domain import issue_types
from clones.tracker.domain.avatars import create_avatar
from clones.tracker.domain.errors import Invalid, NotFound
from clones.tracker.domain.scheme_parts import key_of
from clones.tracker.models import IssueType
from clones.tracker.queries.kinds import alternatives, types_of, visible_types
from clones.tracker.queries.rights import find_project

GONE = "The issue type with ID {id} was not found."


class TypeWrite(AdminBody):
    """An issue type to create: its name, text and level."""

    name: str | None = None
    description: str | None = None
    type: str | None = None
    level: int | None = Field(None, alias="hierarchyLevel")


class ProjectTypes(Query):
    """The space whose issue types are listed, and their level."""

    project: Id = Field(alias="projectId")
    level: int | None = None


class Crop(Query):
    """The square of an uploaded picture that becomes the avatar, in pixels."""

    x: int = 0
    y: int = 0
    size: int


class Alternative(Query):
    """The issue type that issues get in place of one that is deleted."""

    alternative: str | None = Field(None, alias="alternativeIssueTypeId")


def type_of(call: Call, text: str) -> IssueType:
    """Return the type with an id that the caller sees.

    Raises:
        Invalid: the id is no number.
        NotFound: there is none, or they do not see it.
    """
    if not is_digits(text):
        raise Invalid(f"The issue type ID '{text}' is invalid.")
    found = visible_types(actor(call)).filter(id=key_of(text)).first()
    if found is None:
        raise NotFound(GONE.format(id=text))
    return found


TYPES: Final = resources.ResourceApi(
    resource=issue_types.ISSUE_TYPE,
    path="/rest/api/3/issuetype",
    one="/{id}",
    find_for=lambda call: type_of(call, call.path["id"]),
    present=issue_type_body,
    body="TypeChange",
    about="The attributes of an issue type that can change.",
    reads="anyone",
)
register_resource(
    TYPES,
    resources.lists(
        "getIssueAllTypes",
        "List the types of issues that one sees.",
        rows=lambda call: visible_types(actor(call)),
    ),
    module=__name__,
)


@operation(
    "createIssueType",
    "POST",
    "/rest/api/3/issuetype",
    summary="Make a type of issues; the default scheme gets it.",
    body=TypeWrite,
    access="admin",
    status=201,
)
def create_type(call: Call) -> dict[str, Any]:
    """Make a type."""
    given: TypeWrite = call.body
    if given.type not in {None, "subtask", "standard"}:
        raise Invalid(fields={"type": f"The type '{given.type}' is not valid."})
    level = given.level
    if level is None:
        level = -1 if given.type == "subtask" else 0
    found = issue_types.create_issue_type(given.name, given.description, level, actor=actor(call))
    return issue_type_body(found, show(call))


@operation(
    "getIssueTypesForProject",
    "GET",
    "/rest/api/3/issuetype/project",
    summary="List the types that a space offers.",
    query=ProjectTypes,
    access="anyone",
)
def list_project_types(call: Call) -> list[Any]:
    """List the types of a space, of one level where it is given."""
    asked: ProjectTypes = call.query
    project = find_project(actor(call), asked.project)
    reading = show(call)
    return [
        issue_type_body(kind, reading)
        for kind in types_of(project)
        if asked.level is None or kind.hierarchy_level == asked.level
    ]


register_resource(
    TYPES,
    resources.shows("getIssueType", "Show a type of issues."),
    resources.updates("updateIssueType", "Change the name, description or picture of a type."),
    module=__name__,
)


@operation(
    "deleteIssueType",
    "DELETE",
    "/rest/api/3/issuetype/{id}",
    summary="Remove a type; its issues become issues of another.",
    query=Alternative,
    access="admin",
    status=204,
)
def delete_type(call: Call) -> None:
    """Remove a type."""
    kind = type_of(call, call.path["id"])
    named: str | None = call.query.alternative
    alternative = None if named is None else type_of(call, named)
    issue_types.delete_issue_type(kind, alternative, actor=actor(call))


@operation(
    "getAlternativeIssueTypes",
    "GET",
    "/rest/api/3/issuetype/{id}/alternatives",
    summary="List the types that issues of a type could be of as they are.",
    access="anyone",
)
def list_alternatives(call: Call) -> list[Any]:
    """List the types that have the same workflow, fields and screens wherever a type is used."""
    reading = show(call)
    kind = type_of(call, call.path["id"])
    return [issue_type_body(one, reading) for one in alternatives(kind)]


@operation(
    "createIssueTypeAvatar",
    "POST",
    "/rest/api/3/issuetype/{id}/avatar2",
    summary="Load a picture for a type.",
    query=Crop,
    access="admin",
    status=201,
    raw_body=True,
    consumes=ANYTHING,
)
def load_avatar(call: Call) -> dict[str, Any]:
    """Load a picture for a type; it is shown once the type is changed to have it."""
    kind = type_of(call, call.path["id"])
    asked: Crop = call.query
    made = create_avatar(
        "issuetype",
        str(kind.id),
        call.body,
        token=call.request.headers.get("X-Atlassian-Token"),
        crop=(asked.x, asked.y, asked.size),
    )
    return {
        "id": str(made.id),
        "owner": str(kind.id),
        "isSystemAvatar": False,
        "isSelected": False,
        "isDeletable": True,
        "urls": avatar_urls("issuetype", made.id, show(call)),
    }
