"""Forms of tickets: made, changed, copied, ordered, removed, and what they ask of agents."""

from __future__ import annotations

from typing import Any

from tests.helpdesk.conftest import Desk


def form(desk: Desk, **given: Any) -> Any:
    body = {"name": "Returns", **given}
    return desk.post("ticket_forms.json", {"ticket_form": body}, by="olga")["ticket_form"]


def field(desk: Desk, **given: Any) -> int:
    body = {"title": "Reason", **given}
    made = desk.post("ticket_fields.json", {"ticket_field": body}, by="olga")
    return int(made["ticket_field"]["id"])


def change(desk: Desk, key: int, *, status: int = 200, **given: Any) -> Any:
    return desk.put(f"ticket_forms/{key}.json", {"ticket_form": given}, by="olga", status=status)


def listed(desk: Desk) -> list[int]:
    return [item["id"] for item in desk.get("ticket_forms.json")["ticket_forms"]]


def first(desk: Desk) -> Any:
    return desk.get("ticket_forms.json")["ticket_forms"][0]


def test_a_form_has_what_every_ticket_has_and_the_fields_it_names(desk: Desk) -> None:
    reason = field(desk)
    body = {"ticket_form": {"name": "Returns", "ticket_field_ids": [reason]}}
    answer = desk.call("POST", "ticket_forms.json", body, by="olga")
    made = answer.body["ticket_form"]
    assert (answer.status, answer.headers["Location"]) == (201, made["url"])
    assert (made["display_name"], made["default"], made["active"]) == ("Returns", False, True)
    assert made["ticket_field_ids"][-1] == reason
    kinds = {item["id"]: item["type"] for item in desk.get("ticket_fields.json")["ticket_fields"]}
    always = {"subject", "description", "status", "custom_status", "group", "assignee"}
    assert {kinds[key] for key in made["ticket_field_ids"][:-1]} == always
    assert desk.get(f"ticket_forms/{made['id']}.json") == answer.body
    assert desk.get("ticket_forms.json?per_page=1")["count"] == 2
    ticket = desk.ticket(ticket_form_id=made["id"])
    assert desk.get(f"tickets/{ticket['id']}.json")["ticket"]["ticket_form_id"] == made["id"]


def test_a_form_is_required_of_its_tickets_only(desk: Desk) -> None:
    reason = field(desk, required=True)
    key = form(desk, ticket_field_ids=[reason])["id"]
    plain = desk.ticket(assignee_id=desk.ids["ana"])["id"]
    asked = desk.ticket(assignee_id=desk.ids["ana"], ticket_form_id=key)["id"]
    solved: dict[str, Any] = {"ticket": {"status": "solved"}}
    desk.put(f"tickets/{plain}.json", solved)
    problems = desk.put(f"tickets/{asked}.json", solved, status=422)["details"]["base"]
    assert [problem["ticket_field_id"] for problem in problems] == [reason]
    solved["ticket"]["custom_fields"] = [{"id": reason, "value": "broken"}]
    desk.put(f"tickets/{asked}.json", solved)


def test_a_condition_asks_for_a_field_when_another_has_a_value(desk: Desk) -> None:
    options = [{"name": "Yes", "value": "back_yes"}, {"name": "No", "value": "back_no"}]
    parent = field(desk, title="Comes back", type="tagger", custom_field_options=options)
    child = field(desk, title="Parcel")
    when = {"type": "SOME_STATUSES", "statuses": ["pending"]}
    children = [{"id": child, "is_required": True, "required_on_statuses": when}]
    condition = {"parent_field_id": parent, "value": "back_yes", "child_fields": children}
    key = form(desk, ticket_field_ids=[parent, child], agent_conditions=[condition])["id"]
    assert desk.get(f"ticket_forms/{key}.json")["ticket_form"]["agent_conditions"] == [condition]
    said = {"ticket_form_id": key, "custom_fields": [{"id": parent, "value": "back_yes"}]}
    ticket = desk.ticket(assignee_id=desk.ids["ana"], **said)["id"]
    waiting: dict[str, Any] = {"ticket": {"status": "pending"}}
    problems = desk.put(f"tickets/{ticket}.json", waiting, status=422)["details"]["base"]
    assert [problem["ticket_field_id"] for problem in problems] == [child]
    change(desk, key, agent_conditions=[])
    assert desk.put(f"tickets/{ticket}.json", waiting)["ticket"]["status"] == "pending"


