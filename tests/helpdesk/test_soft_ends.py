"""What is deleted and still shown, and two ways to say one thing."""

from __future__ import annotations

from typing import Any

from tests.helpdesk.conftest import Desk


def closed(desk: Desk, **values: Any) -> int:
    made = desk.ticket(status="closed", assignee_id=desk.ids["ana"], **values)
    return int(made["id"])


def test_a_deleted_group_is_shown_as_deleted(desk: Desk) -> None:
    made = desk.post("groups.json", {"group": {"name": "Night"}}, by="olga")["group"]
    assert desk.call("DELETE", f"groups/{made['id']}.json", by="olga").status == 204
    assert desk.get(f"groups/{made['id']}.json")["group"]["deleted"] is True
    assert made["id"] not in {row["id"] for row in desk.get("groups.json")["groups"]}
    refused = desk.call("PUT", f"groups/{made['id']}.json", {"group": {"name": "x"}}, by="olga")
    assert refused.status == 404
    assert desk.call("GET", "groups/1.json").status == 404
    assert desk.call("DELETE", f"groups/{made['id']}.json", by="olga").status == 404


def test_a_deleted_status_is_out_of_use_and_stays_on_tickets(desk: Desk) -> None:
    body = {"custom_status": {"status_category": "open", "agent_label": "With engineering"}}
    key = desk.post("custom_statuses.json", body, by="olga")["custom_status"]["id"]
    ticket = desk.ticket(custom_status_id=key)["id"]
    path = f"custom_statuses/{key}.json"
    assert desk.call("DELETE", path, by="ana").status == 403
    assert desk.call("DELETE", path, by="olga").status == 204
    assert desk.get(path)["custom_status"]["active"] is False
    assert desk.get(f"tickets/{ticket}.json")["ticket"]["custom_status_id"] == key
    default = next(
        row["id"] for row in desk.get("custom_statuses.json")["custom_statuses"] if row["default"]
    )
    assert desk.call("DELETE", f"custom_statuses/{default}.json", by="olga").status == 422
    assert desk.call("DELETE", "custom_statuses/1.json", by="olga").status == 404


def test_exports_tell_which_deactivated_users_are_gone_for_good(desk: Desk) -> None:
    for name in ("rosa", "tom"):
        desk.call("DELETE", f"users/{desk.ids[name]}.json", by="olga")
    desk.call("DELETE", f"deleted_users/{desk.ids['tom']}.json", by="olga")
    desk.advance(minutes=5)
    rows = desk.get("incremental/users.json?start_time=0", by="olga")["users"]
    told = {row["id"]: row.get("permanently_deleted") for row in rows}
    assert told[desk.ids["rosa"]] is False
    assert told[desk.ids["tom"]] is True
    assert told[desk.ids["ana"]] is None


def test_a_follow_up_names_the_ticket_that_it_takes_up(desk: Desk) -> None:
    source = closed(desk, subject="Laser", tags=["laser"])
    made = desk.ticket(via_followup_source_id=source)
    assert made["via"]["channel"] == "api"
    assert made["via"]["source"]["rel"] == "follow_up"
    origin = made["via"]["source"]["from"]
    assert (origin["ticket_id"], origin["subject"]) == (source, "Laser")
    assert made["tags"] == ["laser"]
    assert desk.get(f"tickets/{source}.json")["ticket"]["followup_ids"] == [made["id"]]
    audit = desk.get(f"tickets/{made['id']}/audits.json")["audits"][0]
    assert audit["via"]["source"]["rel"] == "follow_up"


def test_an_open_ticket_is_not_followed_up(desk: Desk) -> None:
    source = desk.ticket(tags=["laser"])["id"]
    for key in (source, 99):
        made = desk.ticket(via_followup_source_id=key)
        assert (made["via"]["source"]["rel"], made["tags"]) == (None, [])
    assert desk.get(f"tickets/{source}.json")["ticket"]["followup_ids"] == []


def test_a_webhooks_method_is_taken_in_small_letters(desk: Desk) -> None:
    webhook = {
        "name": "Hook",
        "status": "active",
        "endpoint": "https://hooks.example/a",
        "http_method": "get",
        "request_format": "form_encoded",
        "subscriptions": ["conditional_ticket_events"],
    }
    made = desk.post("webhooks", {"webhook": webhook}, by="olga")["webhook"]
    assert made["http_method"] == "GET"
    answer = desk.call("POST", "webhooks", {"webhook": {**webhook, "http_method": 3}}, by="olga")
    assert answer.status in (400, 422)


def test_an_item_of_content_alone_has_one_variant(desk: Desk) -> None:
    body = {"item": {"name": "Greeting", "default_locale_id": 1, "content": "Hello"}}
    made = desk.post("dynamic_content/items.json", body, by="olga")["item"]
    (variant,) = made["variants"]
    assert (variant["content"], variant["default"], variant["locale_id"]) == ("Hello", True, 1)
    empty = {"item": {"name": "Other", "default_locale_id": 1}}
    assert desk.call("POST", "dynamic_content/items.json", empty, by="olga").status == 422


def test_more_than_a_hundred_are_refused_in_the_vendors_words(desk: Desk) -> None:
    words = "Parameter  cannot specify more than 100 values"
    for path, item in (
        ("tickets", {"subject": "s", "comment": {"body": "b"}}),
        ("organizations", {"name": "n"}),
    ):
        answer = desk.call("POST", f"{path}/create_many.json", {path: [item] * 101}, by="olga")
        assert answer.status == 400
        assert answer.body == {"error": "TooManyValues", "description": words, "max_count": 100}
    users = desk.call("POST", "users/create_many.json", {"users": [{"name": "n"}] * 101}, by="olga")
    assert users.body["description"] == "Maximum 100 users may be created per call"


def test_the_action_that_adds_tags_is_called_so(desk: Desk) -> None:
    for path in ("triggers/definitions.json", "macros/definitions.json"):
        found = desk.get(path, by="olga")["definitions"]
        actions = {row["subject"]: row["title"] for row in found["actions"]}
        assert actions["current_tags"] == "Add tags"
    triggers = desk.get("triggers/definitions.json", by="olga")["definitions"]
    conditions = {row["subject"]: row["title"] for row in triggers["conditions_all"]}
    assert conditions["current_tags"] == "Tags"
