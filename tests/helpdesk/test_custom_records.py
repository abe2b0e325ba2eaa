"""Records of custom objects: written, listed, found by id and name, numbered, and many at once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from clones.helpdesk.models import CustomObjectRecord
from clones.helpdesk.rules import custom_objects as rules
from snapshots.manifest import Manifest
from snapshots.sandboxes import Sandboxes
from tests.helpdesk.conftest import Desk, image_after
from tests.helpdesk.test_custom_objects import ABSENT, add_field, choices, machine, refused
from tests.sandbox_pool import SandboxPool

RECORDS = "custom_objects/machine/records"


def open_shop(desk: Desk) -> None:
    """Define an object that has a field of every type."""
    machine(desk)
    add_field(desk, "model")
    add_field(desk, "notes", "textarea")
    add_field(desk, "plate", "regexp", regexp_for_validation="^[A-Z]{2}-[0-9]+$")
    add_field(desk, "leased", "checkbox")
    add_field(desk, "bought", "date")
    add_field(desk, "hours", "integer")
    add_field(desk, "power", "decimal")
    add_field(desk, "colour", "dropdown", custom_field_options=choices("red", "blue"))
    add_field(desk, "extras", "multiselect", custom_field_options=choices("fan", "lamp", "case"))
    add_field(desk, "owner", "lookup", relationship_target_type="zen:organization")


@pytest.fixture(scope="session")
def shop_image(sandboxes: Sandboxes, desk_image: Manifest) -> Manifest:
    """An image of a desk with that object."""
    return image_after(open_shop, "a-shop", desk_image, sandboxes)


@pytest.fixture
def shop(sandbox_pool: SandboxPool, shop_image: Manifest) -> Iterator[Desk]:
    """A desk with an object that has a field of every type."""
    with sandbox_pool.borrow(shop_image) as row:
        yield Desk(row)


def make(desk: Desk, name: str | None = "K40", *, by: str = "ana", **given: Any) -> Any:
    """Create a record; what is no attribute of records is a value."""
    body: dict[str, Any] = {} if name is None else {"name": name}
    if "external_id" in given:
        body["external_id"] = given.pop("external_id")
    body["custom_object_fields"] = given
    return desk.post(RECORDS, {"custom_object_record": body}, by=by)["custom_object_record"]


def change(desk: Desk, path: str, given: Any, *, status: int = 200, by: str = "ana") -> Any:
    answer = desk.call("PATCH", path, {"custom_object_record": given}, by=by)
    assert answer.status == status, answer.body
    return answer.body


def names(body: Any) -> list[str]:
    return [item["name"] for item in body["custom_object_records"]]


def properties(desk: Desk, **given: Any) -> None:
    body = {"custom_object_field": {"properties": given}}
    path = "custom_objects/machine/fields/standard::name"
    assert desk.call("PATCH", path, body, by="olga").status == 200


def job(desk: Desk, action: str, items: list[Any], *, by: str = "ana") -> Any:
    """Run a bulk job and return its end."""
    body = {"job": {"action": action, "items": items}}
    queued = desk.post("custom_objects/machine/jobs", body, by=by, status=200)["job_status"]
    assert (queued["status"], queued["total"]) == ("queued", len(items))
    desk.drain()
    done = desk.get(f"job_statuses/{queued['id']}.json")["job_status"]
    assert done["status"] == "completed"
    return done


def test_a_record_is_made_shown_changed_and_removed(shop: Desk) -> None:
    values = {
        "model": "Hobby 40",
        "notes": "Two\nlines",
        "plate": "AB-12",
        "leased": True,
        "bought": "2025-03-04",
        "hours": 120,
        "power": 40.5,
        "colour": "red",
        "extras": ["lamp", "fan"],
        "owner": "900",
    }
    body = {"custom_object_record": {"name": "K40", "custom_object_fields": values}}
    answer = shop.call("POST", f"{RECORDS}.json", body)
    made = answer.body["custom_object_record"]
    assert (answer.status, answer.headers["Location"]) == (201, made["url"])
    assert made["url"].endswith(f"/api/v2/custom_objects/machine/records/{made['id']}.json")
    assert len(made["id"]) == 26
    assert (made["name"], made["external_id"], made["custom_object_key"]) == (
        "K40",
        None,
        "machine",
    )
    assert made["created_by_user_id"] == made["updated_by_user_id"] == str(shop.ids["ana"])
    assert made["custom_object_fields"] == {
        **values,
        "extras": ["fan", "lamp"],
        "bought": "2025-03-04T00:00:00+00:00",
    }
    path = f"{RECORDS}/{made['id']}"
    assert shop.get(f"{path}.json") == {"custom_object_record": made}
    shop.advance(minutes=2)
    given = {"name": "K41", "external_id": "x-1", "custom_object_fields": {"hours": "7"}}
    saved = change(shop, path, given, by="ben")["custom_object_record"]
    assert shop.get(path)["custom_object_record"] == saved
    assert (saved["name"], saved["external_id"]) == ("K41", "x-1")
    assert saved["custom_object_fields"] == {**made["custom_object_fields"], "hours": 7}
    assert saved["updated_by_user_id"] == str(shop.ids["ben"])
    assert saved["created_by_user_id"] == str(shop.ids["ana"])
    assert saved["updated_at"] > made["updated_at"]
    assert shop.call("DELETE", path).status == 204
    for method, sent in (("GET", None), ("PATCH", {"custom_object_record": {}}), ("DELETE", None)):
        answer = shop.call(method, path, sent)
        assert (answer.status, answer.body) == (404, ABSENT)


def test_empty_values_are_shown_as_such(shop: Desk) -> None:
    made = make(shop, model="A", leased="true")
    empty = dict.fromkeys(made["custom_object_fields"])
    assert made["custom_object_fields"] == {**empty, "model": "A", "leased": True}
    given = {"custom_object_fields": {"model": None, "leased": False}}
    saved = change(shop, f"{RECORDS}/{made['id']}", given)["custom_object_record"]
    assert saved["custom_object_fields"] == {**empty, "leased": False}
    with shop.bound():
        assert CustomObjectRecord.objects.get().custom_object_fields == {"leased": False}


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("plate", "ab-1"),
        ("leased", "perhaps"),
        ("bought", "soon"),
        ("hours", "1.5"),
        ("power", "much"),
        ("power", 1e15),
        ("colour", "green"),
        ("extras", ["fan", "wheel"]),
        ("owner", "901"),
        ("owner", "Acme"),
        ("owner", ["900"]),
        ("model", {"a": 1}),
    ],
)
def test_a_value_that_its_field_cannot_hold_is_refused(shop: Desk, key: str, value: Any) -> None:
    kept = make(shop)
    given = {"custom_object_record": {"name": "x", "custom_object_fields": {key: value}}}
    title = key.title()
    for method, path in (("POST", RECORDS), ("PATCH", f"{RECORDS}/{kept['id']}")):
        problem = refused(shop, method, path, given, "base")
        assert problem == {"description": f"{title}: is invalid", "error": "InvalidValue"}
    assert shop.get(f"{RECORDS}/count")["count"]["value"] == 1


def test_a_record_needs_a_name_and_has_a_limit_of_size(shop: Desk) -> None:
    for name in (None, "", "  "):
        problem = refused(shop, "POST", RECORDS, {"custom_object_record": {"name": name}}, "name")
        assert problem["error"] == "BlankValue"
    values = {"notes": "x" * 32_000, "model": "y" * 1_000}
    body = {"custom_object_record": {"name": "x", "custom_object_fields": values}}
    assert refused(shop, "POST", RECORDS, body, "base")["error"] == "ValueTooLong"
    answer = shop.call("POST", RECORDS, {"custom_object_record": {"custom_object_fields": []}})
    assert answer.status == 400


def test_records_have_a_limit(shop: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    make(shop)
    found = shop.get("custom_objects/limits/record_limit")
    assert found == {"count": 1, "limit": rules.RECORDS}
    assert shop.call("GET", "custom_objects/limits/record_limit", by="rosa").status == 403
    monkeypatch.setattr(rules, "RECORDS", 1)
    refused(shop, "POST", RECORDS, {"custom_object_record": {"name": "x"}}, "base")


def test_lookups_are_set_by_external_id_and_by_unique_name(shop: Desk) -> None:
    add_field(shop, "next", "lookup", relationship_target_type="zen:custom_object:machine")
    add_field(shop, "seller", "lookup", relationship_target_type="zen:user")
    shop.put("organizations/900.json", {"organization": {"external_id": "acme-1"}}, by="olga")
    properties(shop, is_unique=True)
    first = make(shop, "One", owner="external_id:acme-1", seller=shop.ids["ana"])
    assert first["custom_object_fields"]["owner"] == "900"
    assert first["custom_object_fields"]["seller"] == str(shop.ids["ana"])
    second = make(shop, "Two", next="name:One")
    assert second["custom_object_fields"]["next"] == first["id"]
    body = {"custom_object_record": {"name": "x", "custom_object_fields": {"next": "name:None"}}}
    refused(shop, "POST", RECORDS, body, "base")


def test_unverified_a_lookup_keeps_what_has_gone(shop: Desk) -> None:
    add_field(shop, "next", "lookup", relationship_target_type="zen:custom_object:machine")
    first = make(shop, "One")
    second = make(shop, "Two", next=first["id"])
    path = f"{RECORDS}/{second['id']}"
    assert shop.call("DELETE", f"{RECORDS}/{first['id']}").status == 204
    assert shop.get(path)["custom_object_record"] == second
    given = {"custom_object_record": {"custom_object_fields": {"next": first["id"]}}}
    assert refused(shop, "PATCH", path, given, "base")["description"] == "Next: is invalid"


def test_unverified_values_of_no_field_are_passed_over(shop: Desk) -> None:
    path = "custom_objects/machine/fields/model"
    body = {"custom_object_field": {"active": False}}
    assert shop.call("PATCH", path, body, by="olga").status == 200
    made = make(shop, unknown="x", model="A", hours=1)
    assert made["custom_object_fields"]["hours"] == 1
    assert not {"unknown", "model"} & set(made["custom_object_fields"])


def test_a_record_is_set_and_deleted_by_its_external_id(shop: Desk) -> None:
    path = f"{RECORDS}?external_id=x-1"
    given = {"name": "K40", "custom_object_fields": {"model": "A", "hours": 5}}
    made = change(shop, path, given)["custom_object_record"]
    assert (made["external_id"], made["custom_object_fields"]["hours"]) == ("x-1", 5)
    saved = change(shop, path, {"custom_object_fields": {"model": "B"}})["custom_object_record"]
    assert saved["id"] == made["id"]
    assert (saved["name"], saved["custom_object_fields"]["model"]) == ("K40", "B")
    assert saved["custom_object_fields"]["hours"] == 5
    assert shop.call("DELETE", path).status == 204
    assert shop.get(RECORDS)["custom_object_records"] == []
    assert (shop.call("DELETE", path).status, shop.call("DELETE", RECORDS).status) == (404, 400)
    body = {"custom_object_record": {"name": "x"}}
    assert shop.call("PATCH", RECORDS, body).body["error"] == "RequiredParameterMissing"
    assert shop.call("PATCH", f"{path}&name=K40", body).status == 400
    refused(shop, "PATCH", f"{RECORDS}?name=K40", body, "name")
    refused(shop, "DELETE", f"{RECORDS}?name=K40", None, "name")


def test_names_are_unique_where_the_object_says_so(shop: Desk) -> None:
    make(shop, "Twin")
    make(shop, "Twin")
    path = "custom_objects/machine/fields/standard::name"
    body: Any = {"custom_object_field": {"properties": {"is_unique": True}}}
    refused(shop, "PATCH", path, body, "properties")
    for item in shop.get(RECORDS)["custom_object_records"]:
        shop.call("DELETE", f"{RECORDS}/{item['id']}")
    properties(shop, is_unique=True)
    made = make(shop, "Twin", model="A")
    body = {"custom_object_record": {"name": "Twin"}}
    assert refused(shop, "POST", RECORDS, body, "name")["error"] == "DuplicateValue"
    saved = change(shop, f"{RECORDS}?name=Twin", {"custom_object_fields": {"model": "B"}})
    assert saved["custom_object_record"]["id"] == made["id"]
    other = change(shop, f"{RECORDS}?name=Solo", {})["custom_object_record"]
    refused(shop, "PATCH", f"{RECORDS}/{other['id']}", body, "name")
    assert shop.call("DELETE", f"{RECORDS}?name=Twin").status == 204
    assert names(shop.get(RECORDS)) == ["Solo"]


def test_names_are_numbered_where_the_object_says_so(shop: Desk) -> None:
    properties(
        shop,
        autoincrement_enabled=True,
        autoincrement_prefix="M-",
        autoincrement_padding=4,
        autoincrement_next_sequence=98,
    )
    assert [make(shop, None)["name"] for _ in range(3)] == ["M-0098", "M-0099", "M-0100"]
    refused(shop, "POST", RECORDS, {"custom_object_record": {"name": "x"}}, "name")
    first = shop.get(RECORDS)["custom_object_records"][0]
    path = f"{RECORDS}/{first['id']}"
    refused(shop, "PATCH", path, {"custom_object_record": {"name": "x"}}, "name")
    given = {"name": "M-0098", "custom_object_fields": {"model": "A"}}
    assert change(shop, path, given)["custom_object_record"]["name"] == "M-0098"


def test_external_ids_are_unique(shop: Desk) -> None:
    make(shop, "One", external_id="x-1")
    other = make(shop, "Two")
    body = {"custom_object_record": {"name": "x", "external_id": "x-1"}}
    for method, path in (("POST", RECORDS), ("PATCH", f"{RECORDS}/{other['id']}")):
        assert refused(shop, method, path, body, "external_id")["error"] == "DuplicateValue"


def test_records_are_listed_by_cursor_and_by_ids(shop: Desk) -> None:
    made = [make(shop, f"M{number}", external_id=f"x-{number}") for number in range(5)]
    whole = shop.get(RECORDS)
    assert whole["custom_object_records"] == made
    assert whole["meta"]["has_more"] is False
    first = shop.get(f"{RECORDS}?page[size]=2")
    assert (names(first), first["meta"]["has_more"]) == (["M0", "M1"], True)
    cursor = first["meta"]["after_cursor"]
    second = shop.get(f"{RECORDS}?page[size]=2&page[after]={cursor}")
    assert names(second) == ["M2", "M3"]
    back = shop.get(f"{RECORDS}?page[size]=2&page[before]={second['meta']['before_cursor']}")
    assert names(back) == ["M0", "M1"]
    assert names(shop.get(f"{RECORDS}?sort=-id")) == ["M4", "M3", "M2", "M1", "M0"]
    shop.advance(minutes=1)
    change(shop, f"{RECORDS}/{made[1]['id']}", {"custom_object_fields": {"hours": 1}})
    latest = shop.get(f"{RECORDS}?sort=-updated_at&page[size]=2")
    assert names(latest) == ["M1", "M4"]
    after = latest["meta"]["after_cursor"]
    rest = shop.get(f"{RECORDS}?sort=-updated_at&page[size]=2&page[after]={after}")
    assert names(rest) == ["M3", "M2"]
    ids = f"{made[3]['id']},{made[0]['id']},none"
    assert names(shop.get(f"{RECORDS}?filter[ids]={ids}")) == ["M0", "M3"]
    assert names(shop.get(f"{RECORDS}?filter[external_ids]=x-4,X-3")) == ["M4"]
    assert shop.call("GET", f"{RECORDS}?sort=name").status == 400
    assert shop.call("GET", f"{RECORDS}?page[size]=101").status == 400
    many = ",".join(str(number) for number in range(101))
    assert shop.call("GET", f"{RECORDS}?filter[ids]={many}").body["error"] == "TooManyValues"
    assert shop.call("GET", "custom_objects/none/records").status == 404


def test_records_are_counted(shop: Desk) -> None:
    assert shop.get(f"{RECORDS}/count")["count"]["value"] == 0
    make(shop)
    found = shop.get(f"{RECORDS}/count.json")["count"]
    assert found["value"] == 1
    assert found["refreshed_at"].endswith("Z")
    assert shop.call("GET", "custom_objects/none/records/count").status == 404


def test_a_choice_that_goes_takes_its_values_and_a_field_takes_all(shop: Desk) -> None:
    made = make(shop, colour="red", extras=["fan", "lamp"], model="A")
    fields = "custom_objects/machine/fields"
    for key, values in (("colour", ("blue",)), ("extras", ("lamp", "case"))):
        body = {"custom_object_field": {"custom_field_options": choices(*values)}}
        assert shop.call("PATCH", f"{fields}/{key}", body, by="olga").status == 200
    path = f"{RECORDS}/{made['id']}"
    found = shop.get(path)["custom_object_record"]["custom_object_fields"]
    assert (found["colour"], found["extras"], found["model"]) == (None, ["lamp"], "A")
    shop.call("DELETE", f"{fields}/model", by="olga")
    assert "model" not in shop.get(path)["custom_object_record"]["custom_object_fields"]
    with shop.bound():
        assert CustomObjectRecord.objects.get().custom_object_fields == {"extras": ["lamp"]}


def test_an_object_goes_with_its_records(shop: Desk) -> None:
    make(shop)
    assert shop.call("DELETE", "custom_objects/machine", by="olga").status == 204
    assert shop.get("custom_objects/limits/record_limit")["count"] == 0
    assert shop.call("GET", RECORDS).status == 404


def role(desk: Desk, who: str, scopes: dict[str, Any] | None) -> None:
    """Give somebody a role of the account's own that says something of objects."""
    given: dict[str, Any] = {"name": f"Role of {who}"}
    if scopes is not None:
        given["configuration"] = {"custom_objects": scopes}
    made = desk.call("POST", "custom_roles.json", {"custom_role": given}, by="olga").body
    body = {"user": {"custom_role_id": made["custom_role"]["id"]}}
    desk.put(f"users/{desk.ids[who]}.json", body, by="olga")


