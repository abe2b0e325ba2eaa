"""Events: the object as it was, not as it is."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any, Final

from django.db import models

from clones.billing.api.presenters.balance import present_balance_transaction
from clones.billing.api.presenters.catalogue import present_price, present_product
from clones.billing.api.presenters.charges import present_charge
from clones.billing.api.presenters.customers import present_customer, present_payment_method
from clones.billing.api.presenters.intents import present_payment_intent
from clones.billing.api.presenters.invoices import present_invoice
from clones.billing.api.presenters.refunds import present_refund
from clones.billing.api.presenters.shapes import Body, stamp
from clones.billing.api.presenters.subscriptions import present_subscription
from clones.billing.api.version import API_VERSION
from clones.billing.models import (
    BalanceTransaction,
    Charge,
    Customer,
    Event,
    Invoice,
    PaymentIntent,
    PaymentMethod,
    Price,
    Product,
    Refund,
    Subscription,
)
from clones.core import sightings
from clones.core.sightings import Kind

SHOWN: Final[dict[str, tuple[type[models.Model], Callable[[Any, Kind], Body]]]] = {
    model._meta.model_name or "": (model, present)
    for model, present in (
        (BalanceTransaction, present_balance_transaction),
        (Charge, present_charge),
        (Customer, present_customer),
        (Invoice, present_invoice),
        (PaymentIntent, present_payment_intent),
        (PaymentMethod, present_payment_method),
        (Price, present_price),
        (Product, present_product),
        (Refund, present_refund),
        (Subscription, present_subscription),
    )
}


def present_event(event: Event, kind: Kind) -> Body:
    """Return an event's body."""
    sightings.note(event, kind)
    model, present = SHOWN[event.kind]
    data: Body = {"object": present(_restored(model, event.image), kind)}
    if event.previous:
        data["previous_attributes"] = {
            name.removesuffix("_id"): _moment(model, name, value)
            for name, value in event.previous.items()
        }
    return {
        "id": event.id,
        "object": "event",
        "api_version": API_VERSION,
        "created": stamp(event.created),
        "data": data,
        "livemode": False,
        "pending_webhooks": 0,
        "request": {"id": None, "idempotency_key": None},
        "type": event.type,
    }


def _restored(model: type[models.Model], image: dict[str, Any]) -> models.Model:
    """Return the row as it was, never to be saved."""
    fields = {field.attname: field for field in model._meta.concrete_fields}
    return model(
        **{name: fields[name].to_python(value) for name, value in image.items() if name in fields}
    )


def _moment(model: type[models.Model], name: str, value: Any) -> Any:
    """Return a former value as the API shows it."""
    if isinstance(model._meta.get_field(name), models.DateTimeField) and value is not None:
        return stamp(datetime.fromisoformat(value))
    return value
