"""Lists in queries and forms: each is answered the same however its brackets are written."""

from __future__ import annotations

from typing import Any

import pytest

from clones.billing.api.operations import operations
from clones.core.operations import Operation
from tests.billing.shop import (
    Api,
    add_charge,
    add_customer,
    add_price,
    add_subscription,
    invoice_of,
    writing,
)
from tests.lists_of_queries import differences, lists_of

READ = [one for one in operations.all.values() if one.method == "GET" and lists_of(one)]
EXPANDED = {
    "BalanceTransactions": ["source"],
    "Charges": ["customer", "payment_intent", "balance_transaction"],
    "InvoicePayments": ["invoice"],
    "Invoices": ["customer", "subscription"],
    "PaymentIntents": ["customer", "latest_charge"],
    "Prices": ["product"],
    "Products": ["default_price"],
    "Refunds": ["charge", "payment_intent"],
    "Subscriptions": ["customer", "latest_invoice"],
}


@pytest.fixture
def shop(api: Api) -> Api:
    """An account with one object of most kinds."""
    with writing(api.row):
        customer = add_customer()
        add_charge(customer)
        subscription = add_subscription(customer, add_price())
        invoice_of(subscription)
    return api


def path_of(api: Api, operation: Operation) -> str:
    """Return an operation's path, to the first object of its list."""
    path = ""
    for segment in operation.segments:
        if segment.startswith("{"):
            found = api.call("GET", path).json().get("data")
            path += f"/{found[0]['id'] if found else 'none'}"
        else:
            path += f"/{segment}"
    return path


def items(operation: Operation, name: str, api: Api) -> list[str]:
    """Return what a list of an operation may have, and what none has."""
    if name != "expand":
        if name == "ids":
            return [*(one["id"] for one in api.get("/v1/products")["data"]), "prod_none", "prod_no"]
        return ["charge.succeeded", "customer.created", "invoice.paid"]
    known = next((some for kind, some in EXPANDED.items() if kind in operation.id), ["customer"])
    listed = "{" not in operation.path.rpartition("/")[2]
    return [f"data.{path}" if listed else path for path in known] * 2


@pytest.mark.parametrize("operation", READ, ids=lambda operation: operation.id)
def test_a_list_is_answered_the_same_in_all_spellings(shop: Api, operation: Operation) -> None:
    needed = {"GetChargesSearch": "query=currency:'usd'", "GetCustomersSearch": "query=name:'Ana'"}
    path = path_of(shop, operation)
    if operation.id == "GetSubscriptionItems":
        [subscription] = shop.get("/v1/subscriptions")["data"]
        needed[operation.id] = f"subscription={subscription['id']}"

    def ask(name: str, query: str) -> tuple[int, Any]:
        both = "&".join(filter(None, [needed.get(operation.id, ""), query]))
        response = shop.call("GET", f"{path}?{both}")
        return response.status_code, response.json()

    assert list(differences(operation, lambda name: items(operation, name, shop), ask)) == []


def test_a_list_between_commas_is_none(shop: Api) -> None:
    error = shop.refused("GET", "/v1/charges?expand=data.customer,data.payment_intent")
    assert (error["message"], error["param"]) == ("Invalid array", "expand")
