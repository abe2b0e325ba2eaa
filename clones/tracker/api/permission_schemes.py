"""Permission schemes, their grants, and which space uses which."""

from __future__ import annotations

from typing import Any, Final

from clones.core import resources
from clones.core.operations import Call, Reply
from clones.tracker.api.operations import Body, actor, number, operation, show
from clones.tracker.api.presenters.access import (
    GRANT_EXPANDS,
    present_grants,
    present_permission_schemes,
)
from clones.tracker.api.presenters.context import Show
from clones.tracker.api.query_params import ExpandQuery
from clones.tracker.api.resources import register_resource
from clones.tracker.domain import permission_schemes
from clones.tracker.domain.administration import checked_description, runs_project
from clones.tracker.domain.errors import Forbidden, Invalid, NotFound
from clones.tracker.domain.holders import holder_of
from clones.tracker.domain.permission_schemes import GONE, Grant
from clones.tracker.models import PermissionGrant, PermissionScheme, Project
from clones.tracker.queries.rights import find_project

Json = dict[str, Any]
PATH: Final = "/rest/api/3/permissionscheme"
OF_PROJECT: Final = "/rest/api/3/project/{projectKeyOrId}/permissionscheme"


class GrantBody(Body):
    """A permission grant: the permission, and its holder."""

    holder: dict[str, Any]
    permission: str


class SchemeBody(Body):
    """A permission scheme; its grants take the place of those that it has."""

    name: str
    description: str | None = None
    permissions: list[GrantBody] | None = None


class IdBody(Body):
    """The permission scheme that a space is to use."""

    id: int


def _found(text: str) -> PermissionScheme:
    found = PermissionScheme.objects.filter(id=number(text, "Permission scheme")).first()
    if found is None:
        raise NotFound(GONE.format(id=text))
    return found


def _shown(scheme: PermissionScheme, reading: Show) -> Json:
    """Return a scheme with its grants, which come unasked where it is alone."""
    return present_permission_schemes([scheme], reading, with_grants=True)[0]


def _values(given: SchemeBody) -> Json:
    return {
        "name": given.name,
        "description": checked_description(given.description),
        "grants": [_grant(one) for one in given.permissions or ()],
    }


SCHEMES: Final = resources.ResourceApi(
    resource=permission_schemes.PERMISSION_SCHEME,
    path=PATH,
    one="/{schemeId}",
    find=_found,
    present=_shown,
    body=SchemeBody,
    values=_values,
)


def _scheme(call: Call) -> PermissionScheme:
    return SCHEMES.of_key(call.path["schemeId"])


def _grant_of(call: Call) -> PermissionGrant:
    scheme = _scheme(call)
    key = number(call.path["permissionId"], "Permission")
    found = scheme.grants.select_related("scheme").filter(id=key).first()
    if found is None:
        raise NotFound(f"Permission with id '{key}' was not found.")
    return found


def _grant(body: GrantBody) -> Grant:
    return body.permission, holder_of(body.holder)


def _of_project(call: Call, scheme: PermissionScheme) -> Json:
    """Return the scheme of a space, with its grants if they are asked for."""
    wanted = bool(call.query.expand)
    return present_permission_schemes([scheme], show(call), with_grants=wanted)[0]


def _list(call: Call) -> Json:
    """List permission schemes: to admins all, to others those of spaces that they run."""
    reader, rows = actor(call), PermissionScheme.objects.order_by("name", "id")
    if not reader.is_admin:
        run = Project.objects.filter(id__in=reader.projects_with("ADMINISTER_PROJECTS"))
        rows = rows.filter(id__in=run.values("permission_scheme"))
    wanted = bool(frozenset(call.query.expand))
    return {
        "permissionSchemes": present_permission_schemes(list(rows), show(call), with_grants=wanted)
    }


def _update(call: Call) -> Json:
    """Change a permission scheme."""
    given = call.body
    grants = None if given.permissions is None else [_grant(one) for one in given.permissions]
    changed = permission_schemes.update_permission_scheme(
        SCHEMES.record(call),
        given.name,
        None if given.description is None else checked_description(given.description),
        grants,
        actor=actor(call),
    )
    return _shown(changed, show(call))


register_resource(
    SCHEMES,
    resources.lists(
        "getAllPermissionSchemes",
        "List permission schemes; with any expansion their grants too.",
        query=ExpandQuery,
        view=_list,
    ),
    resources.creates("createPermissionScheme", "Make a permission scheme.", query=ExpandQuery),
    resources.shows("getPermissionScheme", "Show a permission scheme.", query=ExpandQuery),
    resources.updates(
        "updatePermissionScheme",
        "Change a permission scheme: given grants replace all that it has.",
        query=ExpandQuery,
        view=_update,
    ),
    resources.deletes("deletePermissionScheme", "Remove a permission scheme that no space uses."),
    module=__name__,
)


def _list_grants(call: Call) -> Json:
    """List the grants of a scheme."""
    rows = list(_scheme(call).grants.order_by("id"))
    return {"permissions": present_grants(rows, show(call)), "expand": GRANT_EXPANDS}


def _delete_grant(call: Call) -> None:
    """Take a grant from a scheme. One that is not there is 400, in the description's words."""
    try:
        grant = _grant_of(call)
    except NotFound as error:
        _scheme(call)
        raise Invalid(*error.messages) from error
    permission_schemes.delete_grant(grant, actor=actor(call))


register_resource(
    resources.ResourceApi(
        resource=permission_schemes.PERMISSION_GRANT,
        path=PATH + "/{schemeId}/permission",
        one="/{permissionId}",
        within=_scheme,
        find_for=_grant_of,
        present=lambda grant, reading: present_grants([grant], reading)[0],
        body=GrantBody,
        values=lambda given: {"grant": _grant(given)},
    ),
    resources.lists(
        "getPermissionSchemeGrants",
        "List the grants of a permission scheme.",
        query=ExpandQuery,
        view=_list_grants,
    ),
    resources.creates(
        "createPermissionGrant", "Add a grant to a permission scheme.", query=ExpandQuery
    ),
    resources.shows(
        "getPermissionSchemeGrant", "Show a grant of a permission scheme.", query=ExpandQuery
    ),
    resources.deletes(
        "deletePermissionSchemeEntity",
        "Take a grant from a permission scheme.",
        view=_delete_grant,
    ),
    module=__name__,
)


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
    return _of_project(call, project.permission_scheme)


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
    scheme = PermissionScheme.objects.filter(id=call.body.id).first()
    if scheme is None:
        raise NotFound(GONE.format(id=call.body.id))
    permission_schemes.assign_permission_scheme(project, scheme, actor=actor(call))
    return Reply(_of_project(call, scheme))
