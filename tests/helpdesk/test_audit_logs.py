"""Audit logs: who changed configuration and people, how admins find it, and its export."""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest

from clones.core.models import Message
from clones.helpdesk.models import Group
from tests.helpdesk.conftest import Desk

TITLE = "Close and thank"


def logs(desk: Desk, query: str = "") -> list[Any]:
    found: list[Any] = desk.get(f"audit_logs{query}", by="olga")["audit_logs"]
    return found


def log_rows(desk: Desk, query: str = "") -> list[tuple[str, str, str, str]]:
    """Return action, kind, name and description of logs, the oldest first."""
    keys = ("action", "source_type", "source_label", "change_description")
    return [tuple(log[key] for key in keys) for log in reversed(logs(desk, query))]


def macro(desk: Desk, title: str = TITLE) -> Any:
    actions = [{"field": "status", "value": "solved"}]
    body = {"macro": {"title": title, "actions": actions}}
    return desk.post("macros", body, by="olga")["macro"]


def test_what_becomes_of_a_rule_is_logged(desk: Desk) -> None:
    made = macro(desk)
    body = {"title": "Thank", "actions": [{"field": "priority", "value": "low"}]}
    desk.put(f"macros/{made['id']}", {"macro": body}, by="olga")
    desk.put(f"macros/{made['id']}", {"macro": {"active": False}}, by="olga")
    desk.call("DELETE", f"macros/{made['id']}", by="olga")
    assert log_rows(desk) == [
        ("create", "rule", TITLE, ""),
        ("update", "rule", "Thank", f"Title changed from {TITLE} to Thank\nActions changed"),
        ("update", "rule", "Thank", "Active changed from on to off"),
        ("destroy", "rule", "Thank", ""),
    ]
    log = logs(desk)[-1]
    assert log == {
        "url": log["url"],
        "id": log["id"],
        "action": "create",
        "action_label": "Created",
        "actor_id": desk.ids["olga"],
        "actor_name": "Olga Rey",
        "source_id": made["id"],
        "source_type": "rule",
        "source_label": TITLE,
        "change_description": "",
        "ip_address": None,
        "created_at": made["created_at"],
    }
    assert log["url"].endswith(f"/api/v2/audit_logs/{log['id']}.json")
    assert desk.get(f"audit_logs/{log['id']}", by="olga")["audit_log"] == log


def test_an_update_that_changes_nothing_and_one_that_is_refused_are_not_logged(desk: Desk) -> None:
    made = macro(desk)
    desk.put(f"macros/{made['id']}", {"macro": {"title": TITLE}}, by="olga")
    bad = {"macro": {"title": "", "actions": []}}
    assert desk.call("PUT", f"macros/{made['id']}", bad, by="olga").status == 422
    assert [action for action, *_ in log_rows(desk)] == ["create"]


def test_changes_of_people_at_the_desk_are_logged_and_others_are_not(desk: Desk) -> None:
    rosa = f"users/{desk.ids['rosa']}"
    desk.put(rosa, {"user": {"name": "Rosa D."}}, by="olga")
    assert log_rows(desk) == []
    desk.put(rosa, {"user": {"role": "agent"}}, by="olga")
    desk.put(rosa, {"user": {"role": "end-user"}}, by="olga")
    desk.put(f"users/{desk.ids['tom']}", {"user": {"suspended": True}}, by="olga")
    desk.call("DELETE", f"users/{desk.ids['ben']}", by="olga")
    found = log_rows(desk, "?filter[source_type]=user")
    assert [item[:3] for item in found] == [
        ("update", "user", "Rosa D."),
        ("update", "user", "Rosa D."),
        ("update", "user", "Tom Berg"),
        ("destroy", "user", "Ben Ode"),
    ]
    texts = [item[3].splitlines() for item in found]
    assert "Role changed from End User to Agent" in texts[0]
    assert "Role changed from Agent to End User" in texts[1]
    assert texts[2] == ["Suspended changed from off to on"]


def test_groups_and_who_is_in_them_are_logged(desk: Desk) -> None:
    group = desk.post("groups", {"group": {"name": "Parts"}}, by="olga")["group"]
    body = {"group_membership": {"user_id": desk.ids["ben"], "group_id": group["id"]}}
    joined = desk.post("group_memberships", body, by="olga")["group_membership"]
    desk.call("DELETE", f"group_memberships/{joined['id']}", by="olga")
    desk.call("DELETE", f"groups/{group['id']}", by="olga")
    assert [item[:3] for item in log_rows(desk)] == [
        ("create", "group", "Parts"),
        ("create", "membership", "Ben Ode, Parts"),
        ("destroy", "membership", "Ben Ode, Parts"),
        ("destroy", "group", "Parts"),
    ]
    with desk.bound():
        assert Group.objects.get(id=group["id"]).deleted


