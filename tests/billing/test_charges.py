"""Charges: listed by whom and when, changed in words only, searched."""

from __future__ import annotations

from clones.billing.models import Charge
from tests.billing.shop import Api, add_charge, add_customer, writing


def test_charges_are_listed_by_customer_and_by_payment_intent(api: Api) -> None:
    with writing(api.row):
        ana = add_customer()
        bo = add_customer("Bo", "bo@lind.example")
        one, two = add_charge(ana, 4900), add_charge(ana, 4900)
        three = add_charge(bo, 4900)
    listed = api.get("/v1/charges", {"customer": ana.id})
    assert {row["id"] for row in listed["data"]} == {one.id, two.id}
    listed = api.get("/v1/charges", {"payment_intent": three.payment_intent})
    assert [row["id"] for row in listed["data"]] == [three.id]
    error = api.refused("GET", "/v1/charges", {"payment_intent": "pi_none"})
    assert (error["code"], error["param"]) == ("resource_missing", "payment_intent")


def test_a_charge_that_succeeded(api: Api) -> None:
    with writing(api.row):
        charge = add_charge(add_customer(), 4900)
    shown = api.get(f"/v1/charges/{charge.id}", {"expand[]": "balance_transaction"})
    assert (shown["status"], shown["paid"], shown["captured"]) == ("succeeded", True, True)
    assert shown["amount_captured"] == 4900
    assert shown["payment_method_details"]["card"]["last4"] == "4242"
    assert shown["outcome"]["type"] == "authorized"
    assert shown["billing_details"]["email"] == "ana@lima.example"
    moved = shown["balance_transaction"]
    assert (moved["amount"], moved["fee"], moved["net"]) == (4900, 172, 4728)
    assert moved["status"] == "pending"
    assert moved["fee_details"][0]["amount"] == 172


def test_a_charge_that_failed(api: Api) -> None:
    with writing(api.row):
        charge = add_charge(add_customer(), 4900, declined=True)
    shown = api.get(f"/v1/charges/{charge.id}")
    assert (shown["status"], shown["paid"], shown["captured"]) == ("failed", False, False)
    assert shown["failure_code"] == "card_declined"
    assert shown["failure_message"] == "Your card was declined."
    assert shown["balance_transaction"] is None
    assert shown["outcome"]["network_status"] == "declined_by_network"
    intent = api.get(f"/v1/payment_intents/{charge.payment_intent}")
    assert (intent["status"], intent["amount_received"]) == ("requires_payment_method", 0)
    assert intent["last_payment_error"]["charge"] == charge.id
    assert intent["last_payment_error"]["message"] == "Your card was declined."


def test_words_can_be_changed_and_sums_cannot(api: Api) -> None:
    with writing(api.row):
        charge = add_charge(add_customer())
    url = f"/v1/charges/{charge.id}"
    changed = api.post(
        url,
        {
            "description": "Second seat",
            "metadata[ticket]": "17",
            "receipt_email": "books@lima.example",
            "fraud_details[user_report]": "safe",
        },
    )
    assert changed["description"] == "Second seat"
    assert changed["metadata"] == {"ticket": "17"}
    assert changed["receipt_email"] == "books@lima.example"
    assert changed["fraud_details"] == {"user_report": "safe"}
    assert api.get(url) == changed
    assert api.post(url, {"description": ""})["description"] is None
    error = api.refused("POST", url, {"amount": "1", "refunded": "true"})
    assert error["message"] == "Received unknown parameters: amount, refunded"
    event = api.get("/v1/events", {"type": "charge.updated", "limit": 1})["data"][0]
    assert event["data"]["previous_attributes"] == {"description": "Second seat"}


def test_search(api: Api) -> None:
    with writing(api.row):
        ana = add_customer()
        small = add_charge(ana, 900)
        large = add_charge(ana, 90000)
        failed = add_charge(ana, 500, declined=True)
        Charge.objects.filter(id=large.id).update(metadata={"order": "K-17"})
    api.post("/v1/refunds", {"charge": small.id})

    def found(query: str) -> set[str]:
        return {row["id"] for row in api.get("/v1/charges/search", {"query": query})["data"]}

    assert found("amount>1000") == {large.id}
    assert found("amount:900") == {small.id}
    assert found("amount<=900") == {small.id, failed.id}
    assert found("status:'failed'") == {failed.id}
    assert found('refunded:"true"') == {small.id}
    assert found("metadata['order']:'K-17'") == {large.id}
    assert found(f"customer:'{ana.id}' AND -status:'failed'") == {small.id, large.id}
    assert found('payment_method_details.card.last4:"4242"') == {small.id, large.id, failed.id}
    assert found("payment_method_details.card.exp_year:2030") == {small.id, large.id, failed.id}
    assert found("currency:'eur'") == set()
