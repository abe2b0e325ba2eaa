"""Macros made from other macros and from tickets, and not kept."""

from __future__ import annotations

from typing import Any

from tests.helpdesk.conftest import Desk
from tests.helpdesk.test_rules import action

NOT_FOUND = {"error": "RecordNotFound", "description": "Not found"}


def replica(desk: Desk, query: str, **by: Any) -> Any:
    return desk.get(f"macros/new.json?{query}", **by)["macro"]


def test_a_replica_of_a_macro_can_be_created_as_another(desk: Desk) -> None:
    own = {"type": "User", "id": desk.ids["ben"]}
    body = {
        "title": "Take",
        "description": "d",
        "actions": [action("status", "open"), action("comment_value", "Hello")],
        "restriction": own,
    }
    first = desk.post("macros.json", {"macro": body}, by="ben")["macro"]
    count = desk.get("macros.json", by="ben")["count"]
    made = replica(desk, f"macro_id={first['id']}", by="ben")
    assert made == {**body, "active": True, "raw_title": "Take"}
    assert desk.get("macros.json", by="ben")["count"] == count
    second = desk.post("macros.json", {"macro": {**made, "title": "Two"}}, by="ben")["macro"]
    assert second["id"] != first["id"]
    assert (second["actions"], second["restriction"]) == (body["actions"], own)
    hidden = desk.call("GET", f"macros/new.json?macro_id={first['id']}", by="ana")
    assert (hidden.status, hidden.body) == (404, NOT_FOUND)


def test_a_macro_comes_before_a_ticket_and_one_must_be_named(desk: Desk) -> None:
    ticket = desk.ticket(subject="From a ticket")["id"]
    first = desk.get("macros.json")["macros"][0]
    both = replica(desk, f"ticket_id={ticket}&macro_id={first['id']}")
    assert (both["title"], both["actions"]) == (first["title"], first["actions"])
    refused = desk.call("GET", "macros/new.json")
    assert (refused.status, refused.body["error"]) == (400, "RequiredParameterMissing")
    assert desk.call("GET", "macros/new.json?ticket_id=x").status == 400
    for name in ("macro_id", "ticket_id"):
        missing = desk.call("GET", f"macros/new.json?{name}=999999")
        assert (missing.status, missing.body) == (404, NOT_FOUND)
    assert desk.call("GET", f"macros/new.json?ticket_id={ticket}", by="rosa").status == 403


def test_unverified_a_replica_of_a_ticket_brings_others_to_where_it_is(desk: Desk) -> None:
    given: dict[str, Any] = {"priority": "high", "type": "task", "tags": ["beam", "warm"]}
    source = desk.ticket(subject="Lens", status="pending", assignee_id=desk.ids["ben"], **given)
    said = {"comment": {"body": "Please clean the lens.", "public": False}}
    desk.put(f"tickets/{source['id']}.json", {"ticket": said})
    made = replica(desk, f"ticket_id={source['id']}")
    assert made["title"] == "Lens"
    key = desk.post("macros.json", {"macro": made}, by="olga")["macro"]["id"]
    other = desk.ticket(tags=["old"])["id"]
    result = desk.get(f"tickets/{other}/macros/{key}/apply.json")["result"]["ticket"]
    names = ("status", "priority", "type", "assignee_id", "group_id")
    assert {name: result[name] for name in names} == {name: source[name] for name in names}
    assert set(result["tags"]) == {"beam", "warm", "old"}
    assert result["comment"]["body"] == "Please clean the lens."
    assert result["comment"]["public"] is False
    assert desk.get(f"tickets/{other}.json")["ticket"]["priority"] is None


def test_unverified_a_new_ticket_makes_no_other_new(desk: Desk) -> None:
    key = desk.ticket(body="It smokes.")["id"]
    assert replica(desk, f"ticket_id={key}")["actions"] == [
        action("comment_value", "It smokes."),
        action("comment_mode_is_public", "true"),
    ]
