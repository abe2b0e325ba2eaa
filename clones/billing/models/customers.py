"""Customers and the cards they keep on file."""

from __future__ import annotations

from django.db import models

from clones.core.models import Record


class Customer(Record):
    """Somebody who pays.

    A deleted customer stays, since charges point to it, and is shown to nobody but by its id.
    `address` and `shipping` are the vendor's objects or None; `balance` is what the customer owes
    (positive) or has in credit (negative) besides invoices.
    """

    id = models.CharField(primary_key=True, max_length=40)
    name = models.CharField(max_length=256, null=True)
    email = models.CharField(max_length=512, null=True)
    phone = models.CharField(max_length=64, null=True)
    description = models.TextField(null=True)
    currency = models.CharField(max_length=3, null=True)
    balance = models.BigIntegerField(default=0)
    delinquent = models.BooleanField(default=False)
    address = models.JSONField(null=True)
    shipping = models.JSONField(null=True)
    preferred_locales = models.JSONField(default=list)
    tax_exempt = models.CharField(max_length=8, default="none")
    invoice_prefix = models.CharField(max_length=12, null=True)
    next_invoice_sequence = models.PositiveIntegerField(default=1)
    default_payment_method = models.CharField(max_length=40, null=True)
    deleted = models.BooleanField(default=False)
    metadata = models.JSONField(default=dict)
    created = models.DateTimeField()

    class Meta:
        indexes = [
            models.Index(fields=["email"], name="billing_customer_email"),
            models.Index(fields=["created", "id"], name="billing_customer_created"),
        ]


class PaymentMethod(Record):
    """A card on file.

    `card` holds brand, last4, exp_month, exp_year, funding, country and fingerprint;
    `billing_details` holds what of name, email, phone and address is known.
    """

    id = models.CharField(primary_key=True, max_length=40)
    customer = models.ForeignKey(
        Customer,
        on_delete=models.PROTECT,
        null=True,
        related_name="payment_methods",
        db_index=False,
    )
    card = models.JSONField(default=dict)
    billing_details = models.JSONField(default=dict)
    metadata = models.JSONField(default=dict)
    created = models.DateTimeField()

    class Meta:
        indexes = [
            models.Index(fields=["customer", "created", "id"], name="billing_method_customer")
        ]