def test_roles_say_what_agents_may_do_with_an_objects_records(shop: Desk) -> None:
    made = make(shop, by="olga")
    one, body = f"{RECORDS}/{made['id']}", {"custom_object_record": {"name": "x"}}
    bulk = {"job": {"action": "create", "items": [{"name": "x"}]}}
    calls: list[tuple[str, str, str, Any]] = [
        ("read", "GET", RECORDS, None),
        ("read", "GET", one, None),
        ("read", "GET", f"{RECORDS}/count", None),
        ("read", "GET", f"{RECORDS}/search?query=x", None),
        ("read", "POST", f"{RECORDS}/search", {"filter": {}}),
        ("read", "GET", f"{RECORDS}/autocomplete?name=x", None),
        ("create", "POST", RECORDS, body),
        ("create", "POST", "custom_objects/machine/jobs", bulk),
        ("update", "PATCH", one, body),
        ("delete", "DELETE", one, None),
        ("delete", "DELETE", f"{RECORDS}?external_id=none", None),
    ]
    role(shop, "ben", {"machine": {"scopes": ["read", "update"]}, "other": {"scopes": []}})
    for scope, method, path, sent in calls:
        refusal = shop.call(method, path, sent, by="ben").status == 403
        assert refusal == (scope not in ("read", "update")), (method, path)
        assert shop.call(method, path, sent, by="rosa").status == 403
    role(shop, "ana", {})
    assert [shop.call(method, path, sent).status for _, method, path, sent in calls] == [403] * 11
    refusals: list[Any] = [{"machine": ["read"]}, {"machine": {"scopes": ["create"]}}, []]
    for wrong in refusals:
        given = {"name": "x", "configuration": {"custom_objects": wrong}}
        answer = shop.call("POST", "custom_roles.json", {"custom_role": given}, by="olga")
        assert (answer.status, list(answer.body["details"])) == (422, ["configuration"])


