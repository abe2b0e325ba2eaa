"""Many triggers, automations, macros and views in one call."""

from __future__ import annotations

from typing import Any

import pytest

from clones.helpdesk.models import TriggerCategory
from tests.helpdesk.conftest import Desk
from tests.helpdesk.test_rules import CREATED, action, condition, rule

KINDS = ("triggers", "automations", "macros", "views")
NOT_FOUND = {"error": "RecordNotFound", "description": "Not found"}
MISSING = 999999999999999


def made(desk: Desk, kind: str, title: str, *, by: str = "olga", **more: Any) -> int:
    """Create a rule of a kind and return its id."""
    pending = condition("PENDING", "is", str(100 + len(title)))
    bodies: dict[str, dict[str, Any]] = {
        "triggers": {"all": [CREATED], "actions": [action("current_tags", title)]},
        "automations": {"all": [pending], "actions": [action("status", "open")]},
        "macros": {"actions": [action("current_tags", title)]},
        "views": {"all": [condition("status", "is", "open")]},
    }
    single = kind.removesuffix("s")
    body = {"title": title, **bodies[kind], **more}
    return int(desk.post(f"{kind}.json", {single: body}, by=by)[single]["id"])


def shown(desk: Desk, kind: str, key: int) -> Any:
    return desk.get(f"{kind}/{key}.json", by="olga")[kind.removesuffix("s")]


@pytest.mark.parametrize("kind", KINDS)
def test_one_call_moves_and_switches_several(desk: Desk, kind: str) -> None:
    first, second = made(desk, kind, "a"), made(desk, kind, "bb")
    items = [{"id": second, "position": 1}, {"id": first, "active": False, "title": "ignored"}]
    body = desk.put(f"{kind}/update_many.json", {kind: items}, by="olga")
    assert [item["id"] for item in body[kind]] == [second, first]
    assert (body["count"], body["next_page"], body["previous_page"]) == (2, None, None)
    assert (shown(desk, kind, second)["position"], shown(desk, kind, second)["active"]) == (1, True)
    assert (shown(desk, kind, first)["active"], shown(desk, kind, first)["title"]) == (False, "a")
    active = desk.get(f"{kind}/active.json", by="olga")[kind]
    assert second in [item["id"] for item in active]
    assert first not in [item["id"] for item in active]


@pytest.mark.parametrize("kind", KINDS)
def test_one_call_deletes_several(desk: Desk, kind: str) -> None:
    first, second, third = (made(desk, kind, title) for title in ("a", "bb", "ccc"))
    answer = desk.call("DELETE", f"{kind}/destroy_many.json?ids={first},{second}", by="olga")
    assert (answer.status, answer.raw) == (204, b"")
    for key in (first, second):
        assert desk.call("GET", f"{kind}/{key}.json", by="olga").body == NOT_FOUND
    assert shown(desk, kind, third)["title"] == "ccc"


@pytest.mark.parametrize("kind", KINDS)
def test_what_a_batch_refuses_leaves_all_as_it_was(desk: Desk, kind: str) -> None:
    first = made(desk, kind, "a")
    path = f"{kind}/update_many.json"
    before = shown(desk, kind, first)
    low = {"id": first, "position": 2}
    wrong = (
        ({"id": first, "position": -1}, 422),
        ({"id": first, "position": 2**31}, 422),
        ({"id": 2**63, "position": 1}, 400),
        ({"position": 1}, 400),
    )
    for second, status in wrong:
        refused = desk.call("PUT", path, {kind: [low, second]}, by="olga")
        assert refused.status == status
        assert shown(desk, kind, first) == before
    assert desk.call("PUT", path, {}, by="olga").body["description"].endswith(f"missing: {kind}")
    many = [{"id": first, "position": 2}] * 101
    refused = desk.call("PUT", path, {kind: many}, by="olga")
    assert (refused.status, refused.body["error"]) == (400, "TooManyValues")
    ids = ",".join(str(number) for number in range(1, 102))
    refused = desk.call("DELETE", f"{kind}/destroy_many.json?ids={ids}", by="olga")
    assert (refused.status, refused.body["max_count"]) == (400, 100)
    refused = desk.call("DELETE", f"{kind}/destroy_many.json", by="olga")
    assert (refused.status, refused.body["error"]) == (400, "RequiredParameterMissing")
    assert shown(desk, kind, first) == before


@pytest.mark.parametrize("kind", KINDS)
def test_agents_do_not_keep_what_all_share(desk: Desk, kind: str) -> None:
    key = made(desk, kind, "a")
    body = {kind: [{"id": key, "active": False}]}
    assert desk.call("PUT", f"{kind}/update_many.json", body, by="ben").status == 403
    assert desk.call("DELETE", f"{kind}/destroy_many.json?ids={key}", by="ben").status == 403
    assert shown(desk, kind, key)["active"] is True


