"""Products and prices."""

from __future__ import annotations

from clones.billing.api.presenters.shapes import Body, stamp
from clones.billing.models import Price, Product
from clones.core import sightings
from clones.core.sightings import Kind


def present_product(product: Product, kind: Kind) -> Body:
    """Return a product's body."""
    sightings.note(product, kind)
    return {
        "id": product.id,
        "object": "product",
        "active": product.active,
        "created": stamp(product.created),
        "default_price": product.default_price,
        "description": product.description,
        "images": [],
        "livemode": False,
        "marketing_features": [],
        "metadata": product.metadata,
        "name": product.name,
        "package_dimensions": None,
        "shippable": product.shippable,
        "statement_descriptor": product.statement_descriptor,
        "tax_code": None,
        "type": "service",
        "unit_label": product.unit_label,
        "updated": stamp(product.updated),
        "url": None,
    }


def present_price(price: Price, kind: Kind) -> Body:
    """Return a price's body."""
    sightings.note(price, kind)
    recurring = {
        "interval": price.interval,
        "interval_count": price.interval_count,
        "meter": None,
        "trial_period_days": None,
        "usage_type": "licensed",
    }
    return {
        "id": price.id,
        "object": "price",
        "active": price.active,
        "billing_scheme": "per_unit",
        "created": stamp(price.created),
        "currency": price.currency,
        "custom_unit_amount": None,
        "livemode": False,
        "lookup_key": price.lookup_key,
        "metadata": price.metadata,
        "nickname": price.nickname,
        "product": price.product_id,
        "recurring": recurring if price.interval else None,
        "tax_behavior": price.tax_behavior,
        "tiers_mode": None,
        "transform_quantity": None,
        "type": "recurring" if price.interval else "one_time",
        "unit_amount": price.unit_amount,
        "unit_amount_decimal": str(price.unit_amount),
    }


def plan_body(price: Price) -> Body | None:
    """Return a recurring price in its older form, None for others."""
    if not price.interval:
        return None
    return {
        "id": price.id,
        "object": "plan",
        "active": price.active,
        "amount": price.unit_amount,
        "amount_decimal": str(price.unit_amount),
        "billing_scheme": "per_unit",
        "created": stamp(price.created),
        "currency": price.currency,
        "interval": price.interval,
        "interval_count": price.interval_count,
        "livemode": False,
        "metadata": price.metadata,
        "meter": None,
        "nickname": price.nickname,
        "product": price.product_id,
        "tiers_mode": None,
        "transform_usage": None,
        "trial_period_days": None,
        "usage_type": "licensed",
    }
