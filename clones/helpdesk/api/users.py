"""Users: list, search, show, create, update, deactivate."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db.models import Q, QuerySet
from pydantic import Field

from clones.core.accounts.sessions import form_token
from clones.core.operations import Call, Reply
from clones.helpdesk import queries
from clones.helpdesk.api.groups import group_page
from clones.helpdesk.api.operations import (
    MANY,
    OPERATIONS,
    Body,
    IdsQuery,
    PagedSideloadQuery,
    SideloadQuery,
    Words,
    includes,
    list_request,
    listed,
    many_ids,
    show,
)
from clones.helpdesk.api.paging import Order, Page, offset_page, paginate
from clones.helpdesk.api.people_sideloads import user_sideloads
from clones.helpdesk.api.presenters.measures import present_job
from clones.helpdesk.api.presenters.people import ANONYMOUS, present_user
from clones.helpdesk.api.tickets import counted, user_of
from clones.helpdesk.domain import bulk, user_jobs, users
from clones.helpdesk.domain.errors import AccessDenied, MissingParameter, TooManyValues
from clones.helpdesk.models import Group, User

BY_ID = Order(("id",))


class UserWrite(Body):
    """The attributes of a user that can be set; those left out stay as they are."""

    name: str | None = None
    email: str | None = None
    role: str | None = Field(None, description="end-user, agent or admin.")
    organization_id: int | None = None
    organization: dict[str, Any] | None = Field(None, description="{name} of an organization.")
    default_group_id: int | None = None
    custom_role_id: int | None = None
    external_id: str | None = None
    alias: str | None = None
    phone: str | None = None
    time_zone: str | None = None
    locale: str | None = None
    locale_id: int | None = Field(None, description="A language; `locale` counts before it.")
    signature: str | None = None
    details: str | None = None
    notes: str | None = None
    tags: list[str] | str | None = None
    user_fields: dict[str, Any] | None = None
    verified: bool | None = None
    suspended: bool | None = None
    moderator: bool | None = None
    only_private_comments: bool | None = None
    ticket_restriction: str | None = None
    identities: list[dict[str, Any]] | None = None
    skip_verify_email: bool | None = None
    id: int | str | None = None


class UserBody(Body):
    """A user to create or update."""

    user: UserWrite


class UsersBody(Body):
    """Several users, or one set of changes for several (`ids` in the query)."""

    users: list[UserWrite] | None = None
    user: UserWrite | None = None


class UserList(PagedSideloadQuery):
    """Filters, paging and sideloads of a list of users."""

    role: str | None = None
    roles: list[str] | None = Field(None, alias="role[]")
    external_id: str | None = None
    permission_set: int | None = Field(None, description="The id of a custom role.")


class UserSearch(PagedSideloadQuery):
    """The users to find: by name, e-mail address, `key:value`, or external id."""

    query: str | None = None
    external_id: str | None = None


class UserNames(PagedSideloadQuery):
    """The beginning of the names of the users to suggest."""

    name: str | None = None


class UserKeys(IdsQuery):
    """The ids or external ids of the users that a call is about."""

    external_ids: Words | None = Field(None, description="External ids, in place of `ids`.")


class UserIds(UserKeys, SideloadQuery):
    """The ids or external ids of the users to show."""


def changes_of(body: UserWrite) -> dict[str, Any]:
    """Return the attributes that a body sets, as the domain takes them."""
    skip = {"id", "skip_verify_email"}
    known = set(type(body).model_fields) - skip
    return {name: getattr(body, name) for name in sorted(body.model_fields_set & known)}


def user_page(call: Call, rows: QuerySet[User], *, cursor: bool = True) -> dict[str, Any]:
    """Return a page of users with their side-loads."""
    page = paginate(rows, list_request(call), BY_ID, cursor=cursor)
    return _listed(call, page)


def _listed(call: Call, page: Page) -> dict[str, Any]:
    bodies = [present_user(user, show(call)) for user in page.rows]
    return listed("users", bodies, page, **_beside(call, page.rows))


def _beside(call: Call, users: Sequence[User]) -> dict[str, Any]:
    return user_sideloads(users, includes(call), call.actor, show(call))


@OPERATIONS.operation(
    "ShowCurrentUser",
    "GET",
    "/users/me",
    summary="Show who you are.",
    access="anyone",
    query=SideloadQuery,
)
def show_me(call: Call) -> dict[str, Any]:
    """Show the caller, or the anonymous user."""
    if call.actor is None:
        return {"user": dict(ANONYMOUS)}
    body = present_user(call.actor, show(call, "detail"))
    found = call.request.authenticated
    if found is not None:
        body["authenticity_token"] = form_token(found, call.request.sandbox)
    return {"user": body, **_beside(call, [call.actor])}


@OPERATIONS.operation("ListUsers", "GET", "/users", summary="List users.", query=UserList)
def list_users(call: Call) -> dict[str, Any]:
    """List users who are active."""
    return user_page(call, _asked_for(call))


def _asked_for(call: Call) -> QuerySet[User]:
    """Return the active users whom a list or a count is asked for."""
    rows = User.objects.filter(active=True)
    roles = [*(call.query.roles or []), *([call.query.role] if call.query.role else [])]
    if roles:
        rows = rows.filter(role__in=roles)
    if call.query.external_id is not None:
        rows = rows.filter(external_id=call.query.external_id)
    if call.query.permission_set is not None:
        rows = rows.filter(custom_role_id=call.query.permission_set)
    return rows


@OPERATIONS.operation("CountUsers", "GET", "/users/count", summary="Count users.", query=UserList)
def count_users(call: Call) -> dict[str, Any]:
    """Count users who are active."""
    return counted(_asked_for(call).count())


@OPERATIONS.operation(
    "SearchUsers",
    "GET",
    "/users/search",
    summary="Find users by name, address or external id.",
    query=UserSearch,
)
def search_users(call: Call) -> dict[str, Any]:
    """Search users."""
    rows = User.objects.filter(active=True)
    if call.query.external_id is not None:
        rows = rows.filter(external_id=call.query.external_id)
    elif call.query.query is not None:
        rows = rows.filter(queries.user_matches(call.query.query))
    else:
        raise MissingParameter("query")
    page = offset_page(rows.order_by("name", "id").distinct(), list_request(call))
    return _listed(call, page)


@OPERATIONS.operation(
    "AutocompleteUsers",
    "GET",
    "/users/autocomplete",
    summary="Find users whose name begins with something.",
    query=UserNames,
)
def autocomplete_users(call: Call) -> dict[str, Any]:
    """Find users by the beginning of a word of their name, of their address or number."""
    text = (call.query.name or "").strip()
    if len(text) < 2:
        raise MissingParameter("name")
    matches = (
        Q(name__istartswith=text)
        | Q(name__icontains=f" {text}")
        | Q(email__istartswith=text)
        | Q(phone__startswith=text)
    )
    rows = User.objects.filter(matches, active=True).order_by("name", "id")
    page = offset_page(rows, list_request(call))
    return _listed(call, page)


@OPERATIONS.operation(
    "ShowManyUsers",
    "GET",
    "/users/show_many",
    summary="Show up to 100 users by id.",
    query=UserIds,
)
def show_many_users(call: Call) -> dict[str, Any]:
    """Show the users of some ids or external ids; unknown ones are left out."""
    found = list(_named(call).order_by("id"))
    around = {"next_page": None, "previous_page": None, "count": len(found)}
    bodies = [present_user(user, show(call)) for user in found]
    return {"users": bodies, **_beside(call, found), **around}


def _named(call: Call) -> QuerySet[User]:
    """Return the users of the ids or the external ids of a call; unknown ones are left out."""
    wanted = call.query.external_ids
    if wanted is None:
        return User.objects.filter(id__in=many_ids(call))
    if len(wanted) > MANY:
        raise TooManyValues(MANY)
    return User.objects.filter(external_id__in=wanted)


def _keys(call: Call) -> list[int]:
    """Return the ids of the users whom a job is about; ids that are given stay as they are."""
    if call.query.external_ids is None:
        return many_ids(call)
    return list(_named(call).order_by("id").values_list("id", flat=True))


@OPERATIONS.operation(
    "ShowUser",
    "GET",
    "/users/{user_id:int}",
    summary="Show one user.",
    access="end-user",
    query=SideloadQuery,
)
def show_user(call: Call) -> dict[str, Any]:
    """Show a user; end users may see themselves only."""
    if not call.actor.is_agent and call.path["user_id"] != call.actor.id:
        raise AccessDenied("end users see themselves only")
    found = user_of(call)
    return {"user": present_user(found, show(call, "detail")), **_beside(call, [found])}


@OPERATIONS.operation(
    "CreateUser", "POST", "/users", summary="Create a user.", body=UserBody, status=201
)
def create_user(call: Call) -> Reply:
    """Create a user."""
    found = users.create_user(actor=call.actor, changes=changes_of(call.body.user))
    body = present_user(found, show(call, "detail"))
    return Reply({"user": body}, 201, {"Location": body["url"]})


@OPERATIONS.operation(
    "CreateOrUpdateUser",
    "POST",
    "/users/create_or_update",
    summary="Create a user, or update the one who has the address or external id.",
    body=UserBody,
)
def create_or_update_user(call: Call) -> Reply:
    """Create or update a user: 201 for a new one, 200 for one there was."""
    found, created = users.create_or_update_user(
        actor=call.actor, changes=changes_of(call.body.user)
    )
    body = present_user(found, show(call, "detail"))
    return Reply({"user": body}, 201 if created else 200, {"Location": body["url"]})


@OPERATIONS.operation(
    "UpdateUser",
    "PUT",
    "/users/{user_id:int}",
    summary="Change a user.",
    body=UserBody,
    access="end-user",
)
def update_user(call: Call) -> dict[str, Any]:
    """Update a user."""
    found = user_of(call)
    users.update_user(found, actor=call.actor, changes=changes_of(call.body.user))
    return {"user": present_user(found, show(call, "detail"))}


@OPERATIONS.operation(
    "DeleteUser",
    "DELETE",
    "/users/{user_id:int}",
    summary="Deactivate a user; their tickets stay.",
)
def delete_user(call: Call) -> dict[str, Any]:
    """Deactivate a user and show what is left."""
    found = user_of(call)
    users.deactivate_user(found, actor=call.actor)
    return {"user": present_user(found, show(call, "detail"))}


def _job(call: Call, kind: str, items: list[dict[str, Any]]) -> dict[str, Any]:
    job = bulk.start_job(kind, items, actor=call.actor, client=None)
    return {"job_status": present_job(job, show(call, "detail"))}


@OPERATIONS.operation(
    "CreateManyUsers",
    "POST",
    "/users/create_many",
    summary="Create up to 100 users as a job.",
    body=UsersBody,
)
def create_many_users(call: Call) -> dict[str, Any]:
    """Queue the creation of users."""
    return _job(call, "create_users", _items(call.body, "users"))


@OPERATIONS.operation(
    "CreateOrUpdateManyUsers",
    "POST",
    "/users/create_or_update_many",
    summary="Create up to 100 users, or update those who have the address or external id.",
    body=UsersBody,
)
def create_or_update_many_users(call: Call) -> dict[str, Any]:
    """Queue the creation or update of users."""
    return _job(call, user_jobs.CREATE_OR_UPDATE, _items(call.body, "users"))


@OPERATIONS.operation(
    "UpdateManyUsers",
    "PUT",
    "/users/update_many",
    summary="Update up to 100 users as a job.",
    query=UserKeys,
    body=UsersBody,
)
def update_many_users(call: Call) -> dict[str, Any]:
    """Queue the update of users: each its own changes, or the same for `ids`/`external_ids`."""
    if call.body.user is not None:
        changes = changes_of(call.body.user)
        items = [{"id": key, "changes": changes} for key in _keys(call)]
        return _job(call, "update_users", items)
    return _job(call, "update_users", _items(call.body, "users"))


@OPERATIONS.operation(
    "DestroyManyUsers",
    "DELETE",
    "/users/destroy_many",
    summary="Deactivate up to 100 users as a job.",
    query=UserKeys,
)
def destroy_many_users(call: Call) -> dict[str, Any]:
    """Queue the deactivation of users."""
    return _job(call, "delete_users", [{"id": key} for key in _keys(call)])


def _items(body: UsersBody, name: str) -> list[dict[str, Any]]:
    if body.users is None:
        raise MissingParameter(name)
    if len(body.users) > MANY:
        raise TooManyValues(MANY, name)
    return [{"id": item.id, "changes": changes_of(item)} for item in body.users]


@OPERATIONS.operation(
    "ShowUserRelated",
    "GET",
    "/users/{user_id:int}/related",
    summary="Count what belongs to a user.",
)
def related(call: Call) -> dict[str, Any]:
    """Count a user's tickets, groups and organizations."""
    return {"user_related": queries.user_related(user_of(call), call.actor)}


@OPERATIONS.operation(
    "ListUserGroups",
    "GET",
    "/users/{user_id:int}/groups",
    summary="List the groups of an agent.",
    query=PagedSideloadQuery,
)
def list_user_groups(call: Call) -> dict[str, Any]:
    """List an agent's groups."""
    return group_page(call, Group.objects.filter(memberships__user=user_of(call), deleted=False))


@OPERATIONS.operation(
    "ListOrganizationUsers",
    "GET",
    "/organizations/{organization_id:int}/users",
    summary="List the users of an organization.",
    query=UserList,
)
def list_organization_users(call: Call) -> dict[str, Any]:
    """List an organization's users."""
    found = queries.organization(call.path["organization_id"])
    return user_page(call, User.objects.filter(active=True, organization=found))


@OPERATIONS.operation(
    "ListGroupUsers",
    "GET",
    "/groups/{group_id:int}/users",
    summary="List the agents of a group.",
    query=UserList,
)
def list_group_users(call: Call) -> dict[str, Any]:
    """List a group's agents."""
    found = queries.group(call.path["group_id"])
    return user_page(call, User.objects.filter(active=True, group_memberships__group=found))
