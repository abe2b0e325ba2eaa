"""Customers, what they were charged, and what they got back."""

from __future__ import annotations

from django.db import models

from clones.core.models import Record


class Customer(Record):
    """Somebody who pays."""

    id = models.CharField(primary_key=True, max_length=40)
    name = models.CharField(max_length=255, null=True)
    email = models.CharField(max_length=254, null=True)
    phone = models.CharField(max_length=64, null=True)
    description = models.TextField(null=True)
    currency = models.CharField(max_length=3, null=True)
    balance = models.BigIntegerField(default=0)
    delinquent = models.BooleanField(default=False)
    metadata = models.JSONField(default=dict)
    created = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["email"], name="billing_customer_email")]


class BalanceTransaction(Record):
    """A movement on the merchant's balance."""

    id = models.CharField(primary_key=True, max_length=40)
    amount = models.BigIntegerField()
    currency = models.CharField(max_length=3)
    fee = models.BigIntegerField(default=0)
    net = models.BigIntegerField()
    type = models.CharField(max_length=30)
    reporting_category = models.CharField(max_length=30)
    source = models.CharField(max_length=40)
    description = models.TextField(null=True)
    available_on = models.DateTimeField()
    created = models.DateTimeField()


class Charge(Record):
    """Money taken from a customer."""

    id = models.CharField(primary_key=True, max_length=40)
    customer = models.ForeignKey(Customer, on_delete=models.PROTECT, null=True, related_name="charges")
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
    statement_descriptor = models.CharField(max_length=22, null=True)
    receipt_email = models.CharField(max_length=254, null=True)
    metadata = models.JSONField(default=dict)
    balance_transaction = models.ForeignKey(
        BalanceTransaction, on_delete=models.PROTECT, null=True, related_name="+"
    )
    created = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["customer", "created", "id"], name="billing_charge_customer")]


class Refund(Record):
    """Money given back on a charge."""

    id = models.CharField(primary_key=True, max_length=40)
    charge = models.ForeignKey(Charge, on_delete=models.PROTECT, related_name="refunds")
    amount = models.BigIntegerField()
    currency = models.CharField(max_length=3)
    reason = models.CharField(max_length=30, null=True)
    status = models.CharField(max_length=16)
    payment_intent = models.CharField(max_length=40, null=True)
    metadata = models.JSONField(default=dict)
    balance_transaction = models.ForeignKey(
        BalanceTransaction, on_delete=models.PROTECT, null=True, related_name="+"
    )
    created = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["charge", "created"], name="billing_refund_charge")]