def test_unverified_a_role_that_says_nothing_of_objects_allows_all(shop: Desk) -> None:
    role(shop, "ana", None)
    made = make(shop)
    assert shop.call("DELETE", f"{RECORDS}/{made['id']}").status == 204


def test_many_records_are_made_and_set_as_a_job(shop: Desk) -> None:
    items: list[Any] = [
        {"name": "One", "external_id": "x-1", "custom_object_fields": {"hours": 1}},
        {"name": "Two", "external_id": "x-1"},
        {"name": "Three", "custom_object_fields": {"colour": "green"}},
    ]
    results = job(shop, "create", items)["results"]
    assert [item.get("success", False) for item in results] == [True, False, False]
    assert [item["index"] for item in results] == [0, 1, 2]
    [made] = shop.get(RECORDS)["custom_object_records"]
    assert (made["id"], made["name"]) == (results[0]["id"], "One")
    given = {"id": made["id"], "custom_object_fields": {"hours": 2}}
    assert job(shop, "update", [given, {"id": "none"}])["results"][1]["error"] == "RecordNotFound"
    items = [{"external_id": "x-1", "name": "Uno"}, {"external_id": "x-2", "name": "Dos"}]
    job(shop, "create_or_update_by_external_id", items)
    found = shop.get(RECORDS)["custom_object_records"]
    assert names({"custom_object_records": found}) == ["Uno", "Dos"]
    assert [item["custom_object_fields"]["hours"] for item in found] == [2, None]
    results = job(shop, "delete_by_external_id", ["x-2", "x-9"])["results"]
    assert (results[0]["id"], results[1]["error"]) == (found[1]["id"], "RecordNotFound")
    job(shop, "delete", [found[0]["id"]])
    assert shop.get(RECORDS)["custom_object_records"] == []


