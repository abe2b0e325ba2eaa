"""Money goes back once, never more than came in, and the books say so."""

from __future__ import annotations

from typing import Any

import pytest

from clones.billing.domain.refunds import create_refund
from clones.billing.errors import RefundTooLarge
from clones.billing.models import BalanceTransaction, Charge, Event, Refund
from snapshots.sandboxes import Sandboxes
from tests.billing.shop import ACTOR, Api, add_charge, add_customer, reading, writing


def make_charge(api: Api, amount: int = 4900, **given: Any) -> Charge:
    with writing(api.row):
        return add_charge(add_customer(), amount, **given)


def test_a_full_refund_changes_the_charge_and_the_balance(api: Api) -> None:
    charge = make_charge(api)
    refund = api.post(
        "/v1/refunds",
        {"charge": charge.id, "reason": "duplicate", "metadata[ticket]": "17"},
    )
    assert refund["object"] == "refund"
    assert refund["id"].startswith("re_")
    assert len(refund["id"]) == 27
    assert refund["amount"] == 4900
    assert refund["currency"] == "usd"
    assert refund["charge"] == charge.id
    assert refund["payment_intent"] == charge.payment_intent
    assert refund["customer"] == charge.customer_id
    assert refund["reason"] == "duplicate"
    assert refund["status"] == "succeeded"
    assert refund["metadata"] == {"ticket": "17"}
    shown = api.get(f"/v1/charges/{charge.id}")
    assert (shown["amount_refunded"], shown["refunded"]) == (4900, True)
    moved = api.get(f"/v1/balance_transactions/{refund['balance_transaction']}")
    assert (moved["amount"], moved["fee"], moved["net"]) == (-4900, 0, -4900)
    assert (moved["type"], moved["reporting_category"]) == ("refund", "refund")
    assert moved["source"] == refund["id"]
    assert moved["description"] == "REFUND FOR CHARGE (Kestrel Studio)"


def test_a_partial_refund_then_the_rest_then_nothing(api: Api) -> None:
    charge = make_charge(api, 5000)
    first = api.post("/v1/refunds", {"charge": charge.id, "amount": 1500})
    assert first["amount"] == 1500
    shown = api.get(f"/v1/charges/{charge.id}")
    assert (shown["amount_refunded"], shown["refunded"]) == (1500, False)
    rest = api.post("/v1/refunds", {"charge": charge.id})
    assert rest["amount"] == 3500
    assert api.get(f"/v1/charges/{charge.id}")["refunded"] is True
    error = api.refused("POST", "/v1/refunds", {"charge": charge.id, "amount": 1})
    assert error == {
        "code": "charge_already_refunded",
        "doc_url": "https://stripe.com/docs/error-codes/charge-already-refunded",
        "message": f"Charge {charge.id} has already been refunded.",
        "type": "invalid_request_error",
    }


def test_more_than_the_charge_is_refused_and_nothing_is_written(
    api: Api, sandboxes: Sandboxes
) -> None:
    charge = make_charge(api, 5445)
    sandboxes.mark(api.row.id, "before")
    error = api.refused("POST", "/v1/refunds", {"charge": charge.id, "amount": 9390})
    assert error == {
        "message": "Refund amount ($93.90) is greater than charge amount ($54.45)",
        "param": "amount",
        "type": "invalid_request_error",
    }
    assert sandboxes.diff(api.row.id, "before") == []


def test_more_than_the_rest_is_refused(api: Api) -> None:
    charge = make_charge(api, 8000)
    api.post("/v1/refunds", {"charge": charge.id, "amount": 5000})
    error = api.refused("POST", "/v1/refunds", {"charge": charge.id, "amount": 4000})
    assert error["message"] == (
        "Refund amount ($40.00) is greater than unrefunded amount on charge ($30.00)"
    )
    assert "code" not in error


@pytest.mark.parametrize("amount", ["0", "-5"])
def test_an_amount_below_one_is_refused(api: Api, amount: str) -> None:
    charge = make_charge(api)
    error = api.refused("POST", "/v1/refunds", {"charge": charge.id, "amount": amount})
    assert error["code"] == "parameter_invalid_integer"
    assert error["param"] == "amount"
    assert error["message"] == "This value must be greater than or equal to 1."


@pytest.mark.parametrize("amount", ["49.00", "x", "1e3", "99999999999999999999"])
def test_an_amount_that_is_no_whole_number_is_refused(api: Api, amount: str) -> None:
    charge = make_charge(api)
    error = api.refused("POST", "/v1/refunds", {"charge": charge.id, "amount": amount})
    assert error["code"] == "parameter_invalid_integer"
    assert error["message"] == f"Invalid integer: {amount}"


