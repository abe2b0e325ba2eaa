"""Groups, who is in them, and pickers of groups and people."""

from __future__ import annotations

from typing import Any, Final

from django.db.models import QuerySet
from pydantic import Field

from clones.core.operations import Call, Reply
from clones.core.operations.inputs import CommaList
from clones.tracker.api.operations import Body, Query, actor, flag, operation, show
from clones.tracker.api.paging import number_of, page_bean
from clones.tracker.api.presenters.people import (
    ROLES,
    application_roles,
    header,
    picked_group,
    picked_user,
    present_group,
    present_users,
)
from clones.tracker.api.query_params import ExpandQuery, PagedQuery
from clones.tracker.api.users import browses
from clones.tracker.domain import groups
from clones.tracker.domain.errors import Invalid
from clones.tracker.domain.setup.people import ADMINS
from clones.tracker.models import Group, User
from clones.tracker.queries.people import active_users, called, find_group, find_user, holding
from clones.tracker.queries.picker_fields import spaces_of_picker
from clones.tracker.queries.rights import BROWSE

Json = dict[str, Any]
NOT_BROWSING: Final = "Browse users and groups permission is required to view groups."
SUGGESTED: Final = 20


class GroupQuery(Query):
    """The group meant: by id or by name."""

    name: str | None = Field(None, alias="groupname")
    id: str | None = Field(None, alias="groupId")


class GroupShown(GroupQuery, ExpandQuery):
    """The group to show, and whether its users are expanded."""


class GroupRemoval(GroupQuery):
    """The group to delete, and the one that sees what only it saw."""

    swap_name: str | None = Field(None, alias="swapGroup")
    swap_id: str | None = Field(None, alias="swapGroupId")


class MembersQuery(GroupQuery, PagedQuery):
    """The group whose members are listed, with paging."""

    inactive: str | None = Field(None, alias="includeInactiveUsers")


class MemberQuery(GroupQuery):
    """The group, and the member whom it loses."""

    account: str | None = Field(None, alias="accountId")


class GroupsQuery(PagedQuery):
    """Filters and paging of a list of groups."""

    ids: CommaList[str] = Field([], alias="groupId")
    names: list[str] | None = Field(None, alias="groupName")
    access: str | None = Field(None, alias="accessType", description="site-admin, admin or user")
    product: str | None = Field(None, alias="applicationKey")


class PickerQuery(Query):
    """The text that the names of groups to suggest contain, and groups to leave out."""

    query: str | None = None
    most: str | None = Field(None, alias="maxResults")
    exclude: list[str] | None = None
    exclude_ids: CommaList[str] = Field([], alias="excludeId")
    folded: str | None = Field(None, alias="caseInsensitive")


class BothQuery(Query):
    """The text by which people and groups are suggested, with filters."""

    query: str | None = None
    most: str | None = Field(None, alias="maxResults")
    avatar: str | None = Field(None, alias="showAvatar")
    folded: str | None = Field(None, alias="caseInsensitive")
    field: str | None = Field(None, alias="fieldId")
    projects: CommaList[int] = Field([], alias="projectId")
    types: CommaList[int] = Field([], alias="issueTypeId")


class NewGroup(Body):
    """A group to create: its name."""

    name: str


class NewMember(Body):
    """The user to add to a group."""

    account: str | None = Field(None, alias="accountId")


def _group(call: Call) -> Group:
    return find_group(call.query.id, call.query.name)


def _members(group: Group, *, inactive: bool) -> QuerySet[User]:
    rows = User.objects.filter(memberships__group=group)
    return (rows if inactive else rows.filter(active=True)).order_by("display_name", "id")


@operation(
    "createGroup", "POST", "/rest/api/3/group", summary="Make a group.", body=NewGroup, status=201
)
def create_group(call: Call) -> Json:
    """Make a group."""
    made = groups.create_group(call.body.name, actor=actor(call))
    return present_group(made, show(call))


@operation("getGroup", "GET", "/rest/api/3/group", summary="Show a group.", query=GroupShown)
def show_group(call: Call) -> Json:
    """Show a group, with its first fifty users if they are asked for."""
    browses(actor(call), NOT_BROWSING)
    group = _group(call)
    rows = _members(group, inactive=False)
    members = list(rows[:50]) if "users" in _expanded(call.query.expand) else None
    return present_group(group, show(call), members, rows.count())


def _expanded(words: list[str]) -> set[str]:
    """Return what is expanded, without the ranges that older clients add: `users[0:49]`."""
    return {part.partition("[")[0] for part in words}


@operation(
    "removeGroup", "DELETE", "/rest/api/3/group", summary="Remove a group.", query=GroupRemoval
)
def remove_group(call: Call) -> Reply:
    """Remove a group."""
    asked = call.query
    swap = None
    if asked.swap_id or asked.swap_name:
        swap = find_group(asked.swap_id, asked.swap_name)
    groups.delete_group(_group(call), swap=swap, actor=actor(call))
    return Reply(None)


@operation(
    "bulkGetGroups", "GET", "/rest/api/3/group/bulk", summary="List groups.", query=GroupsQuery
)
def list_groups(call: Call) -> Json:
    """List groups, all or those of some ids, names, a product or a kind of access."""
    browses(actor(call), NOT_BROWSING)
    rows = Group.objects.order_by("name", "id")
    wanted, named = call.query.ids, call.query.names
    if wanted:
        rows = rows.filter(uuid__in=wanted)
    if named:
        rows = rows.filter(name__in=named)
    if call.query.access:
        rows = rows.filter(name__in=_of_access(call.query.access))
    if call.query.product:
        if call.query.product not in ROLES:
            raise Invalid(f"The application key '{call.query.product}' is not valid.")
        rows = rows.filter(uuid__in=application_roles()[call.query.product]["groups"])
    return page_bean(
        call,
        rows,
        lambda found: [{"name": group.name, "groupId": group.uuid} for group in found],
        limit=1000,
        with_self=False,
    )


