"""The public `stripe` client for Node works unmodified, with only its address changed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.billing.shop import Api, add_charge, add_customer, add_subscription, writing
from tests.clients import client_modules, install_node, run_node

FOLDER = Path(__file__).with_name("node")


def test_a_shift_with_the_public_client_for_node(api: Api, data_plane: str) -> None:
    if not install_node():
        pytest.skip("no Node: install nodejs and npm")
    with writing(api.row):
        customer = add_customer()
        add_subscription(customer)
    with writing(api.row):
        add_charge(customer, 2900)
    modules = client_modules("node", FOLDER / "package-lock.json")
    given = (data_plane, str(api.key), "ana@lima.example")
    done = run_node(modules, FOLDER / "shift.cjs", *given)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {
        "amounts": [2900, 4900],
        "refund": [2900, "succeeded", True],
        "preview": ["draft", 4900],
        "invoices": ["paid"],
        "intents": 2,
        "subscriptions": 1,
        "offer": [True, "month"],
        "named": ["Nozzle"],
        "nothing": [0, 0, 0, 0, 0],
        "errors": [
            ["StripeInvalidRequestError", 400, "charge_already_refunded"],
            ["StripeInvalidRequestError", 404, "resource_missing"],
            ["StripeInvalidRequestError", 404, "resource_missing"],
            ["StripeInvalidRequestError", 400, None],
        ],
    }
