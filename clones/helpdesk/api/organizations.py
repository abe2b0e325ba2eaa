"""Organizations and who belongs to them."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet

from clones.core.operations import Call, Reply
from clones.helpdesk import queries
from clones.helpdesk.api.operations import (
    OPERATIONS,
    Body,
    IdsQuery,
    PagedQuery,
    asked,
    listed,
    many_ids,
    show,
)
from clones.helpdesk.api.paging import Order, offset_page, paginate
from clones.helpdesk.api.presenters.people import (
    present_organization,
    present_organization_membership,
)
from clones.helpdesk.api.tickets import counted, user_of
from clones.helpdesk.domain import organizations
from clones.helpdesk.domain.errors import MissingParameter
from clones.helpdesk.models import Organization, OrganizationMembership, Ticket, User


class OrganizationWrite(Body):
    """What to set on an organization."""

    name: str | None = None
    external_id: str | None = None
    domain_names: list[str] | str | None = None
    details: str | None = None
    notes: str | None = None
    group_id: int | None = None
    shared_tickets: bool | None = None
    shared_comments: bool | None = None
    tags: list[str] | str | None = None
    organization_fields: dict[str, Any] | None = None
    id: int | None = None


class OrganizationBody(Body):
    """An organization to create or update."""

    organization: OrganizationWrite


class MembershipWrite(Body):
    """Who belongs where."""

    user_id: int
    organization_id: int


class MembershipBody(Body):
    """A place in an organization to create."""

    organization_membership: MembershipWrite


class OrganizationSearch(PagedQuery):
    """Which organization to find."""

    name: str | None = None
    external_id: str | None = None


def changes_of(body: OrganizationWrite) -> dict[str, Any]:
    """Return the attributes that a body sets, as the domain takes them."""
    known = set(type(body).model_fields) - {"id"}
    return {name: getattr(body, name) for name in sorted(body.model_fields_set & known)}


def _page(call: Call, rows: QuerySet[Organization]) -> dict[str, Any]:
    page = paginate(rows, asked(call), Order(("id",)))
    bodies = [present_organization(item, show(call)) for item in page.rows]
    return listed("organizations", bodies, page)


def _organization(call: Call) -> Organization:
    return queries.organization(call.path["organization_id"])


@OPERATIONS.operation(
    "ListOrganizations", "GET", "/organizations", summary="List organizations.", query=PagedQuery
)
def list_organizations(call: Call) -> dict[str, Any]:
    """List organizations."""
    return _page(call, Organization.objects.all())


@OPERATIONS.operation(
    "CountOrganizations", "GET", "/organizations/count", summary="Count organizations."
)
def count_organizations(call: Call) -> dict[str, Any]:
    """Count organizations."""
    return counted(Organization.objects.count())


@OPERATIONS.operation(
    "AutocompleteOrganizations",
    "GET",
    "/organizations/autocomplete",
    summary="Find organizations whose name begins with something.",
    query=OrganizationSearch,
)
def autocomplete(call: Call) -> dict[str, Any]:
    """Find organizations by the beginning of their name."""
    text = (call.query.name or "").strip()
    if not text:
        raise MissingParameter("name")
    rows = Organization.objects.filter(name__istartswith=text).order_by("name", "id")
    page = offset_page(rows, asked(call))
    bodies = [present_organization(item, show(call)) for item in page.rows]
    return listed("organizations", bodies, page)


@OPERATIONS.operation(
    "SearchOrganizations",
    "GET",
    "/organizations/search",
    summary="Find organizations by exact name or external id.",
    query=OrganizationSearch,
)
def search_organizations(call: Call) -> dict[str, Any]:
    """Find organizations by name or external id."""
    if call.query.external_id is not None:
        rows = Organization.objects.filter(external_id=call.query.external_id)
    elif call.query.name is not None:
        rows = Organization.objects.filter(name__iexact=call.query.name)
    else:
        raise MissingParameter("name")
    page = offset_page(rows.order_by("id"), asked(call))
    bodies = [present_organization(item, show(call)) for item in page.rows]
    return listed("organizations", bodies, page)


@OPERATIONS.operation(
    "ShowManyOrganizations",
    "GET",
    "/organizations/show_many",
    summary="Show up to 100 organizations by id.",
    query=IdsQuery,
)
def show_many(call: Call) -> dict[str, Any]:
    """Show the organizations of some ids; unknown ones are left out."""
    found = Organization.objects.filter(id__in=many_ids(call)).order_by("id")
    bodies = [present_organization(item, show(call)) for item in found]
    around = {"next_page": None, "previous_page": None, "count": len(bodies)}
    return {"organizations": bodies, **around}


@OPERATIONS.operation(
    "ShowOrganization",
    "GET",
    "/organizations/{organization_id:int}",
    summary="Show one organization.",
)
def show_organization(call: Call) -> dict[str, Any]:
    """Show an organization."""
    return {"organization": present_organization(_organization(call), show(call, "detail"))}


@OPERATIONS.operation(
    "OrganizationRelated",
    "GET",
    "/organizations/{organization_id:int}/related",
    summary="Count what belongs to an organization.",
)
def related(call: Call) -> dict[str, Any]:
    """Count an organization's tickets and users."""
    found = _organization(call)
    tickets = Ticket.objects.filter(organization=found, deleted_at=None).count()
    users = User.objects.filter(organization=found, active=True).count()
    return {"organization_related": {"tickets_count": tickets, "users_count": users}}


