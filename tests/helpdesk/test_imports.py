"""Importing tickets with their past."""

from __future__ import annotations

from typing import Any

import pytest

from tests.helpdesk.conftest import Desk


def _past(desk: Desk, **values: Any) -> dict[str, Any]:
    comments = [
        {
            "author_id": desk.ids["rosa"],
            "value": "It smokes.",
            "created_at": "2015-03-01T10:00:00Z",
        },
        {
            "author_id": desk.ids["ben"],
            "html_body": "<p>Unplug it.</p>",
            "public": False,
            "created_at": "2015-03-01T11:00:00Z",
        },
        {"author_id": desk.ids["ben"], "body": "Any news?"},
    ]
    given = {
        "subject": "Smoke",
        "requester_id": desk.ids["rosa"],
        "assignee_id": desk.ids["ben"],
        "created_at": "2015-03-01T10:00:00Z",
        "updated_at": "2015-03-02T10:00:00Z",
        "status": "closed",
        "solved_at": "2015-03-01T12:00:00Z",
        "tags": ["imported"],
        "comments": comments,
    }
    return {**given, **values}


def test_a_ticket_is_imported_with_its_comments_and_times(desk: Desk) -> None:
    answer = desk.call("POST", "imports/tickets.json", {"ticket": _past(desk)}, by="olga")
    assert answer.status == 201
    made = answer.body["ticket"]
    assert answer.headers["Location"] == made["url"]
    shown = desk.get(f"tickets/{made['id']}.json")["ticket"]
    assert (shown["status"], shown["tags"], shown["description"]) == (
        "closed",
        ["imported"],
        "It smokes.",
    )
    assert shown["created_at"] == "2015-03-01T10:00:00Z"
    assert shown["updated_at"] == "2015-03-02T10:00:00Z"
    comments = desk.get(f"tickets/{made['id']}/comments.json")["comments"]
    assert [(item["plain_body"], item["public"], item["author_id"]) for item in comments] == [
        ("It smokes.", True, desk.ids["rosa"]),
        ("Unplug it.", False, desk.ids["ben"]),
        ("Any news?", True, desk.ids["ben"]),
    ]
    assert [item["created_at"][:13] for item in comments[:2]] == ["2015-03-01T10", "2015-03-01T11"]
    metric = desk.get(f"tickets/{made['id']}/metrics.json")["ticket_metric"]
    assert (metric["solved_at"], metric["replies"]) == ("2015-03-01T12:00:00Z", 0)
    audits = desk.get(f"tickets/{made['id']}/audits.json")["audits"]
    assert [len(audit["events"]) > 1 for audit in audits] == [True, False, False]


def test_an_import_runs_no_rules_and_writes_to_nobody(desk: Desk) -> None:
    created = {"field": "update_type", "operator": "is", "value": "Create"}
    trigger = {
        "title": "Urgent",
        "all": [created],
        "actions": [{"field": "priority", "value": "urgent"}],
    }
    desk.post("triggers.json", {"trigger": trigger}, by="olga")
    plain = desk.ticket()
    assert desk.get(f"tickets/{plain['id']}.json")["ticket"]["priority"] == "urgent"
    given = _past(desk, status="open", solved_at=None)
    made = desk.post("imports/tickets.json", {"ticket": given}, by="olga")["ticket"]
    assert (made["priority"], made["status"]) == (None, "open")
    events = [
        event["type"]
        for audit in desk.get(f"tickets/{made['id']}/audits.json")["audits"]
        for event in audit["events"]
    ]
    assert "Notification" not in events
    # Later updates are like any other's.
    later = {"ticket": {"comment": {"body": "Hello again."}}}
    assert desk.put(f"tickets/{made['id']}.json", later)["audit"]["events"]


def test_an_import_may_say_what_it_is_about_in_its_description(desk: Desk) -> None:
    given = {"subject": "s", "description": "Old words.", "created_at": "1999-01-01T00:00:00Z"}
    made = desk.post("imports/tickets.json", {"ticket": given}, by="olga")["ticket"]
    [said] = desk.get(f"tickets/{made['id']}/comments.json")["comments"]
    assert (said["body"], said["created_at"]) == ("Old words.", "1999-01-01T00:00:00Z")


@pytest.mark.parametrize(
    ("values", "status"),
    [
        ({"comments": [], "description": None}, 422),
        ({"comments": [{"value": " "}]}, 422),
        ({"comments": [{"value": "x", "created_at": "2999-01-01T00:00:00Z"}]}, 422),
        ({"comments": [{"value": "x", "created_at": "1969-01-01T00:00:00Z"}]}, 400),
        ({"comments": [{"value": "x", "author_id": 1}]}, 400),
        ({"created_at": "2999-01-01T00:00:00Z"}, 422),
        ({"created_at": "some day"}, 400),
        ({"status": "asleep"}, 422),
        ({"assignee_id": 1}, 422),
    ],
)
def test_an_import_that_cannot_be_is_refused_whole(
    desk: Desk, values: dict[str, Any], status: int
) -> None:
    body = {"ticket": _past(desk, **values)}
    answer = desk.call("POST", "imports/tickets.json", body, by="olga")
    assert answer.status == status, answer.body
    assert desk.get("tickets/count.json")["count"]["value"] == 0


def test_times_before_1970_are_taken_as_1970(desk: Desk) -> None:
    given = _past(desk, created_at="1950-01-01T00:00:00Z", updated_at="1951-01-01T00:00:00Z")
    made = desk.post("imports/tickets.json", {"ticket": given}, by="olga")["ticket"]
    assert (made["created_at"], made["updated_at"]) == ("1970-01-01T00:00:00Z",) * 2


def test_imports_are_the_admins(desk: Desk) -> None:
    body = {"ticket": _past(desk)}
    assert desk.call("POST", "imports/tickets.json", body, by="ana").status == 403
    path = "imports/tickets/create_many.json"
    assert desk.call("POST", path, {"tickets": [_past(desk)]}, by="ana").status == 403


def test_many_tickets_are_imported_as_a_job(desk: Desk) -> None:
    path = "imports/tickets/create_many.json"
    tickets = [_past(desk), _past(desk, status="asleep"), _past(desk, subject="Second")]
    job = desk.post(path, {"tickets": tickets}, by="olga", status=200)["job_status"]
    desk.drain()
    results = desk.get(f"job_statuses/{job['id']}.json", by="olga")["job_status"]["results"]
    assert [item.get("error") for item in results] == [None, "RecordInvalid", None]
    shown = desk.get(f"tickets/{results[2]['id']}.json")["ticket"]
    assert (shown["subject"], shown["created_at"]) == ("Second", "2015-03-01T10:00:00Z")
    assert desk.get(f"tickets/{results[2]['id']}/comments/count.json")["count"]["value"] == 3
    missing = desk.call("POST", path, {}, by="olga")
    assert missing.body["error"] == "RequiredParameterMissing"
    many = desk.call("POST", path, {"tickets": [_past(desk)] * 101}, by="olga")
    assert many.body["description"] == "Maximum 100 tickets may be created per call"


def test_files_are_imported_by_their_tokens(desk: Desk) -> None:
    upload = desk.call("POST", "uploads.json?filename=a.txt", b"hello", by="olga")
    comments = [{"value": "See.", "uploads": [upload.body["upload"]["token"]]}]
    given = _past(desk, comments=comments)
    made = desk.post("imports/tickets.json", {"ticket": given}, by="olga")["ticket"]
    [said] = desk.get(f"tickets/{made['id']}/comments.json")["comments"]
    assert [file["file_name"] for file in said["attachments"]] == ["a.txt"]
