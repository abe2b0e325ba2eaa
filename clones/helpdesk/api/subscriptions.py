"""Who wants to hear of an organization's tickets."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet

from clones.core.operations import Call
from clones.helpdesk import queries
from clones.helpdesk.api.operations import OPERATIONS, Body, PagedQuery, list_request, listed, show
from clones.helpdesk.api.paging import Order, paginate
from clones.helpdesk.api.presenters.profiles import present_subscription
from clones.helpdesk.api.tickets import user_of
from clones.helpdesk.domain import subscriptions
from clones.helpdesk.domain.errors import AccessDenied
from clones.helpdesk.models import OrganizationSubscription


class SubscriptionWrite(Body):
    """An organization subscription to create: the user and the organization."""

    user_id: int
    organization_id: int


class SubscriptionBody(Body):
    """An organization subscription to create."""

    organization_subscription: SubscriptionWrite


def _seen(call: Call) -> QuerySet[OrganizationSubscription]:
    """Return the subscriptions that the caller may see: end users their own."""
    rows = OrganizationSubscription.objects.all()
    return rows if call.actor.is_agent else rows.filter(user=call.actor)


def _page(call: Call, rows: QuerySet[OrganizationSubscription]) -> dict[str, Any]:
    page = paginate(rows, list_request(call), Order(("id",)))
    bodies = [present_subscription(item, show(call)) for item in page.rows]
    return listed("organization_subscriptions", bodies, page)


def _one(call: Call) -> OrganizationSubscription:
    return queries.one(_seen(call), "subscription", call.path["subscription_id"])


@OPERATIONS.operation(
    "ListOrganizationSubscriptions",
    "GET",
    "/organization_subscriptions",
    summary="List subscriptions to organizations.",
    access="end-user",
    query=PagedQuery,
)
def list_subscriptions(call: Call) -> dict[str, Any]:
    """List subscriptions; end users see their own."""
    return _page(call, _seen(call))


@OPERATIONS.operation(
    "ListSubscriptionsOfOrganization",
    "GET",
    "/organizations/{organization_id:int}/subscriptions",
    summary="List subscriptions to one organization.",
    access="end-user",
    query=PagedQuery,
)
def list_of_organization(call: Call) -> dict[str, Any]:
    """List subscriptions to an organization; end users see their own."""
    found = queries.organization(call.path["organization_id"])
    return _page(call, _seen(call).filter(organization=found))


@OPERATIONS.operation(
    "ListSubscriptionsOfUser",
    "GET",
    "/users/{user_id:int}/organization_subscriptions",
    summary="List a user's subscriptions to organizations.",
    access="end-user",
    query=PagedQuery,
)
def list_of_user(call: Call) -> dict[str, Any]:
    """List a user's subscriptions."""
    if not call.actor.is_agent and call.path["user_id"] != call.actor.id:
        raise AccessDenied("end users see their own subscriptions only")
    return _page(call, _seen(call).filter(user=user_of(call)))


@OPERATIONS.operation(
    "ShowOrganizationSubscription",
    "GET",
    "/organization_subscriptions/{subscription_id:int}",
    summary="Show one subscription to an organization.",
    access="end-user",
)
def show_subscription(call: Call) -> dict[str, Any]:
    """Show a subscription."""
    return {"organization_subscription": present_subscription(_one(call), show(call, "detail"))}


@OPERATIONS.operation(
    "CreateOrganizationSubscription",
    "POST",
    "/organization_subscriptions",
    summary="Subscribe a user to an organization.",
    body=SubscriptionBody,
    access="end-user",
)
def create_subscription(call: Call) -> dict[str, Any]:
    """Subscribe a user; the answer is 200, as the service describes it."""
    given = call.body.organization_subscription
    made = subscriptions.create_subscription(
        actor=call.actor, user_id=given.user_id, organization_id=given.organization_id
    )
    return {"organization_subscription": present_subscription(made, show(call, "detail"))}


@OPERATIONS.operation(
    "DeleteOrganizationSubscription",
    "DELETE",
    "/organization_subscriptions/{subscription_id:int}",
    summary="End a subscription to an organization.",
    access="end-user",
    status=204,
)
def delete_subscription(call: Call) -> None:
    """End a subscription."""
    subscriptions.delete_subscription(_one(call), actor=call.actor)
