"""What there is to be permitted, and what the caller, or somebody, may."""

from __future__ import annotations

from typing import Any, Final

from pydantic import Field

from clones.core.operations import Call
from clones.core.operations.inputs import CommaList
from clones.tracker.api.operations import Body, Query, actor, operation
from clones.tracker.domain.errors import Forbidden, Invalid
from clones.tracker.domain.people import ONLY_ADMINS
from clones.tracker.models import Comment, Issue, Project
from clones.tracker.queries.comments import find_comment
from clones.tracker.queries.people import find_user
from clones.tracker.queries.rights import BROWSE, Rights, find_issue, find_project
from clones.tracker.rules.permission_catalogue import GLOBAL, PERMISSIONS, PROJECT, Permission

Json = dict[str, Any]
MOST: Final = 1000


class MyPermissionsQuery(Query):
    """The caller's permissions to show: their keys, and the space, issue or comment."""

    permissions: CommaList[str] = []
    project_key: str | None = Field(None, alias="projectKey")
    project_id: str | None = Field(None, alias="projectId")
    issue_key: str | None = Field(None, alias="issueKey")
    issue_id: str | None = Field(None, alias="issueId")
    comment: str | None = Field(None, alias="commentId")


class ProjectPermissions(Body):
    """Permissions to check in spaces and on issues."""

    permissions: list[str]
    projects: list[int | None] | None = None
    issues: list[int | None] | None = None


class CheckBody(Body):
    """Global and space permissions to check, and whose."""

    account: str | None = Field(None, alias="accountId")
    globals: list[str | None] | None = Field(None, alias="globalPermissions")
    projects: list[ProjectPermissions] | None = Field(None, alias="projectPermissions")


class PermissionKeys(Body):
    """The permissions that a user must all hold in the spaces to list."""

    permissions: list[str]


def _described(permission: Permission) -> Json:
    return {
        "key": permission.key,
        "name": permission.name,
        "type": permission.kind,
        "description": permission.description,
    }


@operation(
    "getAllPermissions",
    "GET",
    "/rest/api/3/permissions",
    summary="List all permissions.",
    access="anyone",
)
def list_permissions(call: Call) -> Json:
    """List all permissions."""
    return {"permissions": {key: _described(found) for key, found in PERMISSIONS.items()}}


@operation(
    "getMyPermissions",
    "GET",
    "/rest/api/3/mypermissions",
    summary="Tell which of some permissions the caller holds, anywhere or in one place.",
    query=MyPermissionsQuery,
    access="anyone",
)
def my_permissions(call: Call) -> Json:
    """Tell what the caller may."""
    asked, reader = call.query, actor(call)
    wanted = asked.permissions
    if not wanted:
        raise Invalid("The 'permissions' query parameter is required.")
    unknown = [key for key in wanted if key not in PERMISSIONS]
    if unknown:
        raise Invalid(fields=dict.fromkeys(unknown, "Unrecognized permission"))
    place = _place(asked, reader, wanted)
    found = {}
    for key in wanted:
        permission = PERMISSIONS[key]
        found[key] = {
            "id": str(permission.number),
            **_described(permission),
            "havePermission": _has(reader, permission, place),
        }
    return {"permissions": found}


def _place(
    asked: MyPermissionsQuery, reader: Rights, wanted: list[str]
) -> Project | Issue | Comment | None:
    issue = asked.issue_id or asked.issue_key
    if asked.comment:
        if wanted != [BROWSE]:
            raise Invalid("Only BROWSE_PROJECTS is supported for comments.")
        found = find_issue(reader, issue) if issue else None
        return find_comment(reader, asked.comment, found)
    if issue:
        return find_issue(reader, issue)
    project = asked.project_id or asked.project_key
    return find_project(reader, project) if project else None


def _has(reader: Rights, permission: Permission, place: Project | Issue | Comment | None) -> bool:
    key = permission.key
    if permission.kind == "GLOBAL":
        return reader.holds_global(key) or (key == "ADMINISTER" and reader.is_admin)
    if isinstance(place, Comment):
        return True
    if isinstance(place, Issue):
        if permission.on_issues:
            return reader.may_on(key, place)
        return reader.may(key, place.project)
    if isinstance(place, Project):
        return reader.may(key, place) or reader.may_on_some(key, place)
    return bool(reader.projects_with(key)) or reader.may_on_some(key)


@operation(
    "getBulkPermissions",
    "POST",
    "/rest/api/3/permissions/check",
    summary="Tell which permissions somebody holds in which spaces and on which issues.",
    body=CheckBody,
    access="anyone",
    writes=False,
)
def check_permissions(call: Call) -> Json:
    """Look up what somebody may."""
    given, reader = call.body, actor(call)
    if given.account and given.account != reader.account_id:
        if not reader.is_admin:
            raise Forbidden(ONLY_ADMINS)
        reader = Rights(find_user(given.account))
    globals_ = [key for key in given.globals or () if key]
    blocks = given.projects or []
    _check_keys(globals_, blocks)
    return {
        "globalPermissions": [key for key in globals_ if reader.holds_global(key)],
        "projectPermissions": [
            _granted(reader, key, block)
            for block in blocks
            for key in dict.fromkeys(filter(None, block.permissions))
        ],
    }


def _check_keys(globals_: list[str], blocks: list[ProjectPermissions]) -> None:
    unknown = [key for key in globals_ if key not in GLOBAL]
    unknown += [key for block in blocks for key in block.permissions if key and key not in PROJECT]
    if unknown:
        raise Invalid(fields=dict.fromkeys(unknown, "Unrecognized permission"))
    for block in blocks:
        if not any(block.permissions):
            raise Invalid("At least one project permission must be provided.")
        if len(block.projects or ()) > MOST or len(block.issues or ()) > MOST:
            raise Invalid(f"A maximum of {MOST} projects and {MOST} issues can be checked.")


def _granted(reader: Rights, key: str, block: ProjectPermissions) -> Json:
    projects = sorted({id for id in block.projects or () if id is not None})
    issues = {id for id in block.issues or () if id is not None}
    held = reader.projects_with(key)
    mine = Issue.objects.filter(reader.issues_with(key), id__in=issues)
    if key != BROWSE:
        mine = mine.filter(reader.issues_with(BROWSE))
    return {
        "permission": key,
        "projects": [id for id in projects if id in held],
        "issues": list(mine.order_by("id").values_list("id", flat=True)),
    }


@operation(
    "getPermittedProjects",
    "POST",
    "/rest/api/3/permissions/project",
    summary="List the spaces in which the caller holds all of some permissions.",
    body=PermissionKeys,
    access="anyone",
    writes=False,
)
def permitted_projects(call: Call) -> Json:
    """List the spaces in which the caller may do things."""
    wanted = call.body.permissions
    unknown = [key for key in wanted if key not in PROJECT]
    if unknown or not wanted:
        raise Invalid(fields=dict.fromkeys(unknown or ["permissions"], "Unrecognized permission"))
    reader = actor(call)
    held = [reader.projects_with(key) for key in wanted]
    rows = Project.objects.filter(id__in=set.intersection(*held)).order_by("id")
    return {"projects": [{"id": id, "key": key} for id, key in rows.values_list("id", "key")]}
