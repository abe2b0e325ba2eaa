"""Subscriptions: begun, changed, ended."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from clones.billing.domain.checks import Metadata, check_text, merged_metadata
from clones.billing.domain.events import record_event, save_changes
from clones.billing.errors import SubscriptionEnded
from clones.billing.models import Customer, PaymentMethod, Price, Subscription, SubscriptionItem
from clones.billing.rules.periods import add_interval
from clones.core import clock, ids, jobs

END = "billing.end_subscription"


@dataclass(frozen=True, slots=True)
class CancellationWords:
    """What a customer says of leaving: None leaves a field, "" unsets it."""

    comment: str | None = None
    feedback: str | None = None


NO_WORDS = CancellationWords()


def create_subscription(
    customer: Customer,
    prices: Sequence[tuple[Price, int]],
    *,
    actor: str,
    method: PaymentMethod | None = None,
    metadata: Metadata = None,
) -> Subscription:
    """Begin a subscription to prices, each with its quantity. The first sets the period.

    Raises:
        ValueError: no price, or one that does not recur.
        MetadataTooMany, MetadataKeyTooLong, MetadataValueTooLong: metadata beyond its limits.
    """
    if not prices or any(price.interval is None for price, _ in prices):
        raise ValueError("a subscription needs prices that recur")
    first, now = prices[0][0], clock.now()
    subscription = Subscription.objects.create(
        id=ids.next_code("sub_", Subscription),
        customer=customer,
        status="active",
        currency=first.currency,
        default_payment_method=None if method is None else method.id,
        billing_cycle_anchor=now,
        start_date=now,
        current_period_start=now,
        current_period_end=add_interval(now, first.interval or "month", first.interval_count),
        metadata=merged_metadata({}, metadata),
        created=now,
    )
    for price, quantity in prices:
        SubscriptionItem.objects.create(
            id=ids.next_code("si_", SubscriptionItem, length=14),
            subscription=subscription,
            price=price,
            quantity=quantity,
            created=now,
        )
    record_event("customer.subscription.created", subscription, actor=actor)
    return subscription


def update_subscription(
    subscription: Subscription,
    *,
    actor: str,
    cancel_at_period_end: bool | None = None,
    description: str | None = None,
    default_payment_method: str | None = None,
    words: CancellationWords = NO_WORDS,
    metadata: Metadata = None,
) -> Subscription:
    """Change a subscription: None leaves a field, "" unsets it.

    Raises:
        SubscriptionEnded: it ended, so only metadata and words can be changed.
        TooLong, InvalidText: a text that cannot be kept.
        MetadataTooMany, MetadataKeyTooLong, MetadataValueTooLong: metadata beyond its limits.
    """
    check_text("description", description, limit=500)
    others = (cancel_at_period_end, description, default_payment_method)
    if subscription.status == "canceled" and any(value is not None for value in others):
        raise SubscriptionEnded(subscription.id)
    changes: dict[str, Any] = {"cancellation": _with_words(subscription.cancellation, words)}
    if description is not None:
        changes["description"] = description or None
    if default_payment_method is not None:
        changes["default_payment_method"] = default_payment_method or None
    if metadata is not None:
        changes["metadata"] = merged_metadata(subscription.metadata, metadata)
    if cancel_at_period_end is not None:
        changes |= _ending(subscription, changes["cancellation"], ends=cancel_at_period_end)
    previous = save_changes(subscription, changes)
    if "cancel_at_period_end" in previous:
        _set_timer(subscription)
    if previous:
        record_event("customer.subscription.updated", subscription, actor=actor, previous=previous)
    return subscription


def cancel_subscription(
    subscription: Subscription, *, actor: str, words: CancellationWords = NO_WORDS
) -> Subscription:
    """End a subscription now.

    Raises:
        SubscriptionEnded: it ended already.
        TooLong, InvalidText: a comment that cannot be kept.
    """
    if subscription.status == "canceled":
        raise SubscriptionEnded(subscription.id)
    told = {"reason": "cancellation_requested", **_with_words(subscription.cancellation, words)}
    return _end(subscription, told, actor=actor)


def end_subscription(subscription: Subscription, *, actor: str) -> Subscription:
    """End a subscription whose last period is over."""
    return _end(subscription, subscription.cancellation, actor=actor)


def _end(subscription: Subscription, told: dict[str, Any], *, actor: str) -> Subscription:
    now = clock.now()
    jobs.cancel(_timer(subscription))
    previous = save_changes(
        subscription,
        {
            "status": "canceled",
            "canceled_at": subscription.canceled_at or now,
            "ended_at": now,
            "cancellation": told,
        },
    )
    record_event("customer.subscription.deleted", subscription, actor=actor, previous=previous)
    return subscription


def _ending(subscription: Subscription, told: dict[str, Any], *, ends: bool) -> dict[str, Any]:
    """Return the fields that say whether the subscription ends with its period."""
    if ends == subscription.cancel_at_period_end:
        return {}
    without = {key: value for key, value in told.items() if key != "reason"}
    return {
        "cancel_at_period_end": ends,
        "cancel_at": subscription.current_period_end if ends else None,
        "canceled_at": clock.now() if ends else None,
        "cancellation": {**without, "reason": "cancellation_requested"} if ends else without,
    }


def _set_timer(subscription: Subscription) -> None:
    jobs.cancel(_timer(subscription))
    if subscription.cancel_at is not None:
        jobs.enqueue(
            END,
            due=subscription.cancel_at,
            payload={"subscription": subscription.id},
            key=_timer(subscription),
        )


def _timer(subscription: Subscription) -> str:
    return f"billing.subscription:{subscription.id}"


def _with_words(told: dict[str, Any], words: CancellationWords) -> dict[str, Any]:
    check_text("cancellation_details[comment]", words.comment)
    found = dict(told)
    for name, value in (("comment", words.comment), ("feedback", words.feedback)):
        if value:
            found[name] = value
        elif value == "":
            found.pop(name, None)
    return found
