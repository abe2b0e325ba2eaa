"""Subscriptions and their items."""

from __future__ import annotations

from clones.billing.api.presenters.catalogue import plan_body, present_price
from clones.billing.api.presenters.shapes import Body, list_body, stamp
from clones.billing.models import Subscription, SubscriptionItem
from clones.core import sightings
from clones.core.sightings import Kind


def present_subscription(subscription: Subscription, kind: Kind) -> Body:
    """Return a subscription's body with its items (at most twenty, as the vendor embeds)."""
    sightings.note(subscription, kind)
    items = [_item(item, subscription, kind) for item in items_of(subscription)]
    return {
        "id": subscription.id,
        "object": "subscription",
        "application": None,
        "application_fee_percent": None,
        "automatic_tax": {"disabled_reason": None, "enabled": False, "liability": None},
        "billing_cycle_anchor": stamp(subscription.billing_cycle_anchor),
        "billing_cycle_anchor_config": None,
        "billing_mode": {"flexible": None, "type": "classic"},
        "billing_schedules": [],
        "billing_thresholds": None,
        **_ending(subscription),
        **_trial(subscription),
        **_settings(),
        "collection_method": subscription.collection_method,
        "created": stamp(subscription.created),
        "currency": subscription.currency,
        "customer": subscription.customer_id,
        "customer_account": None,
        "days_until_due": subscription.days_until_due,
        "default_payment_method": subscription.default_payment_method,
        "default_source": None,
        "default_tax_rates": [],
        "description": subscription.description,
        "discounts": [],
        "items": list_body(
            f"/v1/subscription_items?subscription={subscription.id}",
            items[:20],
            has_more=len(items) > 20,
        ),
        "latest_invoice": subscription.latest_invoice,
        "livemode": False,
        "managed_payments": {"enabled": False},
        "metadata": subscription.metadata,
        "next_pending_invoice_item_invoice": None,
        "on_behalf_of": None,
        "pause_collection": None,
        "pending_invoice_item_interval": None,
        "pending_setup_intent": None,
        "pending_update": None,
        "schedule": None,
        "start_date": stamp(subscription.start_date),
        "status": subscription.status,
        "test_clock": None,
        "transfer_data": None,
    }


def _settings() -> Body:
    return {
        "invoice_settings": {
            "account_tax_ids": None,
            "custom_fields": None,
            "description": None,
            "footer": None,
            "issuer": {"type": "self"},
        },
        "payment_settings": {
            "payment_method_options": None,
            "payment_method_types": None,
            "save_default_payment_method": "off",
        },
    }


def _trial(subscription: Subscription) -> Body:
    return {
        "trial_end": stamp(subscription.trial_end),
        "trial_settings": {"end_behavior": {"missing_payment_method": "create_invoice"}},
        "trial_start": stamp(subscription.trial_start),
    }


def _ending(subscription: Subscription) -> Body:
    """Return whether, when and why the subscription ends."""
    told = subscription.cancellation
    return {
        "cancel_at": stamp(subscription.cancel_at),
        "cancel_at_period_end": subscription.cancel_at_period_end,
        "canceled_at": stamp(subscription.canceled_at),
        "cancellation_details": {
            "comment": told.get("comment"),
            "feedback": told.get("feedback"),
            "reason": told.get("reason"),
        },
        "ended_at": stamp(subscription.ended_at),
    }


def items_of(subscription: Subscription) -> list[SubscriptionItem]:
    """Return a subscription's items, oldest first."""
    return sorted(subscription.items.all(), key=lambda item: (item.created, item.id))


def present_subscription_item(item: SubscriptionItem, kind: Kind) -> Body:
    """Return the body of one item."""
    return _item(item, item.subscription, kind)


def _item(item: SubscriptionItem, subscription: Subscription, kind: Kind) -> Body:
    sightings.note(item, kind)
    return {
        "id": item.id,
        "object": "subscription_item",
        "billing_thresholds": None,
        "created": stamp(item.created),
        "current_period_end": stamp(subscription.current_period_end),
        "current_period_start": stamp(subscription.current_period_start),
        "discounts": [],
        "metadata": item.metadata,
        "plan": plan_body(item.price),
        "price": present_price(item.price, kind),
        "quantity": item.quantity,
        "subscription": subscription.id,
        "tax_rates": [],
    }
