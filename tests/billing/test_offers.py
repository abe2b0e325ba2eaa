"""Products and prices that are made; disputes; and what the merchant does not use."""

from __future__ import annotations

import pytest

from clones.billing.api.views.unused import UNUSED
from clones.billing.models import Charge
from tests.billing.shop import Api, add_charge, add_customer, writing


def test_a_product_and_its_price_are_made_and_changed(api: Api) -> None:
    made = api.post("/v1/products", {"name": "Nozzle", "metadata[sku]": "n1", "active": "false"})
    assert (made["name"], made["active"], made["metadata"]) == ("Nozzle", False, {"sku": "n1"})
    price = api.post(
        "/v1/prices",
        {
            "product": made["id"],
            "currency": "EUR",
            "unit_amount": "1900",
            "recurring[interval]": "month",
            "lookup_key": "nozzle",
            "expand[]": "product",
        },
    )
    assert (price["currency"], price["unit_amount"], price["type"]) == ("eur", 1900, "recurring")
    assert price["recurring"]["interval_count"] == 1
    assert price["product"]["id"] == made["id"]
    one = f"/v1/products/{made['id']}"
    changed = api.post(
        one, {"active": "true", "description": "Brass", "default_price": price["id"]}
    )
    assert (changed["active"], changed["description"]) == (True, "Brass")
    assert changed["default_price"] == price["id"]
    assert api.post(one, {"description": ""})["description"] is None
    shown = api.get(one)
    assert shown == {**changed, "description": None, "updated": shown["updated"]}
    key = f"/v1/prices/{price['id']}"
    assert api.post(key, {"nickname": "N", "active": "false"})["nickname"] == "N"
    assert api.get(key)["active"] is False
    types = [event["type"] for event in api.get("/v1/events")["data"]]
    assert {"product.created", "product.updated", "price.created", "price.updated"} == set(types)


def test_what_is_no_offer_is_refused(api: Api) -> None:
    assert api.refused("POST", "/v1/products")["param"] == "name"
    assert api.refused("POST", "/v1/products", {"name": "x" * 251})["param"] == "name"
    product = api.post("/v1/products", {"name": "Nozzle"})["id"]
    base = {"product": product, "currency": "usd", "unit_amount": "5"}
    for missing in base:
        rest = {name: value for name, value in base.items() if name != missing}
        error = api.refused("POST", "/v1/prices", rest)
        assert (error["code"], error["param"]) == ("parameter_missing", missing)
    for name, value in {
        "unit_amount": "-1",
        "product": "prod_x",
        "recurring[interval]": "hour",
        "recurring[usage_type]": "metered",
    }.items():
        assert api.refused("POST", "/v1/prices", {**base, name: value})["message"]
    for code in ("us", "usdd", "u$d", "9223372036854775808", "é" * 400):
        error = api.refused("POST", "/v1/prices", {**base, "currency": code})
        assert (error["message"], error["param"]) == (f"Invalid currency: {code}", "currency")
    first = api.post("/v1/prices", {**base, "lookup_key": "k"})["id"]
    second = api.post("/v1/prices", base)["id"]
    for path, data in (("/v1/prices", base), (f"/v1/prices/{second}", {})):
        error = api.refused("POST", path, {**data, "lookup_key": "k"})
        assert (error["code"], error["param"]) == ("resource_already_exists", "lookup_key")
        assert first in error["message"]
    assert api.post(f"/v1/prices/{first}", {"lookup_key": "k"})["lookup_key"] == "k"
    error = api.refused("POST", f"/v1/products/{product}", {"default_price": "price_x"})
    assert error["code"] == "resource_missing"


def test_a_disputed_charge_has_a_dispute(api: Api) -> None:
    with writing(api.row):
        customer = add_customer()
        charges = [add_charge(customer, 100 + number) for number in range(3)]
        Charge.objects.filter(id__in=[charges[0].id, charges[2].id]).update(disputed=True)
    listed = api.get("/v1/disputes")["data"]
    assert {row["charge"] for row in listed} == {charges[0].id, charges[2].id}
    first = api.get("/v1/disputes", {"limit": "1"})
    assert first["has_more"] is True
    second = api.get("/v1/disputes", {"starting_after": first["data"][0]["id"]})
    assert [row["id"] for row in second["data"]] == [listed[1]["id"]]
    of_one = api.get("/v1/disputes", {"charge": charges[2].id})["data"]
    assert [row["amount"] for row in of_one] == [102]
    of_intent = api.get("/v1/disputes", {"payment_intent": charges[0].payment_intent})["data"]
    assert [row["amount"] for row in of_intent] == [100]
    shown = api.get(f"/v1/disputes/{of_one[0]['id']}", {"expand[]": "charge"})
    assert shown["charge"]["id"] == charges[2].id
    for key in (f"dp_{charges[1].id[3:]}", "dp_none", charges[0].id):
        error = api.refused("GET", f"/v1/disputes/{key}", status=404)
        assert error["message"] == f"No such dispute: '{key}'"


@pytest.mark.parametrize("path", sorted(UNUSED))
def test_what_the_merchant_does_not_use_is_an_empty_list(api: Api, path: str) -> None:
    kind, _, texts = UNUSED[path]
    filters = {"limit": "3", "created[gte]": "1", **dict.fromkeys(texts.split(), "x")}
    found = api.get(f"/v1/{path}", filters)
    assert found == {"object": "list", "data": [], "has_more": False, "url": f"/v1/{path}"}
    error = api.refused("GET", f"/v1/{path}", {"starting_after": "x_1"})
    assert error["message"] == f"No such {kind}: 'x_1'"
    error = api.refused("GET", f"/v1/{path}/x_1", status=404)
    assert error["message"] == f"No such {kind}: 'x_1'"
    made = api.refused("POST", f"/v1/{path}", {}, status=404)
    assert made["message"].startswith(f"Unrecognized request URL (POST: /v1/{path}).")
