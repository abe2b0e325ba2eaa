"""What a customer will be asked to pay next."""

from __future__ import annotations

from clones.billing.models import Invoice
from tests.billing.shop import Api, add_customer, add_subscription, reading, writing


def test_the_next_period_of_a_subscription_is_shown_and_not_kept(api: Api) -> None:
    with writing(api.row):
        customer = add_customer()
        subscription = add_subscription(customer)
    with reading(api.row):
        before = Invoice.objects.count()
    shown = api.post("/v1/invoices/create_preview", {"customer": customer.id})
    renews = api.get(f"/v1/subscriptions/{subscription.id}")["items"]["data"][0]
    assert shown["object"] == "invoice"
    assert shown["id"].startswith("upcoming_in_")
    assert (shown["status"], shown["number"], shown["billing_reason"]) == (
        "draft",
        None,
        "upcoming",
    )
    assert (shown["total"], shown["amount_due"], shown["amount_paid"]) == (4900, 4900, 0)
    assert shown["next_payment_attempt"] == renews["current_period_end"]
    (line,) = shown["lines"]["data"]
    assert line["amount"] == 4900
    assert line["period"]["start"] == renews["current_period_end"]
    assert line["pricing"]["price_details"]["price"] == renews["price"]["id"]
    same = api.post("/v1/invoices/create_preview", {"subscription": subscription.id})
    assert same == shown
    with reading(api.row):
        assert Invoice.objects.count() == before


def test_credit_is_taken_off(api: Api) -> None:
    with writing(api.row):
        customer = add_customer()
        add_subscription(customer)
    api.post(f"/v1/customers/{customer.id}", {"balance": "-900"})
    shown = api.post("/v1/invoices/create_preview", {"customer": customer.id})
    assert (shown["total"], shown["starting_balance"], shown["amount_due"]) == (4900, -900, 4000)
    api.post(f"/v1/customers/{customer.id}", {"balance": "-9000"})
    shown = api.post("/v1/invoices/create_preview", {"customer": customer.id})
    assert (shown["amount_due"], shown["ending_balance"]) == (0, -4100)


def test_where_nothing_renews_there_is_none(api: Api) -> None:
    with writing(api.row):
        alone, leaving = add_customer("Ben", "ben@x.example"), add_customer()
        subscription = add_subscription(leaving)
    path = "/v1/invoices/create_preview"
    assert api.refused("POST", path)["code"] == "parameter_missing"
    error = api.refused("POST", path, {"customer": alone.id}, status=404)
    assert error["code"] == "invoice_upcoming_none"
    assert error["message"].endswith(alone.id)
    api.post(f"/v1/subscriptions/{subscription.id}", {"cancel_at_period_end": "true"})
    error = api.refused("POST", path, {"subscription": subscription.id}, status=404)
    assert error["code"] == "invoice_upcoming_none"
    assert api.refused("POST", path, {"customer": "cus_x"})["code"] == "resource_missing"


def test_a_preview_under_a_key_is_the_one_of_that_time(api: Api) -> None:
    with writing(api.row):
        customer = add_customer()
        add_subscription(customer)
    path, asked = "/v1/invoices/create_preview", {"customer": customer.id}
    first = api.call("POST", path, asked, Idempotency_Key="k-1")
    api.post(f"/v1/customers/{customer.id}", {"balance": "-900"})
    again = api.call("POST", path, asked, Idempotency_Key="k-1")
    assert again.content == first.content
    assert again["Idempotent-Replayed"] == "true"
    assert api.post(path, asked)["amount_due"] == 4000
