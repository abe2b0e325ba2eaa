"""What users and organizations have in their fields: written, checked, tagged, shown, found."""

from __future__ import annotations

from typing import Any

import pytest

from clones.core.models import Message
from clones.helpdesk.models import User
from tests.helpdesk.conftest import Desk
from tests.helpdesk.mails import said_in
from tests.helpdesk.test_user_fields import PLANS, drop_down, field, fill, profile


def refused(desk: Desk, **values: Any) -> list[tuple[str, str]]:
    body = {"user": {"name": "Other", "user_fields": values}}
    answer = desk.call("PUT", f"users/{desk.ids['rosa']}.json", body)
    assert (answer.status, answer.body["error"]) == (422, "RecordInvalid")
    assert list(answer.body["details"]) == ["base"]
    return [(item["description"], item["error"]) for item in answer.body["details"]["base"]]


def test_unset_fields_are_null_and_checkboxes_false(desk: Desk) -> None:
    for key, kind in [("note", "textarea"), ("age", "integer"), ("vip", "checkbox")]:
        field(desk, key, type=kind)
    assert profile(desk)["user_fields"] == {"age": None, "note": None, "vip": False}
    [listed] = [item for item in desk.get("users.json")["users"] if item["id"] == desk.ids["tom"]]
    assert listed["user_fields"] == {"age": None, "note": None, "vip": False}


@pytest.mark.parametrize(
    ("given", "sent", "kept", "wrong"),
    [
        ({"type": "text"}, "gold", "gold", {"a": 1}),
        ({"type": "textarea"}, "one\ntwo", "one\ntwo", ["x"]),
        ({"type": "integer"}, "42", 42, "4.2"),
        ({"type": "integer"}, -7, -7, "many"),
        ({"type": "decimal"}, "5.25", 5.25, "1e999"),
        ({"type": "decimal"}, 5, 5.0, "five"),
        ({"type": "date"}, "2024-02-29", "2024-02-29T00:00:00+00:00", "2024-02-30"),
        (
            {"type": "date"},
            "2024-02-29T10:00:00Z",
            "2024-02-29T00:00:00+00:00",
            "tomorrow",
        ),
        ({"type": "checkbox"}, True, True, "perhaps"),
        ({"type": "checkbox"}, "false", False, 3),
        ({"type": "regexp", "regexp_for_validation": r"^\d{4}$"}, "2024", "2024", "24"),
        ({"type": "dropdown", "custom_field_options": PLANS}, "gold_plan", "gold_plan", "Gold"),
        (
            {"type": "multiselect", "custom_field_options": PLANS},
            ["gold_plan", "basic_plan"],
            ["basic_plan", "gold_plan"],
            ["gold_plan", "silver"],
        ),
    ],
)
def test_a_type_keeps_what_it_can_hold_and_refuses_the_rest(
    desk: Desk, given: dict[str, Any], sent: Any, kept: Any, wrong: Any
) -> None:
    field(desk, "it", **given)
    assert fill(desk, it=sent)["user_fields"] == {"it": kept}
    assert profile(desk)["user_fields"] == {"it": kept}
    assert len(refused(desk, it=wrong)) == 1
    found = profile(desk)
    assert (found["user_fields"], found["name"]) == ({"it": kept}, "Rosa Diaz")
    empty = False if given["type"] == "checkbox" else None
    assert fill(desk, it=None)["user_fields"] == {"it": empty}


def test_values_left_out_stay(desk: Desk) -> None:
    field(desk, "a")
    field(desk, "b")
    fill(desk, a="1", b="2")
    assert fill(desk, b="3")["user_fields"] == {"a": "1", "b": "3"}
    path = f"users/{desk.ids['rosa']}.json"
    assert desk.put(path, {"user": {"notes": "x"}})["user"]["user_fields"] == {"a": "1", "b": "3"}


def test_a_drop_down_changes_its_tag_with_its_value(desk: Desk) -> None:
    drop_down(desk)
    path = f"users/{desk.ids['rosa']}.json"
    both = {"user": {"tags": ["old"], "user_fields": {"plan": "gold_plan"}}}
    assert desk.put(path, both)["user"]["tags"] == ["gold_plan", "old"]
    assert fill(desk, plan="basic_plan")["tags"] == ["basic_plan", "old"]
    assert fill(desk, plan=None)["tags"] == ["old"]
    assert profile(desk)["tags"] == ["old"]


