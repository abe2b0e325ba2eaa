"""Customers: found by e-mail, made, changed, deleted; their cards."""

from __future__ import annotations

from typing import Any

import pytest

from clones.billing.domain.catalogue import attach_card
from clones.billing.models import Customer
from tests.billing.shop import (
    ACTOR,
    VISA,
    Api,
    add_charge,
    add_customer,
    add_subscription,
    reading,
    writing,
)


def test_a_customer_is_made_as_told(api: Api) -> None:
    made = api.post(
        "/v1/customers",
        {
            "name": "Ana Lima",
            "email": "ana@lima.example",
            "phone": "+1 555 0100",
            "description": "Met at the fair",
            "balance": "-500",
            "tax_exempt": "reverse",
            "address[line1]": "1 Dock Street",
            "address[city]": "Porto",
            "address[country]": "PT",
            "shipping[name]": "Ana",
            "shipping[address][line1]": "2 Dock Street",
            "preferred_locales[0]": "pt",
            "metadata[plan]": "studio",
        },
    )
    assert made["id"].startswith("cus_")
    assert len(made["id"]) == 18
    assert made["object"] == "customer"
    assert (made["name"], made["email"]) == ("Ana Lima", "ana@lima.example")
    assert made["balance"] == -500
    assert made["tax_exempt"] == "reverse"
    assert made["address"] == {
        "city": "Porto",
        "country": "PT",
        "line1": "1 Dock Street",
        "line2": None,
        "postal_code": None,
        "state": None,
    }
    assert made["shipping"]["name"] == "Ana"
    assert made["shipping"]["address"]["line1"] == "2 Dock Street"
    assert made["preferred_locales"] == ["pt"]
    assert made["metadata"] == {"plan": "studio"}
    assert api.get(f"/v1/customers/{made['id']}") == made


def test_what_is_not_told_stays_and_an_empty_string_unsets(api: Api) -> None:
    made = api.post(
        "/v1/customers",
        {"name": "Ana", "phone": "1", "address[city]": "Porto", "metadata[a]": "1"},
    )
    changed = api.post(
        f"/v1/customers/{made['id']}",
        {"phone": "", "address": "", "metadata[b]": "2", "email": "ana@lima.example"},
    )
    assert changed["name"] == "Ana"
    assert changed["phone"] is None
    assert changed["address"] is None
    assert changed["metadata"] == {"a": "1", "b": "2"}
    assert changed["email"] == "ana@lima.example"
    event = api.get("/v1/events", {"type": "customer.updated"})["data"][0]
    previous = event["data"]["previous_attributes"]
    assert previous["phone"] == "1"
    assert previous["email"] is None


def test_a_change_that_changes_nothing_writes_nothing(api: Api) -> None:
    made = api.post("/v1/customers", {"name": "Ana"})
    api.post(f"/v1/customers/{made['id']}", {"name": "Ana"})
    assert api.get("/v1/events", {"type": "customer.updated"})["data"] == []


@pytest.mark.parametrize(
    ("data", "code", "message"),
    [
        ({"email": "nobody"}, "email_invalid", "Invalid email address: nobody"),
        ({"name": "n" * 257}, None, "Invalid string: nnn"),
        ({"metadata[a]": "v" * 501}, None, "Metadata values can have up to 500 characters, but"),
        ({f"metadata[{'k' * 41}]": "v"}, None, "Metadata keys can have up to 40 characters, but"),
        ({f"metadata[k{n}]": "v" for n in range(51)}, None, "Metadata can only have up to 50 keys"),
        ({"metadata[a][b]": "v"}, None, "Invalid string"),
        ({"metadata": "x"}, None, "Invalid object"),
        ({"name": "a\x00b"}, None, "Invalid string"),
        ({"address": "x"}, None, "Invalid object"),
        ({"address[planet]": "x"}, "parameter_unknown", "Received unknown parameter: address[pl"),
        ({"shipping[name]": "x"}, "parameter_missing", "Missing required param: shipping[address]"),
        ({"tax_exempt": "half"}, None, "Invalid tax_exempt: must be one of none, exempt, or rev"),
        ({"balance": "1.5"}, "parameter_invalid_integer", "Invalid integer: 1.5"),
    ],
)
def test_values_that_cannot_be_kept(
    api: Api, data: dict[str, Any], code: str | None, message: str
) -> None:
    error = api.refused("POST", "/v1/customers", data)
    assert error.get("code") == code
    assert error["message"].startswith(message)
    assert api.get("/v1/customers")["data"] == []


def test_customers_are_found_by_exactly_their_email(api: Api) -> None:
    with writing(api.row):
        one = add_customer("One", "same@lima.example").id
        two = add_customer("Two", "same@lima.example").id
        add_customer("Three", "same@lima.example.org")
    found = api.get("/v1/customers", {"email": "same@lima.example"})["data"]
    assert {row["id"] for row in found} == {one, two}
    assert api.get("/v1/customers", {"email": "Same@lima.example"})["data"] == []


