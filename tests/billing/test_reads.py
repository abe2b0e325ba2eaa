"""What else can be read: intents, invoices, subscriptions, the balance, prices, events."""

from __future__ import annotations

from datetime import timedelta

import pytest

from clones.billing.domain.charges import Decline
from clones.billing.domain.invoices import DraftLine, create_invoice, pay_invoice
from clones.billing.errors import InvoiceNotPayable
from clones.billing.models import BalanceTransaction, PaymentMethod
from clones.core import clock, jobs
from clones.core.tenancy import unit_of_work
from tests.billing.shop import (
    ACTOR,
    Api,
    add_charge,
    add_customer,
    add_price,
    add_subscription,
    invoice_of,
    reading,
    writing,
)
from tests.conftest import bind


def advance(api: Api, by: timedelta) -> None:
    with bind(api.row), unit_of_work("write"):
        jobs.advance(clock.now() + by)


def test_payment_intents(api: Api) -> None:
    with writing(api.row):
        ana, bo = add_customer(), add_customer("Bo", "bo@lind.example")
        one, _ = add_charge(ana), add_charge(bo)
    (shown,) = api.get("/v1/payment_intents", {"customer": ana.id})["data"]
    assert shown["id"] == one.payment_intent
    assert (shown["status"], shown["amount_received"]) == ("succeeded", 4900)
    assert shown["latest_charge"] == one.id
    assert api.get(f"/v1/payment_intents/{shown['id']}") == shown
    error = api.refused("GET", "/v1/payment_intents/pi_none", status=404)
    assert (error["message"], error["param"]) == ("No such payment_intent: 'pi_none'", "intent")


def test_an_invoice_its_lines_and_what_paid_it(api: Api) -> None:
    with writing(api.row):
        subscription = add_subscription(add_customer())
        invoice = invoice_of(subscription)
    shown = api.get(f"/v1/invoices/{invoice.id}", {"expand[]": "payments"})
    assert (shown["status"], shown["total"], shown["amount_remaining"]) == ("paid", 4900, 0)
    assert shown["amount_paid"] == 4900
    assert shown["number"].endswith("-0001")
    assert shown["billing_reason"] == "subscription_create"
    details = shown["parent"]["subscription_details"]
    assert details["subscription"] == subscription.id
    (line,) = shown["lines"]["data"]
    assert line["amount"] == 4900
    assert line["pricing"]["price_details"]["price"].startswith("price_")
    assert line["parent"]["subscription_item_details"]["proration"] is False
    assert api.get(f"/v1/invoices/{invoice.id}/lines")["data"] == [line]
    (payment,) = shown["payments"]["data"]
    assert payment["invoice"] == invoice.id
    assert payment["status"] == "paid"
    intent = payment["payment"]["payment_intent"]
    (charge,) = api.get("/v1/charges", {"payment_intent": intent})["data"]
    assert charge["amount"] == 4900
    assert charge["description"] == "Subscription creation"
    by_intent = {"payment[type]": "payment_intent", "payment[payment_intent]": intent}
    (found,) = api.get("/v1/invoice_payments", by_intent)["data"]
    assert found == payment
    assert api.get(f"/v1/invoice_payments/{payment['id']}") == payment
    assert api.get("/v1/invoice_payments", {"invoice": invoice.id})["data"] == [payment]
    assert api.get("/v1/invoice_payments", {"status": "open"})["data"] == []
    deep = api.get(f"/v1/invoice_payments/{payment['id']}", {"expand[]": "payment.payment_intent"})
    assert deep["payment"]["payment_intent"]["id"] == intent


def test_invoices_are_listed_by_customer_subscription_and_status(api: Api) -> None:
    with writing(api.row):
        ana = add_customer()
        subscription = add_subscription(ana)
        first = invoice_of(subscription)
        second = create_invoice(
            ana,
            [
                DraftLine(-2000, "Unused time on Studio", proration=True),
                DraftLine(9900, "Remaining time on Studio Pro", proration=True),
            ],
            actor=ACTOR,
            currency="usd",
            subscription=subscription,
            billing_reason="subscription_update",
        )
        third = create_invoice(
            add_customer("Bo"), [DraftLine(100, "x")], actor=ACTOR, currency="usd"
        )
    ids = [row["id"] for row in api.get("/v1/invoices", {"customer": ana.id})["data"]]
    assert sorted(ids) == sorted([first.id, second.id])
    ids = [row["id"] for row in api.get("/v1/invoices", {"status": "open"})["data"]]
    assert sorted(ids) == sorted([second.id, third.id])
    found = api.get("/v1/invoices", {"subscription": subscription.id, "status": "open"})["data"]
    assert [row["total"] for row in found] == [7900]
    assert [line["amount"] for line in found[0]["lines"]["data"]] == [-2000, 9900]
    assert api.get(f"/v1/subscriptions/{subscription.id}")["latest_invoice"] == second.id
    lines = api.get(f"/v1/invoices/{second.id}/lines", {"limit": 1})
    assert lines["has_more"] is True
    after = {"starting_after": lines["data"][0]["id"]}
    assert [x["amount"] for x in api.get(f"/v1/invoices/{second.id}/lines", after)["data"]] == [
        9900
    ]