def test_a_payment_intent_names_its_charge(api: Api) -> None:
    charge = make_charge(api)
    refund = api.post("/v1/refunds", {"payment_intent": charge.payment_intent, "amount": 700})
    assert (refund["charge"], refund["amount"]) == (charge.id, 700)


def test_a_target_is_needed(api: Api) -> None:
    error = api.refused("POST", "/v1/refunds", {"amount": 100})
    assert error == {
        "message": "One of the following params should be provided for this request:"
        " payment_intent or charge.",
        "type": "invalid_request_error",
    }


def test_unknown_targets(api: Api) -> None:
    error = api.refused("POST", "/v1/refunds", {"charge": "ch_none"}, status=404)
    assert (error["code"], error["param"]) == ("resource_missing", "id")
    assert error["message"] == "No such charge: 'ch_none'"
    error = api.refused("POST", "/v1/refunds", {"payment_intent": "pi_none"})
    assert (error["code"], error["param"]) == ("resource_missing", "payment_intent")
    assert error["message"] == "No such payment_intent: 'pi_none'"


def test_a_charge_of_another_payment_intent_is_not_found(api: Api) -> None:
    one, other = make_charge(api), make_charge(api)
    target = {"charge": one.id, "payment_intent": other.payment_intent}
    api.refused("POST", "/v1/refunds", target, status=404)


def test_a_failed_charge_cannot_be_refunded(api: Api) -> None:
    charge = make_charge(api, declined=True)
    told = (
        f"This PaymentIntent ({charge.payment_intent}) does not have a successful charge to refund."
    )
    assert api.refused("POST", "/v1/refunds", {"charge": charge.id})["message"] == told
    by_intent = {"payment_intent": charge.payment_intent}
    assert api.refused("POST", "/v1/refunds", by_intent)["message"] == told


def test_a_disputed_charge_cannot_be_refunded(api: Api) -> None:
    charge = make_charge(api)
    with writing(api.row):
        Charge.objects.filter(id=charge.id).update(disputed=True)
    error = api.refused("POST", "/v1/refunds", {"charge": charge.id})
    assert error["code"] == "charge_disputed"
    assert error["message"] == f"Charge {charge.id} has been charged back; cannot issue a refund."


def test_a_held_charge_cannot_be_refunded(api: Api) -> None:
    charge = make_charge(api)
    with writing(api.row):
        Charge.objects.filter(id=charge.id).update(captured=False, amount_captured=0)
    error = api.refused("POST", "/v1/refunds", {"charge": charge.id})
    assert error["message"].startswith("This uncaptured Charge was created by a PaymentIntent")


def test_a_currency_without_decimals(api: Api) -> None:
    charge = make_charge(api, 5000, currency="jpy", settlement=("usd", "0.65"))
    error = api.refused("POST", "/v1/refunds", {"charge": charge.id, "amount": 6000})
    assert error["message"] == "Refund amount (¥6,000) is greater than charge amount (¥5,000)"
    refund = api.post("/v1/refunds", {"charge": charge.id, "amount": 500})
    assert (refund["amount"], refund["currency"]) == (500, "jpy")
    moved = api.get(f"/v1/balance_transactions/{refund['balance_transaction']}")
    assert (moved["amount"], moved["currency"]) == (-325, "usd")
    assert moved["exchange_rate"] == 0.65


def test_reasons_are_the_vendors(api: Api) -> None:
    charge = make_charge(api)
    error = api.refused("POST", "/v1/refunds", {"charge": charge.id, "reason": "goodwill"})
    assert error["param"] == "reason"
    assert error["message"] == (
        "Invalid reason: must be one of duplicate, fraudulent, or requested_by_customer"
    )
    error = api.refused("POST", "/v1/refunds", {"charge": charge.id, "reason": ""})
    assert error["code"] == "parameter_invalid_empty"


def test_refunds_are_listed_by_charge_and_by_payment_intent(api: Api) -> None:
    one, other = make_charge(api), make_charge(api)
    first = api.post("/v1/refunds", {"charge": one.id, "amount": 100})["id"]
    second = api.post("/v1/refunds", {"charge": one.id, "amount": 200})["id"]
    third = api.post("/v1/refunds", {"charge": other.id})["id"]
    assert [row["id"] for row in api.get("/v1/refunds")["data"]] == [third, second, first]
    listed = api.get("/v1/refunds", {"charge": one.id})
    assert [row["id"] for row in listed["data"]] == [second, first]
    assert listed["url"] == "/v1/refunds"
    listed = api.get("/v1/refunds", {"payment_intent": other.payment_intent})
    assert [row["id"] for row in listed["data"]] == [third]
    listed = api.get(f"/v1/charges/{one.id}/refunds")
    assert [row["id"] for row in listed["data"]] == [second, first]
    assert listed["url"] == f"/v1/charges/{one.id}/refunds"
    assert api.get(f"/v1/charges/{one.id}/refunds/{first}")["id"] == first
    error = api.refused("GET", f"/v1/charges/{other.id}/refunds/{first}", status=404)
    assert (error["message"], error["param"]) == (f"No such refund: '{first}'", "refund")
    assert api.refused("GET", "/v1/refunds", {"charge": "ch_x"})["param"] == "charge"


