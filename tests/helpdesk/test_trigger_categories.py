"""Headings of triggers: they are kept by admins, and their order is the triggers' order."""

from __future__ import annotations

from typing import Any

from clones.helpdesk.models import TriggerCategory
from tests.helpdesk.conftest import Desk
from tests.helpdesk.test_rules import CREATED, action, rule

ABSENT = {
    "errors": [
        {
            "code": "TriggerCategoryNotFound",
            "title": "Category can\u2019t be found. Check the ID and try again.",
        }
    ]
}


def made(desk: Desk, name: str, **more: Any) -> Any:
    body = {"trigger_category": {"name": name, **more}}
    return desk.post("trigger_categories.json", body, by="olga", status=200)["trigger_category"]


def problem(answer: Any) -> tuple[int, str, str]:
    (found,) = answer.body["errors"]
    return answer.status, found["code"], found["title"]


def sets(priority: str) -> dict[str, Any]:
    return {"all": [CREATED], "actions": [action("priority", priority)]}


def test_a_category_is_made_shown_changed_and_removed(desk: Desk) -> None:
    late = made(desk, "Late")
    assert set(late) == {"id", "name", "position", "created_at", "updated_at"}
    path = f"trigger_categories/{late['id']}"
    assert desk.get(path)["trigger_category"] == late
    listed = desk.get("trigger_categories.json?page[size]=1")
    assert listed["trigger_categories"][0]["name"] == "Notifications"
    assert late["position"] > listed["trigger_categories"][0]["position"]
    body = {"trigger_category": {"name": " First ", "position": 0}}
    answer = desk.call("PATCH", path, body, by="olga")
    assert answer.status == 200
    assert answer.body["trigger_category"]["name"] == "First"
    listed = desk.get("trigger_categories.json")["trigger_categories"]
    assert [item["name"] for item in listed] == ["First", "Notifications"]
    assert desk.call("DELETE", path, by="olga").status == 204
    answer = desk.call("GET", path)
    assert (answer.status, answer.body) == (404, ABSENT)


def test_the_order_of_categories_is_the_order_of_triggers(desk: Desk) -> None:
    early, late = made(desk, "Early"), made(desk, "Late")
    rule(desk, "trigger", category_id=late["id"], **sets("low"))
    rule(desk, "trigger", category_id=early["id"], **sets("high"))
    assert desk.ticket()["priority"] == "low"
    body = {"trigger_category": {"position": late["position"] + 1}}
    desk.call("PATCH", f"trigger_categories/{early['id']}", body, by="olga")
    assert desk.ticket()["priority"] == "high"


def test_a_category_must_have_a_name_and_a_place(desk: Desk) -> None:
    for given, title in (
        ({}, "Name cannot be blank"),
        ({"name": "  "}, "Name cannot be blank"),
        ({"name": "n" * 256}, "Name is too long (maximum is 255 characters)"),
        ({"name": "n", "position": -1}, "Position is not valid"),
        ({"name": "n", "position": 2**31}, "Position is not valid"),
    ):
        body = {"trigger_category": given}
        refused = desk.call("POST", "trigger_categories.json", body, by="olga")
        assert problem(refused) == (400, "InvalidTriggerCategory", title)
    key = made(desk, "Late")["id"]
    body = {"trigger_category": {"name": ""}}
    refused = desk.call("PATCH", f"trigger_categories/{key}", body, by="olga")
    assert problem(refused)[:2] == (400, "InvalidTriggerCategory")
    assert desk.get(f"trigger_categories/{key}")["trigger_category"]["name"] == "Late"
    refused = desk.call("POST", "trigger_categories.json", {}, by="olga")
    assert (refused.status, refused.body["error"]) == (400, "RequiredParameterMissing")


def test_there_are_at_most_500_categories(desk: Desk) -> None:
    with desk.writing():
        first = TriggerCategory.objects.get()
        dates = {"created_at": first.created_at, "updated_at": first.updated_at}
        TriggerCategory.objects.bulk_create(
            TriggerCategory(id=number, name="n", **dates) for number in range(1, 499)
        )
    made(desk, "Last")
    body = {"trigger_category": {"name": "One more"}}
    refused = desk.call("POST", "trigger_categories.json", body, by="olga")
    assert problem(refused)[:2] == (403, "ProductLimitExceeded")


def test_a_category_with_active_triggers_stays(desk: Desk) -> None:
    key = made(desk, "Late")["id"]
    trigger = rule(desk, "trigger", category_id=key, **sets("low"))["id"]
    refused = desk.call("DELETE", f"trigger_categories/{key}", by="olga")
    title = "A category with active triggers cannot be deleted."
    assert problem(refused) == (400, "TriggerCategoryNotEmpty", title)
    assert desk.get(f"triggers/{trigger}.json")["trigger"]["category_id"] == key


