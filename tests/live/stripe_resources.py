"""Every resource of a billing account by the public `stripe` client, run by its own Python.

Arguments: the API's address and a secret key. It knows nothing of this project: only the address
differs from what it would do with the vendor. Prints one JSON line: which requests were sent and
what each was answered, what was read of each resource, and what came of what was written.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any
from urllib.parse import urlsplit

# By name: the client is installed where this runs, never where this project does.
stripe: Any = import_module("stripe")

READ = (
    "balance_transactions",
    "charges",
    "customers",
    "disputes",
    "events",
    "invoice_payments",
    "invoices",
    "payment_intents",
    "prices",
    "products",
    "refunds",
    "subscriptions",
)
NONE = (
    "checkout.sessions",
    "coupons",
    "credit_notes",
    "invoice_items",
    "payment_links",
    "payouts",
    "promotion_codes",
    "quotes",
    "setup_intents",
    "subscription_schedules",
    "tax_rates",
    "webhook_endpoints",
)
SEARCHES = {
    "charges": "status:'succeeded'",
    "customers": "created>0",
    "invoices": "status:'paid'",
    "payment_intents": "status:'succeeded'",
    "prices": "active:'true'",
    "products": "active:'true'",
    "subscriptions": "status:'active'",
}


class Noting(stripe.RequestsClient):  # type: ignore[misc]  # the client's own base, of no type here
    """Sends requests as the client does, and notes what each was answered."""

    def __init__(self) -> None:
        super().__init__(verify_ssl_certs=stripe.verify_ssl_certs)
        self.sent = list[list[Any]]()

    def request(self, method: str, url: str, *rest: Any, **more: Any) -> Any:
        """Send a request."""
        answer = super().request(method, url, *rest, **more)
        self.sent.append([method.upper(), urlsplit(url).path, answer[1]])
        return answer


class Account:
    """An account, read and written by the client."""

    def __init__(self, address: str, key: str) -> None:
        stripe.enable_telemetry = False
        self.http = Noting()
        self.client = stripe.StripeClient(
            key, base_addresses={"api": address}, http_client=self.http, max_network_retries=0
        )

    def service(self, name: str) -> Any:
        """Return a service by its name, which may have two parts."""
        found = self.client.v1
        for part in name.split("."):
            found = getattr(found, part)
        return found

    def read(self, name: str) -> list[Any]:
        """List a resource in small pages to its end; show its first and last."""
        service = self.service(name)
        first = service.list({"limit": 10})
        rows = [row.id for row in first.auto_paging_iter()]
        whole = [row.id for row in service.list({"limit": 100}).auto_paging_iter()]
        shown = [service.retrieve(key).id == key for key in (rows[0], rows[-1])] if rows else []
        return [len(rows), len(set(rows)), rows == whole, shown]

    def search(self, name: str, query: str) -> list[int]:
        """Search a resource in small pages to the end, and in large ones."""
        service = self.service(name)
        small = service.search({"query": query, "limit": 10})
        rows = [row.id for row in small.auto_paging_iter()]
        large = service.search({"query": query, "limit": 100})
        return [len(rows), len(set(rows)), len(list(large.auto_paging_iter()))]

    def none(self, name: str) -> list[Any]:
        """List a resource of which there is none, and ask for one."""
        service = self.service(name)
        listed = service.list({"limit": 3})
        return [len(listed.data), listed.has_more, met(lambda: service.retrieve("none_1"))]

    def parts(self) -> dict[str, Any]:
        """Read what hangs at other resources."""
        v1 = self.client.v1
        refund = v1.refunds.list({"limit": 1}).data[0]
        of_charge = v1.charges.retrieve(refund.charge, {"expand": ["refunds"]})
        raw = [
            self.client.raw_request("get", f"/v1/charges/{refund.charge}/refunds{more}")
            for more in ("", f"/{refund.id}")
        ]
        invoice = v1.invoices.list({"limit": 1}).data[0]
        subscription = v1.subscriptions.list({"limit": 1}).data[0]
        charge = v1.charges.list({"limit": 1}).data[0]
        cards = v1.customers.payment_methods.list(charge.customer)
        card = cards.data[0]
        return {
            "refunds": [of_charge.refunds.data[0].id == refund.id, [row.code for row in raw]],
            "lines": len(v1.invoices.line_items.list(invoice.id).data) > 0,
            "items": len(v1.subscription_items.list({"subscription": subscription.id}).data),
            "cards": [
                v1.customers.payment_methods.retrieve(charge.customer, card.id).id == card.id,
                v1.payment_methods.retrieve(card.id).id == card.id,
            ],
            "balance": [entry.currency for entry in v1.balance.retrieve().pending],
        }

    def written(self) -> dict[str, Any]:
        """Make, change and end what can be."""
        v1 = self.client.v1
        customer = v1.customers.create({"name": "Ada", "email": "ada@shop.example"})
        v1.customers.update(customer.id, {"metadata": {"vip": "yes"}})
        charge = next(
            row
            for row in v1.charges.list({"limit": 100}).auto_paging_iter()
            if row.status == "succeeded" and not row.refunded
        )
        v1.charges.update(charge.id, {"description": "Looked at"})
        refund = v1.refunds.create({"charge": charge.id, "amount": 100})
        v1.refunds.update(refund.id, {"metadata": {"ticket": "17"}})
        product = v1.products.create({"name": "Nozzle"})
        v1.products.update(product.id, {"description": "Brass"})
        price = v1.prices.create({"product": product.id, "currency": "usd", "unit_amount": 1900})
        v1.prices.update(price.id, {"nickname": "List price"})
        first = v1.subscriptions.list({"limit": 1, "status": "active"}).data[0]
        v1.subscriptions.update(first.id, {"metadata": {"asked": "yes"}})
        preview = v1.invoices.create_preview({"subscription": first.id})
        ended = v1.subscriptions.cancel(first.id)
        told = v1.events.list({"type": "customer.subscription.deleted"}).data[0]
        return {
            "customer": dict(v1.customers.retrieve(customer.id).metadata.to_dict()),
            "deleted": v1.customers.delete(customer.id).deleted,
            "charge": v1.charges.retrieve(charge.id).description,
            "refund": [refund.amount, v1.refunds.retrieve(refund.id).metadata["ticket"]],
            "kept": met(lambda: v1.refunds.cancel(refund.id)),
            "product": v1.products.retrieve(product.id).description,
            "price": v1.prices.retrieve(price.id).nickname,
            "preview": preview.status,
            "ended": [ended.status, v1.events.retrieve(told.id).data.object.id == first.id],
        }


def met(attempt: Callable[[], Any]) -> list[Any]:
    """Return the status and the code of a refusal, [] when there is none."""
    try:
        attempt()
    except stripe.StripeError as error:
        return [error.http_status, error.code]
    return []


def main(address: str, key: str) -> None:
    """Do all of it."""
    account = Account(address, key)
    found = {
        "read": {name: account.read(name) for name in READ},
        "searched": {name: account.search(name, query) for name, query in SEARCHES.items()},
        "none": {name: account.none(name) for name in NONE},
        "parts": account.parts(),
        "written": account.written(),
    }
    print(json.dumps({**found, "sent": account.http.sent}))


if __name__ == "__main__":
    main(*sys.argv[1:])