def test_no_secret_is_told(desk: Desk) -> None:
    body: dict[str, Any] = {
        "webhook": {
            "name": "Orders",
            "endpoint": "https://orders.example/hook",
            "status": "active",
            "http_method": "POST",
            "request_format": "json",
            "subscriptions": ["conditional_ticket_events"],
        }
    }
    made = desk.post("webhooks", body, by="olga")["webhook"]
    secret: dict[str, Any] = {
        "type": "bearer_token",
        "data": {"token": "t0p"},
        "add_position": "header",
    }
    body = {"webhook": {"authentication": secret}}
    desk.call("PATCH", f"webhooks/{made['id']}", body, by="olga")
    desk.call("POST", f"webhooks/{made['id']}/signing_secret", by="olga")
    assert [item[3] for item in log_rows(desk)] == [
        "",
        "Authentication changed",
        "Signing revision changed from 1 to 2",
    ]
    assert "t0p" not in str(logs(desk))
    assert {log["source_id"] for log in logs(desk)} == {None}


def test_logs_are_found_by_what_is_asked(desk: Desk) -> None:
    first = macro(desk, "First")
    desk.advance(hours=2)
    group = desk.post("groups", {"group": {"name": "Parts"}}, by="olga")["group"]
    desk.advance(hours=2)
    macro(desk, "Last")
    names = {"First": first["created_at"], "Parts": group["created_at"]}
    olga, ana = desk.ids["olga"], desk.ids["ana"]

    def labels(query: str) -> list[str]:
        return [log["source_label"] for log in logs(desk, f"?{query}")]

    assert labels("") == ["Last", "Parts", "First"]
    assert labels("filter[source_type]=rule") == ["Last", "First"]
    assert labels(f"filter[source_type]=rule&filter[source_id]={first['id']}") == ["First"]
    assert labels(f"filter[actor_id]={olga}") == ["Last", "Parts", "First"]
    assert labels(f"filter[actor_id]={ana}") == []
    assert labels("filter[action]=destroy") == []
    assert labels("filter[ip_address]=1.2.3.4") == []
    span = f"filter[created_at]={names['First']}&filter[created_at]={names['Parts']}"
    assert labels(span) == ["Parts", "First"]
    assert labels("sort_by=created_at&sort_order=asc") == ["First", "Parts", "Last"]
    assert labels(f"filter[actor_id]={2**70}") == []


def test_logs_come_in_pages(desk: Desk) -> None:
    for title in ("One", "Two", "Three"):
        macro(desk, title)
    page = desk.get("audit_logs?page[size]=2", by="olga")
    assert [log["source_label"] for log in page["audit_logs"]] == ["Three", "Two"]
    assert page["meta"]["has_more"] is True
    after = page["meta"]["after_cursor"]
    page = desk.get(f"audit_logs?page[size]=2&page[after]={after}", by="olga")
    assert [log["source_label"] for log in page["audit_logs"]] == ["One"]
    page = desk.get("audit_logs?per_page=2&page=2", by="olga")
    assert [log["source_label"] for log in page["audit_logs"]] == ["One"]
    assert page["count"] == 3
    page = desk.get("audit_logs?page[size]=2&sort=created_at", by="olga")
    assert [log["source_label"] for log in page["audit_logs"]] == ["One", "Two"]


@pytest.mark.parametrize(
    "query",
    [
        "filter[source_id]=5",
        "filter[created_at]=2026-06-16T14:00:00Z",
        "filter[created_at]=yesterday&filter[created_at]=today",
        "filter[actor_id]=ana",
        "page[size]=500",
    ],
)
def test_what_cannot_be_asked_is_refused(desk: Desk, query: str) -> None:
    assert desk.call("GET", f"audit_logs?{query}", by="olga").status == 400


def test_only_admins_read_logs(desk: Desk) -> None:
    macro(desk)
    for who in ("ana", "rosa"):
        assert desk.call("GET", "audit_logs", by=who).status == 403
        assert desk.call("GET", f"audit_logs/{logs(desk)[0]['id']}", by=who).status == 403
        assert desk.call("POST", "audit_logs/export", by=who).status == 403
    assert desk.call("GET", "audit_logs/999999", by="olga").status == 404


def test_an_export_comes_by_mail(desk: Desk) -> None:
    macro(desk)
    desk.post("groups", {"group": {"name": "Parts"}}, by="olga")
    answer = desk.call("POST", "audit_logs/export?filter[source_type]=rule", by="olga")
    assert (answer.status, answer.body) == (202, "")
    desk.drain()
    with desk.bound():
        sent = Message.objects.get(subject="Your export of audit logs")
    assert sent.recipients == ["olga@desk.example"]
    path = sent.text.partition("/api/v2/")[2]
    file = desk.get(path, by="olga")["attachment"]
    content = desk.client.get(file["content_url"].partition(":8800")[2]).content.decode()
    rows = list(csv.DictReader(io.StringIO(content)))
    assert [(row["source_label"], row["action"]) for row in rows] == [(TITLE, "create")]
    assert rows[0]["actor_name"] == "Olga Rey"
    assert log_rows(desk, "?filter[action]=exported") == [
        ("exported", "user", "Olga Rey", "Audit log")
    ]