@OPERATIONS.operation(
    "CreateOrganization",
    "POST",
    "/organizations",
    summary="Create an organization.",
    body=OrganizationBody,
    access="admin",
    status=201,
)
def create_organization(call: Call) -> Reply:
    """Create an organization."""
    made = organizations.create_organization(
        actor=call.actor, changes=changes_of(call.body.organization)
    )
    body = present_organization(made, show(call, "detail"))
    return Reply({"organization": body}, 201, {"Location": body["url"]})


@OPERATIONS.operation(
    "UpdateOrganization",
    "PUT",
    "/organizations/{organization_id:int}",
    summary="Change an organization.",
    body=OrganizationBody,
)
def update_organization(call: Call) -> dict[str, Any]:
    """Update an organization."""
    found = organizations.update_organization(
        _organization(call), actor=call.actor, changes=changes_of(call.body.organization)
    )
    return {"organization": present_organization(found, show(call, "detail"))}


@OPERATIONS.operation(
    "DeleteOrganization",
    "DELETE",
    "/organizations/{organization_id:int}",
    summary="Delete an organization.",
    access="admin",
    status=204,
)
def delete_organization(call: Call) -> None:
    """Delete an organization."""
    organizations.delete_organization(_organization(call), actor=call.actor)


@OPERATIONS.operation(
    "ListUserOrganizations",
    "GET",
    "/users/{user_id:int}/organizations",
    summary="List the organizations of a user.",
    query=PagedQuery,
)
def list_user_organizations(call: Call) -> dict[str, Any]:
    """List a user's organizations."""
    return _page(call, Organization.objects.filter(memberships__user=user_of(call)))


def _memberships(call: Call, rows: QuerySet[OrganizationMembership]) -> dict[str, Any]:
    page = paginate(rows.select_related("organization"), asked(call), Order(("id",)))
    bodies = [present_organization_membership(item, show(call)) for item in page.rows]
    return listed("organization_memberships", bodies, page)


@OPERATIONS.operation(
    "ListOrganizationMemberships",
    "GET",
    "/organization_memberships",
    summary="List who belongs to which organization.",
    query=PagedQuery,
)
def list_memberships(call: Call) -> dict[str, Any]:
    """List the places in all organizations."""
    return _memberships(call, OrganizationMembership.objects.all())


@OPERATIONS.operation(
    "ListMembershipsOfOrganization",
    "GET",
    "/organizations/{organization_id:int}/organization_memberships",
    summary="List who belongs to one organization.",
    query=PagedQuery,
)
def list_of_organization(call: Call) -> dict[str, Any]:
    """List the places in one organization."""
    rows = OrganizationMembership.objects.filter(organization=_organization(call))
    return _memberships(call, rows)


@OPERATIONS.operation(
    "ListMembershipsOfUser",
    "GET",
    "/users/{user_id:int}/organization_memberships",
    summary="List a user's places in organizations.",
    query=PagedQuery,
)
def list_of_user(call: Call) -> dict[str, Any]:
    """List a user's places in organizations."""
    return _memberships(call, OrganizationMembership.objects.filter(user=user_of(call)))


@OPERATIONS.operation(
    "CreateOrganizationMembership",
    "POST",
    "/organization_memberships",
    summary="Put a user into an organization.",
    body=MembershipBody,
    status=201,
)
def create_membership(call: Call) -> Reply:
    """Put a user into an organization."""
    given = call.body.organization_membership
    made = organizations.add_organization_member(
        actor=call.actor, user_id=given.user_id, organization_id=given.organization_id
    )
    body = present_organization_membership(made, show(call, "detail"))
    return Reply({"organization_membership": body}, 201, {"Location": body["url"]})


def _membership(call: Call) -> OrganizationMembership:
    rows = OrganizationMembership.objects.select_related("organization", "user")
    return queries.one(rows, "membership", call.path["membership_id"])


@OPERATIONS.operation(
    "ShowOrganizationMembershipById",
    "GET",
    "/organization_memberships/{membership_id:int}",
    summary="Show a user's place in an organization.",
)
def show_membership(call: Call) -> dict[str, Any]:
    """Show a place in an organization."""
    shown = present_organization_membership(_membership(call), show(call, "detail"))
    return {"organization_membership": shown}


@OPERATIONS.operation(
    "DeleteOrganizationMembership",
    "DELETE",
    "/organization_memberships/{membership_id:int}",
    summary="Take a user out of an organization.",
    status=204,
)
def delete_membership(call: Call) -> None:
    """Take a user out of an organization."""
    organizations.remove_organization_member(_membership(call), actor=call.actor)


@OPERATIONS.operation(
    "SetOrganizationMembershipAsDefault",
    "PUT",
    "/users/{user_id:int}/organization_memberships/{membership_id:int}/make_default",
    summary="Make an organization a user's default one.",
)
def make_default(call: Call) -> dict[str, Any]:
    """Make an organization a user's default one."""
    user = user_of(call)
    rows = OrganizationMembership.objects.filter(user=user).select_related("organization", "user")
    found = queries.one(rows, "membership", call.path["membership_id"])
    organizations.make_organization_default(found, actor=call.actor)
    return _memberships(call, OrganizationMembership.objects.filter(user=user))
