"""The thinnest thread: read, answer and solve a ticket through the API."""

from __future__ import annotations

from itertools import pairwise

from tests.helpdesk.conftest import Desk


def test_a_ticket_is_created_answered_and_solved(desk: Desk) -> None:
    made = desk.post(
        "tickets.json",
        {"ticket": {"subject": "Charged twice", "comment": {"body": "Two charges."}}},
        by="ana",
    )
    ticket, audit = made["ticket"], made["audit"]
    assert ticket["id"] == 1
    assert ticket["status"] == "new"
    assert [event["type"] for event in audit["events"][:2]] == ["Comment", "Create"]
    numbers = [audit["id"], *(event["id"] for event in audit["events"])]
    assert {after - before for before, after in pairwise(numbers)} == {128}
    answer = desk.put(
        "tickets/1.json",
        {
            "ticket": {
                "status": "solved",
                "assignee_id": desk.ids["ana"],
                "comment": {"body": "Refunded.", "public": True},
            }
        },
    )
    assert answer["ticket"]["status"] == "solved"
    assert desk.get("tickets/1.json")["ticket"]["assignee_id"] == desk.ids["ana"]
    comments = desk.get("tickets/1/comments.json")
    assert [item["body"] for item in comments["comments"]] == ["Two charges.", "Refunded."]
    assert comments["count"] == 2
    assert comments["next_page"] is None
    audits = desk.get("tickets/1/audits.json")["audits"]
    changes = {e["field_name"]: e for e in audits[1]["events"] if e["type"] == "Change"}
    assert changes["status"]["value"] == "solved"
    assert changes["status"]["previous_value"] == "new"
    assert changes["assignee_id"]["value"] == str(desk.ids["ana"])
    assert desk.get("tickets.json")["count"] == 1
    assert desk.get("users/me.json")["user"]["email"] == "ana@desk.example"
    assert desk.get("users/search.json?query=rosa")["count"] == 1
    assert desk.get("ticket_fields.json")["count"] == 8