def test_an_export_that_cannot_be_is_refused(desk: Desk) -> None:
    assert desk.call("POST", "audit_logs/export?filter[source_id]=5", by="olga").status == 400
    desk.drain()
    with desk.bound():
        assert not Message.objects.filter(subject="Your export of audit logs").exists()


def test_unverified_a_sign_in_is_logged_with_who_signed_in(desk: Desk) -> None:
    password = desk.cards["ana"].secrets["password"]
    given = {"email": "ana@desk.example", "password": password, "return_to": "/agent/dashboard"}
    assert desk.client.post("/auth/v2/login/signin", {**given, "password": "no"}).status_code == 401
    assert desk.client.post("/auth/v2/login/signin", given).status_code == 302
    assert log_rows(desk) == [("login", "user", "Ana Costa", "")]
    assert logs(desk)[0]["actor_id"] == logs(desk)[0]["source_id"] == desk.ids["ana"]


def test_unverified_words_for_kinds_of_records(desk: Desk) -> None:
    field = {"ticket_field": {"type": "text", "title": "Serial"}}
    desk.post("ticket_fields", field, by="olga")
    desk.post("organizations", {"organization": {"name": "Lens Ltd"}}, by="olga")
    status = {"custom_status": {"status_category": "open", "agent_label": "Waiting"}}
    desk.post("custom_statuses", status, by="olga")
    assert [item[1:3] for item in log_rows(desk)] == [
        ("ticketfield", "Serial"),
        ("organization", "Lens Ltd"),
        ("customstatus", "Waiting"),
    ]


def trigger(desk: Desk, title: str) -> int:
    """Make a trigger and return its id."""
    body = {
        "title": title,
        "all": [{"field": "status", "operator": "is", "value": "open"}],
        "actions": [{"field": "priority", "value": "low"}],
    }
    key: int = desk.post("triggers", {"trigger": body}, by="olga")["trigger"]["id"]
    return key


def test_unverified_what_is_told_of_orders_merges_and_passwords(desk: Desk) -> None:
    others = [row["id"] for row in desk.get("triggers")["triggers"]]
    keys = [trigger(desk, title) for title in ("First", "Second")]
    forms = [
        desk.post("ticket_forms", {"ticket_form": {"name": name}}, by="olga")["ticket_form"]["id"]
        for name in ("Refund", "Repair")
    ]
    firm = desk.post("organizations", {"organization": {"name": "Other"}}, by="olga")
    before = len(logs(desk))
    desk.advance(minutes=5)
    desk.put("triggers/reorder", {"trigger_ids": [keys[1], *others, keys[0]]}, by="olga")
    desk.put("triggers/reorder", {"trigger_ids": [keys[1], *others, keys[0]]}, by="olga")
    desk.put("ticket_forms/reorder", {"ticket_form_ids": [forms[1]]}, by="olga")
    desk.put(f"users/{desk.ids['tom']}/merge", {"user": {"id": desk.ids["rosa"]}})
    merge = {"organization_merge": {"winner_id": 900}}
    desk.call("POST", f"organizations/{firm['organization']['id']}/merge", merge, by="olga")
    desk.drain()
    for who in ("ben", "rosa"):
        words = {
            "previous_password": desk.cards[who].secrets["password"],
            "password": "Str0ng.enough",
        }
        assert desk.call("PUT", f"users/{desk.ids[who]}/password", words, by=who).status == 200
    found = log_rows(desk)[before:]
    moved = [item for item in found if item[3].startswith("Position changed from")]
    assert {item[:3] for item in moved} >= {
        ("update", "rule", "First"),
        ("update", "rule", "Second"),
        ("update", "ticketform", "Repair"),
    }
    assert next(item for item in moved if item[2] == "Second")[3].endswith(" to 1")
    rules = [item[2] for item in moved if item[1] == "rule"]
    assert len(rules) == len(set(rules)), "the second time nothing moves"
    assert [item for item in found if item not in moved] == [
        ("update", "user", "Rosa Diaz", "Merged with Tom Berg"),
        ("update", "organization", "Acme Engraving", "Merged with Other"),
        ("destroy", "organization", "Other", ""),
        ("update", "user", "Ben Ode", "Password changed"),
    ]
    shown = desk.get(f"triggers/{keys[1]}", by="olga")["trigger"]
    assert (shown["position"], shown["updated_at"] > shown["created_at"]) == (1, True)
