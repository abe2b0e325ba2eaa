"""How the API is spoken to, and how it refuses: every route in the vendor's envelope."""

from __future__ import annotations

import base64
import inspect
from typing import Any

import pytest
from django.test import Client

from clones.billing import errors
from clones.billing.api.dialect import dialect, redacted
from clones.billing.api.errors import ANSWERS, answer_to
from clones.billing.api.version import API_VERSION
from clones.billing.errors import BillingError
from clones.core import ratelimit
from clones.core.server import server
from clones.core.tenancy import unit_of_work
from snapshots.manifest import Manifest
from snapshots.sandboxes import Sandboxes
from tests.billing.shop import Api, add_charge, add_customer, open_account, writing
from tests.conftest import bind

FIELDS: dict[str, Any] = {
    "names": ("a", "b"),
    "choices": ("a", "b", "c"),
    "partly_refunded": True,
    "minimum": 1,
    "maximum": 100,
    "limit": 5,
    "amount": 2,
    "remaining": 1,
    "currency": "usd",
}


def concrete_errors() -> list[type[BillingError]]:
    found = [
        error
        for _, error in inspect.getmembers(errors, inspect.isclass)
        if issubclass(error, BillingError)
    ]
    return [error for error in found if error not in (BillingError, errors.InvalidParameter)]


@pytest.mark.parametrize("error", concrete_errors(), ids=lambda error: error.__name__)
def test_every_error_has_an_answer(error: type[BillingError]) -> None:
    given = {name: FIELDS.get(name, "x") for name in inspect.signature(error).parameters}
    raised = error(**given)
    assert raised.code in str(raised)
    body = answer_to(raised).body["error"]
    assert body["message"]
    assert body["type"] in ("invalid_request_error", "idempotency_error")


def test_no_answer_is_left_over() -> None:
    assert set(ANSWERS) == set(concrete_errors())


def test_unknown_parameters_are_named_together(api: Api) -> None:
    error = api.refused("GET", "/v1/charges", {"a": "1", "created[from]": "2"})
    head, _, names = error["message"].partition(": ")
    assert head == "Received unknown parameters"
    assert sorted(names.split(", ")) == ["a", "created[from]"]


def test_a_basic_user_is_a_key_too(api: Api) -> None:
    text = base64.b64encode(f"{api.key}:".encode()).decode()
    anonymous = Api(api.row, None, {"Authorization": f"Basic {text}"})
    assert anonymous.get("/v1/customers")["data"] == []


def test_on_the_bare_host_the_key_names_the_sandbox(api: Api) -> None:
    with writing(api.row):
        charge = add_charge(add_customer())
    client = Client(headers={"Host": "127.0.0.1:8800", "Authorization": f"Bearer {api.key}"})
    assert client.get(f"/v1/charges/{charge.id}").json()["id"] == charge.id
    refused = Client(headers={"Host": "127.0.0.1:8800"}).get("/v1/charges")
    assert refused.status_code == 401
    assert refused["WWW-Authenticate"] == 'Basic realm="Stripe"'


@pytest.mark.parametrize("key", ["sk_test_nonsense", "sk_live_x", "Bearer"])
def test_a_wrong_key_is_shown_with_its_end_only(api: Api, key: str) -> None:
    error = Api(api.row, key).refused("GET", "/v1/charges", status=401)
    assert error["message"] == f"Invalid API Key provided: {redacted(key)}"
    assert redacted("sk_test_abcdefgh") == "sk_test_****efgh"


def test_a_key_of_another_sandbox_proves_nothing(
    api: Api, sandboxes: Sandboxes, empty_image: Manifest
) -> None:
    other = sandboxes.create(empty_image)
    try:
        key = open_account(other)
        error = Api(api.row, key).refused("GET", "/v1/charges", status=401)
        assert error["message"].startswith("Invalid API Key provided: sk_test_***")
    finally:
        sandboxes.delete(other.id)
    gone = Client(headers={"Host": "127.0.0.1:8800", "Authorization": f"Bearer {key}"})
    assert gone.get("/v1/charges").status_code == 401


def test_a_key_ends_with_its_epoch(api: Api) -> None:
    server().registry.rotate_credentials(api.row.id)
    api.refused("GET", "/v1/charges", status=401)


def test_no_access_to_other_accounts(api: Api) -> None:
    response = api.call("GET", "/v1/charges", Stripe_Account="acct_other")
    error = api.body(response, 403)["error"]
    assert error["code"] == "account_invalid"
    assert "does not have access to account 'acct_other'" in error["message"]


@pytest.mark.parametrize(
    ("method", "path"),
    [("GET", "/v1/nothing"), ("PUT", "/v1/charges"), ("DELETE", "/v1/refunds/re_1")],
)
def test_unknown_addresses(api: Api, method: str, path: str) -> None:
    error = api.refused(method, path, status=404)
    assert error["message"] == (
        f"Unrecognized request URL ({method}: {path}). Please see https://stripe.com/docs or we"
        " can help at https://support.stripe.com/."
    )


def test_an_id_with_a_nul_names_nothing(api: Api) -> None:
    error = api.refused("GET", "/v1/charges/ch_%00", status=404)
    assert error["code"] == "resource_missing"


