"""Custom objects and their fields: made, shown, changed, removed, and refused."""

from __future__ import annotations

from typing import Any

import pytest

from clones.helpdesk.rules import custom_objects as rules
from tests.helpdesk.conftest import Desk

MACHINE = {"key": "machine", "title": "Machine", "title_pluralized": "Machines"}
ABSENT = {"error": "RecordNotFound", "description": "Not found"}


def machine(desk: Desk, **given: Any) -> Any:
    """Create a custom object."""
    body = {"custom_object": {**MACHINE, **given}}
    return desk.post("custom_objects", body, by="olga")["custom_object"]


def add_field(
    desk: Desk, key: str, kind: str = "text", *, of: str = "machine", **given: Any
) -> Any:
    """Create a field of an object."""
    body = {"custom_object_field": {"key": key, "type": kind, "title": key.title(), **given}}
    return desk.post(f"custom_objects/{of}/fields", body, by="olga")["custom_object_field"]


def choices(*values: str) -> list[dict[str, str]]:
    return [{"name": value.title(), "value": value} for value in values]


def keys_of(desk: Desk, query: str = "", *, of: str = "machine") -> list[str]:
    found = desk.get(f"custom_objects/{of}/fields{query}")["custom_object_fields"]
    return [item["key"] for item in found]


def refused(desk: Desk, method: str, path: str, body: Any, attribute: str) -> Any:
    answer = desk.call(method, path, body, by="olga")
    assert (answer.status, answer.body["error"]) == (422, "RecordInvalid"), answer.body
    assert list(answer.body["details"]) == [attribute]
    return answer.body["details"][attribute][0]


def test_an_object_is_made_shown_changed_and_removed(desk: Desk) -> None:
    given = {**MACHINE, "description": "What customers cut with"}
    answer = desk.call("POST", "custom_objects.json", {"custom_object": given}, by="olga")
    made = answer.body["custom_object"]
    assert (answer.status, answer.headers["Location"]) == (201, made["url"])
    assert {name: made[name] for name in given} == given
    assert made["raw_title_pluralized"] == "Machines"
    assert made["created_by_user_id"] == made["updated_by_user_id"] == str(desk.ids["olga"])
    assert made["include_in_list_view"] is True
    assert desk.get("custom_objects") == {"custom_objects": [made]}
    assert desk.get("custom_objects/machine.json") == {"custom_object": made}
    address = made["url"].partition("/api/v2/")[2]
    assert desk.get(address)["custom_object"] == made, "its address, which has its id, is its own"
    desk.advance(minutes=3)
    changes = {"title": "Cutter", "key": "cutter", "include_in_list_view": False}
    answer = desk.call("PATCH", "custom_objects/machine", {"custom_object": changes}, by="olga")
    assert answer.status == 200
    found = desk.get("custom_objects/machine")["custom_object"]
    assert found == answer.body["custom_object"]
    assert (found["title"], found["key"]) == ("Cutter", "machine")
    assert found["include_in_list_view"] is False
    assert found["updated_at"] > made["updated_at"]
    assert desk.call("DELETE", "custom_objects/machine", by="olga").status == 204
    assert desk.get("custom_objects")["custom_objects"] == []
    for method, body in (("GET", None), ("PATCH", {"custom_object": {}}), ("DELETE", None)):
        answer = desk.call(method, "custom_objects/machine", body, by="olga")
        assert (answer.status, answer.body) == (404, ABSENT)


def test_titles_are_shown_with_dynamic_content(desk: Desk) -> None:
    item = {
        "name": "Machine title",
        "default_locale_id": 1,
        "variants": [{"locale_id": 1, "default": True, "content": "Laser cutter"}],
    }
    desk.post("dynamic_content/items", {"item": item}, by="olga")
    made = machine(desk, title="{{dc.machine_title}}")
    assert (made["title"], made["raw_title"]) == ("Laser cutter", "{{dc.machine_title}}")


@pytest.mark.parametrize(
    ("attribute", "value", "code"),
    [
        ("key", "", "BlankValue"),
        ("key", "laser cutter", "InvalidValue"),
        ("key", "42", "InvalidValue"),
        ("title", " ", "BlankValue"),
        ("title", "x" * 256, "ValueTooLong"),
        ("title_pluralized", None, "BlankValue"),
    ],
)
def test_an_object_that_cannot_be_is_refused(
    desk: Desk, attribute: str, value: Any, code: str
) -> None:
    body = {"custom_object": {**MACHINE, attribute: value}}
    assert refused(desk, "POST", "custom_objects", body, attribute)["error"] == code
    if attribute != "key":
        machine(desk)
        body = {"custom_object": {attribute: value}}
        assert refused(desk, "PATCH", "custom_objects/machine", body, attribute)["error"] == code


def test_a_key_is_used_once_and_never_again(desk: Desk) -> None:
    machine(desk)
    for key in ("machine", "MACHINE"):
        body = {"custom_object": {**MACHINE, "key": key}}
        assert refused(desk, "POST", "custom_objects", body, "key")["error"] == "DuplicateValue"
    desk.call("DELETE", "custom_objects/machine", by="olga")
    body = {"custom_object": MACHINE}
    assert refused(desk, "POST", "custom_objects", body, "key")["error"] == "DuplicateValue"


