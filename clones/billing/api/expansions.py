"""`expand`: references shown in full, along the paths that a request names.

Only the first property of a path is checked, as the vendor does; what leads nowhere further down is
left as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from clones.billing.api import presenters
from clones.billing.api.presenters.shapes import Body, list_body
from clones.billing.errors import ExpansionTooDeep, NotExpandable
from clones.billing.models import (
    BalanceTransaction,
    Charge,
    Customer,
    Invoice,
    PaymentIntent,
    PaymentMethod,
    Price,
    Product,
    Refund,
    Subscription,
)
from clones.core.sightings import Kind

DEPTH: Final = 4
INCLUDED: Final = 10

# What the vendor lets a request expand, by kind of object.
EXPANDABLE: Final[dict[str, frozenset[str]]] = {
    kind: frozenset(names.split())
    for kind, names in {
        "balance": "",
        "balance_transaction": "source",
        "charge": "application application_fee balance_transaction customer"
        " failure_balance_transaction on_behalf_of payment_intent refunds review source"
        " source_transfer transfer transfer_data",
        "customer": "cash_balance default_source discount invoice_credit_balance invoice_settings"
        " sources subscriptions tax tax_ids test_clock",
        "dispute": "charge payment_intent",
        "event": "",
        "invoice": "account_tax_ids application confirmation_secret customer"
        " default_payment_method default_source default_tax_rates discounts from_invoice"
        " last_finalization_error latest_revision lines on_behalf_of parent payments test_clock"
        " total_discount_amounts",
        "invoice_payment": "invoice payment",
        "line_item": "discounts parent pricing subscription",
        "payment_intent": "application customer last_payment_error latest_charge on_behalf_of"
        " payment_method processing review source transfer_data",
        "payment_method": "customer",
        "price": "currency_options product tiers",
        "product": "default_price tax_code",
        "refund": "balance_transaction charge failure_balance_transaction payment_intent"
        " source_transfer_reversal transfer_reversal",
        "subscription": "application customer default_payment_method default_source"
        " default_tax_rates discounts items latest_invoice on_behalf_of pending_setup_intent"
        " pending_update schedule test_clock transfer_data",
        "subscription_item": "discounts price tax_rates",
    }.items()
}

# Which model the id in a property belongs to.
REFERENCES: Final[dict[str, type[Any]]] = {
    "balance_transaction": BalanceTransaction,
    "charge": Charge,
    "customer": Customer,
    "default_payment_method": PaymentMethod,
    "default_price": Price,
    "invoice": Invoice,
    "latest_charge": Charge,
    "latest_invoice": Invoice,
    "payment_intent": PaymentIntent,
    "payment_method": PaymentMethod,
    "price": Price,
    "product": Product,
    "subscription": Subscription,
}
SOURCES: Final[dict[str, type[Any]]] = {"ch": Charge, "re": Refund}

PRESENTERS: Final[dict[type[Any], Callable[[Any, Kind], Body]]] = {
    BalanceTransaction: presenters.present_balance_transaction,
    Charge: presenters.present_charge,
    Customer: presenters.present_customer,
    Invoice: presenters.present_invoice,
    PaymentIntent: presenters.present_payment_intent,
    PaymentMethod: presenters.present_payment_method,
    Price: presenters.present_price,
    Product: presenters.present_product,
    Refund: presenters.present_refund,
    Subscription: presenters.present_subscription,
}


def expand(body: Body, paths: Sequence[str], *, of: str, kind: Kind) -> Body:
    """Show in full what the paths name in an object of kind `of`, or in a list of such.

    Raises:
        NotExpandable: a path begins with what is no reference.
        ExpansionTooDeep: a path is longer than the vendor follows.
    """
    listing = body.get("object") in ("list", "search_result")
    for path in paths:
        _check(path, of, listing=listing)
    for path in sorted(paths, key=lambda path: path.count(".")):
        _follow(body, path.split("."), kind)
    return body


def _check(path: str, of: str, *, listing: bool) -> None:
    parts = path.split(".")
    allowed = EXPANDABLE[of]
    if listing:
        if parts[0] != "data" or len(parts) == 1:
            raise NotExpandable(parts[0], f"data.{path}" if parts[0] in allowed else None)
        parts = parts[1:]
    if len(parts) > DEPTH:
        raise ExpansionTooDeep(path)
    if parts[0] not in allowed:
        raise NotExpandable(parts[0])


def _follow(node: Any, parts: list[str], kind: Kind) -> None:
    """Expand one path below a node, in place."""
    if isinstance(node, list):
        for entry in node:
            _follow(entry, parts, kind)
        return
    if not isinstance(node, dict):
        return
    name, *rest = parts
    if name not in node:
        included = _included(node, name, kind)
        if included is None:
            return
        node[name] = included
    if isinstance(node[name], str):
        node[name] = _resolved(name, node[name], kind)
    if rest:
        _follow(node[name], rest, kind)


def _resolved(name: str, id: str, kind: Kind) -> Any:
    """Return the object that an id names, the id itself when nothing is known of it."""
    model = SOURCES.get(id.partition("_")[0]) if name == "source" else REFERENCES.get(name)
    found = None if model is None else model._default_manager.filter(pk=id).first()
    return id if found is None or model is None else PRESENTERS[model](found, kind)


def _included(node: Body, name: str, kind: Kind) -> Body | None:
    """Return a list that is part of an object only where it is asked for."""
    owner = (node.get("object"), name)
    if owner == ("charge", "refunds"):
        refunds = Refund.objects.select_related("charge").filter(charge=node["id"])
        return _first(refunds, f"/v1/charges/{node['id']}/refunds", kind)
    if owner == ("customer", "subscriptions"):
        running = Subscription.objects.filter(customer=node["id"]).exclude(status="canceled")
        return _first(running, f"/v1/customers/{node['id']}/subscriptions", kind)
    if owner == ("invoice", "payments"):
        intents = PaymentIntent.objects.filter(invoice=node["id"]).order_by("-created", "-id")
        shown = [presenters.present_invoice_payment(intent, kind) for intent in intents]
        return list_body("/v1/invoice_payments", shown[:INCLUDED], has_more=len(shown) > INCLUDED)
    return None


def _first(rows: Any, url: str, kind: Kind) -> Body:
    found = list(rows.order_by("-created", "-id")[: INCLUDED + 1])
    present = PRESENTERS[rows.model]
    shown = [present(row, kind) for row in found[:INCLUDED]]
    return list_body(url, shown, has_more=len(found) > INCLUDED)
