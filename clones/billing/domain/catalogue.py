"""Products and prices, and the cards that pay for them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from clones.billing.domain.checks import Metadata, check_currency, check_text, merged_metadata
from clones.billing.domain.events import record_event, save_changes
from clones.billing.errors import LookupKeyTaken
from clones.billing.models import Customer, PaymentMethod, Price, Product
from clones.core import clock, ids

PRODUCT_LIMITS: Final = {
    "name": 250,
    "description": 5000,
    "statement_descriptor": 22,
    "unit_label": 12,
}
PRICE_LIMITS: Final = {"nickname": 250, "lookup_key": 200}


def create_product(
    name: str,
    *,
    actor: str,
    description: str | None = None,
    metadata: Metadata = None,
    **more: Any,
) -> Product:
    """Offer a product; `more` are `active`, `shippable`, `statement_descriptor`, `unit_label`.

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
        **_checked(more, PRODUCT_LIMITS),
    )
    record_event("product.created", product, actor=actor)
    return product


def update_product(product: Product, *, actor: str, metadata: Metadata = None, **more: Any) -> None:
    """Change a product: None leaves a field, "" unsets it; `default_price` is a price's id.

    Raises:
        TooLong, InvalidText: a text that cannot be kept.
        MetadataTooMany, MetadataKeyTooLong, MetadataValueTooLong: metadata beyond its limits.
    """
    changes = _checked(more, PRODUCT_LIMITS)
    if metadata is not None:
        changes["metadata"] = merged_metadata(product.metadata, metadata)
    previous = save_changes(product, changes)
    if previous:
        save_changes(product, {"updated": clock.now()})
        record_event("product.updated", product, actor=actor, previous=previous)


def _checked(given: Mapping[str, Any], limits: Mapping[str, int]) -> dict[str, Any]:
    """Return what is given of some fields; texts that are "" unset theirs."""
    for name, limit in limits.items():
        check_text(name, given.get(name), limit=limit)
    unset = {name: value for name, value in given.items() if value == ""}
    kept = {name: value for name, value in given.items() if value is not None}
    return {**kept, **dict.fromkeys(unset)}


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
    metadata: Metadata = None,
    **more: Any,
) -> Price:
    """Set a price for a product, recurring when an interval (day, week, month, year) is given.

    `more` are `active` and `tax_behavior`.

    Raises:
        InvalidCurrency: the currency is none.
        LookupKeyTaken: another price has the lookup key.
        TooLong, InvalidText: a text that cannot be kept.
        MetadataTooMany, MetadataKeyTooLong, MetadataValueTooLong: metadata beyond its limits.
    """
    check_currency("currency", currency)
    check_text("nickname", nickname, limit=250)
    _check_lookup_key(lookup_key, None)
    price = Price.objects.create(
        id=ids.next_code("price_", Price),
        product=product,
        unit_amount=unit_amount,
        currency=currency,
        interval=interval,
        interval_count=interval_count,
        nickname=nickname,
        lookup_key=lookup_key,
        metadata=merged_metadata({}, metadata),
        created=clock.now(),
        **more,
    )
    record_event("price.created", price, actor=actor)
    return price


def update_price(price: Price, *, actor: str, metadata: Metadata = None, **more: Any) -> None:
    """Change a price's words, or whether it is sold: None leaves a field, "" unsets it.

    Raises:
        LookupKeyTaken: another price has the lookup key.
        TooLong, InvalidText: a text that cannot be kept.
        MetadataTooMany, MetadataKeyTooLong, MetadataValueTooLong: metadata beyond its limits.
    """
    _check_lookup_key(more.get("lookup_key"), price)
    changes = _checked(more, PRICE_LIMITS)
    if metadata is not None:
        changes["metadata"] = merged_metadata(price.metadata, metadata)
    previous = save_changes(price, changes)
    if previous:
        record_event("price.updated", price, actor=actor, previous=previous)


def _check_lookup_key(key: str | None, price: Price | None) -> None:
    check_text("lookup_key", key, limit=PRICE_LIMITS["lookup_key"])
    found = Price.objects.filter(lookup_key=key).order_by("id").first() if key else None
    if found is not None and (price is None or found.pk != price.pk):
        raise LookupKeyTaken(found.pk)


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
