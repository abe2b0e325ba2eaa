"""Search over every kind that the vendor lets be searched, and what its fixed addresses say."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, Final

import pytest

from clones.billing.api.operations import operations
from clones.billing.api.search_fields import FIELDS
from clones.billing.models import Price, Product
from tests.billing.shop import Api, add_charge, add_customer, add_subscription, invoice_of, writing

FACTS: Final = Path(__file__).parents[1] / "facts" / "billing" / "operations.json"
PATHS = {
    "charge": "/v1/charges",
    "customer": "/v1/customers",
    "invoice": "/v1/invoices",
    "payment_intent": "/v1/payment_intents",
    "price": "/v1/prices",
    "product": "/v1/products",
    "subscription": "/v1/subscriptions",
}


@pytest.fixture
def shop(api: Api) -> dict[str, Any]:
    """What there is one of, by kind, and what it can be found by."""
    with writing(api.row):
        customer = add_customer()
        charge = add_charge(customer, 1200)
        subscription = add_subscription(customer)
        invoice = invoice_of(subscription)
        price = Price.objects.get()
        Price.objects.update(lookup_key="studio_monthly")
        Product.objects.update(shippable=False)
    api.post(f"/v1/customers/{customer.id}", {"metadata[tier]": "gold"})
    return {
        "api": api,
        "charge": charge.id,
        "customer": customer.id,
        "invoice": invoice.id,
        "number": invoice.number,
        "payment_intent": charge.payment_intent,
        "price": price.id,
        "product": price.product_id,
        "subscription": subscription.id,
    }


QUERIES = """
charge: amount:1200 | amount>99999
charge: customer:"{customer}" AND amount<2000 | status:"failed"
customer: email:"ANA@lima.example" | email:"ben"
customer: metadata["tier"]:"gold" | metadata["tier"]:"tin"
invoice: number:"{number}" | number:"X-1"
invoice: subscription:"{subscription}" AND status:"paid" | status:"open"
invoice: total>4000 AND total<5000 | total:1
invoice: customer:"{customer}" | customer:"cus_x"
invoice: receipt_number:null | receipt_number:"1"
payment_intent: amount:1200 AND status:"succeeded" | amount:1200 AND status:"canceled"
payment_intent: amount:1200 AND customer:"{customer}" | customer:"cus_x"
price: product:"{product}" | product:"prod_x"
price: lookup_key:"studio_monthly" | lookup_key:"studio_yearly"
price: active:"true" AND type:"recurring" | type:"one_time"
price: currency:"usd" AND -type:"one_time" | currency:"eur"
product: name~"kestrel" | name~"falcon"
product: active:"true" AND shippable:"false" | active:"false"
product: description~"software" | url:"https://x.example"
subscription: status:"active" | status:"canceled"
subscription: created>1000 | created<1000
subscription: canceled_at:null | -canceled_at:null
"""


@pytest.mark.parametrize("line", QUERIES.strip().splitlines())
def test_a_query_finds_what_it_says_and_nothing_else(shop: dict[str, Any], line: str) -> None:
    kind, _, queries = line.partition(": ")
    found_by, _, missed_by = queries.partition(" | ")
    for query, wanted in ((found_by, [shop[kind]]), (missed_by, [])):
        asked = query.format_map(shop) if "{" in query else query
        body = shop["api"].get(f"{PATHS[kind]}/search", {"query": asked})
        assert (body["object"], body["url"]) == ("search_result", f"{PATHS[kind]}/search")
        assert [row["id"] for row in body["data"]] == wanted, asked
        assert {row["object"] for row in body["data"]} <= {kind}


ODD_KEYS = ["7", "0", "-1", "9" * 25, "1_0", " 3 ", "\u0661", "a.b", "$", "#-1", "k__lt"]


@pytest.mark.parametrize("key", [*ODD_KEYS, 'a"b', "a\\b", "a'b"])
def test_a_key_of_metadata_is_taken_as_it_is_written(shop: dict[str, Any], key: str) -> None:
    api, customer = shop["api"], shop["customer"]
    api.post(f"/v1/customers/{customer}", {f"metadata[{key}]": "violet"})
    quoted = "metadata['" + key.replace("\\", "\\\\").replace("'", "\\'") + "']"
    for clause, finds in (
        (":'violet'", True),
        ("~'viol'", True),
        (":'red'", False),
        (":null", False),
    ):
        for query, wanted in ((quoted + clause, finds), (f"-{quoted}{clause}", not finds)):
            body = api.get("/v1/customers/search", {"query": query})
            assert [row["id"] for row in body["data"]] == [customer] * wanted, query


@pytest.mark.parametrize("kind", sorted(FIELDS))
def test_every_field_can_be_asked_for_and_no_other(shop: dict[str, Any], kind: str) -> None:
    api, path = shop["api"], f"{PATHS[kind]}/search"
    for name, field in FIELDS[kind].items():
        asked = {
            "number": "1",
            "time": "1",
            "boolean": "'true'",
            "recurring": "'recurring'",
        }.get(field.type, "'x'")
        left = "metadata['k']" if name == "metadata" else name
        api.get(path, {"query": f"{left}:{asked}"})
        api.get(path, {"query": f"-{left}:{asked}"})
    error = api.refused("GET", path, {"query": "colour:'red'"})
    assert "is an unsupported search field" in error["message"]
    assert api.refused("GET", path, {"query": "=="})["message"]
    assert api.refused("GET", path)["code"] == "parameter_missing"
    total = api.get(path, {"query": "created>0", "expand[]": "total_count"})["total_count"]
    assert total >= 1


def test_a_search_is_paged_and_expanded(shop: dict[str, Any]) -> None:
    api = shop["api"]
    asked = {"query": "status:'succeeded'", "limit": "1", "expand[]": "data.customer"}
    first = api.get("/v1/payment_intents/search", asked)
    assert first["has_more"] is True
    assert first["data"][0]["customer"]["id"] == shop["customer"]
    second = api.get("/v1/payment_intents/search", {**asked, "page": first["next_page"]})
    assert second["data"][0]["id"] != first["data"][0]["id"]
    assert (second["has_more"], second["next_page"]) == (False, None)


def bare(path: str) -> str:
    """Return a path without the names of its parameters."""
    return re.sub(r"\{[^}]*\}", "{}", path)


def test_no_id_takes_a_word_that_the_vendor_has_an_address_for() -> None:
    described = {bare(one["path"]) for one in json.loads(FACTS.read_text(encoding="utf-8"))}
    assert len(described) > 300
    # What the vendor had in older versions, and what search has where the client does not ask.
    older = {"/v1/invoices/upcoming", "/v1/invoices/upcoming/lines"}
    for path in sorted(described | older | {f"{path}/search" for path in PATHS.values()}):
        methods, _ = operations._find(path.replace("{}", "none").strip("/").split("/"))
        taken = {bare(found.path) for found in (methods or {}).values()}
        assert taken in (set(), {path}), path


def test_an_address_that_the_vendor_took_away_is_unknown(api: Api) -> None:
    error = api.refused("GET", "/v1/invoices/upcoming", {"customer": "cus_x"}, status=404)
    assert error["message"].startswith("Unrecognized request URL (GET: /v1/invoices/upcoming).")
