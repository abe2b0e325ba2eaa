"""Fields of users: made, changed, ordered, removed, and their choices."""

from __future__ import annotations

from typing import Any

import pytest

from clones.helpdesk.models import ProfileField
from tests.helpdesk.conftest import Desk

PLANS = [{"name": "Basic", "value": "basic_plan"}, {"name": "Gold", "value": "gold_plan"}]
NOT_FOUND = {"error": "RecordNotFound", "description": "Not found"}


def field(desk: Desk, key: str = "plan", **given: Any) -> Any:
    body = {"key": key, "title": key.capitalize(), **given}
    return desk.post("user_fields.json", {"user_field": body}, by="olga")["user_field"]


def drop_down(desk: Desk, key: str = "plan", **given: Any) -> Any:
    return field(desk, key, type="dropdown", custom_field_options=PLANS, **given)


def shown(desk: Desk, key: int) -> Any:
    return desk.get(f"user_fields/{key}.json")["user_field"]


def change(desk: Desk, number: int, **given: Any) -> Any:
    return desk.put(f"user_fields/{number}.json", {"user_field": given}, by="olga")["user_field"]


def refused(desk: Desk, method: str, path: str, body: Any = None) -> tuple[str, str, str | None]:
    answer = desk.call(method, path, body, by="olga")
    assert answer.status == 422
    assert answer.body["error"] == "RecordInvalid"
    assert answer.body["description"] == "Record validation errors"
    [(attribute, [problem])] = answer.body["details"].items()
    return attribute, problem["description"], problem["error"]


def fill(desk: Desk, who: str = "rosa", *, by: str = "ana", **values: Any) -> Any:
    path = f"users/{desk.ids[who]}.json"
    return desk.put(path, {"user": {"user_fields": values}}, by=by)["user"]


def profile(desk: Desk, who: str = "rosa") -> Any:
    return desk.get(f"users/{desk.ids[who]}.json")["user"]


def test_a_field_is_made_as_text_and_shown_as_the_vendor_shows_it(desk: Desk) -> None:
    given = {"key": "support_plan", "title": "Support plan", "description": "What they pay for."}
    answer = desk.call("POST", "user_fields.json", {"user_field": given}, by="olga")
    made = answer.body["user_field"]
    assert (answer.status, answer.headers["Location"]) == (201, made["url"])
    assert made["url"].endswith(f"/api/v2/user_fields/{made['id']}.json")
    assert {name: made[name] for name in given} == given
    assert (made["raw_title"], made["raw_description"]) == ("Support plan", "What they pay for.")
    assert (made["type"], made["position"], made["active"]) == ("text", 9999, True)
    assert (made["system"], made["regexp_for_validation"]) == (False, None)
    assert "tag" not in made
    assert "custom_field_options" not in made
    assert shown(desk, made["id"]) == made
    assert desk.get("user_fields.json")["user_fields"] == [made]
    assert desk.get("organization_fields.json")["organization_fields"] == []


def test_unknown_keys_are_warned_of(desk: Desk) -> None:
    body = {"user_field": {"key": "a", "title": "A", "colour": "red"}}
    answer = desk.call("POST", "user_fields.json", body, by="olga")
    assert answer.status == 201
    assert "user_field.colour" in answer.headers["x-zendesk-api-warn"]


def test_fields_are_listed_in_their_order_by_offset_and_by_cursor(desk: Desk) -> None:
    keys = [field(desk, f"f{number}", position=9 - number)["key"] for number in range(5)]
    keys.reverse()
    assert [item["key"] for item in desk.get("user_fields.json")["user_fields"]] == keys
    page = desk.get("user_fields.json?per_page=2&page=2")
    assert [item["key"] for item in page["user_fields"]] == keys[2:4]
    assert (page["count"], "page=3" in page["next_page"]) == (5, True)
    page = desk.get("user_fields.json?page[size]=2")
    assert [item["key"] for item in page["user_fields"]] == keys[:2]
    assert page["meta"]["has_more"] is True
    page = desk.get(page["links"]["next"].partition("/api/v2/")[2])
    assert [item["key"] for item in page["user_fields"]] == keys[2:4]
    assert desk.call("GET", "user_fields.json?page[size]=101").status == 400


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE"])
def test_agents_read_fields_and_admins_write_them(desk: Desk, method: str) -> None:
    made = drop_down(desk)
    option = made["custom_field_options"][0]["id"]
    one = f"user_fields/{made['id']}"
    writes: dict[str, list[tuple[str, Any]]] = {
        "POST": [
            ("user_fields.json", {"user_field": {"key": "x", "title": "X"}}),
            (f"{one}/options.json", {"custom_field_option": {"name": "X", "value": "x"}}),
        ],
        "PUT": [
            (f"{one}.json", {"user_field": {"title": "Mine"}}),
            ("user_fields/reorder.json", {"user_field_ids": [made["id"]]}),
        ],
        "DELETE": [(f"{one}.json", None), (f"{one}/options/{option}.json", None)],
    }
    for path, body in writes[method]:
        for by in ("ana", "rosa"):
            answer = desk.call(method, path, body, by=by)
            assert (answer.status, answer.body["error"]["title"]) == (403, "Forbidden"), (path, by)
        assert desk.call(method, path, body, by=None).status == 401
    assert desk.get("user_fields.json")["user_fields"] == [made]


