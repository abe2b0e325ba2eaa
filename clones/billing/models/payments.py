"""What customers were charged, what they got back, and what it did to the balance."""

from __future__ import annotations

from django.db import models

from clones.billing.models.customers import Customer
from clones.core.models import Record


class BalanceTransaction(Record):
    """A movement on the merchant's balance, in the currency that the merchant is paid in.

    `exchange_rate` is text (settled minor units per charged minor unit), None without conversion.
    """

    id = models.CharField(primary_key=True, max_length=40)
    amount = models.BigIntegerField()
    currency = models.CharField(max_length=3)
    fee = models.BigIntegerField(default=0)
    net = models.BigIntegerField()
    exchange_rate = models.CharField(max_length=20, null=True)
    type = models.CharField(max_length=30)
    reporting_category = models.CharField(max_length=30)
    source = models.CharField(max_length=40)
    description = models.TextField(null=True)
    available_on = models.DateTimeField()
    created = models.DateTimeField()

    class Meta:
        indexes = [
            models.Index(fields=["created", "id"], name="billing_balance_created"),
            models.Index(fields=["source"], name="billing_balance_source"),
        ]


class PaymentIntent(Record):
    """The intention to take a sum, through as many charges as it needs."""

    id = models.CharField(primary_key=True, max_length=40)
    customer = models.ForeignKey(
        Customer,
        on_delete=models.PROTECT,
        null=True,
        related_name="payment_intents",
        db_index=False,
    )
    amount = models.BigIntegerField()
    amount_received = models.BigIntegerField(default=0)
    currency = models.CharField(max_length=3)
    description = models.TextField(null=True)
    status = models.CharField(max_length=24)
    payment_method = models.CharField(max_length=40, null=True)
    latest_charge = models.CharField(max_length=40, null=True)
    invoice = models.CharField(max_length=40, null=True)
    receipt_email = models.CharField(max_length=512, null=True)
    statement_descriptor = models.CharField(max_length=22, null=True)
    canceled_at = models.DateTimeField(null=True)
    cancellation_reason = models.CharField(max_length=24, null=True)
    metadata = models.JSONField(default=dict)
    created = models.DateTimeField()

    class Meta:
        indexes = [
            models.Index(fields=["customer", "created", "id"], name="billing_intent_customer"),
            models.Index(fields=["created", "id"], name="billing_intent_created"),
            models.Index(fields=["invoice"], name="billing_intent_invoice"),
        ]


class Charge(Record):
    """Money taken from a customer, or the failed attempt to (`status` succeeded or failed).

    `payment_intent`, `invoice` and `payment_method` are ids; `card` is what the card was at that
    time, `billing_details` who paid with it.
    """

    id = models.CharField(primary_key=True, max_length=40)
    customer = models.ForeignKey(
        Customer,
        on_delete=models.PROTECT,
        null=True,
        related_name="charges",
        db_index=False,
    )
    amount = models.BigIntegerField()
    amount_captured = models.BigIntegerField()
    amount_refunded = models.BigIntegerField(default=0)
    currency = models.CharField(max_length=3)
    description = models.TextField(null=True)
    status = models.CharField(max_length=10)
    paid = models.BooleanField(default=True)
    captured = models.BooleanField(default=True)
    refunded = models.BooleanField(default=False)
    disputed = models.BooleanField(default=False)
    failure_code = models.CharField(max_length=60, null=True)
    failure_message = models.TextField(null=True)
    payment_intent = models.CharField(max_length=40, null=True)
    invoice = models.CharField(max_length=40, null=True)
    payment_method = models.CharField(max_length=40, null=True)
    card = models.JSONField(default=dict)
    billing_details = models.JSONField(default=dict)
    fraud_details = models.JSONField(default=dict)
    statement_descriptor = models.CharField(max_length=22, null=True)
    receipt_email = models.CharField(max_length=512, null=True)
    receipt_number = models.CharField(max_length=20, null=True)
    metadata = models.JSONField(default=dict)
    balance_transaction = models.ForeignKey(
        BalanceTransaction, on_delete=models.PROTECT, null=True, related_name="+"
    )
    created = models.DateTimeField()

    class Meta:
        indexes = [
            models.Index(fields=["customer", "created", "id"], name="billing_charge_customer"),
            models.Index(fields=["created", "id"], name="billing_charge_created"),
            models.Index(fields=["payment_intent"], name="billing_charge_intent"),
        ]


class Refund(Record):
    """Money given back on a charge."""

    id = models.CharField(primary_key=True, max_length=40)
    charge = models.ForeignKey(
        Charge, on_delete=models.PROTECT, related_name="refunds", db_index=False
    )
    amount = models.BigIntegerField()
    currency = models.CharField(max_length=3)
    reason = models.CharField(max_length=30, null=True)
    status = models.CharField(max_length=16)
    payment_intent = models.CharField(max_length=40, null=True)
    receipt_number = models.CharField(max_length=20, null=True)
    metadata = models.JSONField(default=dict)
    balance_transaction = models.ForeignKey(
        BalanceTransaction, on_delete=models.PROTECT, null=True, related_name="+"
    )
    created = models.DateTimeField()

    class Meta:
        indexes = [
            models.Index(fields=["charge", "created", "id"], name="billing_refund_charge"),
            models.Index(fields=["created", "id"], name="billing_refund_created"),
            models.Index(fields=["payment_intent"], name="billing_refund_intent"),
        ]
