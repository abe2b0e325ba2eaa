"""A billing agent's work by the public `stripe` client, run by the client's own Python.

Arguments: the API's address, a secret key, a customer's e-mail. It knows nothing of this project:
only the address differs from what it would do with the vendor. Prints one JSON line.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

# By name: the client is installed where this runs, never where this project does.
stripe: Any = import_module("stripe")


def main(address: str, key: str, email: str) -> None:
    """List what the customer was charged, refund one charge, and meet a few refusals."""
    stripe.enable_telemetry = False
    client = stripe.StripeClient(key, base_addresses={"api": address}, max_network_retries=0)
    found: dict[str, Any] = {"version": stripe.VERSION}

    customers = client.v1.customers.list({"email": email})
    customer = customers.data[0]
    found["customers"] = [entry.name for entry in customers.data]
    charges = client.v1.charges.list({"customer": customer.id, "limit": 2})
    found["all_charges"] = [charge.amount for charge in charges.auto_paging_iter()]
    found["has_more"] = charges.has_more
    newest = charges.data[0]
    since = client.v1.charges.list({"created": {"gte": newest.created}})
    found["since"] = [charge.id for charge in since.data]

    refund = client.v1.refunds.create(
        {
            "charge": newest.id,
            "reason": "duplicate",
            "metadata": {"ticket": "17"},
            "expand": ["charge", "balance_transaction"],
        },
        {"idempotency_key": "ticket-17"},
    )
    again = client.v1.refunds.create(
        {
            "charge": newest.id,
            "reason": "duplicate",
            "metadata": {"ticket": "17"},
            "expand": ["charge", "balance_transaction"],
        },
        {"idempotency_key": "ticket-17"},
    )
    found["refund"] = [refund.id, refund.amount, refund.status, refund.charge.refunded]
    found["replayed"] = [again.id, again.last_response.headers.get("Idempotent-Replayed")]
    found["net"] = refund.balance_transaction.net
    found["refunds"] = [entry.id for entry in client.v1.refunds.list({"charge": newest.id})]

    stranger = stripe.StripeClient("sk_test_" + "x" * 40, base_addresses={"api": address})
    found["errors"] = refusals(client, stranger, newest.id)
    found |= rest_of_the_shift(client, customer.id, email)
    intent = client.v1.payment_intents.retrieve(newest.payment_intent)
    found["intent"] = [intent.status, intent.latest_charge == newest.id]
    print(json.dumps(found))


def rest_of_the_shift(client: Any, customer: str, email: str) -> dict[str, Any]:
    """Change the customer, end the subscription, and read what else there is."""
    found: dict[str, Any] = {}
    changed = client.v1.customers.update(customer, {"metadata": {"vip": "yes"}})
    found["metadata"] = dict(changed.metadata.to_dict())
    subscription = client.v1.subscriptions.list({"customer": customer}).data[0]
    ended = client.v1.subscriptions.update(subscription.id, {"cancel_at_period_end": True})
    found["ends"] = ended.cancel_at == ended["items"].data[0].current_period_end
    cancelled = client.v1.subscriptions.cancel(
        subscription.id, {"cancellation_details": {"comment": "moved"}}
    )
    found["cancelled"] = [cancelled.status, cancelled.cancellation_details.comment]
    invoice = client.v1.invoices.list({"customer": customer}).data[0]
    found["lines"] = [line.amount for line in client.v1.invoices.line_items.list(invoice.id)]
    found["balance"] = [entry.currency for entry in client.v1.balance.retrieve().pending]
    found["events"] = client.v1.events.list({"limit": 1}).data[0].type
    found["searched"] = [
        entry.id == customer
        for entry in client.v1.customers.search({"query": f"email:'{email}'"}).data
    ]
    found |= newer_parts(client, customer)
    return found


def newer_parts(client: Any, customer: str) -> dict[str, Any]:
    """Search what else can be searched, make an offer, and list what there is none of."""
    queries = {
        "invoices": f"customer:'{customer}'",
        "payment_intents": f"customer:'{customer}'",
        "prices": "active:'true'",
        "products": "active:'true'",
        "subscriptions": "status:'canceled'",
    }
    searched = {
        name: len(getattr(client.v1, name).search({"query": query}).data)
        for name, query in queries.items()
    }
    product = client.v1.products.create({"name": "Nozzle"})
    price = client.v1.prices.create({"product": product.id, "currency": "usd", "unit_amount": 1900})
    lists = [
        client.v1.disputes,
        client.v1.payouts,
        client.v1.checkout.sessions,
        client.v1.webhook_endpoints,
        client.v1.coupons,
    ]
    none = met(lambda: client.v1.invoices.create_preview({"customer": customer}))
    return {
        "searches": searched,
        "offer": [price.product == product.id, price.type],
        "nothing": [len(each.list().data) for each in lists],
        "preview": none[1:3],
    }


def refusals(client: Any, stranger: Any, charge: str) -> list[list[Any]]:
    """Return what the client makes of six refusals: its own class, status, code and parameter."""
    attempts: list[Callable[[], Any]] = [
        lambda: client.v1.refunds.create({"charge": charge}),
        lambda: client.v1.charges.retrieve("ch_none"),
        lambda: client.v1.charges.list({"limit": 101}),
        lambda: client.v1.refunds.create({"charge": charge, "colour": "red"}),
        lambda: client.v1.customers.create({"name": "x"}, {"idempotency_key": "ticket-17"}),
        stranger.v1.charges.list,
    ]
    return [met(attempt) for attempt in attempts]


def met(attempt: Callable[[], Any]) -> list[Any]:
    """Return the error of an attempt, [] when it succeeds."""
    try:
        attempt()
    except stripe.StripeError as error:
        return [type(error).__name__, error.http_status, error.code, getattr(error, "param", None)]
    return []


if __name__ == "__main__":
    main(*sys.argv[1:])