def test_unverified_inactive_triggers_go_with_their_category(desk: Desk) -> None:
    key = made(desk, "Late")["id"]
    trigger = rule(desk, "trigger", category_id=key, active=False, **sets("low"))["id"]
    assert desk.call("DELETE", f"trigger_categories/{key}", by="olga").status == 204
    assert desk.call("GET", f"triggers/{trigger}.json").status == 404


def test_only_admins_keep_categories_and_agents_see_them(desk: Desk) -> None:
    key = made(desk, "Late")["id"]
    path = f"trigger_categories/{key}"
    body = {"trigger_category": {"name": "Mine"}}
    job = {"job": {"action": "patch", "items": {}}}
    assert desk.call("POST", "trigger_categories.json", body, by="ben").status == 403
    assert desk.call("POST", "trigger_categories/jobs.json", job, by="ben").status == 403
    assert desk.call("PATCH", path, body, by="ben").status == 403
    assert desk.call("DELETE", path, by="ben").status == 403
    assert desk.call("GET", path, by="rosa").status == 403
    assert desk.get(path, by="ben")["trigger_category"]["name"] == "Late"
    for wrong in ("1", "x", "9" * 30):
        for method in ("GET", "PATCH", "DELETE"):
            answer = desk.call(method, f"trigger_categories/{wrong}", body, by="olga")
            assert (answer.status, answer.body) == (404, ABSENT)


def test_a_job_moves_categories_and_triggers_at_once(desk: Desk) -> None:
    early, late = made(desk, "Early"), made(desk, "Late")
    low = rule(desk, "trigger", category_id=early["id"], **sets("low"))["id"]
    high = rule(desk, "trigger", category_id=early["id"], **sets("high"))["id"]
    off = rule(desk, "trigger", category_id=late["id"], **sets("urgent"))["id"]
    assert desk.ticket()["priority"] == "urgent"
    items = {
        "trigger_categories": [{"id": late["id"], "position": 0}],
        "triggers": [
            {"id": str(high), "category_id": late["id"], "position": 5},
            {"id": str(off), "active": False},
        ],
    }
    body = {"job": {"action": "patch", "items": items}}
    done = desk.post("trigger_categories/jobs.json", body, by="olga", status=200)
    assert done["status"] == "complete"
    category = desk.get(f"trigger_categories/{late['id']}")["trigger_category"]
    assert done["results"]["trigger_categories"] == [category]
    assert category["position"] == 0
    triggers = [desk.get(f"triggers/{key}.json")["trigger"] for key in (high, off)]
    assert done["results"]["triggers"] == triggers
    assert triggers[0]["category_id"] == late["id"]
    assert triggers[1]["active"] is False
    # What stood last is first now: the trigger that was left behind has the last word.
    assert desk.ticket()["priority"] == "low"
    assert low


def test_a_job_is_done_whole_or_not_at_all(desk: Desk) -> None:
    key = made(desk, "Late")["id"]
    trigger = rule(desk, "trigger", category_id=key, **sets("low"))["id"]
    before = desk.get(f"triggers/{trigger}.json"), desk.get(f"trigger_categories/{key}")
    items = {
        "trigger_categories": [{"id": key, "position": 0}, {"id": "17", "position": 1}],
        "triggers": [
            {"id": trigger, "active": False},
            {"id": trigger, "category_id": "17"},
            {"id": trigger, "position": -1},
            {"id": "18", "active": False},
        ],
    }
    body = {"job": {"action": "patch", "items": items}}
    refused = desk.call("POST", "trigger_categories/jobs.json", body, by="olga")
    assert refused.status == 400
    assert refused.body == {
        "errors": [
            {
                "code": "InvalidTriggerCategory",
                "title": "id is not valid",
                "trigger_category_id": "17",
            },
            {
                "code": "InvalidTrigger",
                "title": "category_id is not valid",
                "trigger_id": str(trigger),
            },
            {
                "code": "InvalidTrigger",
                "title": "position is not valid",
                "trigger_id": str(trigger),
            },
            {"code": "InvalidTrigger", "title": "id is not valid", "trigger_id": "18"},
        ],
        "status": "failed",
    }
    after = desk.get(f"triggers/{trigger}.json"), desk.get(f"trigger_categories/{key}")
    assert after == before
    body = {"job": {"action": "delete", "items": {}}}
    assert desk.call("POST", "trigger_categories/jobs.json", body, by="olga").status == 400
    many = {"triggers": [{"id": trigger}] * 101}
    body = {"job": {"action": "patch", "items": many}}
    refused = desk.call("POST", "trigger_categories/jobs.json", body, by="olga")
    assert refused.body["error"] == "TooManyValues"
