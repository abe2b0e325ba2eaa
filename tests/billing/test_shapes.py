"""Our objects have the keys of the vendor's, with values of their types.

What differs on purpose is a row of a table in docs/fidelity/billing.md, with its reason: a row that
nothing needs fails as surely as a difference that no row tells of.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from clones.billing.models import (
    Charge,
    Customer,
    Invoice,
    PaymentIntent,
    PaymentMethod,
    Price,
    Product,
    Subscription,
)
from clones.core import clock
from tests.billing.shop import Api, add_charge, add_customer, add_subscription, writing

ROOT = Path(__file__).resolve().parents[2]
FACTS: dict[str, Any] = json.loads(
    (ROOT / "tests" / "facts" / "billing" / "objects.json").read_text(encoding="utf-8")
)
ADDRESS = {
    "line1": "1 Dock Street",
    "city": "Porto",
    "country": "PT",
    "postal_code": "4000",
    "state": "13",
}
ROW = re.compile(r"^\| `(?P<path>[a-z_]+\.[a-z0-9_.]+)` \| (?P<what>absent|null|empty) \| \S.*\|$")


def declared() -> dict[str, str]:
    """Return what the documentation says is absent or null, by path."""
    text = (ROOT / "docs" / "fidelity" / "billing.md").read_text(encoding="utf-8")
    found = [ROW.match(line) for line in text.splitlines()]
    return {match["path"]: match["what"] for match in found if match is not None}


def differences(ours: Any, facts: Any, path: str) -> dict[str, str]:
    """Return the paths at which a body of ours lacks what the vendor's example has."""
    if isinstance(ours, dict) and str(ours.get("object")) in FACTS and "." in path:
        return {}  # an object of a kind that is looked at by itself
    if ours is None:
        return {} if facts == "null" else {path: "null"}
    if isinstance(facts, dict) and isinstance(ours, dict):
        found: dict[str, str] = {}
        for key, expected in facts.items():
            if key in ours:
                found |= differences(ours[key], expected, f"{path}.{key}")
            else:
                found[f"{path}.{key}"] = "absent"
        return found
    if isinstance(facts, list) and isinstance(ours, list):
        if facts and not ours:
            return {path: "empty"}
        return differences(ours[0], facts[0], path) if facts else {}
    return {} if fits(ours, facts) else {path: "wrong"}


def fits(ours: Any, facts: Any) -> bool:
    """Tell whether a plain value is of the type that the vendor's example has."""
    if facts == "null":
        return True
    if facts == "object":
        return isinstance(ours, dict)
    return type(ours).__name__ == facts or (facts == "float" and isinstance(ours, int))


def bodies(api: Api) -> dict[str, Any]:
    """Return one body of each kind, with whatever it can show."""
    with writing(api.row):
        customer = add_customer()
        Customer.objects.filter(id=customer.id).update(address=ADDRESS)
        customer.refresh_from_db()
        charge = add_charge(customer)
        failed = add_charge(customer, declined=True)
        subscription = add_subscription(customer)
        fill(customer, failed, subscription)
    refund = api.post("/v1/refunds", {"charge": charge.id, "amount": 100})
    shown = api.get(f"/v1/subscriptions/{subscription.id}")
    invoice = api.get(f"/v1/invoices/{shown['latest_invoice']}")
    item = shown["items"]["data"][0]
    return {
        "balance_transaction": api.get(f"/v1/balance_transactions/{charge.balance_transaction_id}"),
        "charge": api.get(f"/v1/charges/{charge.id}", {"expand[]": "refunds"}),
        "customer": api.get(f"/v1/customers/{customer.id}"),
        "dispute": api.get(f"/v1/disputes/dp_{failed.id.removeprefix('ch_')}"),
        "event": api.get("/v1/events")["data"][0],
        "invoice": invoice,
        "line_item": invoice["lines"]["data"][0],
        "payment_intent": api.get(f"/v1/payment_intents/{failed.payment_intent}"),
        "payment_method": api.get(f"/v1/customers/{customer.id}/payment_methods")["data"][0],
        "price": item["price"],
        "product": api.get(f"/v1/products/{item['price']['product']}"),
        "refund": refund,
        "subscription": shown,
        "subscription_item": item,
    }


def fill(customer: Customer, failed: Charge, subscription: Subscription) -> None:
    """Write what other tests come by otherwise: every field that can hold something does."""
    now, known = clock.now(), {"address": ADDRESS, "email": "a@b.example", "phone": "1"}
    Customer.objects.filter(id=customer.id).update(shipping={"name": "Ana", "address": ADDRESS})
    PaymentMethod.objects.filter(customer=customer).update(billing_details=known)
    Charge.objects.filter(id=failed.id).update(disputed=True)
    PaymentIntent.objects.filter(id=failed.payment_intent).update(canceled_at=now)
    Product.objects.update(default_price=Price.objects.values_list("id", flat=True).get())
    Invoice.objects.update(due_date=now, next_payment_attempt=now)
    Subscription.objects.filter(id=subscription.id).update(
        cancel_at=now, canceled_at=now, ended_at=now, trial_start=now, trial_end=now
    )


@pytest.fixture
def found(api: Api) -> dict[str, str]:
    shown = bodies(api)
    assert set(shown) == set(FACTS)
    differing: dict[str, str] = {}
    for kind, facts in FACTS.items():
        assert list(shown[kind])[:2] == ["id", "object"]
        differing |= differences(shown[kind], facts, kind)
    return differing


def test_only_declared_differences(found: dict[str, str]) -> None:
    told = declared()
    surprises = {path: what for path, what in found.items() if told.get(path) != what}
    assert surprises == {}


def test_every_declared_difference_is_one(found: dict[str, str]) -> None:
    assert {path for path in declared() if path not in found} == set()