def test_choices_and_ticked_boxes_put_their_tags(desk: Desk) -> None:
    field(desk, "plans", type="multiselect", custom_field_options=PLANS)
    box = field(desk, "vip", type="checkbox", tag="VIP")
    assert box["tag"] == "vip"
    found = fill(desk, plans=["basic_plan", "gold_plan"], vip=True)
    assert found["tags"] == ["basic_plan", "gold_plan", "vip"]
    assert fill(desk, plans=["gold_plan"], vip=False)["tags"] == ["gold_plan"]


def test_every_way_to_write_a_user_writes_the_values(desk: Desk) -> None:
    field(desk, "age", type="integer")
    made = {"name": "Nia", "email": "nia@acme.example", "user_fields": {"age": "30"}}
    one = desk.post("users.json", {"user": made})["user"]
    assert one["user_fields"] == {"age": 30}
    again = {"user": {**made, "user_fields": {"age": 31}}}
    path = "users/create_or_update.json"
    assert desk.post(path, again, status=200)["user"]["user_fields"] == {"age": 31}
    many = [{"name": f"P{age}", "user_fields": {"age": age}} for age in (40, "old")]
    job = desk.post("users/create_many.json", {"users": many}, status=200)["job_status"]
    desk.drain()
    first, second = desk.get(f"job_statuses/{job['id']}.json")["job_status"]["results"]
    assert desk.get(f"users/{first['id']}.json")["user"]["user_fields"] == {"age": 40}
    assert "id" not in second
    update = {"user": {"user_fields": {"age": 50}}}
    desk.put(f"users/update_many.json?ids={one['id']},{first['id']}", update)
    desk.drain()
    for key in (one["id"], first["id"]):
        assert desk.get(f"users/{key}.json")["user"]["user_fields"] == {"age": 50}
    both = {"users": [{"email": "nia@acme.example", "user_fields": {"age": 51}}]}
    desk.post("users/create_or_update_many.json", both, status=200)
    desk.drain()
    assert desk.get(f"users/{one['id']}.json")["user"]["user_fields"] == {"age": 51}


def test_end_users_neither_see_nor_fill_fields(desk: Desk) -> None:
    field(desk, "plan")
    fill(desk, plan="gold")
    path = f"users/{desk.ids['rosa']}.json"
    assert desk.get(path, by="rosa")["user"]["user_fields"] == {}
    assert desk.get("users/me.json", by="rosa")["user"]["user_fields"] == {}
    changed = desk.put(path, {"user": {"name": "Rosa D."}}, by="rosa")["user"]
    assert changed["user_fields"] == {}
    request = {"subject": "Help", "comment": {"body": "It broke."}}
    desk.post("requests.json", {"request": request}, by="rosa")
    beside = desk.get("requests.json?include=users", by="rosa")["users"]
    assert [item["user_fields"] for item in beside] == [{}]
    body = {"user": {"user_fields": {"plan": "free"}}}
    assert desk.call("PUT", path, body, by="rosa").status == 403
    assert profile(desk)["user_fields"] == {"plan": "gold"}


def test_agents_who_do_not_see_all_tickets_fill_no_fields(desk: Desk) -> None:
    field(desk, "plan")
    with desk.writing():
        User.objects.filter(id=desk.ids["ben"]).update(ticket_restriction="groups")
    body = {"user": {"name": "N", "user_fields": {"plan": "free"}}}
    assert desk.call("POST", "users.json", body, by="ben").status == 403
    path = f"users/{desk.ids['rosa']}.json"
    assert desk.call("PUT", path, body, by="ben").status == 403
    assert desk.call("PUT", path, {"user": {"notes": "x"}}, by="ben").status == 200
    assert profile(desk)["user_fields"] == {"plan": None}