def test_end_users_see_no_fields(desk: Desk) -> None:
    made = drop_down(desk)
    one, option = f"user_fields/{made['id']}", made["custom_field_options"][0]["id"]
    for path in ("user_fields", one, f"{one}/options", f"{one}/options/{option}"):
        assert desk.call("GET", f"{path}.json", by="rosa").status == 403, path
        assert desk.call("GET", f"{path}.json", by=None).status == 401, path


def test_what_does_not_exist_is_not_found(desk: Desk) -> None:
    made = drop_down(desk)
    of_organizations = {"organization_field": {"key": "k", "title": "K"}}
    other = desk.post("organization_fields.json", of_organizations, by="olga")
    foreign = other["organization_field"]["id"]
    body = {"user_field": {"title": "X"}}
    option = {"custom_field_option": {"name": "X", "value": "x"}}
    for key in (1, foreign):
        for method, path, sent in [
            ("GET", f"user_fields/{key}.json", None),
            ("PUT", f"user_fields/{key}.json", body),
            ("DELETE", f"user_fields/{key}.json", None),
            ("GET", f"user_fields/{key}/options.json", None),
            ("POST", f"user_fields/{key}/options.json", option),
            ("GET", f"user_fields/{made['id']}/options/{key}.json", None),
            ("DELETE", f"user_fields/{made['id']}/options/{key}.json", None),
        ]:
            answer = desk.call(method, path, sent, by="olga")
            assert (answer.status, answer.body) == (404, NOT_FOUND), (method, path)


def test_a_key_is_made_of_letters_digits_and_underscores_and_is_taken_once(desk: Desk) -> None:
    def wrong(key: Any) -> tuple[str, str, str | None]:
        body = {"user_field": {"key": key, "title": "T"}}
        return refused(desk, "POST", "user_fields.json", body)

    field(desk, "plan_2")
    for key in ("my plan", "my-plan", "a.b", "plån", "2024", "system::plan"):
        assert wrong(key)[::2] == ("key", "InvalidValue"), key
    assert wrong("plan_2")[::2] == ("key", "DuplicateValue")
    assert wrong(None)[::2] == ("key", "BlankValue")
    assert len(desk.get("user_fields.json")["user_fields"]) == 1
    of_organizations = {"organization_field": {"key": "plan_2", "title": "T"}}
    desk.post("organization_fields.json", of_organizations, by="olga")


def test_a_removed_fields_key_can_be_taken_again(desk: Desk) -> None:
    first = field(desk)["id"]
    assert desk.call("DELETE", f"user_fields/{first}.json", by="olga").status == 204
    assert field(desk)["id"] != first


def test_a_change_keeps_key_and_type(desk: Desk) -> None:
    key = field(desk, "plan", description="Old")["id"]
    change(desk, key, key="other", type="date", title="Contract", description="New", position=3)
    found = shown(desk, key)
    assert (found["key"], found["type"]) == ("plan", "text")
    assert (found["title"], found["raw_title"], found["description"]) == (
        "Contract",
        "Contract",
        "New",
    )
    assert found["position"] == 3


def test_unverified_an_inactive_field_shows_no_values_until_it_is_active_again(desk: Desk) -> None:
    key = field(desk)["id"]
    fill(desk, plan="gold")
    assert change(desk, key, active=False)["active"] is False
    assert fill(desk, plan="silver")["user_fields"] == {}
    assert change(desk, key, active=True)["active"] is True
    assert profile(desk)["user_fields"] == {"plan": "gold"}


