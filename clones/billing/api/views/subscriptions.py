"""Subscriptions and their items."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from clones.billing.api.expansions import expand
from clones.billing.api.operations import end, read, write
from clones.billing.api.paging import page_of, page_of_sequence, within
from clones.billing.api.parameters import (
    Boolean,
    Expanding,
    Listing,
    Metadata,
    Parameters,
    Period,
    Searching,
    Text,
    Unsettable,
)
from clones.billing.api.presenters import present_subscription, present_subscription_item
from clones.billing.api.presenters.shapes import Body
from clones.billing.api.presenters.subscriptions import items_of
from clones.billing.api.search import search_page
from clones.billing.domain.subscriptions import (
    NO_WORDS,
    CancellationWords,
    cancel_subscription,
    update_subscription,
)
from clones.billing.errors import NoSuchObject, UnknownReference
from clones.billing.models import (
    Customer,
    PaymentMethod,
    Price,
    Subscription,
    SubscriptionItem,
)
from clones.billing.queries import check_reference, get_object, subscriptions
from clones.core.operations import Call


class SubscriptionList(Listing):
    """Filters of a list of subscriptions."""

    customer: Text | None = Field(None, description="only subscriptions of this customer")
    price: Text | None = Field(None, description="only subscriptions to this price")
    status: (
        Literal[
            "active",
            "all",
            "canceled",
            "ended",
            "incomplete",
            "incomplete_expired",
            "past_due",
            "paused",
            "trialing",
            "unpaid",
        ]
        | None
    ) = Field(None, description="only of this status; all but cancelled ones when not given")
    collection_method: Literal["charge_automatically", "send_invoice"] | None = None
    created: Period | None = None
    current_period_start: Period | None = None
    current_period_end: Period | None = None


class CancellationDetails(Parameters):
    """Why a customer cancels a subscription: a comment, and feedback of a set list."""

    comment: Unsettable | None = None
    feedback: (
        Literal[
            "customer_service",
            "low_quality",
            "missing_features",
            "other",
            "switched_service",
            "too_complex",
            "too_expensive",
            "unused",
            "",
        ]
        | None
    ) = None

    def words(self) -> CancellationWords:
        """Return it as the domain takes it."""
        return CancellationWords(self.comment, self.feedback)


class SubscriptionUpdate(Expanding):
    """The attributes of a subscription that can be changed."""

    cancel_at_period_end: Boolean | None = Field(
        None, description="whether it ends with the running period"
    )
    description: Unsettable | None = None
    default_payment_method: Unsettable | None = None
    cancellation_details: CancellationDetails | None = None
    metadata: Metadata = None


class SubscriptionCancel(Expanding):
    """A cancellation of a subscription: its details, a last invoice, proration."""

    cancellation_details: CancellationDetails | None = None
    invoice_now: Literal["false"] | None = None
    prorate: Literal["false"] | None = None


class ItemList(Listing):
    """Filters of a list of subscription items: the subscription that they are of."""

    subscription: Text


def get_subscription(id: str) -> Subscription:
    """Return a subscription."""
    return get_object(subscriptions(), id, kind="subscription")


@read(
    "GetSubscriptions",
    "/subscriptions",
    summary="List subscriptions, newest first; cancelled ones only when asked for.",
    query=SubscriptionList,
)
def list_subscriptions(call: Call) -> Body:
    """Answer with a page of subscriptions."""
    query: SubscriptionList = call.query
    check_reference(Customer, query.customer, param="customer")
    check_reference(Price, query.price, param="price")
    rows = subscriptions()
    for field in ("created", "current_period_start", "current_period_end"):
        rows = within(rows, field, getattr(query, field))
    if query.customer is not None:
        rows = rows.filter(customer=query.customer)
    if query.price is not None:
        rows = rows.filter(
            id__in=SubscriptionItem.objects.filter(price=query.price).values("subscription")
        )
    if query.collection_method is not None:
        rows = rows.filter(collection_method=query.collection_method)
    if query.status is None:
        rows = rows.exclude(status="canceled")
    elif query.status == "ended":
        rows = rows.filter(status__in=("canceled", "incomplete_expired"))
    elif query.status != "all":
        rows = rows.filter(status=query.status)
    body = page_of(
        rows, query, url="/v1/subscriptions", kind="subscription", present=present_subscription
    )
    return expand(body, query.expand, of="subscription", kind="list")


@read(
    "GetSubscriptionsSearch",
    "/subscriptions/search",
    summary="Search subscriptions by status, metadata or time.",
    query=Searching,
)
def search_subscriptions(call: Call) -> Body:
    """Answer with a page of what was found."""
    return search_page(
        subscriptions(),
        call.query,
        kind="subscription",
        url="/v1/subscriptions/search",
        present=present_subscription,
    )


@read(
    "GetSubscriptionsSubscriptionExposedId",
    "/subscriptions/{subscription}",
    summary="Show one subscription.",
)
def show_subscription(call: Call) -> Body:
    """Answer with a subscription."""
    body = present_subscription(get_subscription(call.path["subscription"]), "detail")
    return expand(body, call.query.expand, of="subscription", kind="detail")


@write(
    "PostSubscriptionsSubscriptionExposedId",
    "/subscriptions/{subscription}",
    summary="Change a subscription: let it end with its period or go on, its metadata, its words.",
    body=SubscriptionUpdate,
)
def change_subscription(call: Call) -> Body:
    """Answer with the subscription as it is now."""
    given: SubscriptionUpdate = call.body
    method = given.default_payment_method
    if method and not PaymentMethod.objects.filter(pk=method).exists():
        raise UnknownReference("default_payment_method", "PaymentMethod", method)
    words = given.cancellation_details
    subscription = update_subscription(
        get_subscription(call.path["subscription"]),
        actor=call.actor,
        cancel_at_period_end=given.cancel_at_period_end,
        description=given.description,
        default_payment_method=method,
        words=NO_WORDS if words is None else words.words(),
        metadata=given.metadata,
    )
    body = present_subscription(subscription, "detail")
    return expand(body, given.expand, of="subscription", kind="detail")


@end(
    "DeleteSubscriptionsSubscriptionExposedId",
    "/subscriptions/{subscription}",
    summary="End a subscription now.",
    query=SubscriptionCancel,
)
def end_subscription_now(call: Call) -> Body:
    """Answer with the subscription, which has ended."""
    given: SubscriptionCancel = call.query
    subscription = get_subscription(call.path["subscription"])
    if subscription.status == "canceled":
        raise NoSuchObject("subscription", subscription.id)
    words = given.cancellation_details
    cancel_subscription(
        subscription, actor=call.actor, words=NO_WORDS if words is None else words.words()
    )
    body = present_subscription(subscription, "detail")
    return expand(body, given.expand, of="subscription", kind="detail")


@read(
    "GetSubscriptionItems",
    "/subscription_items",
    summary="List the items of a subscription.",
    query=ItemList,
)
def list_subscription_items(call: Call) -> Body:
    """Answer with a page of a subscription's items."""
    query: ItemList = call.query
    subscription = Subscription.objects.filter(pk=query.subscription).first()
    if subscription is None:
        raise UnknownReference("subscription", "subscription", query.subscription)
    body = page_of_sequence(
        items_of(subscription),
        query,
        url="/v1/subscription_items",
        kind="subscription_item",
        present=present_subscription_item,
    )
    return expand(body, query.expand, of="subscription_item", kind="list")