def test_metadata_is_all_that_can_be_changed(api: Api) -> None:
    refund = api.post("/v1/refunds", {"charge": make_charge(api).id, "metadata[a]": "1"})
    changed = api.post(f"/v1/refunds/{refund['id']}", {"metadata[b]": "2", "metadata[a]": ""})
    assert changed["metadata"] == {"b": "2"}
    assert api.get(f"/v1/refunds/{refund['id']}")["metadata"] == {"b": "2"}
    error = api.refused("POST", f"/v1/refunds/{refund['id']}", {"amount": "5"})
    assert (error["code"], error["param"]) == ("parameter_unknown", "amount")
    assert api.post(f"/v1/refunds/{refund['id']}", {"metadata": ""})["metadata"] == {}


def test_a_refund_to_a_card_cannot_be_called_back(api: Api) -> None:
    refund = api.post("/v1/refunds", {"charge": make_charge(api).id})
    error = api.refused("POST", f"/v1/refunds/{refund['id']}/cancel")
    assert error == {
        "message": "Canceling this refund is unsupported.",
        "type": "invalid_request_error",
    }
    assert api.get(f"/v1/refunds/{refund['id']}")["status"] == "succeeded"


def test_a_refund_that_waits_for_the_customer_can_be_called_back(api: Api) -> None:
    refund = api.post("/v1/refunds", {"charge": make_charge(api).id})
    with writing(api.row):
        Refund.objects.filter(id=refund["id"]).update(status="requires_action")
    assert api.post(f"/v1/refunds/{refund['id']}/cancel")["status"] == "canceled"
    assert api.get(f"/v1/refunds/{refund['id']}")["status"] == "canceled"


def test_the_log_tells_of_the_refund_and_of_the_charge(api: Api) -> None:
    charge = make_charge(api)
    refund = api.post("/v1/refunds", {"charge": charge.id, "amount": 400})
    newest, before = api.get("/v1/events", {"limit": 2})["data"]
    assert (newest["type"], before["type"]) == ("charge.refunded", "refund.created")
    assert newest["data"]["object"]["amount_refunded"] == 400
    assert newest["data"]["previous_attributes"] == {"amount_refunded": 0}
    assert before["data"]["object"]["id"] == refund["id"]
    api.post("/v1/refunds", {"charge": charge.id})
    again = api.get(f"/v1/events/{newest['id']}")
    assert again["data"]["object"]["amount_refunded"] == 400  # as it was then
    with reading(api.row):
        account = Event.objects.get(id=newest["id"]).actor
    assert account == "billing.account:7001"


def test_a_refund_changes_these_rows_and_no_others(api: Api, sandboxes: Sandboxes) -> None:
    charge = make_charge(api)
    sandboxes.mark(api.row.id, "before")
    api.post("/v1/refunds", {"charge": charge.id})
    changes = sandboxes.diff(api.row.id, "before")
    assert sorted((change["table"], change["operation"]) for change in changes) == [
        ("billing_balancetransaction", "insert"),
        ("billing_charge", "update"),
        ("billing_event", "insert"),
        ("billing_event", "insert"),
        ("billing_refund", "insert"),
    ]
    sandboxes.rewind(api.row.id, "before")
    assert api.get(f"/v1/charges/{charge.id}")["refunded"] is False


def test_the_domain_reads_the_charge_anew(api: Api) -> None:
    stale = make_charge(api, 1000)
    with writing(api.row):
        create_refund(Charge.objects.get(id=stale.id), actor=ACTOR, amount=600)
        with pytest.raises(RefundTooLarge):
            create_refund(stale, actor=ACTOR, amount=600)
        refund = create_refund(stale, actor=ACTOR)
        assert refund.amount == 400
        assert (stale.amount_refunded, stale.refunded) == (1000, True)
    with reading(api.row):
        refunds = BalanceTransaction.objects.filter(type="refund")
        assert sum(row.amount for row in refunds) == -1000


def test_expanding_a_refund(api: Api) -> None:
    charge = make_charge(api)
    wanted = {"expand[]": ["charge", "balance_transaction", "payment_intent.latest_charge"]}
    refund = api.post("/v1/refunds", {"charge": charge.id, **wanted})
    assert refund["charge"]["amount_refunded"] == 4900
    assert refund["balance_transaction"]["net"] == -4900
    assert refund["payment_intent"]["latest_charge"]["id"] == charge.id