def test_conditions_on_other_fields_and_without_sense_are_refused(desk: Desk) -> None:
    parent, child, stranger = (field(desk, title=title) for title in "abc")
    key = form(desk, ticket_field_ids=[parent, child])["id"]

    def wrong(**given: Any) -> str:
        condition = {
            "parent_field_id": parent,
            "value": "x",
            "child_fields": [{"id": child, "is_required": True}],
            **given,
        }
        details = change(desk, key, status=422, agent_conditions=[condition])["details"]
        return str(details["agent_conditions"][0]["description"])

    assert wrong(parent_field_id=stranger).endswith("its fields must be on the form")
    assert wrong(child_fields=[{"id": parent}]).endswith("a field cannot depend on itself")
    assert wrong(child_fields=[]).endswith("a parent field and child fields are needed")
    never = {"type": "SOMETIMES"}
    assert wrong(child_fields=[{"id": child, "required_on_statuses": never}]).endswith("is invalid")
    change(
        desk,
        key,
        end_user_conditions=[
            {"parent_field_id": parent, "value": "x", "child_fields": [{"id": child}]}
        ],
    )
    left = change(desk, key, status=422, ticket_field_ids=[parent])["details"]
    assert list(left) == ["end_user_conditions"]
    assert child in desk.get(f"ticket_forms/{key}.json")["ticket_form"]["ticket_field_ids"]


def test_names_fields_and_brands_that_are_none_are_refused(desk: Desk) -> None:
    body = {"ticket_form": {"name": " "}}
    answer = desk.call("POST", "ticket_forms.json", body, by="olga")
    assert (answer.status, list(answer.body["details"])) == (422, ["name"])
    key = form(desk)["id"]
    assert list(change(desk, key, status=422, ticket_field_ids=[5])["details"]) == [
        "ticket_field_ids"
    ]
    assert list(change(desk, key, status=422, restricted_brand_ids=[2**70])["details"]) == [
        "restricted_brand_ids"
    ]
    assert desk.call("PUT", "ticket_forms/5.json", body, by="olga").status == 404


def test_agents_read_forms_and_do_not_write_them(desk: Desk) -> None:
    key = form(desk)["id"]
    body = {"ticket_form": {"name": "Mine"}}
    order = {"ticket_form_ids": [key]}
    assert desk.call("POST", "ticket_forms.json", body).status == 403
    assert desk.call("PUT", f"ticket_forms/{key}.json", body).status == 403
    assert desk.call("DELETE", f"ticket_forms/{key}.json").status == 403
    assert desk.call("POST", f"ticket_forms/{key}/clone.json").status == 403
    assert desk.call("PUT", "ticket_forms/reorder.json", order).status == 403
    assert desk.get(f"ticket_forms/{key}.json")["ticket_form"]["name"] == "Returns"


def test_customers_see_the_forms_that_are_shown_to_them(desk: Desk) -> None:
    key = form(desk)["id"]
    seen = desk.get("ticket_forms.json", by="rosa")["ticket_forms"]
    assert key in [item["id"] for item in seen]
    change(desk, key, end_user_visible=False)
    seen = desk.get("ticket_forms.json", by="rosa")["ticket_forms"]
    assert key not in [item["id"] for item in seen]