def test_objects_have_a_limit_that_is_shown_to_admins(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine(desk)
    assert desk.get("custom_objects/limits/object_limit", by="olga") == {"count": 1, "limit": 50}
    assert desk.call("GET", "custom_objects/limits/object_limit").status == 403
    monkeypatch.setattr(rules, "OBJECTS", 1)
    refused(desk, "POST", "custom_objects", {"custom_object": {**MACHINE, "key": "b"}}, "base")


def test_only_admins_define_objects_and_agents_see_them(desk: Desk) -> None:
    machine(desk)
    field = add_field(desk, "model")
    one = f"custom_objects/machine/fields/{field['id']}"
    for method, path, body in (
        ("POST", "custom_objects", {"custom_object": MACHINE}),
        ("PATCH", "custom_objects/machine", {"custom_object": {"title": "x"}}),
        ("DELETE", "custom_objects/machine", None),
        ("POST", "custom_objects/machine/fields", {"custom_object_field": {"key": "a"}}),
        ("PATCH", one, {"custom_object_field": {"title": "x"}}),
        ("DELETE", one, None),
        ("PUT", "custom_objects/machine/fields/reorder", {"custom_object_field_ids": []}),
    ):
        assert desk.call(method, path, body).status == 403, (method, path)
    for path in ("custom_objects", "custom_objects/machine", "custom_objects/machine/fields", one):
        assert desk.call("GET", path).status == 200
        assert desk.call("GET", path, by="rosa").status == 403
        assert desk.call("GET", path, by=None).status == 401


def test_a_field_is_made_shown_changed_and_removed(desk: Desk) -> None:
    machine(desk)
    body = {"custom_object_field": {"key": "model", "title": "Model", "description": "The plate"}}
    answer = desk.call("POST", "custom_objects/machine/fields.json", body, by="olga")
    made = answer.body["custom_object_field"]
    assert (answer.status, answer.headers["Location"]) == (201, made["url"])
    assert made["url"].endswith(f"/custom_objects/machine/fields/{made['id']}.json")
    assert (made["type"], made["description"], made["active"]) == ("text", "The plate", True)
    for name in ("model", made["id"]):
        path = f"custom_objects/machine/fields/{name}.json"
        assert desk.get(path) == {"custom_object_field": made}
    changes = {"title": "Model name", "active": False, "key": "other", "type": "date"}
    path = "custom_objects/machine/fields/model"
    answer = desk.call("PATCH", path, {"custom_object_field": changes}, by="olga")
    found = desk.get(path)["custom_object_field"]
    assert (answer.status, answer.body["custom_object_field"]) == (200, found)
    assert (found["title"], found["active"], found["key"]) == ("Model name", False, "model")
    assert found["type"] == "text"
    assert desk.call("DELETE", path, by="olga").status == 204
    assert keys_of(desk) == []
    for method, given in (("GET", None), ("PATCH", {"custom_object_field": {}}), ("DELETE", None)):
        answer = desk.call(method, path, given, by="olga")
        assert (answer.status, answer.body) == (404, ABSENT)
    body = {"custom_object_field": {"key": "Model", "title": "Model"}}
    problem = refused(desk, "POST", "custom_objects/machine/fields", body, "key")
    assert problem["error"] == "DuplicateValue", "a deleted field's key stays taken"


def test_every_object_has_a_name_and_an_external_id(desk: Desk) -> None:
    machine(desk)
    add_field(desk, "model")
    standard = ["standard::name", "standard::external_id"]
    assert keys_of(desk) == ["model"]
    assert keys_of(desk, "?include_standard_fields=true") == [*standard, "model"]
    path = "custom_objects/machine/fields/standard::name"
    changes = {"title": "Serial number", "description": "On the plate", "active": False}
    desk.call("PATCH", path, {"custom_object_field": changes}, by="olga")
    found = desk.get(path)["custom_object_field"]
    assert (found["title"], found["description"]) == ("Serial number", "On the plate")
    assert found["active"] is True, "only its texts and properties change"
    assert found["properties"] == dict(rules.PROPERTIES)
    answer = desk.call("DELETE", path, by="olga")
    assert (answer.status, list(answer.body["details"])) == (422, ["base"])


def test_fields_come_in_pages_and_in_their_order(desk: Desk) -> None:
    machine(desk)
    made = {key: add_field(desk, key)["id"] for key in ("a", "b", "c")}
    path = "custom_objects/machine/fields"
    order = [made["c"], made["a"]]
    body = {"custom_object_field_ids": order}
    assert desk.call("PUT", f"{path}/reorder", body, by="olga").status == 200
    assert keys_of(desk) == ["c", "a", "b"]
    first = desk.get(f"{path}?page[size]=2")
    assert [item["key"] for item in first["custom_object_fields"]] == ["c", "a"]
    assert first["meta"]["has_more"] is True
    second = desk.get(f"{path}?page[size]=2&page[after]={first['meta']['after_cursor']}")
    assert [item["key"] for item in second["custom_object_fields"]] == ["b"]
    numbered = desk.get(f"{path}?per_page=2&page=2")
    assert [item["key"] for item in numbered["custom_object_fields"]] == ["b"]
    assert numbered["count"] == 3
    answer = desk.call("PUT", f"{path}/reorder", {"custom_object_field_ids": [5]}, by="olga")
    assert (answer.status, answer.body) == (404, ABSENT)
    assert desk.call("GET", "custom_objects/none/fields").status == 404
    assert desk.call("GET", "custom_objects/none/limits/field_limit").status == 404
    assert desk.get("custom_objects/machine/limits/field_limit") == {"count": 3, "limit": 100}


def test_fields_have_limits(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    machine(desk)
    owner = {"type": "lookup", "relationship_target_type": "zen:user", "title": "Owner"}
    monkeypatch.setattr(rules, "LOOKUPS", 1)
    add_field(desk, "owner", "lookup", relationship_target_type="zen:user")
    body: Any = {"custom_object_field": {**owner, "key": "keeper"}}
    path = "custom_objects/machine/fields"
    assert "Lookup" in refused(desk, "POST", path, body, "base")["description"]
    monkeypatch.setattr(rules, "FIELDS", 1)
    body = {"custom_object_field": {"key": "model", "title": "Model"}}
    assert "Fields" in refused(desk, "POST", path, body, "base")["description"]


@pytest.mark.parametrize(
    ("given", "attribute"),
    [
        ({"key": ""}, "key"),
        ({"key": "a b"}, "key"),
        ({"key": "standard::name"}, "key"),
        ({"title": ""}, "title"),
        ({"type": "partialcreditcard"}, "type"),
        ({"type": "regexp"}, "regexp_for_validation"),
        ({"type": "regexp", "regexp_for_validation": "("}, "regexp_for_validation"),
        ({"type": "dropdown"}, "field_options"),
        ({"type": "lookup"}, "relationship_target_type"),
        ({"type": "lookup", "relationship_target_type": "zen:group"}, "relationship_target_type"),
        (
            {"type": "lookup", "relationship_target_type": "zen:custom_object:boat"},
            "relationship_target_type",
        ),
        (
            {
                "type": "lookup",
                "relationship_target_type": "zen:user",
                "relationship_filter": {"all": [{"field": "role", "operator": "is", "value": 1}]},
            },
            "relationship_filter",
        ),
    ],
)
def test_a_field_that_cannot_be_is_refused(desk: Desk, given: Any, attribute: str) -> None:
    machine(desk)
    body = {"custom_object_field": {"key": "model", "title": "Model", **given}}
    refused(desk, "POST", "custom_objects/machine/fields", body, attribute)
    assert keys_of(desk) == []


@pytest.mark.parametrize(
    "given",
    [
        {"autoincrement_enabled": True, "is_unique": True},
        {"autoincrement_prefix": "x" * 31},
        {"autoincrement_padding": 10},
        {"autoincrement_next_sequence": 0},
        {"is_unique": "yes"},
    ],
)
def test_properties_that_cannot_be_are_refused(desk: Desk, given: Any) -> None:
    machine(desk)
    path = "custom_objects/machine/fields/standard::name"
    refused(desk, "PATCH", path, {"custom_object_field": {"properties": given}}, "properties")


def test_lookups_refer_to_records_of_the_desk_and_of_objects(desk: Desk) -> None:
    machine(desk)
    machine(desk, key="site", title="Site", title_pluralized="Sites")
    for number, target in enumerate(
        ("zen:user", "zen:ticket", "zen:organization", "zen:custom_object:site")
    ):
        made = add_field(desk, f"f{number}", "lookup", relationship_target_type=target)
        assert made["relationship_target_type"] == target
        assert made["relationship_filter"] == {"all": [], "any": []}


def test_unverified_an_object_that_lookups_of_others_refer_to_stays(desk: Desk) -> None:
    machine(desk)
    machine(desk, key="site", title="Site", title_pluralized="Sites")
    add_field(desk, "site", "lookup", relationship_target_type="zen:custom_object:site")
    refused(desk, "DELETE", "custom_objects/site", None, "base")
    desk.call("DELETE", "custom_objects/machine/fields/site", by="olga")
    assert desk.call("DELETE", "custom_objects/site", by="olga").status == 204


def test_definitions_are_in_the_audit_log(desk: Desk) -> None:
    machine(desk)
    add_field(desk, "model")
    desk.call("DELETE", "custom_objects/machine/fields/model", by="olga")
    logs = desk.get("audit_logs.json", by="olga")["audit_logs"]
    told = {(item["action"], item["source_type"], item["source_label"]) for item in logs}
    assert ("create", "customobject", "Machine") in told
    assert ("create", "customobjectfield", "Model") in told
    assert ("destroy", "customobjectfield", "Model") in told
