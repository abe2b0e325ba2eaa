"""Fields of organizations, and what organizations have in them."""

from __future__ import annotations

from typing import Any

import pytest

from tests.helpdesk.conftest import Desk

TIERS = [{"name": "Silver", "value": "silver_tier"}, {"name": "Gold", "value": "gold_tier"}]
NOT_FOUND = {"error": "RecordNotFound", "description": "Not found"}


def field(desk: Desk, key: str = "tier", **given: Any) -> Any:
    body = {"organization_field": {"key": key, "title": key.capitalize(), **given}}
    return desk.post("organization_fields.json", body, by="olga")["organization_field"]


def drop_down(desk: Desk) -> Any:
    return field(desk, type="dropdown", custom_field_options=TIERS)


def fill(desk: Desk, **values: Any) -> Any:
    body = {"organization": {"organization_fields": values}}
    return desk.put("organizations/900.json", body, by="olga")["organization"]


def acme(desk: Desk) -> Any:
    return desk.get("organizations/900.json")["organization"]


def test_a_field_is_made_changed_and_removed(desk: Desk) -> None:
    body = {"organization_field": {"key": "tier", "title": "Tier", "description": "test"}}
    answer = desk.call("POST", "organization_fields.json", body, by="olga")
    made = answer.body["organization_field"]
    assert (answer.status, answer.headers["Location"]) == (201, made["url"])
    path = f"organization_fields/{made['id']}.json"
    assert made["url"].endswith(f"/api/v2/{path}")
    assert desk.get(path)["organization_field"] == made
    assert desk.get("user_fields.json")["user_fields"] == []
    given = {"organization_field": {"title": "Rank", "key": "rank", "active": False}}
    changed = desk.put(path, given, by="olga")["organization_field"]
    assert (changed["title"], changed["key"], changed["active"]) == ("Rank", "tier", False)
    assert desk.get(path)["organization_field"] == changed
    answer = desk.call("DELETE", path, by="olga")
    assert (answer.status, answer.raw) == (204, b"")
    assert desk.get("organization_fields.json")["count"] == 0


def test_fields_come_in_pages_in_their_order(desk: Desk) -> None:
    ids = [field(desk, key)["id"] for key in ("a", "b", "c")]
    order = [ids[2], ids[0], ids[1]]
    body = {"organization_field_ids": order[:1]}
    answer = desk.call("PUT", "organization_fields/reorder.json", body, by="olga")
    assert (answer.status, answer.raw) == (200, b"")
    found = desk.get("organization_fields.json")["organization_fields"]
    assert [(item["id"], item["position"]) for item in found] == [
        (key, place) for place, key in enumerate(order, 1)
    ]
    page = desk.get("organization_fields.json?per_page=2&page=2")
    assert ([item["id"] for item in page["organization_fields"]], page["count"]) == (order[2:], 3)
    page = desk.get("organization_fields.json?page[size]=2")
    assert [item["id"] for item in page["organization_fields"]] == order[:2]
    assert page["meta"]["has_more"] is True


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "organization_fields.json", {"organization_field": {"key": "x", "title": "X"}}),
        ("PUT", "organization_fields/{}.json", {"organization_field": {"title": "Mine"}}),
        ("PUT", "organization_fields/reorder.json", {"organization_field_ids": []}),
        ("DELETE", "organization_fields/{}.json", None),
    ],
)
def test_only_admins_write_fields(desk: Desk, method: str, path: str, body: Any) -> None:
    made = field(desk)
    for by in ("ana", "rosa"):
        answer = desk.call(method, path.format(made["id"]), body, by=by)
        assert (answer.status, answer.body["error"]["title"]) == (403, "Forbidden")
    assert desk.call(method, path.format(made["id"]), body, by=None).status == 401
    assert desk.get("organization_fields.json")["organization_fields"] == [made]


def test_agents_read_fields_and_end_users_do_not(desk: Desk) -> None:
    made = field(desk)
    for path in ("organization_fields.json", f"organization_fields/{made['id']}.json"):
        assert desk.call("GET", path).status == 200
        assert desk.call("GET", path, by="rosa").status == 403
        assert desk.call("GET", path, by=None).status == 401


def test_what_does_not_exist_is_not_found(desk: Desk) -> None:
    body = {"user_field": {"key": "k", "title": "K"}}
    foreign = desk.post("user_fields.json", body, by="olga")["user_field"]["id"]
    calls: list[tuple[str, Any]] = [
        ("GET", None),
        ("PUT", {"organization_field": {}}),
        ("DELETE", None),
    ]
    for key in (1, foreign):
        for method, sent in calls:
            answer = desk.call(method, f"organization_fields/{key}.json", sent, by="olga")
            assert (answer.status, answer.body) == (404, NOT_FOUND)
        order = {"organization_field_ids": [key]}
        answer = desk.call("PUT", "organization_fields/reorder.json", order, by="olga")
        assert (answer.status, answer.body) == (404, NOT_FOUND)


