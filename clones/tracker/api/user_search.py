"""Finding users: by name, by what they may, by what they did."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from django.db.models import Q, QuerySet
from pydantic import Field

from clones.core.operations import Call
from clones.core.operations.inputs import CommaList
from clones.tracker.api.operations import Query, actor, flag, operation, show
from clones.tracker.api.paging import number_of, page_bean, window
from clones.tracker.api.presenters.people import header, picked_user, present_users
from clones.tracker.api.query_params import PagedQuery
from clones.tracker.api.users import browses
from clones.tracker.domain.errors import Invalid, NotFound
from clones.tracker.models import Issue, Project, User
from clones.tracker.queries.people import (
    EVERYONE,
    active_users,
    called,
    holding,
    structured,
    with_property,
)
from clones.tracker.queries.rights import BROWSE, Rights, find_issue, find_project
from clones.tracker.rules.permission_catalogue import FORMER_KEYS, PROJECT

Json = dict[str, Any]
ASSIGNABLE: Final = "ASSIGNABLE_USER"
FIRST: Final = 1000  # how far from the beginning users are looked for


class NamedQuery(PagedQuery):
    """The users to find: by the beginnings of their names or by account id."""

    query: str | None = None
    account: str | None = Field(None, alias="accountId", max_length=128)


class PropertyQuery(NamedQuery):
    """The users to find: by name, account id or property."""

    property: str | None = None


class PlaceQuery(NamedQuery):
    """The users to find who may browse an issue or a space."""

    issue: str | None = Field(None, alias="issueKey")
    project: str | None = Field(None, alias="projectKey")


class AssignableQuery(NamedQuery):
    """The users to find to whom an issue, or any of a space, can be assigned."""

    project: str | None = None
    issue: str | None = Field(None, alias="issueKey")
    issue_id: str | None = Field(None, alias="issueId")


class ProjectsQuery(NamedQuery):
    """The users to find to whom issues of several spaces can be assigned."""

    projects: CommaList[str] = Field([], alias="projectKeys")


class PermissionsQuery(PlaceQuery):
    """The users to find who hold all of some permissions."""

    permissions: CommaList[str] = []


class StructuredQuery(PagedQuery):
    """A structured query of users, such as `is assignee of LAS`."""

    query: str | None = None


class KeysQuery(StructuredQuery):
    """A structured query of users, of whom account ids are shown, and the size of a page."""

    most: str | None = Field(None, alias="maxResult")


class PickerQuery(Query):
    """The beginning of the names of users to suggest, and whom to leave out."""

    query: str | None = None
    most: str | None = Field(None, alias="maxResults")
    avatar: str | None = Field(None, alias="showAvatar")
    exclude: list[str] | None = None
    excluded: CommaList[str] = Field([], alias="excludeAccountIds")


def _may_browse(reader: Rights) -> bool:
    return reader.holds_global("USER_PICKER") or reader.is_admin


def _named(call: Call, *, needed: bool = True) -> Q:
    """Return the users that a call names.

    Raises:
        Invalid: it names none where it must, or in two ways.
    """
    asked = call.query
    if asked.query is not None and asked.account:
        raise Invalid("Only one of the query parameters 'query' and 'accountId' may be provided.")
    if asked.account:
        return Q(account_id=asked.account)
    if asked.query is None:
        if needed:
            raise Invalid("Either the 'query' or the 'accountId' parameter must be provided.")
        return EVERYONE
    return called(asked.query, reader=actor(call))


def _answer(call: Call, rows: QuerySet[User]) -> list[Json]:
    return present_users(window(call, rows), show(call))


@operation(
    "findUsers",
    "GET",
    "/rest/api/3/user/search",
    summary="Find active users by name, account id or property.",
    query=PropertyQuery,
    access="anyone",
)
def find_users(call: Call) -> list[Json]:
    """Find users; nobody to those who may not browse them."""
    asked = call.query
    if asked.property:
        path, sign, value = asked.property.partition("=")
        key, *rest = path.split(".")
        if not sign or not key:
            raise Invalid("The property query parameter is not valid.")
        among = with_property(key, rest, value)
        among &= _named(call, needed=False)
    else:
        among = _named(call)
    if not _may_browse(actor(call)):
        return []
    return _answer(call, active_users().filter(among))


@operation(
    "findUsersForPicker",
    "GET",
    "/rest/api/3/user/picker",
    summary="Suggest users whose names begin with something.",
    query=PickerQuery,
    access="anyone",
)
def pick_users(call: Call) -> Json:
    """Suggest users."""
    asked, reader = call.query, actor(call)
    if asked.query is None:
        raise Invalid("The query parameter 'query' must be provided.")
    left_out = asked.excluded
    if asked.exclude and left_out:
        raise Invalid("The parameters 'exclude' and 'excludeAccountIds' cannot both be provided.")
    rows = active_users().filter(called(asked.query, reader=reader))
    rows = rows.exclude(account_id__in=left_out)
    if not _may_browse(reader):
        rows = rows.filter(display_name__iexact=asked.query)
    total = rows.count()
    users = list(rows[: min(number_of(call, "maxResults", 50), FIRST)])
    with_avatar = flag(asked.avatar)
    return {
        "users": [
            picked_user(user, show(call), asked.query, with_avatar=with_avatar) for user in users
        ],
        "total": total,
        "header": header(len(users), total, "users"),
    }


# By what they may


def _held(
    call: Call, permissions: list[str], projects: list[Project], issue: Issue | None = None
) -> list[Json]:
    """Answer with the users who hold all of some permissions in all of some spaces."""
    among = _named(call, needed=False)
    products = actor(call).product_groups
    for project in projects:
        for permission in permissions:
            among &= holding(permission, project, issue=issue, products=products)
    return _answer(call, active_users().filter(among))


@operation(
    "findAssignableUsers",
    "GET",
    "/rest/api/3/user/assignable/search",
    summary="Find users to whom an issue, or those of a space, can be given.",
    query=AssignableQuery,
)
def find_assignable(call: Call) -> list[Json]:
    """Find whom an issue can be given to."""
    asked, reader = call.query, actor(call)
    issue = None
    if asked.issue or asked.issue_id:
        issue = find_issue(reader, asked.issue or asked.issue_id)
        project = issue.project
    elif asked.project:
        project = find_project(reader, asked.project)
    else:
        raise Invalid("Either the 'issueKey' or the 'project' parameter must be provided.")
    if asked.query is not None and asked.account:
        raise Invalid("Only one of the query parameters 'query' and 'accountId' may be provided.")
    return _held(call, [ASSIGNABLE], [project], issue)


@operation(
    "findBulkAssignableUsers",
    "GET",
    "/rest/api/3/user/assignable/multiProjectSearch",
    summary="Find users to whom issues of all of some spaces can be given.",
    query=ProjectsQuery,
    access="anyone",
)
def find_bulk_assignable(call: Call) -> list[Json]:
    """Find whom issues of some spaces can be given to."""
    keys = call.query.projects
    if not keys:
        raise Invalid("The query parameter 'projectKeys' must be provided.")
    _named(call)
    if not _may_browse(actor(call)):
        return []
    projects = [find_project(actor(call), key) for key in keys]
    return _held(call, [ASSIGNABLE], projects)


def _place(call: Call) -> tuple[Project, Issue | None]:
    asked, reader = call.query, actor(call)
    if asked.issue:
        issue = find_issue(reader, asked.issue)
        return issue.project, issue
    if asked.project:
        return find_project(reader, asked.project), None
    raise Invalid("Either the 'issueKey' or the 'projectKey' parameter must be provided.")


@operation(
    "findUsersWithBrowsePermission",
    "GET",
    "/rest/api/3/user/viewissue/search",
    summary="Find users who see an issue, or a space.",
    query=PlaceQuery,
    access="anyone",
)
def find_viewers(call: Call) -> list[Json]:
    """Find who sees an issue or a space."""
    _named(call)
    if not _may_browse(actor(call)):
        return []
    project, issue = _place(call)
    return _held(call, [BROWSE], [project], issue)


@operation(
    "findUsersWithAllPermissions",
    "GET",
    "/rest/api/3/user/permission/search",
    summary="Find users who hold all of some permissions on an issue or in a space.",
    query=PermissionsQuery,
    access="anyone",
)
def find_holders(call: Call) -> list[Json]:
    """Find who holds permissions: a question of admins, of the site or of the space."""
    wanted = call.query.permissions
    if not wanted:
        raise Invalid("The query parameter 'permissions' must be provided.")
    unknown = [key for key in wanted if key not in PROJECT and key not in FORMER_KEYS]
    if unknown:
        raise Invalid(f"The permission '{unknown[0]}' does not exist.")
    wanted = [FORMER_KEYS.get(key, key) for key in wanted]
    project, issue = _place(call)
    reader = actor(call)
    if not (reader.is_admin or reader.may("ADMINISTER_PROJECTS", project)):
        raise NotFound("The project or issue was not found, or you do not administer it.")
    return _held(call, wanted, [project], issue)


# By what they did


def _structured(call: Call, present: Callable[[list[User]], list[Json]], most: int) -> Json:
    text = call.query.query
    if not text:
        raise Invalid("The query parameter 'query' must be provided.")
    reader = actor(call)
    browses(reader)
    rows = User.objects.filter(structured(text, reader)).order_by("id")
    return page_bean(call, rows, present, max_results=most, limit=FIRST, with_self=False)


@operation(
    "findUsersByQuery",
    "GET",
    "/rest/api/3/user/search/query",
    summary="Find users by what they did: assignees, reporters, watchers... of issues.",
    query=StructuredQuery,
)
def find_by_query(call: Call) -> Json:
    """Find users by a structured query."""
    return _structured(call, lambda users: present_users(users, show(call)), 100)


@operation(
    "findUserKeysByQuery",
    "GET",
    "/rest/api/3/user/search/query/key",
    summary="Find the account ids of users by what they did.",
    query=KeysQuery,
)
def find_keys_by_query(call: Call) -> Json:
    """Find account ids by a structured query."""
    most = number_of(call, "maxResult", 100)
    return _structured(call, lambda users: [{"accountId": user.account_id} for user in users], most)
