"""Products and prices, to read."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from clones.billing.api.expansions import expand
from clones.billing.api.operations import read
from clones.billing.api.paging import page_of, within
from clones.billing.api.parameters import (
    Boolean,
    Currency,
    Listing,
    Parameters,
    Period,
    Searching,
    Text,
    Texts,
)
from clones.billing.api.presenters import present_price, present_product
from clones.billing.api.presenters.shapes import Body
from clones.billing.api.search import search_page
from clones.billing.models import Price, Product
from clones.billing.queries import check_reference, get_object
from clones.core.operations import Call


class ProductList(Listing):
    """Filters of a list of products."""

    active: Boolean | None = None
    ids: Texts | None = Field(None, description="only these products")
    created: Period | None = None


class Recurring(Parameters):
    """Filters of prices by how they recur: interval and usage type."""

    interval: Literal["day", "month", "week", "year"] | None = None
    usage_type: Literal["licensed", "metered"] | None = None


class PriceList(Listing):
    """Filters of a list of prices."""

    product: Text | None = Field(None, description="only prices of this product")
    active: Boolean | None = None
    currency: Currency | None = None
    type: Literal["one_time", "recurring"] | None = None
    lookup_keys: Texts | None = None
    recurring: Recurring | None = None
    created: Period | None = None


@read("GetProducts", "/products", summary="List products, newest first.", query=ProductList)
def list_products(call: Call) -> Body:
    """Answer with a page of products."""
    query: ProductList = call.query
    rows = within(Product.objects.all(), "created", query.created)
    if query.active is not None:
        rows = rows.filter(active=query.active)
    if query.ids is not None:
        rows = rows.filter(id__in=query.ids)
    body = page_of(rows, query, url="/v1/products", kind="product", present=present_product)
    return expand(body, query.expand, of="product", kind="list")


@read(
    "GetProductsSearch",
    "/products/search",
    summary="Search products by name, description, metadata or whether they are sold.",
    query=Searching,
)
def search_products(call: Call) -> Body:
    """Answer with a page of what was found."""
    return search_page(
        Product.objects.all(),
        call.query,
        kind="product",
        url="/v1/products/search",
        present=present_product,
    )


@read("GetProductsId", "/products/{id}", summary="Show one product.")
def show_product(call: Call) -> Body:
    """Answer with a product."""
    product = get_object(Product.objects.all(), call.path["id"], kind="product")
    return expand(
        present_product(product, "detail"), call.query.expand, of="product", kind="detail"
    )


@read("GetPrices", "/prices", summary="List prices, newest first.", query=PriceList)
def list_prices(call: Call) -> Body:
    """Answer with a page of prices."""
    query: PriceList = call.query
    check_reference(Product, query.product, param="product")
    rows = within(Price.objects.all(), "created", query.created)
    for field in ("product", "active", "currency"):
        value = getattr(query, field)
        if value is not None:
            rows = rows.filter(**{field: value})
    if query.type is not None:
        rows = rows.filter(interval__isnull=query.type == "one_time")
    if query.lookup_keys is not None:
        rows = rows.filter(lookup_key__in=query.lookup_keys)
    if query.recurring is not None:
        rows = rows.exclude(interval=None)
        if query.recurring.interval is not None:
            rows = rows.filter(interval=query.recurring.interval)
        if query.recurring.usage_type == "metered":
            rows = rows.none()
    body = page_of(rows, query, url="/v1/prices", kind="price", present=present_price)
    return expand(body, query.expand, of="price", kind="list")


@read(
    "GetPricesSearch",
    "/prices/search",
    summary="Search prices by product, currency, lookup key, type or metadata.",
    query=Searching,
)
def search_prices(call: Call) -> Body:
    """Answer with a page of what was found."""
    return search_page(
        Price.objects.all(),
        call.query,
        kind="price",
        url="/v1/prices/search",
        present=present_price,
    )


@read("GetPricesPrice", "/prices/{price}", summary="Show one price.")
def show_price(call: Call) -> Body:
    """Answer with a price."""
    price = get_object(Price.objects.all(), call.path["price"], kind="price", param="price")
    return expand(present_price(price, "detail"), call.query.expand, of="price", kind="detail")
