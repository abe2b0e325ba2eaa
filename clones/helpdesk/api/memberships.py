"""Places in groups and organizations: many at once as jobs, and by the organization."""

from __future__ import annotations

from typing import Any

from clones.core.operations import Call, Reply
from clones.helpdesk import queries
from clones.helpdesk.api.groups import MembershipWrite as GroupPlace
from clones.helpdesk.api.groups import membership_page
from clones.helpdesk.api.operations import (
    MANY,
    OPERATIONS,
    Body,
    IdsQuery,
    PagedSideloadQuery,
    many_ids,
    show,
)
from clones.helpdesk.api.organizations import MembershipWrite as OrganizationPlace
from clones.helpdesk.api.presenters.measures import present_job
from clones.helpdesk.api.presenters.people import (
    present_group_membership,
    present_organization_membership,
)
from clones.helpdesk.api.tickets import user_of
from clones.helpdesk.domain import bulk, group_members, organizations
from clones.helpdesk.domain.errors import RecordNotFound, TooManyValues
from clones.helpdesk.models import GroupMembership, OrganizationMembership


class GroupChoice(Body):
    """A group membership to create for an agent: the group."""

    group_id: int


class GroupChoiceBody(Body):
    """A group membership to create for an agent."""

    group_membership: GroupChoice


class OrganizationChoice(Body):
    """An organization membership to create for a user: the organization."""

    organization_id: int


class OrganizationChoiceBody(Body):
    """An organization membership to create for a user."""

    organization_membership: OrganizationChoice


class GroupPlaces(Body):
    """Group memberships to create."""

    group_memberships: list[GroupPlace]


class OrganizationPlaces(Body):
    """Organization memberships to create."""

    organization_memberships: list[OrganizationPlace]


def _start(call: Call, kind: str, items: list[dict[str, Any]]) -> dict[str, Any]:
    client = call.request.headers.get("User-Agent")
    job = bulk.start_job(kind, items, actor=call.actor, client=client[:255] if client else None)
    return {"job_status": present_job(job, show(call, "detail"))}


@OPERATIONS.operation(
    "GroupMembershipBulkCreate",
    "POST",
    "/group_memberships/create_many",
    summary="Put up to 100 agents into groups as a job.",
    body=GroupPlaces,
    access="admin",
)
def create_group_places(call: Call) -> dict[str, Any]:
    """Queue the creation of places in groups."""
    given = call.body.group_memberships
    if len(given) > MANY:
        raise TooManyValues(MANY, "group_memberships")
    items = [{"user": item.user_id, "group": item.group_id} for item in given]
    return _start(call, "create_group_memberships", items)


@OPERATIONS.operation(
    "GroupMembershipBulkDelete",
    "DELETE",
    "/group_memberships/destroy_many",
    summary="Take up to 100 agents out of groups at once, and off their tickets as a job.",
    query=IdsQuery,
    access="admin",
)
def delete_group_places(call: Call) -> dict[str, Any]:
    """Remove places in groups and queue what becomes of the tickets."""
    items: list[dict[str, Any]] = []
    for key in many_ids(call):
        rows = GroupMembership.objects.filter(id=key).select_related("user", "group")
        found = rows.first()
        if found is None:
            items.append({"id": key})
            continue
        items.append({"id": key, "user": found.user_id, "group": found.group_id})
        group_members.leave_group(found, actor=call.actor)
    return _start(call, "delete_group_memberships", items)


@OPERATIONS.operation(
    "CreateManyOrganizationMemberships",
    "POST",
    "/organization_memberships/create_many",
    summary="Put up to 100 users into organizations as a job.",
    body=OrganizationPlaces,
)
def create_organization_places(call: Call) -> dict[str, Any]:
    """Queue the creation of places in organizations."""
    given = call.body.organization_memberships
    if len(given) > MANY:
        raise TooManyValues(MANY, "organization_memberships")
    items = [{"user": item.user_id, "organization": item.organization_id} for item in given]
    return _start(call, "create_organization_memberships", items)


@OPERATIONS.operation(
    "DeleteManyOrganizationMemberships",
    "DELETE",
    "/organization_memberships/destroy_many",
    summary="Take up to 100 users out of organizations at once, and their tickets as a job.",
    query=IdsQuery,
)
def delete_organization_places(call: Call) -> dict[str, Any]:
    """Remove places in organizations and queue what becomes of the tickets."""
    items: list[dict[str, Any]] = []
    for key in many_ids(call):
        rows = OrganizationMembership.objects.filter(id=key).select_related("user", "organization")
        found = rows.first()
        if found is None:
            items.append({"id": key})
            continue
        place = {"user": found.user_id, "organization": found.organization_id}
        items.append({"id": key, **place})
        organizations.remove_organization_member(found, actor=call.actor)
    return _start(call, "delete_organization_memberships", items)