def test_a_deleted_customer_is_a_stub_and_keeps_the_charges(api: Api) -> None:
    with writing(api.row):
        customer = add_customer()
        charge = add_charge(customer)
        subscription = add_subscription(customer)
    stub = {"id": customer.id, "object": "customer", "deleted": True}
    assert api.delete(f"/v1/customers/{customer.id}") == stub
    assert api.get(f"/v1/customers/{customer.id}") == stub
    assert api.get("/v1/customers")["data"] == []
    assert api.get(f"/v1/charges/{charge.id}", {"expand[]": "customer"})["customer"] == stub
    assert api.get(f"/v1/subscriptions/{subscription.id}")["status"] == "canceled"
    error = api.refused("POST", f"/v1/customers/{customer.id}", {"name": "x"}, status=404)
    assert error["message"] == f"No such customer: '{customer.id}'"
    api.refused("DELETE", f"/v1/customers/{customer.id}", status=404)
    event = api.get("/v1/events", {"type": "customer.deleted"})["data"][0]
    assert event["data"]["object"]["email"] == "ana@lima.example"


def test_the_cards_of_a_customer(api: Api) -> None:
    with writing(api.row):
        customer = add_customer()
        other = add_customer("Other", "other@lima.example")
        second = attach_card(
            customer,
            actor=ACTOR,
            card={**VISA, "brand": "mastercard", "last4": "4444"},
            billing_details={"name": "A. Lima", "address": {"postal_code": "4000"}},
        )
    url = f"/v1/customers/{customer.id}/payment_methods"
    newest, oldest = api.get(url)["data"]
    assert newest["id"] == second.id
    assert newest["card"]["brand"] == newest["card"]["display_brand"] == "mastercard"
    assert newest["card"]["last4"] == "4444"
    assert newest["billing_details"]["name"] == "A. Lima"
    assert newest["billing_details"]["address"]["postal_code"] == "4000"
    assert oldest["card"]["last4"] == "4242"
    assert api.get(url, {"type": "sepa_debit"})["data"] == []
    assert api.get(f"{url}/{second.id}") == newest
    assert api.get(f"/v1/payment_methods/{second.id}") == newest
    missing = f"/v1/customers/{other.id}/payment_methods/{second.id}"
    assert api.refused("GET", missing, status=404)["param"] == "payment_method"
    settings = api.get(f"/v1/customers/{customer.id}")["invoice_settings"]
    assert settings["default_payment_method"] == second.id


def test_search(api: Api) -> None:
    with writing(api.row):
        ana = add_customer("Ana Lima", "ana@lima.example")
        bo = add_customer("Bo Lind", "bo@lind.example")
        Customer.objects.filter(id=bo.id).update(metadata={"plan": "o'clock", "seats": "7"})

    def found(query: str) -> set[str]:
        body = api.get("/v1/customers/search", {"query": query})
        assert body["object"] == "search_result"
        return {row["id"] for row in body["data"]}

    assert found("email:'ANA@lima.example'") == {ana.id}
    assert found('email~"li"') == {ana.id, bo.id}
    assert found('name~"lind" AND email:"bo@lind.example"') == {bo.id}
    assert found('name:"Ana Lima" OR name:"Bo Lind"') == {ana.id, bo.id}
    assert found('-email:"ana@lima.example"') == {bo.id}
    assert found("metadata['plan']:'o\\'clock'") == {bo.id}
    assert found('metadata["plan"]:null') == {ana.id}
    assert found('-metadata["plan"]:null') == {bo.id}
    assert found('-metadata["plan"]:"other"') == {ana.id, bo.id}
    assert found('metadata["plan"]~"CLOCK"') == {bo.id}
    assert found("phone:null created>1000") == {ana.id, bo.id}
    assert found("created<1000") == set()


def test_search_pages(api: Api) -> None:
    with writing(api.row):
        ids = [add_customer(f"C{n}", f"c{n}@lima.example").id for n in range(5)]
    asked: dict[str, Any] = {"query": "email~'lima'", "limit": 2, "expand[]": "total_count"}
    seen: list[str] = []
    while True:
        page = api.get("/v1/customers/search", asked)
        assert page["total_count"] == 5
        seen += [row["id"] for row in page["data"]]
        if not page["has_more"]:
            assert page["next_page"] is None
            break
        asked["page"] = page["next_page"]
    assert sorted(seen) == sorted(ids)
    error = api.refused("GET", "/v1/customers/search", {"query": "email~'x'", "page": "zzz"})
    assert error["message"] == "zzz is an invalid page."


@pytest.mark.parametrize(
    "query", ["lima", "email:", "email=x", "email:'a' OR name:'b' AND name:'c'", "created:'x'"]
)
def test_what_is_no_query(api: Api, query: str) -> None:
    error = api.refused("GET", "/v1/customers/search", {"query": query})
    assert error["message"].startswith("We were unable to parse your search query.")


def test_a_field_that_cannot_be_searched(api: Api) -> None:
    error = api.refused("GET", "/v1/customers/search", {"query": "colour:'red'"})
    assert error["message"] == (
        "Field `colour` is an unsupported search field for resource `customers`."
    )
    assert api.refused("GET", "/v1/customers/search")["code"] == "parameter_missing"


def test_metadata_keys_are_never_paths(api: Api) -> None:
    with writing(api.row):
        customer = add_customer()
        Customer.objects.filter(id=customer.id).update(metadata={"a__b": "1", "a": {"b": "1"}})
    body = api.get("/v1/customers/search", {"query": 'metadata["a__b"]:"1"'})
    assert [row["id"] for row in body["data"]] == [customer.id]
    with reading(api.row):
        assert Customer.objects.count() == 1
