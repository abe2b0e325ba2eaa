"""The public `stripe` client works unmodified, with only its base address changed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from clones.billing.models import Refund
from snapshots.sandboxes import Sandboxes
from tests.billing.public_client import REQUIREMENTS
from tests.billing.shop import (
    Api,
    add_charge,
    add_customer,
    add_subscription,
    reading,
    writing,
)
from tests.clients import client_python, run_client

SCRIPT = Path(__file__).with_name("stripe_shift.py")


def check_newer_parts(found: Any) -> None:
    assert found["searches"] == {
        "invoices": 1,
        "payment_intents": 3,
        "prices": 1,
        "products": 1,
        "subscriptions": 1,
    }
    assert found["offer"] == [True, "one_time"]
    assert found["nothing"] == [0, 0, 0, 0, 0]
    assert found["preview"] == [404, "invoice_upcoming_none"]


def test_a_shift_with_the_public_client(api: Api, sandboxes: Sandboxes, data_plane: str) -> None:
    with writing(api.row):
        customer = add_customer()
        add_subscription(customer)
        first = add_charge(customer, 2900)
    with writing(api.row):
        newest = add_charge(customer, 4900)
    sandboxes.mark(api.row.id, "before")
    python = client_python("stripe", REQUIREMENTS)
    done = run_client(python, SCRIPT, data_plane, str(api.key), "ana@lima.example")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)

    assert found["version"] == "16.1.0"
    assert found["customers"] == ["Ana Lima"]
    assert sorted(found["all_charges"]) == [2900, 4900, 4900]
    assert found["has_more"] is True
    assert found["since"] == [newest.id]
    refund, amount, status, refunded = found["refund"]
    assert (amount, status, refunded) == (4900, "succeeded", True)
    assert found["replayed"] == [refund, "true"]
    assert found["net"] == -4900
    assert found["refunds"] == [refund]
    assert found["errors"] == [
        ["InvalidRequestError", 400, "charge_already_refunded", None],
        ["InvalidRequestError", 404, "resource_missing", "id"],
        ["InvalidRequestError", 400, "parameter_invalid_integer", "limit"],
        ["InvalidRequestError", 400, "parameter_unknown", "colour"],
        ["IdempotencyError", 400, None, None],
        ["AuthenticationError", 401, None, None],
    ]
    assert found["metadata"] == {"vip": "yes"}
    assert found["ends"] is True
    assert found["cancelled"] == ["canceled", "moved"]
    assert found["lines"] == [4900]
    assert found["balance"] == ["usd"]
    assert found["events"] == "customer.subscription.deleted"
    assert found["searched"] == [True]
    check_newer_parts(found)
    assert found["intent"] == ["succeeded", True]

    with reading(api.row):
        made = Refund.objects.get()
        assert (made.id, made.charge_id, made.reason) == (refund, newest.id, "duplicate")
        assert made.metadata == {"ticket": "17"}
        assert not first.refunds.exists()
    changed = {change["table"] for change in sandboxes.diff(api.row.id, "before")}
    assert changed == {
        "billing_balancetransaction",
        "billing_charge",
        "billing_customer",
        "billing_event",
        "billing_price",
        "billing_product",
        "billing_refund",
        "billing_subscription",
    }