def test_many_records_are_set_by_unique_names(shop: Desk) -> None:
    item = {"name": "One", "custom_object_fields": {"hours": 1}}
    body = {"job": {"action": "create_or_update_by_name", "items": [item]}}
    refused(shop, "POST", "custom_objects/machine/jobs", body, "name")
    properties(shop, is_unique=True)
    made = make(shop, "One")
    job(shop, "create_or_update_by_name", [item, {"name": "Two"}])
    found = shop.get(RECORDS)["custom_object_records"]
    assert names({"custom_object_records": found}) == ["One", "Two"]
    assert (found[0]["id"], found[0]["custom_object_fields"]["hours"]) == (made["id"], 1)


@pytest.mark.parametrize(
    ("action", "items", "status"),
    [
        ("merge", [{"name": "x"}], 400),
        ("create", [], 400),
        ("create", ["x"], 400),
        ("create", [{"name": "x"}] * 101, 400),
        ("update", [{"name": "x"}], 400),
        ("delete", [{"id": "x"}], 400),
    ],
)
def test_a_job_that_cannot_be_is_refused(
    shop: Desk, action: str, items: list[Any], status: int
) -> None:
    body = {"job": {"action": action, "items": items}}
    assert shop.call("POST", "custom_objects/machine/jobs", body).status == status
    assert shop.call("POST", "custom_objects/none/jobs", body).status == 404
    shop.drain()
    assert shop.get(RECORDS)["custom_object_records"] == []
