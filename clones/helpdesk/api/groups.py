"""Groups of agents and who is in them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from django.db.models import QuerySet
from pydantic import Field

from clones.core import resources
from clones.core.operations import Call, Reply
from clones.helpdesk import queries
from clones.helpdesk.api.operations import (
    OPERATIONS,
    Body,
    PagedSideloadQuery,
    SideloadQuery,
    includes,
    list_request,
    listed,
    show,
)
from clones.helpdesk.api.paging import Order, paginate
from clones.helpdesk.api.presenters.people import present_group, present_group_membership
from clones.helpdesk.api.resources import by_key, register_resource
from clones.helpdesk.api.sideloads import groups_by_id, users_by_id
from clones.helpdesk.api.tickets import counted, user_of
from clones.helpdesk.domain import group_members, organizations
from clones.helpdesk.models import Group, GroupMembership

GROUPS: Final = resources.ResourceApi(
    resource=organizations.GROUP,
    path="/groups",
    one="/{group_id:int}",
    find=by_key(organizations.GROUP),
    present=present_group,
    body="Group",
    about="The attributes of a group that can be set.",
)


class GroupList(PagedSideloadQuery):
    """Which groups to list, and what beside them."""

    exclude_deleted: bool = Field(True, description="false: those that were deleted, too.")


class MembershipWrite(Body):
    """A group membership to create: the agent and the group."""

    user_id: int
    group_id: int


class MembershipBody(Body):
    """A group membership to create."""

    group_membership: MembershipWrite


def group_page(call: Call, rows: QuerySet[Group]) -> dict[str, Any]:
    """Return a page of groups, with the agents in them beside them if they are asked for."""
    page = paginate(rows, list_request(call), Order(organizations.GROUP.order))
    bodies = [present_group(item, show(call)) for item in page.rows]
    return listed("groups", bodies, page, **_members(call, page.rows))


def _members(call: Call, groups: Sequence[Group]) -> dict[str, Any]:
    if "users" not in includes(call):
        return {}
    members = GroupMembership.objects.filter(group__in=[group.id for group in groups])
    return {"users": users_by_id(set(members.values_list("user_id", flat=True)), show(call))}


def _show_group(call: Call) -> dict[str, Any]:
    """Show a group, one that was deleted too: it says so."""
    found = queries.one(Group.objects.all(), "group", call.path["group_id"])
    return {"group": present_group(found, show(call, "detail")), **_members(call, [found])}


def _group(call: Call) -> Group:
    return queries.group(call.path["group_id"])


@OPERATIONS.operation(
    "ListGroups", "GET", "/groups", summary="List the groups of agents.", query=GroupList
)
def list_groups(call: Call) -> dict[str, Any]:
    """List groups, those that were deleted too if they are asked for."""
    if call.query.exclude_deleted:
        return group_page(call, Group.objects.filter(deleted=False))
    return group_page(call, Group.objects.all())


@OPERATIONS.operation(
    "ListAssignableGroups",
    "GET",
    "/groups/assignable",
    summary="List the groups that tickets can be assigned to.",
    query=PagedSideloadQuery,
)
def list_assignable(call: Call) -> dict[str, Any]:
    """List groups that tickets can be assigned to."""
    return group_page(call, Group.objects.filter(deleted=False))


@OPERATIONS.operation("CountGroups", "GET", "/groups/count", summary="Count the groups.")
def count_groups(call: Call) -> dict[str, Any]:
    """Count groups that are not deleted."""
    return counted(Group.objects.filter(deleted=False).count())


register_resource(
    GROUPS,
    resources.shows("ShowGroupById", "Show one group.", query=SideloadQuery, view=_show_group),
    resources.creates("CreateGroup", "Create a group."),
    resources.updates("UpdateGroup", "Change a group."),
    resources.deletes("DeleteGroup", "Delete a group."),
    module=__name__,
)


def membership_page(call: Call, rows: QuerySet[GroupMembership]) -> dict[str, Any]:
    """Return a page of places in groups, with the users and groups asked for beside them."""
    page = paginate(rows, list_request(call), Order(("id",)))
    bodies = [present_group_membership(item, show(call)) for item in page.rows]
    return listed("group_memberships", bodies, page, **_beside(call, page.rows))


def _beside(call: Call, rows: Sequence[GroupMembership]) -> dict[str, Any]:
    wanted, beside = includes(call), dict[str, Any]()
    if "users" in wanted:
        beside["users"] = users_by_id({item.user_id for item in rows}, show(call))
    if "groups" in wanted:
        beside["groups"] = groups_by_id({item.group_id for item in rows}, show(call))
    return beside


@OPERATIONS.operation(
    "ListGroupMemberships",
    "GET",
    "/group_memberships",
    summary="List which agent is in which group.",
    query=PagedSideloadQuery,
)
def list_memberships(call: Call) -> dict[str, Any]:
    """List the places in all groups."""
    return membership_page(call, GroupMembership.objects.filter(group__deleted=False))


@OPERATIONS.operation(
    "ListAssignableGroupMemberships",
    "GET",
    "/group_memberships/assignable",
    summary="List the agents that tickets can be assigned to, by group.",
    query=PagedSideloadQuery,
)
def list_assignable_memberships(call: Call) -> dict[str, Any]:
    """List the places of active agents."""
    rows = GroupMembership.objects.filter(group__deleted=False, user__active=True)
    return membership_page(call, rows)


@OPERATIONS.operation(
    "ListGroupMembershipsByGroupId",
    "GET",
    "/groups/{group_id:int}/memberships",
    summary="List the places in one group.",
    query=PagedSideloadQuery,
)
def list_of_group(call: Call) -> dict[str, Any]:
    """List the places in one group."""
    return membership_page(call, GroupMembership.objects.filter(group=_group(call)))


@OPERATIONS.operation(
    "ListGroupMembershipsByUserId",
    "GET",
    "/users/{user_id:int}/group_memberships",
    summary="List an agent's places in groups.",
    query=PagedSideloadQuery,
)
def list_of_user(call: Call) -> dict[str, Any]:
    """List an agent's places in groups."""
    rows = GroupMembership.objects.filter(user=user_of(call), group__deleted=False)
    return membership_page(call, rows)


