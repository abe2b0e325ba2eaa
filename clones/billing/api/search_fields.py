"""Which fields of each kind of object can be searched, and how they are stored.

A field that no object here has anything in is `absent`: `null` finds all, a value none.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal


@dataclass(frozen=True, slots=True)
class Field:
    """How a search field is stored; `text` is matched without regard to case."""

    path: str
    type: Literal["text", "token", "number", "time", "boolean", "recurring", "absent"]


METADATA: Final = Field("metadata", "token")
CREATED: Final = Field("created", "time")
CURRENCY: Final = Field("currency", "text")
STATUS: Final = Field("status", "token")
CUSTOMER: Final = Field("customer_id", "token")
CARD: Final = "payment_method_details.card"
FIELDS: Final[dict[str, dict[str, Field]]] = {
    "charge": {
        "amount": Field("amount", "number"),
        "billing_details.address.postal_code": Field(
            "billing_details__address__postal_code", "token"
        ),
        "created": CREATED,
        "currency": CURRENCY,
        "customer": CUSTOMER,
        "disputed": Field("disputed", "boolean"),
        "metadata": METADATA,
        f"{CARD}.brand": Field("card__brand", "token"),
        f"{CARD}.exp_month": Field("card__exp_month", "number"),
        f"{CARD}.exp_year": Field("card__exp_year", "number"),
        f"{CARD}.fingerprint": Field("card__fingerprint", "token"),
        f"{CARD}.last4": Field("card__last4", "token"),
        "refunded": Field("refunded", "boolean"),
        "status": STATUS,
    },
    "customer": {
        "created": CREATED,
        "email": Field("email", "text"),
        "name": Field("name", "text"),
        "phone": Field("phone", "text"),
        "metadata": METADATA,
    },
    "invoice": {
        "created": CREATED,
        "currency": CURRENCY,
        "customer": CUSTOMER,
        "last_finalization_error_code": Field("", "absent"),
        "last_finalization_error_type": Field("", "absent"),
        "metadata": METADATA,
        "number": Field("number", "text"),
        "receipt_number": Field("", "absent"),
        "status": STATUS,
        "subscription": Field("subscription_id", "token"),
        "total": Field("total", "number"),
    },
    "payment_intent": {
        "amount": Field("amount", "number"),
        "created": CREATED,
        "currency": CURRENCY,
        "customer": CUSTOMER,
        "metadata": METADATA,
        "status": STATUS,
    },
    "price": {
        "active": Field("active", "boolean"),
        "created": CREATED,
        "currency": CURRENCY,
        "lookup_key": Field("lookup_key", "text"),
        "metadata": METADATA,
        "product": Field("product_id", "token"),
        "type": Field("interval", "recurring"),
    },
    "product": {
        "active": Field("active", "boolean"),
        "created": CREATED,
        "description": Field("description", "text"),
        "metadata": METADATA,
        "name": Field("name", "text"),
        "shippable": Field("shippable", "boolean"),
        "url": Field("", "absent"),
    },
    "subscription": {
        "canceled_at": Field("canceled_at", "time"),
        "created": CREATED,
        "metadata": METADATA,
        "status": STATUS,
    },
}