def test_fields_stand_in_the_order_given(desk: Desk) -> None:
    first, second, third = (field(desk, key)["id"] for key in ("a", "b", "c"))
    answer = desk.call(
        "PUT", "user_fields/reorder.json", {"user_field_ids": [third, first]}, by="olga"
    )
    assert (answer.status, answer.raw) == (200, b"")
    found = desk.get("user_fields.json")["user_fields"]
    assert [(item["id"], item["position"]) for item in found] == [
        (third, 1),
        (first, 2),
        (second, 3),
    ]
    answer = desk.call("PUT", "user_fields/reorder.json", {}, by="olga")
    assert (answer.status, answer.body["error"]) == (400, "RequiredParameterMissing")


def test_a_removed_field_takes_its_values_along_and_leaves_the_tags(desk: Desk) -> None:
    key = drop_down(desk)["id"]
    field(desk, "nick")
    fill(desk, plan="gold_plan", nick="Ro")
    answer = desk.call("DELETE", f"user_fields/{key}.json", by="olga")
    assert (answer.status, answer.raw) == (204, b"")
    assert desk.call("GET", f"user_fields/{key}.json").status == 404
    found = profile(desk)
    assert (found["user_fields"], found["tags"]) == ({"nick": "Ro"}, ["gold_plan"])
    drop_down(desk)
    assert profile(desk)["user_fields"] == {"nick": "Ro", "plan": None}


def test_choices_are_listed_added_changed_and_removed(desk: Desk) -> None:
    made = drop_down(desk)
    path = f"user_fields/{made['id']}/options"
    first, second = (option["id"] for option in made["custom_field_options"])
    assert set(made["custom_field_options"][0]) == {"id", "name", "raw_name", "value"}
    listed = desk.get(f"{path}.json")
    assert (listed["count"], listed["next_page"]) == (2, None)
    assert [option["position"] for option in listed["custom_field_options"]] == [0, 1]
    basic = desk.get(f"{path}/{first}.json")["custom_field_option"]
    assert basic == listed["custom_field_options"][0]
    assert basic["url"].endswith(f"/api/v2/{path}/{first}.json")
    assert (basic["name"], basic["raw_name"], basic["value"]) == ("Basic", "Basic", "basic_plan")
    new = {"custom_field_option": {"name": "Free", "value": "free_plan", "position": 0}}
    answer = desk.call("POST", f"{path}.json", new, by="olga")
    assert (answer.status, answer.headers["Location"]) == (201, f"/api/v2/{path}.json")
    free = answer.body["custom_field_option"]
    assert (free["name"], free["position"]) == ("Free", 0)
    renamed = {"custom_field_option": {"id": first, "name": "Starter", "value": "basic_plan"}}
    answer = desk.call("POST", f"{path}.json", renamed, by="olga")
    assert (answer.status, answer.headers["Location"]) == (200, f"/api/v2/{path}.json")
    assert desk.get(f"{path}/{first}.json")["custom_field_option"]["name"] == "Starter"
    assert desk.call("DELETE", f"{path}/{second}.json", by="olga").status == 204
    assert desk.call("GET", f"{path}/{second}.json").status == 404
    left = shown(desk, made["id"])["custom_field_options"]
    assert [option["id"] for option in left] == [free["id"], first]


def test_choices_come_in_pages(desk: Desk) -> None:
    path = f"user_fields/{drop_down(desk)['id']}/options.json"
    page = desk.get(f"{path}?per_page=1&page=2")
    assert [option["value"] for option in page["custom_field_options"]] == ["gold_plan"]
    assert page["count"] == 2
    page = desk.get(f"{path}?page[size]=1")
    assert [option["value"] for option in page["custom_field_options"]] == ["basic_plan"]
    assert page["meta"]["has_more"] is True


def test_a_choice_that_goes_takes_its_values_along_and_leaves_the_tags(desk: Desk) -> None:
    made = drop_down(desk)
    fill(desk, plan="gold_plan")
    fill(desk, "tom", plan="basic_plan")
    change(desk, made["id"], custom_field_options=made["custom_field_options"][:1])
    found = profile(desk)
    assert (found["user_fields"], found["tags"]) == ({"plan": None}, ["gold_plan"])
    assert profile(desk, "tom")["user_fields"] == {"plan": "basic_plan"}
    [left] = shown(desk, made["id"])["custom_field_options"]
    assert left["id"] == made["custom_field_options"][0]["id"]