def test_unverified_values_are_searched_by_key(desk: Desk) -> None:
    drop_down(desk)
    field(desk, "age", type="integer")
    field(desk, "vip", type="checkbox")
    fill(desk, plan="gold_plan", age=42, vip=True)
    fill(desk, "tom", plan="basic_plan")

    def found(query: str) -> list[int]:
        return [item["id"] for item in desk.get(f"search.json?query={query}")["results"]]

    rosa, tom = desk.ids["rosa"], desk.ids["tom"]
    assert found("type:user plan:gold_plan") == [rosa]
    assert found("plan:basic_plan") == [tom]
    assert found("type:user PLAN:gold*") == [rosa]
    assert sorted(found("type:user plan:*")) == sorted([rosa, tom])
    assert found("type:user role:end-user age:none") == [tom]
    assert found("type:user age:42") == [rosa]
    assert found("type:user age:4") == []
    assert found("type:user vip:true") == [rosa]
    assert found("type:user nothing:gold_plan") == []
    assert found("type:organization plan:gold_plan") == []
    page = desk.get("users/search.json?query=plan:gold_plan")
    assert [item["id"] for item in page["users"]] == [rosa]


def test_a_trigger_reads_the_requesters_value(desk: Desk) -> None:
    drop_down(desk)
    fill(desk, plan="gold_plan")
    condition = {"field": "requester.custom_fields.plan", "operator": "is", "value": "gold_plan"}
    created = {"field": "update_type", "operator": "is", "value": "Create"}
    trigger = {
        "title": "Gold first",
        "conditions": {"all": [created, condition]},
        "actions": [{"field": "priority", "value": "urgent"}],
    }
    desk.post("triggers.json", {"trigger": trigger}, by="olga")
    assert desk.ticket()["priority"] == "urgent"
    assert desk.ticket(requester_id=desk.ids["tom"])["priority"] is None


def test_messages_tell_values_of_the_requester_and_the_organization(desk: Desk) -> None:
    field(desk, "age", type="integer")
    fill(desk, age=42)
    tier = {"organization_field": {"key": "tier", "title": "Tier"}}
    desk.post("organization_fields.json", tier, by="olga")
    values = {"organization": {"organization_fields": {"tier": "gold"}}}
    desk.put("organizations/900.json", values, by="olga")
    text = "{{ticket.requester.custom_fields.age}}, {{ticket.organization.custom_fields.tier}}"
    trigger = {
        "title": "Tell",
        "conditions": {"all": [{"field": "update_type", "operator": "is", "value": "Create"}]},
        "actions": [
            {"field": "notification_user", "value": [str(desk.ids["ben"]), "Said", f"{text}."]}
        ],
    }
    desk.post("triggers.json", {"trigger": trigger}, by="olga")
    desk.ticket()
    with desk.bound():
        [mail] = Message.objects.filter(subject="Said")
    assert said_in(mail) == "42, gold."


def test_all_wrong_values_are_told_of_and_nothing_is_written(desk: Desk) -> None:
    field(desk, "age", type="integer")
    field(desk, "born", type="date")
    field(desk, "nick")
    assert len(refused(desk, age="x", born="y", nick="Ro")) == 2
    assert profile(desk)["user_fields"] == {"age": None, "born": None, "nick": None}


def test_unverified_words_of_a_value_that_a_field_cannot_hold(desk: Desk) -> None:
    field(desk, "age", type="integer", title="Age in years")
    assert refused(desk, age="x") == [("Age in years: is invalid", "InvalidValue")]


def test_unverified_values_of_unknown_fields_are_passed_over(desk: Desk) -> None:
    assert fill(desk, tier="gold")["user_fields"] == {}
    field(desk, "tier")
    assert profile(desk)["user_fields"] == {"tier": None}


def test_unverified_a_value_is_not_compared_in_searches(desk: Desk) -> None:
    field(desk, "age", type="integer")
    fill(desk, age=42)
    assert desk.get("search.json?query=type:user age>5")["results"] == []


def test_unverified_taking_a_tag_away_leaves_the_value(desk: Desk) -> None:
    drop_down(desk)
    fill(desk, plan="gold_plan")
    path = f"users/{desk.ids['rosa']}.json"
    found = desk.put(path, {"user": {"tags": []}})["user"]
    assert (found["tags"], found["user_fields"]) == ([], {"plan": "gold_plan"})
