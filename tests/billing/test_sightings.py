"""While an episode runs, it is kept which records an answer or a page showed."""

from __future__ import annotations

from clones.core.models import Sighting
from clones.core.server import server
from tests.billing.shop import (
    Api,
    add_charge,
    add_customer,
    add_subscription,
    invoice_of,
    reading,
    writing,
)
from tests.billing.test_panel import Panel


def sighted(api: Api) -> set[tuple[str, str, str]]:
    """Return (table, key, kind) of what the last answer showed."""
    with reading(api.row):
        last = Sighting.objects.order_by("-id").first()
        return set() if last is None else {tuple(entry) for entry in last.shown}


def test_lists_and_details_are_sighted(api: Api) -> None:
    with writing(api.row):
        customer = add_customer()
        one, two = add_charge(customer), add_charge(customer)
        invoice = invoice_of(add_subscription(customer))
    server().registry.set_episode(api.row.id, "ep-abcdefghij", None)
    listed = api.get("/v1/charges", {"customer": customer.id})["data"]
    assert {one.id, two.id} < {row["id"] for row in listed}
    assert sighted(api) == {("billing_charge", row["id"], "list") for row in listed}
    api.get(f"/v1/charges/{one.id}", {"expand[]": "customer"})
    assert sighted(api) == {
        ("billing_charge", one.id, "detail"),
        ("billing_customer", customer.id, "detail"),
    }
    shown = api.get(f"/v1/invoices/{invoice.id}")
    line = shown["lines"]["data"][0]["id"]
    assert ("billing_invoiceline", line, "detail") in sighted(api)


def test_a_refusal_shows_nothing(api: Api) -> None:
    server().registry.set_episode(api.row.id, "ep-abcdefghij", None)
    api.refused("GET", "/v1/charges/ch_none", status=404)
    assert sighted(api) == set()


def test_the_panel_is_sighted(api: Api) -> None:
    with writing(api.row):
        customer = add_customer()
        charge = add_charge(customer)
        subscription = add_subscription(customer)
    panel = Panel(api)
    server().registry.set_episode(api.row.id, "ep-abcdefghij", None)
    panel.open()
    assert {
        ("billing_charge", charge.id, "list"),
        ("billing_customer", customer.id, "detail"),
        ("billing_subscription", subscription.id, "list"),
    } <= sighted(api)
