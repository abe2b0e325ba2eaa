"""What customers pay for again and again."""

from __future__ import annotations

from django.db import models

from clones.billing.models.catalogue import Price
from clones.billing.models.customers import Customer
from clones.core.models import Record


class Subscription(Record):
    """A customer's standing agreement to pay for the prices of its items.

    `cancel_at` is when it will end, None while it goes on; `cancel_at_period_end` says that this
    is the end of the running period. `cancellation` holds comment, feedback and reason.
    """

    id = models.CharField(primary_key=True, max_length=40)
    customer = models.ForeignKey(
        Customer, on_delete=models.PROTECT, related_name="subscriptions", db_index=False
    )
    status = models.CharField(max_length=20)
    currency = models.CharField(max_length=3)
    description = models.TextField(null=True)
    collection_method = models.CharField(max_length=20, default="charge_automatically")
    days_until_due = models.PositiveSmallIntegerField(null=True)
    default_payment_method = models.CharField(max_length=40, null=True)
    latest_invoice = models.CharField(max_length=40, null=True)
    billing_cycle_anchor = models.DateTimeField()
    start_date = models.DateTimeField()
    current_period_start = models.DateTimeField()
    current_period_end = models.DateTimeField()
    trial_start = models.DateTimeField(null=True)
    trial_end = models.DateTimeField(null=True)
    cancel_at_period_end = models.BooleanField(default=False)
    cancel_at = models.DateTimeField(null=True)
    canceled_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    cancellation = models.JSONField(default=dict)
    metadata = models.JSONField(default=dict)
    created = models.DateTimeField()

    class Meta:
        indexes = [
            models.Index(fields=["customer", "created", "id"], name="billing_sub_customer"),
            models.Index(fields=["created", "id"], name="billing_sub_created"),
        ]


class SubscriptionItem(Record):
    """One price of a subscription, and how many units of it."""

    id = models.CharField(primary_key=True, max_length=40)
    subscription = models.ForeignKey(
        Subscription, on_delete=models.PROTECT, related_name="items", db_index=False
    )
    price = models.ForeignKey(Price, on_delete=models.PROTECT, related_name="+")
    quantity = models.PositiveIntegerField(default=1)
    metadata = models.JSONField(default=dict)
    created = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["subscription", "created", "id"], name="billing_item_sub")]
