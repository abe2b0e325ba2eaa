"""Organizations and who belongs to them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db.models import QuerySet
from pydantic import Field

from clones.core.operations import Call, Reply
from clones.helpdesk import queries
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
from clones.helpdesk.api.people_sideloads import membership_sideloads, organization_sideloads
from clones.helpdesk.api.presenters.people import (
    present_organization,
    present_organization_membership,
)
from clones.helpdesk.api.tickets import counted, user_of
from clones.helpdesk.domain import organizations
from clones.helpdesk.domain.errors import MissingParameter, TooManyValues
from clones.helpdesk.models import Organization, OrganizationMembership, Ticket, User

BY_ID = Order(("id",))
# A user's own places: the default one, and the others by the organization's name.
DEFAULT_FIRST = Order(("-default", "organization__name", "id"))


class OrganizationWrite(Body):
    """The attributes of an organization that can be set."""

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
    """An organization membership to create: the user and the organization."""

    user_id: int
    organization_id: int


class MembershipBody(Body):
    """An organization membership to create."""

    organization_membership: MembershipWrite


class OrganizationSearch(PagedSideloadQuery):
    """The name or external id of the organizations to find."""

    name: str | None = None
    external_id: str | None = None


class ShownOrganizations(IdsQuery, SideloadQuery):
    """The ids or external ids of the organizations to show."""

    external_ids: Words | None = Field(None, description="External ids, in place of `ids`.")


def changes_of(body: OrganizationWrite) -> dict[str, Any]:
    """Return the attributes that a body sets, as the domain takes them."""
    known = set(type(body).model_fields) - {"id"}
    return {name: getattr(body, name) for name in sorted(body.model_fields_set & known)}


def _page(call: Call, rows: QuerySet[Organization]) -> dict[str, Any]:
    return _listed(call, paginate(rows, list_request(call), BY_ID))


def _listed(call: Call, page: Page) -> dict[str, Any]:
    bodies = [present_organization(item, show(call)) for item in page.rows]
    return listed("organizations", bodies, page, **_beside(call, page.rows))


def _beside(call: Call, rows: Sequence[Organization]) -> dict[str, Any]:
    return organization_sideloads(rows, includes(call), call.actor, show(call))


def _organization(call: Call) -> Organization:
    return queries.organization(call.path["organization_id"])


@OPERATIONS.operation(
    "ListOrganizations",
    "GET",
    "/organizations",
    summary="List organizations.",
    query=PagedSideloadQuery,
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
    return _listed(call, offset_page(rows, list_request(call)))


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
    return _listed(call, offset_page(rows.order_by("id"), list_request(call)))


@OPERATIONS.operation(
    "ShowManyOrganizations",
    "GET",
    "/organizations/show_many",
    summary="Show up to 100 organizations by id, ours or another system's.",
    query=ShownOrganizations,
)
def show_many(call: Call) -> dict[str, Any]:
    """Show the organizations of some ids or external ids; unknown ones are left out."""
    wanted = call.query.external_ids
    if wanted is not None:
        if len(wanted) > MANY:
            raise TooManyValues(MANY)
        rows = Organization.objects.filter(external_id__in=wanted)
    else:
        rows = Organization.objects.filter(id__in=many_ids(call))
    found = list(rows.order_by("id"))
    bodies = [present_organization(item, show(call)) for item in found]
    around = {"next_page": None, "previous_page": None, "count": len(bodies)}
    return {"organizations": bodies, **_beside(call, found), **around}


@OPERATIONS.operation(
    "ShowOrganization",
    "GET",
    "/organizations/{organization_id:int}",
    summary="Show one organization.",
    query=SideloadQuery,
)
def show_organization(call: Call) -> dict[str, Any]:
    """Show an organization."""
    found = _organization(call)
    return {
        "organization": present_organization(found, show(call, "detail")),
        **_beside(call, [found]),
    }


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
    query=PagedSideloadQuery,
)
def list_user_organizations(call: Call) -> dict[str, Any]:
    """List a user's organizations."""
    return _page(call, Organization.objects.filter(memberships__user=user_of(call)))


def _memberships(
    call: Call, rows: QuerySet[OrganizationMembership], order: Order = BY_ID
) -> dict[str, Any]:
    page = paginate(rows.select_related("organization"), list_request(call), order)
    bodies = [present_organization_membership(item, show(call)) for item in page.rows]
    beside = membership_sideloads(page.rows, includes(call), show(call))
    return listed("organization_memberships", bodies, page, **beside)


@OPERATIONS.operation(
    "ListOrganizationMemberships",
    "GET",
    "/organization_memberships",
    summary="List who belongs to which organization.",
    query=PagedSideloadQuery,
)
def list_memberships(call: Call) -> dict[str, Any]:
    """List the places in all organizations."""
    return _memberships(call, OrganizationMembership.objects.all())


@OPERATIONS.operation(
    "ListMembershipsOfOrganization",
    "GET",
    "/organizations/{organization_id:int}/organization_memberships",
    summary="List who belongs to one organization.",
    query=PagedSideloadQuery,
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
    query=PagedSideloadQuery,
)
def list_of_user(call: Call) -> dict[str, Any]:
    """List a user's places in organizations."""
    return _memberships(
        call, OrganizationMembership.objects.filter(user=user_of(call)), DEFAULT_FIRST
    )


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
    query=SideloadQuery,
)
def show_membership(call: Call) -> dict[str, Any]:
    """Show a place in an organization."""
    found = _membership(call)
    shown = present_organization_membership(found, show(call, "detail"))
    beside = membership_sideloads([found], includes(call), show(call))
    return {"organization_membership": shown, **beside}


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
    query=PagedSideloadQuery,
)
def make_default(call: Call) -> dict[str, Any]:
    """Make an organization a user's default one."""
    user = user_of(call)
    rows = OrganizationMembership.objects.filter(user=user).select_related("organization", "user")
    found = queries.one(rows, "membership", call.path["membership_id"])
    organizations.make_organization_default(found, actor=call.actor)
    return _memberships(call, OrganizationMembership.objects.filter(user=user), DEFAULT_FIRST)