@OPERATIONS.operation(
    "CreateGroupMembership",
    "POST",
    "/group_memberships",
    summary="Put an agent into a group.",
    body=MembershipBody,
    access="admin",
    status=201,
)
def create_membership(call: Call) -> Reply:
    """Put an agent into a group."""
    given = call.body.group_membership
    made = group_members.add_group_member(
        actor=call.actor, user_id=given.user_id, group_id=given.group_id
    )
    body = present_group_membership(made, show(call, "detail"))
    return Reply({"group_membership": body}, 201, {"Location": body["url"]})


def _membership(call: Call) -> GroupMembership:
    rows = GroupMembership.objects.select_related("user", "group")
    return queries.one(rows, "membership", call.path["membership_id"])


@OPERATIONS.operation(
    "ShowGroupMembershipById",
    "GET",
    "/group_memberships/{membership_id:int}",
    summary="Show an agent's place in a group.",
    query=SideloadQuery,
)
def show_membership(call: Call) -> dict[str, Any]:
    """Show a place in a group."""
    found = _membership(call)
    shown = present_group_membership(found, show(call, "detail"))
    return {"group_membership": shown, **_beside(call, [found])}


@OPERATIONS.operation(
    "DeleteGroupMembership",
    "DELETE",
    "/group_memberships/{membership_id:int}",
    summary="Take an agent out of a group.",
    access="admin",
    status=204,
)
def delete_membership(call: Call) -> None:
    """Take an agent out of a group."""
    group_members.remove_group_member(_membership(call), actor=call.actor)


@OPERATIONS.operation(
    "GroupMembershipSetDefault",
    "PUT",
    "/users/{user_id:int}/group_memberships/{membership_id:int}/make_default",
    summary="Make a group the one that an agent's tickets get.",
    access="admin",
    query=PagedSideloadQuery,
)
def make_default(call: Call) -> dict[str, Any]:
    """Make a group an agent's default one."""
    user = user_of(call)
    rows = GroupMembership.objects.filter(user=user).select_related("user", "group")
    found = queries.one(rows, "membership", call.path["membership_id"])
    group_members.make_group_default(found, actor=call.actor)
    return membership_page(call, GroupMembership.objects.filter(user=user))
