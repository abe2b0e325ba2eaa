"""What is sold, and for how much."""

from __future__ import annotations

from django.db import models

from clones.core.models import Record


class Product(Record):
    """Something that is sold."""

    id = models.CharField(primary_key=True, max_length=40)
    name = models.CharField(max_length=250)
    description = models.TextField(null=True)
    active = models.BooleanField(default=True)
    default_price = models.CharField(max_length=40, null=True)
    unit_label = models.CharField(max_length=12, null=True)
    statement_descriptor = models.CharField(max_length=22, null=True)
    shippable = models.BooleanField(null=True)
    metadata = models.JSONField(default=dict)
    created = models.DateTimeField()
    updated = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["created", "id"], name="billing_product_created")]


class Price(Record):
    """What one unit of a product costs; recurring when `interval` is set."""

    id = models.CharField(primary_key=True, max_length=40)
    product = models.ForeignKey(Product, on_delete=models.PROTECT, related_name="prices")
    active = models.BooleanField(default=True)
    currency = models.CharField(max_length=3)
    unit_amount = models.BigIntegerField()
    nickname = models.CharField(max_length=250, null=True)
    lookup_key = models.CharField(max_length=200, null=True)
    interval = models.CharField(max_length=5, null=True)
    interval_count = models.PositiveSmallIntegerField(default=1)
    tax_behavior = models.CharField(max_length=12, default="unspecified")
    metadata = models.JSONField(default=dict)
    created = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["created", "id"], name="billing_price_created")]
