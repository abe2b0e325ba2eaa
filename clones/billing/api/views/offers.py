"""Products and prices, to make and change."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from clones.billing.api.expansions import expand
from clones.billing.api.operations import write
from clones.billing.api.parameters import (
    Boolean,
    Currency,
    Expanding,
    Integer,
    Metadata,
    Parameters,
    Text,
    Unsettable,
)
from clones.billing.api.presenters import present_price, present_product
from clones.billing.api.presenters.shapes import Body
from clones.billing.domain.catalogue import (
    create_price,
    create_product,
    update_price,
    update_product,
)
from clones.billing.errors import MissingParameter, UnknownReference
from clones.billing.models import Price, Product
from clones.billing.queries import check_reference, get_object
from clones.core.operations import Call

LARGEST = 99_999_999


class ProductWrite(Expanding):
    """A product to create: its name, text, and whether it is sold."""

    name: Text | None = None
    active: Boolean | None = None
    description: Unsettable | None = None
    metadata: Metadata = None
    shippable: Boolean | None = None
    statement_descriptor: Unsettable | None = None
    unit_label: Unsettable | None = None


class ProductUpdate(ProductWrite):
    """The attributes of a product that can be changed."""

    default_price: Unsettable | None = None


class RecurringWrite(Parameters):
    """The interval at which a recurring price is billed."""

    interval: Literal["day", "month", "week", "year"]
    interval_count: Integer = Field(1, ge=1, le=1095)
    usage_type: Literal["licensed"] = "licensed"


class PriceUpdate(Expanding):
    """The attributes of a price that can be changed."""

    active: Boolean | None = None
    lookup_key: Unsettable | None = None
    metadata: Metadata = None
    nickname: Unsettable | None = None
    tax_behavior: Literal["exclusive", "inclusive", "unspecified"] | None = None


class PriceWrite(PriceUpdate):
    """A price to create: what one unit of a product costs, once or each interval."""

    currency: Currency
    product: Text | None = None
    recurring: RecurringWrite | None = None
    unit_amount: Integer | None = Field(None, ge=0, le=LARGEST, description="minor units")


def _given(body: Expanding, *without: str) -> dict[str, Any]:
    names = set(type(body).model_fields) - {"expand", *without}
    found = {name: getattr(body, name) for name in sorted(names)}
    return {name: value for name, value in found.items() if value is not None}


@write("PostProducts", "/products", summary="Make a product.", body=ProductWrite)
def make_product(call: Call) -> Body:
    """Answer with the product."""
    given: ProductWrite = call.body
    if given.name is None:
        raise MissingParameter("name")
    values = {name: value for name, value in _given(given, "name").items() if value != ""}
    made = create_product(given.name, actor=call.actor, **values)
    return expand(present_product(made, "detail"), given.expand, of="product", kind="detail")


@write("PostProductsId", "/products/{id}", summary="Change a product.", body=ProductUpdate)
def change_product(call: Call) -> Body:
    """Answer with the product as it is now."""
    given: ProductUpdate = call.body
    product = get_object(Product.objects.all(), call.path["id"], kind="product")
    price = given.default_price
    if price and not Price.objects.filter(pk=price, product=product).exists():
        raise UnknownReference("default_price", "price", price)
    update_product(product, actor=call.actor, **_given(given))
    return expand(present_product(product, "detail"), given.expand, of="product", kind="detail")


@write("PostPrices", "/prices", summary="Set a price for a product.", body=PriceWrite)
def make_price(call: Call) -> Body:
    """Answer with the price."""
    given: PriceWrite = call.body
    for name in ("product", "unit_amount"):
        if getattr(given, name) is None:
            raise MissingParameter(name)
    check_reference(Product, given.product, param="product")
    recurring = given.recurring
    values = _given(given, "product", "recurring")
    made = create_price(
        Product.objects.get(pk=given.product),
        actor=call.actor,
        interval=None if recurring is None else recurring.interval,
        interval_count=1 if recurring is None else recurring.interval_count,
        **{name: value for name, value in values.items() if value != ""},
    )
    return expand(present_price(made, "detail"), given.expand, of="price", kind="detail")


@write("PostPricesPrice", "/prices/{price}", summary="Change a price's words.", body=PriceUpdate)
def change_price(call: Call) -> Body:
    """Answer with the price as it is now."""
    given: PriceUpdate = call.body
    price = get_object(Price.objects.all(), call.path["price"], kind="price", param="price")
    update_price(price, actor=call.actor, **_given(given))
    return expand(present_price(price, "detail"), given.expand, of="price", kind="detail")