@pytest.mark.parametrize("kind", ["macros", "views"])
def test_agents_keep_their_own_and_do_not_find_those_of_others(desk: Desk, kind: str) -> None:
    own = {"restriction": {"type": "User", "id": desk.ids["ben"]}}
    key = made(desk, kind, "a", by="ben", **own)
    body = {kind: [{"id": key, "position": 7}]}
    assert desk.put(f"{kind}/update_many.json", body, by="ben")[kind][0]["position"] == 7
    other = desk.call("PUT", f"{kind}/update_many.json", body, by="ana")
    assert (other.status, other.body) == (404, NOT_FOUND)
    assert desk.call("DELETE", f"{kind}/destroy_many.json?ids={key}", by="ana").status == 204
    assert desk.get(f"{kind}/{key}.json", by="ben")
    assert desk.call("DELETE", f"{kind}/destroy_many.json?ids={key}", by="ben").status == 204
    assert desk.call("GET", f"{kind}/{key}.json", by="ben").status == 404


def test_a_batch_changes_the_order_in_which_triggers_run(desk: Desk) -> None:
    created = {"all": [CREATED]}
    low = rule(desk, "trigger", **created, actions=[action("priority", "low")])["id"]
    high = rule(desk, "trigger", **created, actions=[action("priority", "high")])["id"]
    assert desk.ticket()["priority"] == "high"
    items = [{"id": high, "position": 50}, {"id": low, "position": 51}]
    desk.put("triggers/update_many.json", {"triggers": items}, by="olga")
    assert desk.ticket()["priority"] == "low"
    off = [{"id": low, "active": False}]
    desk.put("triggers/update_many.json", {"triggers": off}, by="olga")
    assert desk.ticket()["priority"] == "high"


def test_a_batch_moves_triggers_to_another_category(desk: Desk) -> None:
    with desk.writing():
        first = TriggerCategory.objects.get()
        TriggerCategory.objects.create(
            id=77, name="Late", created_at=first.created_at, updated_at=first.updated_at
        )
    key = made(desk, "triggers", "a")
    body = {"triggers": [{"id": key, "category_id": "77"}]}
    desk.put("triggers/update_many.json", body, by="olga")
    assert [item["id"] for item in desk.get("triggers.json?category_id=77")["triggers"]] == [key]
    body["triggers"][0]["category_id"] = "78"
    refused = desk.call("PUT", "triggers/update_many.json", body, by="olga")
    assert (refused.status, list(refused.body["details"])) == (422, ["category_id"])
    assert shown(desk, "triggers", key)["category_id"] == "77"


def test_an_automation_switched_on_must_not_be_a_double(desk: Desk) -> None:
    first = made(desk, "automations", "a")
    off = [{"id": first, "active": False}]
    desk.put("automations/update_many.json", {"automations": off}, by="olga")
    made(desk, "automations", "b")
    on = [{"id": first, "active": True}]
    refused = desk.call("PUT", "automations/update_many.json", {"automations": on}, by="olga")
    assert refused.body["details"]["base"][0]["error"] == "DuplicateValue"
    assert shown(desk, "automations", first)["active"] is False


@pytest.mark.parametrize("kind", KINDS)
def test_unverified_an_update_of_an_unknown_rule_changes_none(desk: Desk, kind: str) -> None:
    first = made(desk, kind, "a")
    items = [{"id": first, "active": False}, {"id": MISSING, "active": False}]
    refused = desk.call("PUT", f"{kind}/update_many.json", {kind: items}, by="olga")
    assert (refused.status, refused.body) == (404, NOT_FOUND)
    assert shown(desk, kind, first)["active"] is True


@pytest.mark.parametrize("kind", KINDS)
def test_unverified_a_deletion_passes_over_unknown_rules(desk: Desk, kind: str) -> None:
    first = made(desk, kind, "a")
    path = f"{kind}/destroy_many.json?ids={MISSING},{first}"
    assert desk.call("DELETE", path, by="olga").status == 204
    assert desk.call("GET", f"{kind}/{first}.json", by="olga").status == 404


def test_views_are_shown_by_their_ids(desk: Desk) -> None:
    own = {"restriction": {"type": "User", "id": desk.ids["ben"]}}
    private = made(desk, "views", "private", by="ben", **own)
    late, early = made(desk, "views", "late", position=9), made(desk, "views", "early", position=8)
    path = f"views/show_many.json?ids={late},{MISSING},{private},{early}"
    body = desk.get(path)
    assert [view["id"] for view in body["views"]] == [early, late]
    assert (body["count"], body["next_page"]) == (2, None)
    assert body["views"][0] == shown(desk, "views", early)
    assert [view["id"] for view in desk.get(path, by="ben")["views"]] == [early, late, private]
    desk.put("views/update_many.json", {"views": [{"id": late, "active": False}]}, by="olga")
    assert [view["id"] for view in desk.get(f"{path}&active=true")["views"]] == [early]
    assert [view["id"] for view in desk.get(f"{path}&active=false")["views"]] == [late]
    refused = desk.call("GET", "views/show_many.json")
    assert (refused.status, refused.body["error"]) == (400, "RequiredParameterMissing")