def _of_access(kind: str) -> list[str]:
    if kind not in ("site-admin", "admin", "user"):
        raise Invalid(f"The access type '{kind}' is not valid.")
    if kind == "site-admin":
        return list(ADMINS[:1])
    if kind == "admin":
        return list(ADMINS[1:])
    return list(Group.objects.exclude(name__in=ADMINS).values_list("name", flat=True))


@operation(
    "getUsersFromGroup",
    "GET",
    "/rest/api/3/group/member",
    summary="List the users of a group.",
    query=MembersQuery,
)
def list_members(call: Call) -> Json:
    """List the users of a group."""
    browses(actor(call), NOT_BROWSING)
    rows = _members(_group(call), inactive=flag(call.query.inactive))

    def present(users: list[User]) -> list[Json]:
        shown = present_users(users, show(call))
        return [{k: v for k, v in user.items() if k != "locale"} for user in shown]

    return page_bean(call, rows, present, limit=50)


@operation(
    "addUserToGroup",
    "POST",
    "/rest/api/3/group/user",
    summary="Put a user into a group.",
    query=GroupQuery,
    body=NewMember,
    status=201,
)
def add_member(call: Call) -> Json:
    """Put a user into a group."""
    group = _group(call)
    groups.add_member(group, find_user(call.body.account), actor=actor(call))
    return present_group(group, show(call), None, _members(group, inactive=False).count())


@operation(
    "removeUserFromGroup",
    "DELETE",
    "/rest/api/3/group/user",
    summary="Take a user out of a group.",
    query=MemberQuery,
)
def remove_member(call: Call) -> Reply:
    """Take a user out of a group."""
    groups.remove_member(_group(call), find_user(call.query.account), actor=actor(call))
    return Reply(None)


# Pickers


def _suggested_groups(
    call: Call,
    most: int,
    *,
    folded: bool,
    skipped: frozenset[str] = frozenset(),
    whole: bool = False,
) -> Json:
    """Return the groups whose names contain the query, or are it if only `whole` names count."""
    text = call.query.query or ""
    rows = Group.objects.order_by("name", "id")
    if whole:
        rows = rows.filter(name__iexact=text)
    if not folded:
        # Engines do not agree on what LIKE folds: the letters' case is looked at here.
        named = [group for group in rows.filter(name__icontains=text) if text in group.name]
    else:
        named = list(rows.filter(name__icontains=text))
    found = [group for group in named if not {group.name, group.uuid} & skipped]
    shown = found[:most]
    return {
        "header": header(len(shown), len(found), "groups"),
        "total": len(found),
        "groups": [picked_group(group, text) for group in shown],
    }


def _no_groups() -> Json:
    return {"header": header(0, 0, "groups"), "total": 0, "groups": []}


@operation(
    "findGroups",
    "GET",
    "/rest/api/3/groups/picker",
    summary="Suggest groups whose names contain something.",
    query=PickerQuery,
    access="anyone",
)
def pick_groups(call: Call) -> Json:
    """Suggest groups; to those who may not browse them only the one that they name."""
    reader, asked = actor(call), call.query
    if asked.exclude and asked.exclude_ids:
        raise Invalid("The parameters 'exclude' and 'excludeId' cannot both be provided.")
    most = min(number_of(call, "maxResults", SUGGESTED), 1000)
    skipped = frozenset({*(asked.exclude or ()), *asked.exclude_ids})
    browsing = reader.holds_global("USER_PICKER") or reader.is_admin
    whole = not browsing
    if whole and not reader.projects_with(BROWSE):
        return _no_groups()
    return _suggested_groups(call, most, folded=flag(asked.folded), skipped=skipped, whole=whole)


@operation(
    "findUsersAndGroups",
    "GET",
    "/rest/api/3/groupuserpicker",
    summary="Suggest people and groups.",
    query=BothQuery,
    access="anyone",
)
def pick_both(call: Call) -> Json:
    """Suggest people and groups; for a field only people who see all the spaces that are named."""
    asked: BothQuery = call.query
    if asked.query is None:
        raise Invalid("The query parameter 'query' must be provided.")
    reader = actor(call)
    browses(reader, NOT_BROWSING)
    most = min(number_of(call, "maxResults", 50), 1000)
    text = call.query.query
    rows = active_users().filter(called(text, reader=reader))
    if asked.field is not None:
        spaces = spaces_of_picker(asked.field, asked.projects, asked.types)
        if spaces is None:
            nobody = {"users": [], "total": 0, "header": header(0, 0, "users")}
            return {"users": nobody, "groups": _no_groups()}
        for space in spaces:
            rows = rows.filter(holding(BROWSE, space, products=reader.product_groups))
    total, users = rows.count(), list(rows[:most])
    picked = [
        picked_user(user, show(call), text, with_avatar=flag(call.query.avatar)) for user in users
    ]
    return {
        "users": {
            "users": picked,
            "total": total,
            "header": header(len(users), total, "users"),
        },
        "groups": _suggested_groups(call, most, folded=flag(call.query.folded)),
    }