def test_an_invoice_whose_card_is_declined_stays_open(api: Api) -> None:
    with writing(api.row):
        ana = add_customer()
        method = PaymentMethod.objects.get(pk=ana.default_payment_method)
        invoice = create_invoice(ana, [DraftLine(100, "x")], actor=ACTOR, currency="usd")
        charge = pay_invoice(invoice, method, actor=ACTOR, decline=Decline())
    shown = api.get(f"/v1/invoices/{invoice.id}")
    assert (shown["status"], shown["attempt_count"]) == ("open", 1)
    assert api.get(f"/v1/charges/{charge.id}")["status"] == "failed"
    (payment,) = api.get("/v1/invoice_payments", {"status": "open"})["data"]
    assert payment["amount_paid"] is None
    with writing(api.row):
        pay_invoice(invoice, method, actor=ACTOR)
        with pytest.raises(InvoiceNotPayable):
            pay_invoice(invoice, method, actor=ACTOR)
    assert api.get(f"/v1/invoices/{invoice.id}")["status"] == "paid"


def test_a_subscription_can_end_with_its_period(api: Api) -> None:
    with writing(api.row):
        subscription = add_subscription(add_customer())
    url = f"/v1/subscriptions/{subscription.id}"
    shown = api.get(url)
    assert shown["status"] == "active"
    (item,) = shown["items"]["data"]
    assert item["price"]["unit_amount"] == item["plan"]["amount"] == 4900
    assert item["current_period_end"] > item["current_period_start"]
    changed = api.post(
        url, {"cancel_at_period_end": "true", "cancellation_details[feedback]": "unused"}
    )
    assert changed["status"] == "active"
    assert changed["cancel_at_period_end"] is True
    assert changed["cancel_at"] == item["current_period_end"]
    assert changed["cancellation_details"] == {
        "comment": None,
        "feedback": "unused",
        "reason": "cancellation_requested",
    }
    resumed = api.post(url, {"cancel_at_period_end": "false"})
    assert resumed["cancel_at"] is None
    assert resumed["canceled_at"] is None
    assert resumed["cancellation_details"]["reason"] is None
    api.post(url, {"cancel_at_period_end": "true"})
    advance(api, timedelta(days=20))
    assert api.get(url)["status"] == "active"
    advance(api, timedelta(days=15))
    ended = api.get(url)
    assert ended["status"] == "canceled"
    assert ended["ended_at"] == item["current_period_end"]
    assert ended["canceled_at"] < ended["ended_at"]
    assert api.get("/v1/subscriptions")["data"] == []
    assert [row["id"] for row in api.get("/v1/subscriptions", {"status": "ended"})["data"]] == [
        subscription.id
    ]


def test_a_resumed_subscription_goes_on(api: Api) -> None:
    with writing(api.row):
        subscription = add_subscription(add_customer())
    url = f"/v1/subscriptions/{subscription.id}"
    api.post(url, {"cancel_at_period_end": "true"})
    api.post(url, {"cancel_at_period_end": "false"})
    advance(api, timedelta(days=40))
    assert api.get(url)["status"] == "active"


def test_a_subscription_can_end_now(api: Api) -> None:
    with writing(api.row):
        ana = add_customer()
        subscription, other = add_subscription(ana), add_subscription(ana)
    url = f"/v1/subscriptions/{subscription.id}"
    ended = api.delete(url, {"cancellation_details[comment]": "Too dear"})
    assert ended["status"] == "canceled"
    assert ended["ended_at"] == ended["canceled_at"]
    assert ended["cancellation_details"]["comment"] == "Too dear"
    listed = api.get("/v1/subscriptions", {"customer": ana.id})["data"]
    assert [row["id"] for row in listed] == [other.id]
    listed = api.get("/v1/subscriptions", {"customer": ana.id, "status": "all"})["data"]
    assert len(listed) == 2
    error = api.refused("DELETE", url, status=404)
    assert error["message"] == f"No such subscription: '{subscription.id}'"
    error = api.refused("POST", url, {"cancel_at_period_end": "true"})
    assert error["message"] == (
        "A canceled subscription can only update its cancellation_details and metadata."
    )
    assert api.post(url, {"metadata[a]": "1"})["metadata"] == {"a": "1"}


