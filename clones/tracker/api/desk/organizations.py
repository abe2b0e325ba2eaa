"""Organizations: who belongs to them, which desks they may ask, what is kept with them."""

from __future__ import annotations

from django.db.models import QuerySet

from clones.core.operations import Call, Reply
from clones.tracker.api.desk.parts import (
    DESK,
    Json,
    PageQuery,
    PeopleBody,
    desk_in,
    people_in,
)
from clones.tracker.api.entity_properties import drop, keep, keys_of, value_of
from clones.tracker.api.operations import Body, actor, operation, show
from clones.tracker.api.paging import desk_page, each
from clones.tracker.api.presenters.desk.basics import ROOT, present_person
from clones.tracker.api.presenters.desk.desks import present_organization
from clones.tracker.domain import organizations
from clones.tracker.domain.organizations import find_organization, require_agent_somewhere
from clones.tracker.models import Organization, User
from clones.tracker.queries.desks import is_agent_somewhere, require_agent

ALL = "/rest/servicedeskapi/organization"
ONE = f"{ALL}/{{organizationId}}"
PROPERTY = f"{ONE}/property/{{propertyKey}}"


class OrganizationsQuery(PageQuery):
    """Filter and paging of organizations: those of one account."""

    accountId: str | None = None


class NameBody(Body):
    """The name of an organization to create."""

    name: str


class DeskBody(Body):
    """The organization that a service desk is shared with, or no more."""

    organizationId: int | str
    serviceDeskId: str | None = None


@operation(
    "desk.getOrganizations",
    "GET",
    ALL,
    summary="List organizations: agents see all, others their own.",
    query=OrganizationsQuery,
)
def list_organizations(call: Call) -> Json:
    """List organizations."""
    rights = actor(call)
    rows = Organization.objects.all()
    if not is_agent_somewhere(rights):
        rows = rows.filter(members__user=rights.user)
    return _page(call, _of_account(call, rows))


@operation(
    "desk.createOrganization",
    "POST",
    ALL,
    summary="Make an organization; one that is called so already is the answer.",
    body=NameBody,
    status=201,
)
def create_organization(call: Call) -> Json:
    """Make an organization."""
    made = organizations.create_organization(call.body.name, actor=actor(call))
    return present_organization(made, show(call))


@operation("desk.getOrganization", "GET", ONE, summary="Show an organization.")
def show_organization(call: Call) -> Json:
    """Show an organization."""
    return present_organization(_found(call), show(call))


@operation("desk.deleteOrganization", "DELETE", ONE, summary="Delete an organization.", status=204)
def delete_organization(call: Call) -> None:
    """Delete an organization."""
    organizations.delete_organization(_found(call), actor=actor(call))


@operation(
    "desk.getUsersInOrganization",
    "GET",
    f"{ONE}/user",
    summary="List the people of an organization.",
    query=PageQuery,
)
def list_users(call: Call) -> Json:
    """List the people of an organization."""
    require_agent_somewhere(actor(call))
    rows = User.objects.filter(organizations__organization=_found(call))
    return desk_page(call, rows.order_by("account_id"), each(present_person, show(call)))


@operation(
    "desk.addUsersToOrganization",
    "POST",
    f"{ONE}/user",
    summary="Put people into an organization.",
    body=PeopleBody,
    status=204,
)
def add_users(call: Call) -> None:
    """Put people into an organization."""
    people = people_in(call.body)
    organizations.add_organization_users(_found(call), people, actor=actor(call))


@operation(
    "desk.removeUsersFromOrganization",
    "DELETE",
    f"{ONE}/user",
    summary="Take people out of an organization.",
    body=PeopleBody,
    status=204,
)
def remove_users(call: Call) -> None:
    """Take people out of an organization."""
    people = people_in(call.body)
    organizations.remove_organization_users(_found(call), people, actor=actor(call))


@operation(
    "desk.getPropertiesKeys",
    "GET",
    f"{ONE}/property",
    summary="List the keys of what integrations keep with an organization.",
)
def list_property_keys(call: Call) -> Json:
    """List the keys of properties."""
    found = _found(call)
    address = show(call).at(f"{ROOT}/organization/{found.id}/property")
    return keys_of(organizations.PROPERTIES, str(found.id), address)


@operation(
    "desk.getProperty",
    "GET",
    PROPERTY,
    summary="Show what an integration keeps with an organization.",
)
def show_property(call: Call) -> Json:
    """Show a property."""
    return value_of(organizations.PROPERTIES, str(_found(call).id), call.path["propertyKey"])


@operation(
    "desk.setProperty",
    "PUT",
    PROPERTY,
    summary="Keep something with an organization.",
    raw_body=True,
)
def set_property(call: Call) -> Reply:
    """Set a property."""
    require_agent_somewhere(actor(call))
    key = call.path["propertyKey"]
    return keep(organizations.PROPERTIES, str(_found(call).id), key, call.body)


@operation(
    "desk.deleteProperty",
    "DELETE",
    PROPERTY,
    summary="Forget what an integration keeps with an organization.",
)
def delete_property(call: Call) -> Reply:
    """Delete a property."""
    require_agent_somewhere(actor(call))
    return drop(organizations.PROPERTIES, str(_found(call).id), call.path["propertyKey"])


@operation(
    "desk.getServiceDeskOrganizations",
    "GET",
    f"{DESK}/organization",
    summary="List the organizations that may ask a desk.",
    query=OrganizationsQuery,
)
def list_of_desk(call: Call) -> Json:
    """List the organizations of a desk."""
    desk = desk_in(call)
    require_agent(actor(call), desk)
    return _page(call, _of_account(call, Organization.objects.filter(desks__desk=desk)))


@operation(
    "desk.addOrganization",
    "POST",
    f"{DESK}/organization",
    summary="Let an organization's people ask a desk.",
    body=DeskBody,
    status=204,
)
def add_to_desk(call: Call) -> None:
    """Share a desk with an organization."""
    desk, rights = desk_in(call), actor(call)
    require_agent(rights, desk)
    found = find_organization(rights, str(call.body.organizationId))
    organizations.share_desk(desk, found, actor=rights)


@operation(
    "desk.removeOrganization",
    "DELETE",
    f"{DESK}/organization",
    summary="Take a desk from an organization.",
    body=DeskBody,
    status=204,
)
def remove_from_desk(call: Call) -> None:
    """Take a desk from an organization."""
    desk, rights = desk_in(call), actor(call)
    require_agent(rights, desk)
    found = find_organization(rights, str(call.body.organizationId))
    organizations.unshare_desk(desk, found, actor=rights)


def _found(call: Call) -> Organization:
    return find_organization(actor(call), call.path["organizationId"])


def _of_account(call: Call, rows: QuerySet[Organization]) -> QuerySet[Organization]:
    account = call.query.accountId
    if not account:
        return rows
    require_agent_somewhere(actor(call))
    return rows.filter(members__user__account_id=account)


def _page(call: Call, rows: QuerySet[Organization]) -> Json:
    ordered = rows.order_by("name", "id").distinct()
    return desk_page(call, ordered, each(present_organization, show(call)))
