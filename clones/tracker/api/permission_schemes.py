"""Permission schemes, their grants, and which space uses which."""

from __future__ import annotations

from typing import Any, Final

from django.db.models import QuerySet

from clones.core.operations import Call, Reply
from clones.tracker.api.operations import Body, actor, number, operation, show
from clones.tracker.api.presenters.access import (
    GRANT_EXPANDS,
    present_grants,
    present_permission_schemes,
)
from clones.tracker.api.query_params import ExpandQuery
from clones.tracker.domain import permission_schemes
from clones.tracker.domain.administration import checked_description, runs_project
from clones.tracker.domain.errors import Forbidden, NotFound
from clones.tracker.domain.holders import holder_of
from clones.tracker.domain.permission_schemes import GONE, Grant
from clones.tracker.models import PermissionGrant, PermissionScheme, Project
from clones.tracker.queries.rights import find_project

Json = dict[str, Any]
PATH: Final = "/rest/api/3/permissionscheme"
ONE: Final = PATH + "/{schemeId}"
GRANTS: Final = ONE + "/permission"
OF_PROJECT: Final = "/rest/api/3/project/{projectKeyOrId}/permissionscheme"


class GrantBody(Body):
    """A permission, and who is to hold it."""

    holder: dict[str, Any]
    permission: str


class SchemeBody(Body):
    """A scheme: its grants take the place of those that it has."""

    name: str
    description: str | None = None
    permissions: list[GrantBody] | None = None


class IdBody(Body):
    """Which scheme a space is to use."""

    id: int


def _schemes() -> QuerySet[PermissionScheme]:
    return PermissionScheme.objects.order_by("name", "id")


def _scheme(call: Call) -> PermissionScheme:
    text = call.path["schemeId"]
    found = _schemes().filter(id=number(text, "Permission scheme")).first()
    if found is None:
        raise NotFound(GONE.format(id=text))
    return found


def _grant_of(call: Call) -> PermissionGrant:
    scheme = _scheme(call)
    key = number(call.path["permissionId"], "Permission")
    found = scheme.grants.select_related("scheme").filter(id=key).first()
    if found is None:
        raise NotFound(f"Permission with id '{key}' was not found.")
    return found


def _grant(body: GrantBody) -> Grant:
    return body.permission, holder_of(body.holder)


def _shown(call: Call, scheme: PermissionScheme, *, with_grants: bool = True) -> Json:
    wanted = with_grants or bool(frozenset(call.query.expand))
    return present_permission_schemes([scheme], show(call), with_grants=wanted)[0]


@operation(
    "getAllPermissionSchemes",
    "GET",
    PATH,
    summary="List permission schemes; with any expansion their grants too.",
    query=ExpandQuery,
)
def list_schemes(call: Call) -> Json:
    """List permission schemes: to admins all, to others those of spaces that they run."""
    reader, rows = actor(call), _schemes()
    if not reader.is_admin:
        run = Project.objects.filter(id__in=reader.projects_with("ADMINISTER_PROJECTS"))
        rows = rows.filter(id__in=run.values("permission_scheme"))
    wanted = bool(frozenset(call.query.expand))
    return {
        "permissionSchemes": present_permission_schemes(list(rows), show(call), with_grants=wanted)
    }


@operation(
    "createPermissionScheme",
    "POST",
    PATH,
    summary="Make a permission scheme.",
    query=ExpandQuery,
    body=SchemeBody,
    access="admin",
    status=201,
)
def create_scheme(call: Call) -> Json:
    """Make a permission scheme."""
    given = call.body
    made = permission_schemes.create_permission_scheme(
        given.name,
        checked_description(given.description),
        [_grant(one) for one in given.permissions or ()],
        actor=actor(call),
    )
    return _shown(call, made)


@operation(
    "getPermissionScheme", "GET", ONE, summary="Show a permission scheme.", query=ExpandQuery
)
def show_scheme(call: Call) -> Json:
    """Show a permission scheme."""
    return _shown(call, _scheme(call), with_grants=False)


@operation(
    "updatePermissionScheme",
    "PUT",
    ONE,
    summary="Change a permission scheme: given grants replace all that it has.",
    query=ExpandQuery,
    body=SchemeBody,
    access="admin",
)
def update_scheme(call: Call) -> Json:
    """Change a permission scheme."""
    given = call.body
    grants = None if given.permissions is None else [_grant(one) for one in given.permissions]
    changed = permission_schemes.update_permission_scheme(
        _scheme(call),
        given.name,
        None if given.description is None else checked_description(given.description),
        grants,
        actor=actor(call),
    )
    return _shown(call, changed)


@operation(
    "deletePermissionScheme",
    "DELETE",
    ONE,
    summary="Remove a permission scheme that no space uses.",
    access="admin",
    status=204,
)
def delete_scheme(call: Call) -> None:
    """Remove a permission scheme."""
    permission_schemes.delete_permission_scheme(_scheme(call), actor=actor(call))


@operation(
    "getPermissionSchemeGrants",
    "GET",
    GRANTS,
    summary="List the grants of a permission scheme.",
    query=ExpandQuery,
)
def list_grants(call: Call) -> Json:
    """List the grants of a scheme."""
    rows = list(_scheme(call).grants.order_by("id"))
    return {"permissions": present_grants(rows, show(call)), "expand": GRANT_EXPANDS}


@operation(
    "createPermissionGrant",
    "POST",
    GRANTS,
    summary="Add a grant to a permission scheme.",
    query=ExpandQuery,
    body=GrantBody,
    access="admin",
    status=201,
)
def create_grant(call: Call) -> Json:
    """Add a grant to a scheme."""
    made = permission_schemes.create_grant(_scheme(call), _grant(call.body), actor=actor(call))
    return present_grants([made], show(call))[0]


@operation(
    "getPermissionSchemeGrant",
    "GET",
    GRANTS + "/{permissionId}",
    summary="Show a grant of a permission scheme.",
    query=ExpandQuery,
)
def show_grant(call: Call) -> Json:
    """Show a grant of a scheme."""
    return present_grants([_grant_of(call)], show(call))[0]


@operation(
    "deletePermissionSchemeEntity",
    "DELETE",
    GRANTS + "/{permissionId}",
    summary="Take a grant from a permission scheme.",
    access="admin",
    status=204,
)
def delete_grant(call: Call) -> None:
    """Take a grant from a scheme."""
    permission_schemes.delete_grant(_grant_of(call), actor=actor(call))


# Spaces


@operation(
    "getAssignedPermissionScheme",
    "GET",
    OF_PROJECT,
    summary="Show the permission scheme of a space.",
    query=ExpandQuery,
)
def show_assigned(call: Call) -> Json:
    """Show a space's permission scheme."""
    reader = actor(call)
    project = find_project(reader, call.path["projectKeyOrId"])
    if not (runs_project(reader, project) or reader.is_admin):
        raise Forbidden("You do not have permission to view the permission scheme.")
    return _shown(call, project.permission_scheme, with_grants=False)


@operation(
    "assignPermissionScheme",
    "PUT",
    OF_PROJECT,
    summary="Let a space use a permission scheme.",
    query=ExpandQuery,
    body=IdBody,
    access="admin",
)
def assign_scheme(call: Call) -> Reply:
    """Let a space use a permission scheme."""
    project = find_project(actor(call), call.path["projectKeyOrId"])
    scheme = _schemes().filter(id=call.body.id).first()
    if scheme is None:
        raise NotFound(GONE.format(id=call.body.id))
    permission_schemes.assign_permission_scheme(project, scheme, actor=actor(call))
    return Reply(_shown(call, scheme, with_grants=False))