def test_a_trailing_slash_is_explained(api: Api) -> None:
    error = api.refused("GET", "/v1/charges/", status=404)
    assert "If you are trying to list objects, remove the trailing slash." in error["message"]


def test_headers(api: Api) -> None:
    first, second = api.call("GET", "/v1/charges"), api.call("GET", "/v1/charges")
    for response in (first, second):
        assert response["Stripe-Version"] == API_VERSION
        assert response["Request-Id"].startswith("req_")
        assert len(response["Request-Id"]) == 18
        assert response["Cache-Control"] == "no-cache, no-store"
        assert "Idempotency-Key" not in response
    assert first["Request-Id"] != second["Request-Id"]


def test_json_bodies_are_refused(api: Api) -> None:
    response = api.client.post(
        "/v1/customers",
        {"name": "x"},
        content_type="application/json",
        headers={
            "Host": f"billing.{api.row.id}.localhost:8800",
            "Authorization": f"Bearer {api.key}",
        },
    )
    error = api.body(response, 400)["error"]
    assert error["message"].startswith("Invalid request (check that your POST content type is")


def test_parameters_of_a_post_may_come_in_the_query(api: Api) -> None:
    made = api.body(api.call("POST", "/v1/customers?name=Ana"), 200)
    assert made["name"] == "Ana"


def test_a_name_that_is_a_value_and_an_object_is_refused(api: Api) -> None:
    data = {"metadata": "x", "metadata[a]": "1"}
    assert api.refused("POST", "/v1/customers", data)["message"].startswith("Invalid request")


@pytest.mark.parametrize(
    ("data", "message", "param"),
    [
        ({"limit": "0"}, "This value must be greater than or equal to 1.", "limit"),
        (
            {"limit": "101"},
            "This value must be less than or equal to 100 (it currently is '101').",
            "limit",
        ),
        ({"limit": "ten"}, "Invalid integer: ten", "limit"),
        ({"limit": ""}, "You passed an empty string for 'limit'.", "limit"),
        ({"customer": "cus_x"}, "No such customer: 'cus_x'", "customer"),
        ({"customer": ""}, "You passed an empty string for 'customer'.", "customer"),
        ({"customer[a]": "b"}, "Invalid string", "customer"),
        ({"created[gte]": "soon"}, "Invalid integer: soon", "created[gte]"),
        ({"expand": "data"}, "Invalid array", "expand"),
    ],
)
def test_values_that_do_not_fit(api: Api, data: dict[str, str], message: str, param: str) -> None:
    error = api.refused("GET", "/v1/charges", data)
    assert error["message"].startswith(message)
    assert error["param"] == param


def test_expansion_is_checked_at_its_first_property(api: Api) -> None:
    with writing(api.row):
        charge = add_charge(add_customer())
    one = f"/v1/charges/{charge.id}"
    error = api.refused("GET", one, {"expand[]": "metadata"})
    assert error["message"] == "This property cannot be expanded (metadata)."
    error = api.refused("GET", "/v1/charges", {"expand[]": "customer"})
    assert error["message"] == (
        "This property cannot be expanded (customer). You may want to try expanding"
        " 'data.customer' instead."
    )
    deep = "customer.subscriptions.data.customer.subscriptions"
    error = api.refused("GET", one, {"expand[]": deep})
    assert error["code"] == "property_expansion_max_depth"
    assert api.get(one, {"expand[]": "customer.nothing.here"})["customer"]["object"] == "customer"


def test_expansion_on_a_list(api: Api) -> None:
    with writing(api.row):
        charge = add_charge(add_customer())
    api.post("/v1/refunds", {"charge": charge.id})
    paths = {"expand[0]": "data.customer", "expand[1]": "data.refunds.data.balance_transaction"}
    (row,) = api.get("/v1/charges", paths)["data"]
    assert row["customer"]["email"] == "ana@lima.example"
    assert row["refunds"]["data"][0]["balance_transaction"]["net"] == -4900
    assert row["refunds"]["url"] == f"/v1/charges/{charge.id}/refunds"
    assert "refunds" not in api.get(f"/v1/charges/{charge.id}")


def test_too_many_requests(api: Api) -> None:
    with bind(api.row), unit_of_work("write"):
        ratelimit.set_limit(2)
    for _ in range(2):
        api.get("/v1/charges")
    response = api.call("GET", "/v1/charges")
    error = api.body(response, 429)["error"]
    assert error["code"] == "rate_limit"
    assert error["message"].startswith("Request rate limit exceeded.")
    assert response["Stripe-Rate-Limited-Reason"] == "global-rate"


def test_refusals_of_the_ground_floor(api: Api) -> None:
    request = Client().get("/v1/charges").wsgi_request
    expected = {"rate_limited": 429, "unavailable": 503, "too_large": 431, "failed": 500}
    for reason, status in expected.items():
        response = dialect.refuse(request, reason)  # type: ignore[arg-type] # the words are literal
        assert response.status_code == status
    assert b'"code":"rate_limit"' in dialect.refuse(request, "rate_limited").content
