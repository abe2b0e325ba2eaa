"""The order of SLA policies: the first that matches is a ticket's."""

from __future__ import annotations

from typing import Any

from tests.helpdesk.conftest import Desk
from tests.helpdesk.test_rules import condition, new_request, targets


def policy(desk: Desk, title: str) -> int:
    body = {
        "title": title,
        "filter": {"all": [condition("priority", "is", "high")]},
        "policy_metrics": targets(("first_reply_time", 60)),
    }
    return int(desk.post("slas/policies.json", {"sla_policy": body}, by="olga")["sla_policy"]["id"])


def ordered(desk: Desk) -> list[Any]:
    return [item["id"] for item in desk.get("slas/policies.json", by="olga")["sla_policies"]]


def chosen(desk: Desk) -> Any:
    """Return the policy that a new ticket gets, by its audit."""
    key = new_request(desk, priority="high")
    events = desk.get(f"tickets/{key}/audits.json")["audits"][0]["events"]
    return next(event["value"] for event in events if event.get("field_name") == "sla_policy")


def test_policies_are_tried_in_the_order_that_was_set(desk: Desk) -> None:
    first, second, third = (policy(desk, title) for title in ("Gold", "Silver", "Bronze"))
    assert ordered(desk) == [first, second, third]
    assert chosen(desk) == "Gold"
    path = f"slas/policies/reorder.json?sla_policy_ids={third},{first},{second}"
    answer = desk.call("PUT", path, by="olga")
    assert (answer.status, answer.raw) == (200, b"")
    assert ordered(desk) == [third, first, second]
    assert chosen(desk) == "Bronze"
    shown = desk.get(f"slas/policies/{third}.json", by="olga")["sla_policy"]
    assert shown["position"] == 1


def test_the_order_may_be_a_body(desk: Desk) -> None:
    """As clients send it, `node-zendesk` among them; the description has it in the address."""
    first, second = (policy(desk, title) for title in ("Gold", "Silver"))
    body = {"sla_policy_ids": [second, first]}
    assert desk.call("PUT", "slas/policies/reorder.json", body, by="olga").status == 200
    assert ordered(desk) == [second, first]
    wrong = {"sla_policy_ids": ["x"]}
    assert desk.call("PUT", "slas/policies/reorder.json", wrong, by="olga").status == 400
    assert ordered(desk) == [second, first]


def test_unverified_policies_that_are_not_named_follow_as_they_stood(desk: Desk) -> None:
    keys = [policy(desk, title) for title in ("Gold", "Silver", "Bronze")]
    path = f"slas/policies/reorder.json?sla_policy_ids={keys[2]}"
    assert desk.call("PUT", path, by="olga").status == 200
    assert ordered(desk) == [keys[2], keys[0], keys[1]]


def test_an_order_that_is_refused_moves_none(desk: Desk) -> None:
    keys = [policy(desk, title) for title in ("Gold", "Silver")]
    path = "slas/policies/reorder.json"
    missing = desk.call("PUT", f"{path}?sla_policy_ids={keys[1]},17", by="olga")
    assert (missing.status, missing.body["error"]) == (404, "RecordNotFound")
    assert desk.call("PUT", path, by="olga").body["error"] == "RequiredParameterMissing"
    assert desk.call("PUT", f"{path}?sla_policy_ids=x", by="olga").status == 400
    assert desk.call("PUT", f"{path}?sla_policy_ids={keys[1]}", by="ben").status == 403
    assert ordered(desk) == keys