def _place(call: Call) -> OrganizationMembership:
    key = call.path["organization_id"]
    rows = OrganizationMembership.objects.filter(user=user_of(call), organization_id=key)
    found = rows.select_related("user", "organization").first()
    if found is None:
        raise RecordNotFound("membership", key)
    return found


@OPERATIONS.operation(
    "UnassignOrganization",
    "DELETE",
    "/users/{user_id:int}/organizations/{organization_id:int}",
    summary="Take a user and their open tickets out of an organization.",
    status=204,
)
def unassign_organization(call: Call) -> None:
    """Take a user out of an organization."""
    organizations.unassign_organization(_place(call), actor=call.actor)


@OPERATIONS.operation(
    "SetOrganizationAsDefault",
    "PUT",
    "/users/{user_id:int}/organizations/{organization_id:int}/make_default",
    summary="Make an organization a user's default one, by the organization.",
)
def set_organization_default(call: Call) -> dict[str, Any]:
    """Make an organization a user's default one."""
    found = _place(call)
    organizations.make_organization_default(found, actor=call.actor)
    found.refresh_from_db(fields=["default"])
    return {"organization_membership": present_organization_membership(found, show(call, "detail"))}


@OPERATIONS.operation(
    "ListAssignableGroupMembershipsByGroup",
    "GET",
    "/groups/{group_id:int}/memberships/assignable",
    summary="List the agents of a group that tickets can be assigned to.",
    query=PagedSideloadQuery,
)
def list_assignable_of_group(call: Call) -> dict[str, Any]:
    """List the places of active agents in one group."""
    group = queries.group(call.path["group_id"])
    return membership_page(call, GroupMembership.objects.filter(group=group, user__active=True))


def _group_place(call: Call) -> GroupMembership:
    rows = GroupMembership.objects.filter(user=user_of(call), group__deleted=False)
    found = rows.select_related("user", "group")
    return queries.one(found, "membership", call.path["membership_id"])


@OPERATIONS.operation(
    "ShowUserGroupMembershipById",
    "GET",
    "/users/{user_id:int}/group_memberships/{membership_id:int}",
    summary="Show one of an agent's places in groups.",
)
def show_group_place(call: Call) -> dict[str, Any]:
    """Show an agent's place in a group."""
    found = _group_place(call)
    return {"group_membership": present_group_membership(found, show(call, "detail"))}


@OPERATIONS.operation(
    "CreateUserGroupMembership",
    "POST",
    "/users/{user_id:int}/group_memberships",
    summary="Put one agent into a group.",
    body=GroupChoiceBody,
    access="admin",
    status=201,
)
def create_group_place(call: Call) -> Reply:
    """Put an agent into a group."""
    made = group_members.add_group_member(
        actor=call.actor,
        user_id=user_of(call).id,
        group_id=call.body.group_membership.group_id,
    )
    body = present_group_membership(made, show(call, "detail"))
    return Reply({"group_membership": body}, 201, {"Location": body["url"]})


@OPERATIONS.operation(
    "DeleteUserGroupMembership",
    "DELETE",
    "/users/{user_id:int}/group_memberships/{membership_id:int}",
    summary="Take one agent out of a group.",
    access="admin",
    status=204,
)
def delete_group_place(call: Call) -> None:
    """Take an agent out of a group."""
    group_members.remove_group_member(_group_place(call), actor=call.actor)


def _organization_place(call: Call) -> OrganizationMembership:
    rows = OrganizationMembership.objects.filter(user=user_of(call))
    found = rows.select_related("user", "organization")
    return queries.one(found, "membership", call.path["membership_id"])


@OPERATIONS.operation(
    "ShowUserOrganizationMembership",
    "GET",
    "/users/{user_id:int}/organization_memberships/{membership_id:int}",
    summary="Show one of a user's places in organizations.",
)
def show_organization_place(call: Call) -> dict[str, Any]:
    """Show a user's place in an organization."""
    found = _organization_place(call)
    return {"organization_membership": present_organization_membership(found, show(call, "detail"))}


@OPERATIONS.operation(
    "CreateUserOrganizationMembership",
    "POST",
    "/users/{user_id:int}/organization_memberships",
    summary="Put one user into an organization.",
    body=OrganizationChoiceBody,
    status=201,
)
def create_organization_place(call: Call) -> Reply:
    """Put a user into an organization."""
    made = organizations.add_organization_member(
        actor=call.actor,
        user_id=user_of(call).id,
        organization_id=call.body.organization_membership.organization_id,
    )
    body = present_organization_membership(made, show(call, "detail"))
    return Reply({"organization_membership": body}, 201, {"Location": body["url"]})


@OPERATIONS.operation(
    "DeleteUserOrganizationMembership",
    "DELETE",
    "/users/{user_id:int}/organization_memberships/{membership_id:int}",
    summary="Take one user out of an organization.",
    status=204,
)
def delete_organization_place(call: Call) -> None:
    """Take a user out of an organization."""
    organizations.remove_organization_member(_organization_place(call), actor=call.actor)