def test_subscriptions_by_price_and_their_items(api: Api) -> None:
    with writing(api.row):
        price = add_price("Studio Pro", 9900)
        subscription = add_subscription(add_customer(), price)
        add_subscription(add_customer("Bo"))
    (found,) = api.get("/v1/subscriptions", {"price": price.id})["data"]
    assert found["id"] == subscription.id
    items = api.get("/v1/subscription_items", {"subscription": subscription.id})
    assert items["data"] == found["items"]["data"]
    error = api.refused("GET", "/v1/subscription_items", {"subscription": "sub_none"})
    assert (error["code"], error["param"]) == ("resource_missing", "subscription")
    expanded = api.get(f"/v1/customers/{subscription.customer_id}", {"expand[]": "subscriptions"})
    assert [row["id"] for row in expanded["subscriptions"]["data"]] == [subscription.id]
    deep = {"expand[]": "items.data.price.product"}
    shown = api.get(f"/v1/subscriptions/{subscription.id}", deep)
    assert shown["items"]["data"][0]["price"]["product"]["name"] == "Studio Pro"


def test_the_balance_is_what_moved(api: Api) -> None:
    with writing(api.row):
        charge = add_charge(add_customer(), 10000)
    api.post("/v1/refunds", {"charge": charge.id, "amount": 2500})
    balance = api.get("/v1/balance")
    assert balance["pending"] == [
        {"amount": 9680, "currency": "usd", "source_types": {"card": 9680}}
    ]
    assert balance["available"][0]["amount"] == -2500
    advance(api, timedelta(days=4))
    balance = api.get("/v1/balance")
    assert balance["available"][0]["amount"] == 7180
    assert balance["pending"][0]["amount"] == 0
    with reading(api.row):
        assert sum(row.net for row in BalanceTransaction.objects.all()) == 7180
    newest, oldest = api.get("/v1/balance_transactions")["data"]
    assert (newest["type"], oldest["type"]) == ("refund", "charge")
    assert api.get("/v1/balance_transactions", {"type": "charge"})["data"] == [oldest]
    assert api.get("/v1/balance_transactions", {"source": charge.id})["data"] == [oldest]
    deep = api.get(f"/v1/balance_transactions/{newest['id']}", {"expand[]": "source"})
    assert deep["source"]["object"] == "refund"
    error = api.refused("GET", "/v1/balance", {"currency": "usd"})
    assert (error["code"], error["param"]) == ("parameter_unknown", "currency")
    error = api.refused("GET", "/v1/balance", {"expand[]": "pending"})
    assert error["message"] == "This property cannot be expanded (pending)."


def test_products_and_prices(api: Api) -> None:
    with writing(api.row):
        price = add_price()
        other = add_price("Kestrel Cut", 1900)
    (shown,) = api.get("/v1/prices", {"product": price.product_id})["data"]
    assert shown["unit_amount"] == 4900
    assert shown["recurring"]["interval"] == "month"
    assert api.get(f"/v1/prices/{price.id}") == shown
    product = api.get(f"/v1/products/{price.product_id}")
    assert product["name"] == "Kestrel Studio"
    assert len(api.get("/v1/products")["data"]) == 2
    listed = api.get("/v1/products", {"ids[]": [other.product_id], "active": "true"})["data"]
    assert [row["name"] for row in listed] == ["Kestrel Cut"]
    assert api.get("/v1/prices", {"active": "false"})["data"] == []
    assert api.get("/v1/prices", {"type": "one_time"})["data"] == []
    assert len(api.get("/v1/prices", {"recurring[interval]": "month"})["data"]) == 2
    error = api.refused("GET", "/v1/prices", {"active": "yes"})
    assert (error["message"], error["param"]) == ("Invalid boolean: yes", "active")


def test_events_are_kept_for_thirty_days(api: Api) -> None:
    with writing(api.row):
        add_charge(add_customer())
    types = [row["type"] for row in api.get("/v1/events")["data"]]
    assert sorted(types) == [
        "charge.succeeded",
        "customer.created",
        "customer.updated",
        "payment_intent.created",
        "payment_intent.succeeded",
        "payment_method.attached",
    ]
    charges = api.get("/v1/events", {"type": "payment_intent.*"})["data"]
    assert len(charges) == 2
    some = {"types[0]": "charge.succeeded", "types[1]": "customer.created"}
    assert len(api.get("/v1/events", some)["data"]) == 2
    event = charges[0]
    assert event["data"]["object"]["object"] == "payment_intent"
    advance(api, timedelta(days=31))
    assert api.get("/v1/events")["data"] == []
    assert api.refused("GET", f"/v1/events/{event['id']}", status=404)["param"] == "id"
