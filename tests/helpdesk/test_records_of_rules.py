"""Views, macros, triggers, automations and policies are listed, found, shown and deleted."""

from __future__ import annotations

from typing import Any

import pytest

from tests.helpdesk.conftest import Desk

OPEN = [{"field": "status", "operator": "less_than", "value": "solved"}]
CREATED = [{"field": "update_type", "operator": "is", "value": "Create"}]
OLD = [{"field": "PENDING", "operator": "is", "value": "100"}]
RAISE = [{"field": "priority", "value": "high"}]
RULES: dict[str, dict[str, Any]] = {
    "views": {"all": OPEN},
    "macros": {"actions": RAISE},
    "triggers": {"all": CREATED, "actions": RAISE},
    "automations": {"all": OLD, "actions": [{"field": "status", "value": "solved"}]},
}


def ids(found: Any, name: str) -> list[int]:
    return [item["id"] for item in found[name]]


@pytest.mark.parametrize("kind", sorted(RULES))
def test_rules_are_listed_found_shown_and_deleted(desk: Desk, kind: str) -> None:
    one = kind.rstrip("s")
    made = desk.post(f"{kind}.json", {one: {"title": "Zebra one", **RULES[kind]}}, by="olga")
    first = made[one]["id"]
    body = {one: {"title": "Zebra two", "active": False, **RULES[kind]}}
    second = desk.post(f"{kind}.json", body, by="olga")[one]["id"]
    active = ids(desk.get(f"{kind}/active.json", by="olga"), kind)
    assert first in active
    assert second not in active
    assert {first, second} <= set(ids(desk.get(f"{kind}.json?per_page=100", by="olga"), kind))
    found = desk.get(f"{kind}/search.json?query=zebra", by="olga")
    assert sorted(ids(found, kind)) == [first, second]
    assert ids(desk.get(f"{kind}/search.json?query=zebra%20two", by="olga"), kind) == [second]
    shown = desk.get(f"{kind}/{second}.json", by="olga")[one]
    assert (shown["title"], shown["active"]) == ("Zebra two", False)
    desk.put(f"{kind}/{second}.json", {one: {"title": "Zebra three"}}, by="olga")
    assert desk.get(f"{kind}/{second}.json", by="olga")[one]["title"] == "Zebra three"
    assert desk.call("DELETE", f"{kind}/{second}.json", by="olga").status == 204
    assert desk.call("GET", f"{kind}/{second}.json", by="olga").status == 404
    assert ids(desk.get(f"{kind}/search.json?query=zebra", by="olga"), kind) == [first]


def test_a_deleted_trigger_does_not_run(desk: Desk) -> None:
    rule = {"title": "t", "all": CREATED, "actions": RAISE}
    made = desk.post("triggers.json", {"trigger": rule}, by="olga")["trigger"]["id"]
    assert desk.ticket()["priority"] == "high"
    assert desk.call("DELETE", f"triggers/{made}.json", by="olga").status == 204
    assert desk.ticket()["priority"] is None


def test_views_are_counted_and_listed_in_brief(desk: Desk) -> None:
    before = desk.get("views/count.json")["count"]["value"]
    made = desk.post("views.json", {"view": {"title": "Mine", "all": OPEN}}, by="olga")
    assert desk.get("views/count.json")["count"]["value"] == before + 1
    brief = desk.get("views/compact.json")
    assert made["view"]["id"] in ids(brief, "views")
    assert brief["count"] == len(brief["views"]) <= 32


def test_triggers_have_categories(desk: Desk) -> None:
    (category,) = desk.get("trigger_categories.json")["trigger_categories"]
    triggers = desk.get("triggers.json?per_page=100")["triggers"]
    assert {item["category_id"] for item in triggers} == {category["id"]}


def test_policies_are_listed_shown_changed_and_deleted(desk: Desk) -> None:
    target = {"priority": "high", "metric": "requester_wait_time", "target": 60}
    high = {"field": "priority", "operator": "is", "value": "high"}
    given = {"title": "Gold", "filter": {"all": [high], "any": []}, "policy_metrics": [target]}
    made = desk.post("slas/policies.json", {"sla_policy": given}, by="olga")["sla_policy"]["id"]
    assert ids(desk.get("slas/policies.json", by="olga"), "sla_policies") == [made]
    change = {"title": "Silver", "policy_metrics": [{**target, "target": 90}]}
    desk.put(f"slas/policies/{made}.json", {"sla_policy": change}, by="olga")
    shown = desk.get(f"slas/policies/{made}.json", by="olga")["sla_policy"]
    assert (shown["title"], shown["policy_metrics"][0]["target"]) == ("Silver", 90)
    ticket = desk.ticket(priority="high")["id"]
    slas = desk.get(f"tickets/{ticket}.json?include=slas")["ticket"]["slas"]
    assert len(slas["policy_metrics"]) == 1
    assert desk.call("DELETE", f"slas/policies/{made}.json", by="olga").status == 204
    assert desk.get("slas/policies.json", by="olga")["sla_policies"] == []
    assert desk.call("GET", f"slas/policies/{made}.json", by="olga").status == 404