def test_new_tickets_get_the_form_that_became_the_default(desk: Desk) -> None:
    before = first(desk)["id"]
    key = form(desk)["id"]
    assert desk.ticket()["ticket_form_id"] == before
    change(desk, key, default=True)
    assert desk.get(f"ticket_forms/{before}.json")["ticket_form"]["default"] is False
    assert desk.ticket()["ticket_form_id"] == key
    assert list(change(desk, key, status=422, active=False)["details"]) == ["active"]
    assert list(change(desk, key, status=422, default=False)["details"]) == ["default"]
    answer = desk.call("DELETE", f"ticket_forms/{key}.json", by="olga")
    assert (answer.status, answer.body["error"]) == (422, "RecordInvalid")


def test_an_inactive_form_takes_no_tickets(desk: Desk) -> None:
    key = form(desk)["id"]
    change(desk, key, active=False)
    body = {"ticket": {"comment": {"body": "b"}, "ticket_form_id": key}}
    assert desk.call("POST", "tickets.json", body).status == 422


def test_a_copy_has_the_same_fields_under_another_name(desk: Desk) -> None:
    reason = field(desk)
    original = form(desk, ticket_field_ids=[reason], end_user_visible=False)
    answer = desk.call("POST", f"ticket_forms/{original['id']}/clone.json", by="olga")
    copy = answer.body["ticket_form"]
    assert answer.status == 200
    assert copy["id"] != original["id"]
    same = ("ticket_field_ids", "end_user_visible", "agent_conditions", "in_all_brands")
    assert [copy[name] for name in same] == [original[name] for name in same]
    assert copy["id"] in listed(desk)
    change(desk, copy["id"], ticket_field_ids=[])
    kept = desk.get(f"ticket_forms/{original['id']}.json")["ticket_form"]["ticket_field_ids"]
    assert reason in kept
    assert desk.call("POST", "ticket_forms/5/clone.json", by="olga").status == 404


def test_forms_take_the_order_given_and_the_others_follow(desk: Desk) -> None:
    default = first(desk)["id"]
    a, b = form(desk, name="A")["id"], form(desk, name="B")["id"]
    order = {"ticket_form_ids": [b, default]}
    shown = desk.put("ticket_forms/reorder.json", order, by="olga")["ticket_forms"]
    assert [item["id"] for item in shown] == [b, default, a] == listed(desk)
    assert [item["position"] for item in shown] == [1, 2, 3]
    assert desk.call("PUT", "ticket_forms/reorder.json", {}, by="olga").status == 400


def test_a_removed_form_is_gone_everywhere(desk: Desk) -> None:
    key = form(desk)["id"]
    answer = desk.call("DELETE", f"ticket_forms/{key}.json", by="olga")
    assert (answer.status, answer.raw) == (204, b"")
    assert desk.call("GET", f"ticket_forms/{key}.json").status == 404
    assert key not in listed(desk)
    assert key not in desk.get("brands.json")["brands"][0]["ticket_form_ids"]


def test_unverified_an_order_of_unknown_forms_is_refused_as_a_whole(desk: Desk) -> None:
    key, before = form(desk)["id"], listed(desk)
    wanted = {"ticket_form_ids": [key, 5]}
    assert desk.call("PUT", "ticket_forms/reorder.json", wanted, by="olga").status == 404
    assert listed(desk) == before


def test_unverified_tickets_of_a_removed_form_take_the_default_one(desk: Desk) -> None:
    key = form(desk)["id"]
    ticket = desk.ticket(ticket_form_id=key)["id"]
    assert desk.call("DELETE", f"ticket_forms/{key}.json", by="olga").status == 204
    found = desk.get(f"tickets/{ticket}.json")["ticket"]["ticket_form_id"]
    assert found == first(desk)["id"]


def test_unverified_name_and_place_of_a_copy(desk: Desk) -> None:
    original = form(desk)
    copy = desk.post(f"ticket_forms/{original['id']}/clone.json", None, by="olga", status=200)
    assert copy["ticket_form"]["name"] == "[Clone] Returns"
    assert (original["position"], copy["ticket_form"]["position"]) == (9999, 9999)
