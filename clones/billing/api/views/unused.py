"""What the vendor offers and this merchant does not use: lists of nothing, and no object by any id.

They can be listed with the filters that the vendor's clients send. None of it can be made here.
"""

from __future__ import annotations

from typing import Any, Final

from pydantic import create_model

from clones.billing.api.operations import View, operations, read
from clones.billing.api.parameters import Boolean, Listing, Period, Text
from clones.billing.api.presenters.shapes import Body, list_body
from clones.billing.errors import NoSuchObject, UnknownReference
from clones.core.operations import Call

# Addresses: what the vendor calls one, the name of its id, and the texts a list is filtered by.
UNUSED: Final[dict[str, tuple[str, str, str]]] = {
    "checkout/sessions": (
        "checkout.session",
        "session",
        "customer payment_intent payment_link status subscription",
    ),
    "coupons": ("coupon", "coupon", ""),
    "credit_notes": ("credit_note", "id", "customer invoice"),
    "invoiceitems": ("invoiceitem", "invoiceitem", "customer invoice"),
    "payment_links": ("payment_link", "payment_link", ""),
    "payouts": ("payout", "payout", "destination status"),
    "promotion_codes": ("promotion_code", "promotion_code", "code coupon customer"),
    "quotes": ("quote", "quote", "customer status test_clock"),
    "setup_intents": ("setupintent", "intent", "customer payment_method"),
    "subscription_schedules": ("subscription_schedule", "schedule", "customer"),
    "tax_rates": ("tax_rate", "tax_rate", ""),
    "webhook_endpoints": ("webhook_endpoint", "webhook_endpoint", ""),
}
PERIODS: Final = ("created",)
FLAGS: Final = ("active", "pending")


def _query(name: str, texts: str) -> type[Listing]:
    fields: dict[str, Any] = dict.fromkeys(texts.split(), (Text | None, None))
    fields |= dict.fromkeys(PERIODS, (Period | None, None))
    fields |= dict.fromkeys(FLAGS, (Boolean | None, None))
    about = "Filters of a list that is always empty."
    made: type[Listing] = create_model(
        f"{name}List", __base__=Listing, __doc__=about, __module__=__name__, **fields
    )
    return made


def _listing(path: str, kind: str) -> View:
    def view(call: Call) -> Body:
        """Answer with an empty list."""
        for param in ("starting_after", "ending_before"):
            cursor = getattr(call.query, param)
            if cursor is not None:
                raise UnknownReference(param, kind, cursor)
        return list_body(f"/v1/{path}", [], has_more=False)

    return view


def _showing(kind: str, parameter: str) -> View:
    def view(call: Call) -> Body:
        """Refuse: there is none."""
        raise NoSuchObject(kind, call.path[parameter], parameter)

    return view


def _name(path: str) -> str:
    return "".join(part.capitalize() for part in path.replace("/", "_").split("_"))


for path, (kind, parameter, texts) in UNUSED.items():
    name = _name(path)
    what = path.replace("/", " ").replace("_", " ")
    about = f"List {what}: there are none."
    read(f"Get{name}", f"/{path}", summary=about, query=_query(name, texts))(_listing(path, kind))
    one = f"/{path}/{{{parameter}}}"
    about = f"Show one of the {what}: there is none."
    read(f"Get{name}{_name(parameter)}", one, summary=about)(_showing(kind, parameter))

# The vendor shows there what a credit note would be; none is made here.
operations.reserve("/credit_notes/preview", "/credit_notes/preview/lines")
