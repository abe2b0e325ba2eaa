"""What customers are asked to pay."""

from __future__ import annotations

from django.db import models

from clones.billing.models.catalogue import Price
from clones.billing.models.customers import Customer
from clones.billing.models.subscriptions import Subscription
from clones.core.models import Record


class Invoice(Record):
    """A statement of what a customer owes.

    `status` is draft, open, paid, uncollectible or void. `payment_intent` is the id of the one
    that pays it. The customer's name, email and address are copied when it is made.
    """

    id = models.CharField(primary_key=True, max_length=40)
    customer = models.ForeignKey(
        Customer, on_delete=models.PROTECT, related_name="invoices", db_index=False
    )
    subscription = models.ForeignKey(
        Subscription, on_delete=models.PROTECT, null=True, related_name="invoices"
    )
    number = models.CharField(max_length=26, null=True)
    status = models.CharField(max_length=14)
    currency = models.CharField(max_length=3)
    subtotal = models.BigIntegerField()
    total = models.BigIntegerField()
    amount_due = models.BigIntegerField()
    amount_paid = models.BigIntegerField(default=0)
    amount_remaining = models.BigIntegerField()
    starting_balance = models.BigIntegerField(default=0)
    ending_balance = models.BigIntegerField(null=True)
    billing_reason = models.CharField(max_length=30, default="manual")
    collection_method = models.CharField(max_length=20, default="charge_automatically")
    description = models.TextField(null=True)
    customer_name = models.CharField(max_length=256, null=True)
    customer_email = models.CharField(max_length=512, null=True)
    customer_address = models.JSONField(null=True)
    attempt_count = models.PositiveSmallIntegerField(default=0)
    attempted = models.BooleanField(default=False)
    due_date = models.DateTimeField(null=True)
    next_payment_attempt = models.DateTimeField(null=True)
    period_start = models.DateTimeField()
    period_end = models.DateTimeField()
    finalized_at = models.DateTimeField(null=True)
    paid_at = models.DateTimeField(null=True)
    voided_at = models.DateTimeField(null=True)
    marked_uncollectible_at = models.DateTimeField(null=True)
    payment_intent = models.CharField(max_length=40, null=True)
    metadata = models.JSONField(default=dict)
    created = models.DateTimeField()

    class Meta:
        indexes = [
            models.Index(fields=["customer", "created", "id"], name="billing_invoice_customer"),
            models.Index(fields=["created", "id"], name="billing_invoice_created"),
        ]


class InvoiceLine(Record):
    """One line of an invoice; `position` orders them. Negative amounts are credits."""

    id = models.CharField(primary_key=True, max_length=40)
    invoice = models.ForeignKey(
        Invoice, on_delete=models.PROTECT, related_name="lines", db_index=False
    )
    position = models.PositiveSmallIntegerField()
    amount = models.BigIntegerField()
    currency = models.CharField(max_length=3)
    description = models.TextField(null=True)
    quantity = models.PositiveIntegerField(null=True)
    price = models.ForeignKey(Price, on_delete=models.PROTECT, null=True, related_name="+")
    subscription = models.CharField(max_length=40, null=True)
    subscription_item = models.CharField(max_length=40, null=True)
    proration = models.BooleanField(default=False)
    period_start = models.DateTimeField()
    period_end = models.DateTimeField()
    metadata = models.JSONField(default=dict)

    class Meta:
        indexes = [models.Index(fields=["invoice", "position", "id"], name="billing_line_invoice")]
