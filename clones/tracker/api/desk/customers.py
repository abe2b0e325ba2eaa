"""Customers: making their accounts, and who may ask a desk."""

from __future__ import annotations

from clones.core.operations import Call
from clones.tracker.api.desk.parts import (
    DESK,
    Json,
    PageQuery,
    PeopleBody,
    desk_in,
    people_in,
    require_opt_in,
)
from clones.tracker.api.operations import Body, Query, actor, flag, operation, show
from clones.tracker.api.paging import desk_page, each
from clones.tracker.api.presenters.desk.basics import present_person
from clones.tracker.domain import desk_customers
from clones.tracker.domain.organizations import people_of
from clones.tracker.queries.desks import customers_of, require_agent


class CustomerQuery(Query):
    """Whether a customer's address that is taken is refused with status 409."""

    strictConflictStatusCode: str | None = None


class CustomerBody(Body):
    """A customer to create: name and e-mail address."""

    email: str | None = None
    displayName: str | None = None
    fullName: str | None = None


class CustomersQuery(PageQuery):
    """Filter and paging of a service desk's customers."""

    query: str | None = None


@operation(
    "desk.createCustomer",
    "POST",
    "/rest/servicedeskapi/customer",
    summary="Make the account of a customer.",
    query=CustomerQuery,
    body=CustomerBody,
    status=201,
)
def create_customer(call: Call) -> Json | None:
    """Make a customer."""
    made = desk_customers.create_customer(
        call.body.displayName or call.body.fullName,
        call.body.email,
        actor=actor(call),
        conflicts=flag(call.query.strictConflictStatusCode),
    )
    return present_person(made, show(call))


@operation(
    "desk.revokePortalOnlyAccessForUser",
    "PUT",
    "/rest/servicedeskapi/customer/user/{accountId}/revoke-portal-only-access",
    summary="Take a customer's access to portals.",
    status=204,
)
def revoke_access(call: Call) -> None:
    """Take a customer's access."""
    rights = actor(call)
    desk_customers.revoke_portal_access(people_of([call.path["accountId"]])[0], actor=rights)


@operation(
    "desk.getCustomers",
    "GET",
    f"{DESK}/customer",
    summary="List the customers of a desk.",
    query=CustomersQuery,
)
def list_customers(call: Call) -> Json:
    """List a desk's customers: those who were added and the people of its organizations."""
    require_opt_in(call)
    desk = desk_in(call)
    require_agent(actor(call), desk)
    people = customers_of(desk, call.query.query or "")
    return desk_page(call, people, each(present_person, show(call)))


@operation(
    "desk.addCustomers",
    "POST",
    f"{DESK}/customer",
    summary="Let people ask a desk.",
    body=PeopleBody,
    status=204,
)
def add_customers(call: Call) -> None:
    """Add customers."""
    desk_customers.add_customers(desk_in(call), people_in(call.body), actor=actor(call))


@operation(
    "desk.removeCustomers",
    "DELETE",
    f"{DESK}/customer",
    summary="Take people off a desk's customers.",
    body=PeopleBody,
    status=204,
)
def remove_customers(call: Call) -> None:
    """Remove customers."""
    require_opt_in(call)
    desk_customers.remove_customers(desk_in(call), people_in(call.body), actor=actor(call))