def test_a_key_is_taken_once(desk: Desk) -> None:
    field(desk)
    body = {"organization_field": {"key": "tier", "title": "Again"}}
    answer = desk.call("POST", "organization_fields.json", body, by="olga")
    assert (answer.status, answer.body["error"]) == (422, "RecordInvalid")
    [problem] = answer.body["details"]["key"]
    assert problem["error"] == "DuplicateValue"


def test_an_organization_has_values_and_their_tags(desk: Desk) -> None:
    drop_down(desk)
    field(desk, "seats", type="integer")
    assert acme(desk)["organization_fields"] == {"seats": None, "tier": None}
    found = fill(desk, tier="gold_tier", seats="12")
    assert found["organization_fields"] == {"seats": 12, "tier": "gold_tier"}
    assert found["tags"] == ["gold_tier"]
    assert fill(desk, tier="silver_tier")["tags"] == ["silver_tier"]
    assert acme(desk)["organization_fields"] == {"seats": 12, "tier": "silver_tier"}
    answer = desk.call(
        "PUT",
        "organizations/900.json",
        {"organization": {"organization_fields": {"tier": "bronze"}}},
        by="olga",
    )
    assert (answer.status, list(answer.body["details"])) == (422, ["base"])
    assert acme(desk)["organization_fields"]["tier"] == "silver_tier"


def test_a_removed_field_takes_its_values_along(desk: Desk) -> None:
    made = drop_down(desk)
    fill(desk, tier="gold_tier")
    desk.call("DELETE", f"organization_fields/{made['id']}.json", by="olga")
    assert (acme(desk)["organization_fields"], acme(desk)["tags"]) == ({}, ["gold_tier"])
    field(desk)
    assert acme(desk)["organization_fields"] == {"tier": None}


def test_a_choice_that_goes_takes_its_values_along(desk: Desk) -> None:
    made = drop_down(desk)
    fill(desk, tier="gold_tier")
    left = {"organization_field": {"custom_field_options": made["custom_field_options"][:1]}}
    path = f"organization_fields/{made['id']}.json"
    kept = desk.put(path, left, by="olga")["organization_field"]["custom_field_options"]
    assert kept == made["custom_field_options"][:1]
    assert acme(desk)["organization_fields"] == {"tier": None}


def test_every_way_to_write_an_organization_writes_the_values(desk: Desk) -> None:
    field(desk, "seats", type="integer")
    given = {"name": "Bolt", "external_id": "b1", "organization_fields": {"seats": 1}}
    made = desk.post("organizations.json", {"organization": given}, by="olga")["organization"]
    assert made["organization_fields"] == {"seats": 1}
    again = {"organization": {**given, "organization_fields": {"seats": 2}}}
    path = "organizations/create_or_update.json"
    found = desk.post(path, again, by="olga", status=200)["organization"]
    assert (found["id"], found["organization_fields"]) == (made["id"], {"seats": 2})
    many = {"organizations": [{"name": "Cord", "organization_fields": {"seats": "3"}}]}
    job = desk.post("organizations/create_many.json", many, by="olga", status=200)["job_status"]
    desk.drain()
    [result] = desk.get(f"job_statuses/{job['id']}.json", by="olga")["job_status"]["results"]
    cord = desk.get(f"organizations/{result['id']}.json")["organization"]
    assert cord["organization_fields"] == {"seats": 3}
    update = {"organization": {"organization_fields": {"seats": 4}}}
    ids = f"{made['id']},{cord['id']}"
    desk.put(f"organizations/update_many.json?ids={ids}", update, by="olga")
    desk.drain()
    for key in (made["id"], cord["id"]):
        shown = desk.get(f"organizations/{key}.json")["organization"]
        assert shown["organization_fields"] == {"seats": 4}


def test_values_are_searched_by_key(desk: Desk) -> None:
    drop_down(desk)
    fill(desk, tier="gold_tier")
    for query, keys in [
        ("type:organization tier:gold_tier", [900]),
        ("tier:gold*", [900]),
        ("type:organization tier:silver_tier", []),
        ("type:user tier:gold_tier", []),
    ]:
        found = desk.get(f"search.json?query={query}")["results"]
        assert [item["id"] for item in found] == keys, query


def test_the_requesters_organization_brings_its_values_beside_tickets(desk: Desk) -> None:
    field(desk, "seats", type="integer")
    fill(desk, seats=5)
    key = desk.ticket()["id"]
    [found] = desk.get(f"tickets/{key}.json?include=organizations")["organizations"]
    assert found["organization_fields"] == {"seats": 5}
