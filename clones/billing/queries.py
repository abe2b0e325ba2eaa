"""What is read of billing's tables."""

from __future__ import annotations

from typing import TypeVar

from django.db.models import Model, Prefetch, QuerySet, Sum

from clones.billing.errors import NoSuchObject, UnknownReference
from clones.billing.models import (
    BalanceTransaction,
    Charge,
    Customer,
    Invoice,
    InvoiceLine,
    PaymentIntent,
    Price,
    Product,
    Refund,
    Subscription,
    SubscriptionItem,
)
from clones.core import clock

Row = TypeVar("Row", bound=Model)

# What the vendor calls an object of each model.
KINDS: dict[type[Model], str] = {
    Charge: "charge",
    Customer: "customer",
    Invoice: "invoice",
    PaymentIntent: "payment_intent",
    Price: "price",
    Product: "product",
    Refund: "refund",
    Subscription: "subscription",
}


def get_object(rows: QuerySet[Row], id: str, *, kind: str, param: str = "id") -> Row:
    """Return the row of that id.

    Raises:
        NoSuchObject: there is none; `kind` is what the vendor calls it.
    """
    # No id has a NUL, and not every engine can be asked for one.
    found = None if "\x00" in id else rows.filter(pk=id).first()
    if found is None:
        raise NoSuchObject(kind, id, param)
    return found


def get_customer(id: str) -> Customer:
    """Return the customer of that id.

    Raises:
        NoSuchObject: there is none, or it was deleted.
    """
    return get_object(Customer.objects.filter(deleted=False), id, kind="customer")


def check_reference(model: type[Model], id: str | None, *, param: str) -> None:
    """Refuse a filter by an object that is not there.

    Raises:
        UnknownReference: there is none of that id.
    """
    if id is not None and not model._default_manager.filter(pk=id).exists():
        raise UnknownReference(param, KINDS[model], id)


def customers_by_email(email: str) -> list[Customer]:
    """Return the customers with an e-mail address, whatever its case, newest first."""
    found = Customer.objects.filter(email__iexact=email, deleted=False)
    return list(found.order_by("-created", "-id"))


def invoices() -> QuerySet[Invoice]:
    """Return the invoices with what their bodies show: lines and prices come in one query."""
    lines = InvoiceLine.objects.select_related("price")
    return Invoice.objects.prefetch_related(Prefetch("lines", queryset=lines))


def subscriptions() -> QuerySet[Subscription]:
    """Return the subscriptions with what their bodies show: items and prices in one query."""
    items = SubscriptionItem.objects.select_related("price")
    return Subscription.objects.prefetch_related(Prefetch("items", queryset=items))


def balances() -> tuple[dict[str, int], dict[str, int]]:
    """Return what the merchant has by currency: what can be paid out, and what cannot yet."""
    now = clock.now()
    sums = BalanceTransaction.objects.values_list("currency").annotate(Sum("net"))
    available = dict(sums.filter(available_on__lte=now).order_by("currency"))
    pending = dict(sums.filter(available_on__gt=now).order_by("currency"))
    return (
        {currency: available.get(currency, 0) for currency in {*available, *pending}},
        {currency: pending.get(currency, 0) for currency in {*available, *pending}},
    )