def test_a_choice_of_several_goes_alone(desk: Desk) -> None:
    made = field(desk, type="multiselect", custom_field_options=PLANS)
    fill(desk, plan=["gold_plan", "basic_plan"])
    option = made["custom_field_options"][1]["id"]
    path = f"user_fields/{made['id']}/options/{option}.json"
    assert desk.call("DELETE", path, by="olga").status == 204
    assert profile(desk)["user_fields"] == {"plan": ["basic_plan"]}


def test_choices_need_a_field_that_has_them(desk: Desk) -> None:
    path = f"user_fields/{field(desk)['id']}/options.json"
    body = {"custom_field_option": {"name": "X", "value": "x"}}
    assert refused(desk, "POST", path, body)[0] == "base"
    assert desk.get(path)["custom_field_options"] == []


def test_a_field_of_the_system_changes_its_place_and_use_only(desk: Desk) -> None:
    made = field(desk)
    with desk.writing():
        ProfileField.objects.filter(id=made["id"]).update(system=True, key="system::seen")
    found = change(desk, made["id"], title="Mine", active=False, position=4)
    assert (found["title"], found["active"], found["position"]) == ("Plan", False, 4)
    assert found["system"] is True
    path = f"user_fields/{made['id']}.json"
    assert refused(desk, "DELETE", path)[0] == "base"
    assert shown(desk, made["id"])["key"] == "system::seen"


def test_unverified_words_of_refusals(desk: Desk) -> None:
    def wrong(**given: Any) -> tuple[str, str, str | None]:
        body = {"user_field": {"key": "k", "title": "T", **given}}
        return refused(desk, "POST", "user_fields.json", body)

    taken = drop_down(desk)
    assert wrong(title=" ") == ("title", "Title: cannot be blank", "BlankValue")
    assert wrong(key="") == ("key", "Key: cannot be blank", "BlankValue")
    assert wrong(key="a b") == ("key", "Key: is invalid", "InvalidValue")
    assert wrong(key="plan") == ("key", "Key: has already been taken", "DuplicateValue")
    for kind in ("lookup", "tagger", "partialcreditcard", "nonsense"):
        problem = ("type", f"Type: {kind} is not a valid type", "InvalidValue")
        assert wrong(type=kind) == problem
    none = ("field_options", "Field options: must contain at least one option", "EmptyValue")
    assert wrong(type="dropdown") == none
    twice = ("field_options", "Field options: basic_plan is already in use", "DuplicateValue")
    assert wrong(type="dropdown", custom_field_options=PLANS[:1] * 2) == twice
    pattern = "regexp_for_validation"
    label = "Regexp for validation"
    assert wrong(type="regexp") == (pattern, f"{label}: cannot be blank", "BlankValue")
    invalid = (pattern, f"{label}: is invalid", "InvalidValue")
    for unusable in ("(", "(?#[)(a+)+$(?#])", r"(a)\1"):
        assert wrong(type="regexp", regexp_for_validation=unusable) == invalid
    assert wrong(type="checkbox", tag="a b") == ("tag", "Tag: is invalid", "InvalidValue")
    path = f"user_fields/{taken['id']}/options"
    first, second = (option["id"] for option in taken["custom_field_options"])
    assert desk.call("DELETE", f"{path}/{first}.json", by="olga").status == 204
    assert refused(desk, "DELETE", f"{path}/{second}.json") == none


def test_unverified_keys_are_the_same_in_any_case(desk: Desk) -> None:
    field(desk, "plan")
    body = {"user_field": {"key": "PLAN", "title": "T"}}
    assert refused(desk, "POST", "user_fields.json", body)[0] == "key"


def test_unverified_an_order_of_unknown_fields_is_refused_as_a_whole(desk: Desk) -> None:
    first, second = (field(desk, key)["id"] for key in ("a", "b"))
    body = {"user_field_ids": [second, 1, first]}
    answer = desk.call("PUT", "user_fields/reorder.json", body, by="olga")
    assert (answer.status, answer.body) == (404, NOT_FOUND)
    assert [item["id"] for item in desk.get("user_fields.json")["user_fields"]] == [first, second]
