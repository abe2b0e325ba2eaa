"""What the vendor says in prose of defaults, omissions and alternatives, and who holds us to it."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path
from typing import Any

import pytest

from clones.helpdesk.api.entry import operations
from tests.helpdesk.conftest import Desk
from tests.helpdesk.fidelity_pages import text_of

ROOT = Path(__file__).parents[2]
FACTS = json.loads((ROOT / "tests" / "facts" / "helpdesk" / "prose.json").read_text("utf-8"))
OF_RECORDS = json.loads(
    (ROOT / "tests" / "facts" / "helpdesk" / "record_prose.json").read_text("utf-8")
)
PAGES = ("helpdesk-prose.md", "helpdesk-prose-of-records.md")
RECORD_ROW = re.compile(r"^\| `([0-9a-f ]+)` \| [^|]+ \| [^|]+ \| ([^|]+) \|$", re.MULTILINE)
ROW = re.compile(r"^\| `([0-9a-f ]+)` \| ([\w, ]+) \| (.+) \| (.+) \|$", re.MULTILINE)
TEST = re.compile(r"`(tests/helpdesk/\w+\.py)::(test_\w+)`")
FIELD = {"title": "Colour", "key": "colour"}


def test_every_sentence_of_an_operation_that_is_there_has_a_row() -> None:
    there = set(operations().all)
    wanted = {digest for digest, names in FACTS.items() if there & set(names)}
    rows = ROW.findall(text_of("helpdesk-prose.md"))
    listed = [digest for digests, _, _, _ in rows for digest in digests.split()]
    assert len(listed) == len(set(listed))
    assert set(listed) == wanted
    for digests, names, _, _ in rows:
        told = {name for digest in digests.split() for name in FACTS[digest]}
        assert set(names.split(", ")) == told & there, digests


def test_every_sentence_of_a_record_that_is_there_has_a_row() -> None:
    there = set(operations().all)
    wanted = {digest for digest, names in OF_RECORDS.items() if there & set(names)}
    rows = RECORD_ROW.findall(text_of("helpdesk-prose-of-records.md"))
    listed = [digest for digests, _ in rows for digest in digests.split()]
    assert len(listed) == len(set(listed))
    assert set(listed) == wanted


def test_every_row_is_held_by_a_test_or_has_a_reason() -> None:
    functions: dict[str, set[str]] = {}
    rows = [held for page in PAGES for _, held in RECORD_ROW.findall(text_of(page))]
    assert len(rows) > 100
    for held in rows:
        for file, name in TEST.findall(held):
            if file not in functions:
                tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
                functions[file] = {
                    node.name for node in tree.body if isinstance(node, ast.FunctionDef)
                }
            assert name in functions[file], f"{file}::{name}"
        assert TEST.search(held) or held.startswith("no: "), held


@pytest.mark.parametrize(
    ("path", "name", "body"),
    [
        ("user_fields", "user_field", FIELD),
        ("organization_fields", "organization_field", FIELD),
        ("ticket_fields", "ticket_field", {"title": "Colour"}),
        ("custom_objects/car/fields", "custom_object_field", FIELD),
    ],
)
def test_a_field_without_a_type_is_of_text(desk: Desk, path: str, name: str, body: Any) -> None:
    car = {"key": "car", "title": "Car", "title_pluralized": "Cars"}
    desk.post("custom_objects.json", {"custom_object": car}, by="olga")
    made = desk.post(f"{path}.json", {name: body}, by="olga")[name]
    assert made["type"] == "text"


def test_an_item_is_in_a_language_of_the_account(desk: Desk) -> None:
    variant = {"content": "x", "locale_id": 1176, "default": True}
    item = {"name": "n", "default_locale_id": 1176, "variants": [variant]}
    answer = desk.call("POST", "dynamic_content/items.json", {"item": item}, by="olga")
    assert answer.status == 422


def test_a_new_user_is_an_end_user_unless_said(desk: Desk) -> None:
    body = {"user": {"name": "New", "email": "new@acme.example", "skip_verify_email": True}}
    answer = desk.call("POST", "users/create_or_update.json", body)
    assert (answer.status, answer.body["user"]["role"]) == (201, "end-user")
    assert "x-zendesk-api-warn" not in answer.headers
    path = f"users/{answer.body['user']['id']}/identities.json"
    more = {"type": "email", "value": "n2@acme.example", "skip_verify_email": True}
    added = desk.call("POST", path, {"identity": more})
    assert added.status == 201


def test_names_of_organizations_are_trimmed(desk: Desk) -> None:
    body = {"organization": {"name": "  Beta  "}}
    assert desk.post("organizations.json", body, by="olga")["organization"]["name"] == "Beta"


def test_a_request_takes_up_a_closed_one_only(desk: Desk) -> None:
    closed = desk.ticket(status="closed", assignee_id=desk.ids["ana"])["id"]
    for source, wanted in ((closed, closed), (desk.ticket()["id"], None)):
        request = {
            "subject": "Again",
            "comment": {"body": "It is back"},
            "via_followup_source_id": source,
        }
        made = desk.post("requests.json", {"request": request}, by="rosa")["request"]
        assert made["followup_source_id"] == wanted


def test_a_checkbox_needs_no_tag_and_a_decimal_no_point(desk: Desk) -> None:
    box = {"ticket_field": {"type": "checkbox", "title": "Box"}}
    assert desk.post("ticket_fields.json", box, by="olga")["ticket_field"]["tag"] is None
    number = {"ticket_field": {"type": "decimal", "title": "Number"}}
    key = desk.post("ticket_fields.json", number, by="olga")["ticket_field"]["id"]
    for value in ("7", "7.5", "-7.5"):
        made = desk.ticket(custom_fields=[{"id": key, "value": value}])
        found = {item["id"]: item["value"] for item in made["custom_fields"]}
        assert str(found[key]) == value


def view(**values: Any) -> dict[str, Any]:
    conditions = {"all": [{"field": "status", "operator": "less_than", "value": "solved"}]}
    return {"view": {"title": "Mine", **conditions, **values}}


def test_a_view_without_a_restriction_is_everybodys(desk: Desk) -> None:
    output = {"columns": ["subject"], "group_by": "status", "group_order": "desc"}
    made = desk.post("views.json", view(output=output), by="olga")["view"]
    assert made["restriction"] is None
    assert made["execution"]["group_order"] == "desc"
    assert desk.get(f"views/{made['id']}.json", by="ben")["view"]["id"] == made["id"]
    again = desk.put(f"views/{made['id']}.json", {"view": {}}, by="olga")["view"]
    assert again["title"] == "Mine"


def test_an_empty_number_is_taken_off_a_profile(desk: Desk) -> None:
    path = f"users/{desk.ids['rosa']}.json"
    assert desk.put(path, {"user": {"phone": "+49301234567"}})["user"]["phone"]
    assert not desk.put(path, {"user": {"phone": ""}})["user"]["phone"]


def titles(desk: Desk, path: str, name: str) -> list[str]:
    return [row["title"] for row in desk.get(path, by="olga")[name]]


@pytest.mark.parametrize("name", ["triggers", "automations", "macros", "views"])
def test_rules_come_in_the_order_asked_for(desk: Desk, name: str) -> None:
    one = name.removesuffix("s")
    actions = [{"field": "priority", "value": "high"}]
    conditions: dict[str, Any] = {"all": [{"field": "status", "operator": "is", "value": "open"}]}
    aged: dict[str, Any] = {
        "all": [*conditions["all"], {"field": "OPEN", "operator": "is", "value": "30"}]
    }
    bodies: dict[str, dict[str, Any]] = {
        "triggers": {"conditions": conditions, "actions": actions},
        "automations": {"conditions": aged, "actions": actions},
        "macros": {"actions": actions},
        "views": {**conditions},
    }
    body = bodies[name]
    for title, hours in (("Zebra", "30"), ("Alpha", "40")):
        aged["all"][-1]["value"] = hours
        desk.post(f"{name}.json", {one: {"title": title, **body}}, by="olga")
        desk.advance(hours=1)
    path = f"{name}.json?sort_by="
    rising = titles(desk, path + "alphabetical", name)
    assert rising == sorted(rising)
    assert titles(desk, path + "alphabetical&sort_order=desc", name) == rising[::-1]
    assert titles(desk, path + "created_at", name)[:2] == ["Alpha", "Zebra"]
    assert titles(desk, path + "updated_at&sort_order=asc", name)[-2:] == ["Zebra", "Alpha"]
    by_cursor = titles(desk, f"{name}.json?page[size]=100&sort=-created_at", name)
    assert by_cursor[:2] == ["Alpha", "Zebra"]
    usual = titles(desk, f"{name}.json", name)
    assert titles(desk, path + "position", name) == usual
    if name != "views":
        assert set(titles(desk, path + "usage_7d", name)) == set(rising)
    if name == "macros":
        assert usual == rising


def test_views_by_cursor_come_in_the_order_they_were_made(desk: Desk) -> None:
    found = desk.get("views.json?page[size]=100", by="olga")["views"]
    moments = [row["created_at"] for row in found]
    assert moments == sorted(moments)


def test_comments_come_oldest_first_and_are_filtered_where_asked(desk: Desk) -> None:
    key = desk.ticket(body="one")["id"]
    desk.advance(minutes=10)
    reply = {"request": {"comment": {"body": "two"}}}
    desk.put(f"requests/{key}.json", reply, by="rosa")
    path = f"requests/{key}/comments.json"
    every = desk.get(path, by="rosa")["comments"]
    assert [row["body"] for row in every] == ["one", "two"]
    assert [row["body"] for row in desk.get(f"tickets/{key}/comments.json")["comments"]] == [
        "one",
        "two",
    ]
    said = {
        asked: [row["body"] for row in desk.get(f"{path}?{asked}", by="rosa")["comments"]]
        for asked in ("role=agent", "role=end_user", f"since={every[1]['created_at']}")
    }
    assert list(said.values()) == [["one"], ["two"], ["two"]]
    assert desk.call("GET", f"{path}?role=boss", by="rosa").status == 400


def test_pictures_in_texts_are_no_attachments_unless_asked_for(desk: Desk) -> None:
    sent = desk.call("POST", "uploads.json?filename=a.png&inline=true", b"abc").body["upload"]
    key = desk.ticket(comment={"body": "See", "uploads": [sent["token"]]})["id"]
    path = f"tickets/{key}/comments.json"
    assert desk.get(path)["comments"][0]["attachments"] == []
    (file,) = desk.get(f"{path}?include_inline_images=true")["comments"][0]["attachments"]
    assert (file["file_name"], file["inline"]) == ("a.png", True)


def test_statuses_are_listed_by_whether_they_are_defaults(desk: Desk) -> None:
    body = {"custom_status": {"status_category": "open", "agent_label": "Later"}}
    desk.post("custom_statuses.json", body, by="olga")
    for said in (True, False):
        path = f"custom_statuses.json?default={str(said).lower()}"
        found = {row["default"] for row in desk.get(path)["custom_statuses"]}
        assert found == {said}


def test_a_users_organizations_come_default_first_and_then_by_name(desk: Desk) -> None:
    rosa = desk.ids["rosa"]
    for name in ("Zeta", "Beta"):
        made = desk.post("organizations.json", {"organization": {"name": name}}, by="olga")
        place = {"user_id": rosa, "organization_id": made["organization"]["id"]}
        desk.post("organization_memberships.json", {"organization_membership": place})
    for way in ("", "?page[size]=100"):
        rows = desk.get(f"users/{rosa}/organization_memberships.json{way}")
        found = [row["organization_name"] for row in rows["organization_memberships"]]
        assert found == ["Acme Engraving", "Beta", "Zeta"]
    first = desk.get(f"users/{rosa}/organization_memberships.json?page[size]=2")
    after = first["meta"]["after_cursor"]
    rest = desk.get(f"users/{rosa}/organization_memberships.json?page[size]=2&page[after]={after}")
    assert [row["organization_name"] for row in rest["organization_memberships"]] == ["Zeta"]


def test_requests_come_in_rising_order_unless_said(desk: Desk) -> None:
    keys = [desk.ticket()["id"] for _ in range(2)]
    found = desk.get("requests.json?sort_by=created_at", by="rosa")["requests"]
    assert [row["id"] for row in found] == keys
    falling = desk.get("requests.json?sort_by=created_at&sort_order=desc", by="rosa")["requests"]
    assert [row["id"] for row in falling] == keys[::-1]


def test_a_score_alone_means_with_and_without_a_comment(desk: Desk) -> None:
    for comment in (None, "Thanks"):
        key = desk.ticket(status="solved", assignee_id=desk.ids["ana"])["id"]
        rating = {"satisfaction_rating": {"score": "good", "comment": comment}}
        desk.post(f"tickets/{key}/satisfaction_rating.json", rating, by="rosa", status=200)
    counts = [
        len(desk.get(f"satisfaction_ratings.json?score={score}")["satisfaction_ratings"])
        for score in ("good", "good_with_comment", "good_without_comment")
    ]
    assert counts == [2, 1, 1]


def test_the_default_form_stands_in_for_none(desk: Desk) -> None:
    default = desk.get("ticket_forms.json")["ticket_forms"][0]["id"]
    body = {"ticket_form": {"name": "Inner", "end_user_visible": False, "in_all_brands": False}}
    inner = desk.post("ticket_forms.json", body, by="olga")["ticket_form"]
    path = f"ticket_forms/show_many.json?ids={inner['id']}"
    for more, wanted in (
        ("", [inner["id"]]),
        ("&end_user_visible=true", []),
        ("&end_user_visible=true&fallback_to_default=true", [default]),
        ("&associated_to_brand=true", []),
    ):
        found = [row["id"] for row in desk.get(path + more)["ticket_forms"]]
        assert found == wanted, more
    listed = desk.get("ticket_forms.json?active=false&fallback_to_default=true")["ticket_forms"]
    assert [row["id"] for row in listed] == [default]


def test_what_was_said_on_closed_tickets_stays(desk: Desk) -> None:
    sent = desk.call("POST", "uploads.json?filename=a.txt", b"abc").body["upload"]["token"]
    given = {"body": "PIN 1234", "uploads": [sent]}
    key = desk.ticket(comment=given, status="closed", assignee_id=desk.ids["ana"])["id"]
    comment = desk.get(f"tickets/{key}/comments.json")["comments"][0]
    path = f"tickets/{key}/comments/{comment['id']}"
    file = comment["attachments"][0]["id"]
    for way, body in (("redact", {"text": "1234"}), (f"attachments/{file}/redact", {})):
        answer = desk.call("PUT", f"{path}/{way}.json", body)
        assert (answer.status, answer.body["error"]) == (422, "RecordInvalid")
    assert desk.get(f"tickets/{key}/comments.json")["comments"][0] == comment


def test_a_redacted_file_is_an_empty_one(desk: Desk) -> None:
    sent = desk.call("POST", "uploads.json?filename=a.png", b"abc").body["upload"]["token"]
    key = desk.ticket(comment={"body": "See", "uploads": [sent]})["id"]
    comment = desk.get(f"tickets/{key}/comments.json")["comments"][0]
    file = comment["attachments"][0]["id"]
    desk.put(f"tickets/{key}/comments/{comment['id']}/attachments/{file}/redact.json", {})
    (left,) = desk.get(f"tickets/{key}/comments.json")["comments"][0]["attachments"]
    assert (left["file_name"], left["size"], left["content_type"]) == (
        "redacted.txt",
        0,
        "text/plain",
    )
    got = desk.call("GET", "/attachments/token/" + left["content_url"].split("/token/")[1], by=None)
    assert (got.status, got.raw) == (200, b"")
    assert "redacted.txt" in got.headers["Content-Disposition"]


def test_ones_own_language_is_shown_without_a_number(desk: Desk) -> None:
    assert desk.get("locales/current.json")["locale"]["locale"] == "en-US"
    desk.put(f"users/{desk.ids['rosa']}.json", {"user": {"locale": "es"}}, by="olga")
    assert desk.get("locales/current.json", by="rosa")["locale"]["locale"] == "es"


def test_other_properties_of_many_triggers_are_passed_over(desk: Desk) -> None:
    first = desk.get("triggers.json")["triggers"][0]
    body = {"triggers": [{"id": first["id"], "position": 1, "title": "Other", "active": True}]}
    desk.put("triggers/update_many.json", body, by="olga")
    assert desk.get(f"triggers/{first['id']}.json")["trigger"]["title"] == first["title"]


def test_the_conditions_of_an_automation_are_replaced_as_a_whole(desk: Desk) -> None:
    found = desk.get("automations.json", by="olga")["automations"][0]
    hours = [{"field": "SOLVED", "operator": "greater_than", "value": "90"}]
    status = [{"field": "status", "operator": "is", "value": "solved"}]
    body = {"automation": {"conditions": {"all": [*status, *hours], "any": []}}}
    again = desk.put(f"automations/{found['id']}.json", body, by="olga")["automation"]
    assert len(again["conditions"]["all"]) == 2
    assert again["actions"] == found["actions"]


def test_the_address_of_a_support_address_stays(desk: Desk) -> None:
    first = desk.get("recipient_addresses.json", by="olga")["recipient_addresses"][0]
    body = {"recipient_address": {"email": "other@kestrel.example", "name": "Other"}}
    path = f"recipient_addresses/{first['id']}.json"
    again = desk.put(path, body, by="olga")["recipient_address"]
    assert (again["email"], again["name"]) == (first["email"], "Other")


def test_an_address_becomes_the_first_by_an_address_of_its_own_only(desk: Desk) -> None:
    path = f"users/{desk.ids['rosa']}/identities"
    body = {"identity": {"type": "email", "value": "r2@acme.example"}}
    key = desk.post(f"{path}.json", body)["identity"]["id"]
    answer = desk.call("PUT", f"{path}/{key}.json", {"identity": {"primary": True}})
    assert answer.status in (200, 422)
    shown = desk.get(f"{path}/{key}.json")["identity"]
    assert shown["primary"] is False
    desk.put(f"{path}/{key}/make_primary.json", {})
    assert desk.get(f"{path}/{key}.json")["identity"]["primary"] is True


def test_a_comment_is_as_private_as_the_ticket_began(desk: Desk) -> None:
    note = desk.ticket(comment={"body": "Between us", "public": False})["id"]
    talk = desk.ticket(comment={"body": "Hello"})["id"]

    def said(key: int) -> list[bool]:
        return [row["public"] for row in desk.get(f"tickets/{key}/comments.json")["comments"]]

    for key, wanted in ((note, False), (talk, True)):
        assert desk.get(f"tickets/{key}.json")["ticket"]["is_public"] is wanted
        desk.put(f"tickets/{key}.json", {"ticket": {"comment": {"body": "More"}}})
        desk.put(f"tickets/{key}.json", {"ticket": {"comment": "A text"}})
        many = {"ticket": {"comment": {"body": "To many"}}}
        desk.put(f"tickets/update_many.json?ids={key}", many)
        desk.drain()
        assert said(key) == [wanted] * 4
    desk.put(f"tickets/{note}.json", {"ticket": {"comment": {"body": "Open", "public": True}}})
    assert desk.get(f"tickets/{note}.json")["ticket"]["is_public"] is True
    desk.put(f"tickets/{note}.json", {"ticket": {"comment": {"body": "And so on"}}})
    assert said(note) == [False] * 4 + [True] * 2
    desk.put(f"tickets/{talk}.json", {"ticket": {"comment": {"body": "Hush", "public": False}}})
    assert said(talk) == [True] * 4 + [False]


def test_people_are_found_by_external_ids_in_any_case(desk: Desk) -> None:
    def sent(external: str, name: str) -> Any:
        return {"external_id": external, "name": name}

    made = desk.post("users/create_or_update.json", {"user": sent("Ärger-1", "Nia")})["user"]
    path = "users/create_or_update.json"
    again = desk.post(path, {"user": sent("ÄRGER-1", "Nia N.")}, status=200)["user"]
    assert (again["id"], again["external_id"], again["name"]) == (made["id"], "ÄRGER-1", "Nia N.")
    desk.post(
        f"{path.removesuffix('.json')}_many.json", {"users": [sent("ärger-1", "Nia")]}, status=200
    )
    desk.drain()
    after = desk.get(f"users/{made['id']}.json")["user"]
    assert (after["external_id"], after["name"]) == ("ärger-1", "Nia")
    assert desk.get("users/search.json?external_id=ärger-1")["count"] == 1


def test_an_order_of_triggers_names_each_of_them(desk: Desk) -> None:
    keys = [row["id"] for row in desk.get("triggers.json", by="olga")["triggers"]]
    assert len(keys) > 1
    part = {"trigger_ids": keys[1:]}
    refused = desk.call("PUT", "triggers/reorder.json", part, by="olga")
    assert (refused.status, refused.body["error"]) == (404, "RecordNotFound")
    found = desk.get("triggers.json", by="olga")["triggers"]
    assert [row["id"] for row in found] == keys
    desk.put("triggers/reorder.json", {"trigger_ids": keys[::-1]}, by="olga")


def test_triggers_of_several_categories_are_in_no_one_order(desk: Desk) -> None:
    """The vendor tells the code; its envelope and status are unverified."""
    keys = [row["id"] for row in desk.get("triggers.json", by="olga")["triggers"]]
    other = {"trigger_category": {"name": "Late"}}
    made = desk.post("trigger_categories.json", other, by="olga", status=200)["trigger_category"]
    for order in (keys[::-1], keys[1:]):
        sent = {"trigger_ids": order}
        refused = desk.call("PUT", "triggers/reorder.json", sent, by="olga")
        assert (refused.status, refused.body["errors"][0]["code"]) == (403, "LimitOneCategory")
    assert [row["id"] for row in desk.get("triggers.json", by="olga")["triggers"]] == keys
    path = f"trigger_categories/{made['id']}.json"
    assert desk.call("DELETE", path, by="olga").status == 204
    desk.put("triggers/reorder.json", {"trigger_ids": keys[::-1]}, by="olga")


def test_an_automation_is_about_time_and_about_tickets(desk: Desk) -> None:
    late = {"field": "updated_at", "operator": "is", "value": "30"}
    pending = {"field": "PENDING", "operator": "is", "value": "30"}
    tagged = {"field": "current_tags", "operator": "includes", "value": "late"}
    status = {"field": "status", "operator": "is", "value": "open"}
    action = [{"field": "status", "value": "pending"}]
    cases = [
        ([status], 422, "on time"),
        ([late], 422, "on status, type, group, assignee or requester"),
        ([late, tagged], 422, "on status, type, group, assignee or requester"),
        ([late, status], 201, ""),
        ([pending], 201, ""),
    ]
    for conditions, wanted, words in cases:
        rule = {"title": "Late", "all": conditions, "actions": action}
        answer = desk.call("POST", "automations.json", {"automation": rule}, by="olga")
        assert answer.status == wanted, answer.body
        if words:
            assert answer.body["error"] == "RecordInvalid"
            (told,) = answer.body["details"]["base"]
            assert told["description"].endswith(words)
    any_of = {"title": "Any", "any": [late, status], "all": [status], "actions": action}
    answer = desk.call("POST", "automations.json", {"automation": any_of}, by="olga")
    assert answer.status == 422


def test_new_tickets_go_to_the_group_of_the_organization(desk: Desk) -> None:
    first, second = (
        desk.post("groups.json", {"group": {"name": name}}, by="olga")["group"]["id"]
        for name in ("First", "Second")
    )
    made = desk.post(
        "organizations.json", {"organization": {"name": "Beta", "group_id": first}}, by="olga"
    )
    key = made["organization"]["id"]
    user = {"name": "Nia", "email": "nia@beta.example", "organization_id": key}
    nia = desk.post("users.json", {"user": user})["user"]["id"]
    assert desk.ticket(requester_id=nia)["group_id"] == first
    assert desk.ticket(requester_id=nia, group_id=second)["group_id"] == second
    assert desk.ticket(requester_id=nia, group_id=None)["group_id"] is None
    assert desk.ticket(requester_id=desk.ids["rosa"])["group_id"] != first
    assert desk.call("DELETE", f"groups/{first}.json", by="olga").status == 204
    assert desk.ticket(requester_id=nia)["group_id"] != first


def test_a_policy_without_a_place_is_the_last(desk: Desk) -> None:
    goal = {"priority": "high", "metric": "requester_wait_time", "target": 60}
    told = {"all": [{"field": "priority", "operator": "is", "value": "high"}], "any": []}
    policy = {"filter": told, "policy_metrics": [goal]}
    group = desk.post("groups.json", {"group": {"name": "First"}}, by="olga")["group"]["id"]
    owned = {"all": [{"field": "group_id", "operator": "includes", "value": [group]}]}
    clock = {
        "priority": "high",
        "metric": "group_ownership_time",
        "target": 3600,
        "business_hours": False,
    }
    kinds = {
        "slas/policies": ("sla_policy", policy),
        "group_slas/policies": ("group_sla_policy", {"filter": owned, "policy_metrics": [clock]}),
    }
    for path, (name, body) in kinds.items():
        places = [
            desk.post(f"{path}.json", {name: {"title": title, **body}}, by="olga")[name]["position"]
            for title in ("One", "Two", "Three")
        ]
        assert places == sorted(set(places)), path
        every = desk.get(f"{path}.json", by="olga")
        assert [row["title"] for row in next(iter(every.values()))[-3:]] == ["One", "Two", "Three"]
