"""Products and prices, and the cards that pay for them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from clones.billing.domain.checks import Metadata, check_text, merged_metadata
from clones.billing.domain.events import record_event, save_changes
from clones.billing.models import Customer, PaymentMethod, Price, Product
from clones.core import clock, ids


def create_product(
    name: str, *, actor: str, description: str | None = None, metadata: Metadata = None
) -> Product:
    """Offer a product.

    Raises:
        TooLong, InvalidText: a text that cannot be kept.
        MetadataTooMany, MetadataKeyTooLong, MetadataValueTooLong: metadata beyond its limits.
    """
    check_text("name", name, limit=250)
    check_text("description", description)
    now = clock.now()
    product = Product.objects.create(
        id=ids.next_code("prod_", Product, length=14),
        name=name,
        description=description,
        metadata=merged_metadata({}, metadata),
        created=now,
        updated=now,
    )
    record_event("product.created", product, actor=actor)
    return product


def create_price(
    product: Product,
    *,
    actor: str,
    unit_amount: int,
    currency: str,
    interval: str | None = None,
    interval_count: int = 1,
    nickname: str | None = None,
    lookup_key: str | None = None,
) -> Price:
    """Set a price for a product, recurring when an interval (day, week, month, year) is given."""
    price = Price.objects.create(
        id=ids.next_code("price_", Price),
        product=product,
        unit_amount=unit_amount,
        currency=currency,
        interval=interval,
        interval_count=interval_count,
        nickname=nickname,
        lookup_key=lookup_key,
        created=clock.now(),
    )
    record_event("price.created", price, actor=actor)
    return price


def attach_card(
    customer: Customer,
    *,
    actor: str,
    card: Mapping[str, Any],
    billing_details: Mapping[str, Any] | None = None,
    default: bool = True,
) -> PaymentMethod:
    """Keep a card on file for a customer (see `PaymentMethod` for what `card` holds)."""
    method = PaymentMethod.objects.create(
        id=ids.next_code("pm_", PaymentMethod),
        customer=customer,
        card=dict(card),
        billing_details=dict(billing_details or {}),
        created=clock.now(),
    )
    record_event("payment_method.attached", method, actor=actor)
    if default:
        previous = save_changes(customer, {"default_payment_method": method.id})
        record_event("customer.updated", customer, actor=actor, previous=previous)
    return method
