"""A request sent twice under one key is executed once, and answered alike."""

from __future__ import annotations

from datetime import timedelta

import pytest

from clones.billing.models import Charge, IdempotencyKey, Refund
from clones.core import clock
from clones.core.tenancy import unit_of_work
from snapshots.sandboxes import Sandboxes
from tests.billing.shop import Api, add_charge, add_customer, reading, writing
from tests.conftest import bind


@pytest.fixture
def charge(api: Api) -> Charge:
    with writing(api.row):
        return add_charge(add_customer(), 4900)


def test_the_second_answer_is_the_first_one(api: Api, charge: Charge) -> None:
    data = {"charge": charge.id, "amount": 1000}
    first = api.call("POST", "/v1/refunds", data, Idempotency_Key="k-1")
    api.post("/v1/refunds", {"charge": charge.id})  # the world moves on
    second = api.call("POST", "/v1/refunds", data, Idempotency_Key="k-1")
    assert second.content == first.content
    assert second.status_code == first.status_code == 200
    assert "Idempotent-Replayed" not in first
    assert second["Idempotent-Replayed"] == "true"
    assert first["Idempotency-Key"] == second["Idempotency-Key"] == "k-1"
    assert first["Original-Request"] == first["Request-Id"]
    assert second["Original-Request"] == first["Request-Id"] != second["Request-Id"]
    with reading(api.row):
        assert Refund.objects.count() == 2


def test_a_refusal_is_kept_too(api: Api, charge: Charge) -> None:
    data = {"charge": charge.id, "amount": 99999}
    first = api.call("POST", "/v1/refunds", data, Idempotency_Key="k-2")
    with writing(api.row):
        Charge.objects.filter(id=charge.id).update(amount=200000, amount_captured=200000)
    second = api.call("POST", "/v1/refunds", data, Idempotency_Key="k-2")
    assert second.content == first.content
    assert second.status_code == first.status_code == 400
    assert second["Idempotent-Replayed"] == "true"
    with reading(api.row):
        assert Refund.objects.count() == 0


def test_parameters_that_do_not_fit_keep_nothing(api: Api, charge: Charge) -> None:
    api.call("POST", "/v1/refunds", {"charge": charge.id, "amount": "x"}, Idempotency_Key="k-3")
    api.post("/v1/refunds", {"charge": charge.id, "amount": 5}, Idempotency_Key="k-3")


def test_other_parameters_under_the_key_are_refused(api: Api, charge: Charge) -> None:
    api.post("/v1/refunds", {"charge": charge.id, "amount": 1}, Idempotency_Key="k-4")
    other = api.call(
        "POST", "/v1/refunds", {"charge": charge.id, "amount": 2}, Idempotency_Key="k-4"
    )
    assert api.body(other, 400)["error"] == {
        "message": "Keys for idempotent requests can only be used with the same parameters they"
        " were first used with. Try using a key other than 'k-4' if you meant to execute a"
        " different request.",
        "type": "idempotency_error",
    }


def test_another_address_under_the_key_is_refused(api: Api, charge: Charge) -> None:
    api.post("/v1/refunds", {"charge": charge.id, "amount": 1}, Idempotency_Key="k-5")
    other = api.call("POST", "/v1/customers", {"name": "x"}, Idempotency_Key="k-5")
    error = api.body(other, 400)["error"]
    assert error["type"] == "idempotency_error"
    assert "('/v1/customers' vs '/v1/refunds')" in error["message"]


def test_the_order_of_parameters_does_not_matter(api: Api, charge: Charge) -> None:
    one = {"charge": charge.id, "amount": 1, "metadata[a]": "1", "metadata[b]": "2"}
    other = {"metadata[b]": "2", "metadata[a]": "1", "amount": 1, "charge": charge.id}
    first = api.post("/v1/refunds", one, Idempotency_Key="k-6")
    assert api.post("/v1/refunds", other, Idempotency_Key="k-6") == first


def test_a_key_is_forgotten_after_a_day(api: Api, charge: Charge) -> None:
    data = {"charge": charge.id, "amount": 1}
    first = api.post("/v1/refunds", data, Idempotency_Key="k-7")
    with bind(api.row), unit_of_work("write"):
        clock.set_time(clock.now() + timedelta(hours=25))
    assert api.post("/v1/refunds", data, Idempotency_Key="k-7")["id"] != first["id"]


def test_a_rewind_forgets_the_key_and_no_diff_shows_it(
    api: Api, charge: Charge, sandboxes: Sandboxes
) -> None:
    sandboxes.mark(api.row.id, "before")
    data = {"charge": charge.id, "amount": 1}
    first = api.post("/v1/refunds", data, Idempotency_Key="k-8")
    changed = {change["table"] for change in sandboxes.diff(api.row.id, "before")}
    assert "billing_idempotencykey" not in changed
    sandboxes.rewind(api.row.id, "before")
    with reading(api.row):
        assert not IdempotencyKey.objects.exists()
    again = api.call("POST", "/v1/refunds", data, Idempotency_Key="k-8")
    assert "Idempotent-Replayed" not in again
    assert again.json()["id"] == first["id"]  # equal acts, equal rows


def test_reads_and_deletions_take_no_key(api: Api, charge: Charge) -> None:
    listed = api.call("GET", "/v1/charges", Idempotency_Key="k-9")
    assert "Idempotency-Key" not in listed
    api.delete(f"/v1/customers/{charge.customer_id}", Idempotency_Key="k-9")
    with reading(api.row):
        assert not IdempotencyKey.objects.exists()


def test_a_key_has_a_length(api: Api, charge: Charge) -> None:
    response = api.call("POST", "/v1/refunds", {"charge": charge.id}, Idempotency_Key="k" * 256)
    assert api.body(response, 400)["error"]["param"] == "Idempotency-Key"
