"""What docs/fidelity/helpdesk-tickets-and-people.md says is so, and what nobody recorded."""

from __future__ import annotations

import importlib
import re
from pathlib import Path
from typing import Any

from clones.helpdesk.api.entry import operations
from tests.helpdesk.conftest import Answer, Desk

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "fidelity" / "helpdesk-tickets-and-people.md"
TEXT = PAGE.read_text(encoding="utf-8")
INVALID = {
    "error": "RecordInvalid",
    "description": "Record validation errors",
}


def _invalid(answer: Answer, attribute: str, description: str, error: str | None = None) -> None:
    details = {attribute: [{"description": description, "error": error}]}
    assert (answer.status, answer.body) == (422, {**INVALID, "details": details})


def test_the_page_names_operations_with_their_addresses() -> None:
    listed = re.findall(r"^\| `([A-Z]+) (/api/v2/\S+)` \| (\w+) \|", TEXT, re.MULTILINE)
    ours = {
        (item.method, item.path.replace(":int}", "}"), name)
        for name, item in operations().all.items()
    }
    assert set(listed) <= ours
    assert len(listed) == 37


def test_each_thing_that_nobody_recorded_has_a_test() -> None:
    named = re.findall(r"`tests/helpdesk/([\w/]+)\.py::(test_unverified_\w+)`", TEXT)
    assert len(named) == TEXT.partition("## What nobody recorded")[2].count("\n| ") - 1
    for module, name in named:
        assert callable(
            getattr(importlib.import_module("tests.helpdesk." + module.replace("/", ".")), name)
        )


def test_unverified_a_cursor_that_no_export_gave_is_an_invalid_attribute(desk: Desk) -> None:
    for path in ("tickets", "users"):
        answer = desk.call("GET", f"incremental/{path}/cursor?cursor=x", by="olga")
        assert (answer.status, answer.body["error"]["title"]) == (400, "Invalid attribute")


def _results(desk: Desk, target: int, body: dict[str, Any]) -> Any:
    job = desk.post(f"tickets/{target}/merge.json", body, status=200)["job_status"]
    assert (job["job_type"], job["total"]) == ("Ticket Merge", 1)
    desk.drain()
    return desk.get(f"job_statuses/{job['id']}.json")["job_status"]["results"]


def test_unverified_results_of_a_merge(desk: Desk) -> None:
    upload = desk.call("POST", "uploads.json?filename=a.txt", b"x").body["upload"]["token"]
    source = desk.ticket(comment={"body": "see", "uploads": [upload]})["id"]
    target = desk.ticket()["id"]
    assert _results(desk, target, {"ids": [source]}) == [
        {"index": 0, "action": "update", "id": target, "status": "Updated", "success": True}
    ]
    [said] = desk.get(f"tickets/{target}/comments.json")["comments"]
    assert said["attachments"] == []
    [refused] = _results(desk, target, {"ids": [source]})
    assert refused == {
        "index": 0,
        "id": target,
        "error": "RecordInvalid",
        "details": f"Source: ticket {source} is closed",
    }


def test_unverified_answers_to_spam(desk: Desk) -> None:
    agents = desk.ticket(requester_id=desk.ids["ben"])["id"]
    refused = desk.call("PUT", f"tickets/{agents}/mark_as_spam.json")
    _invalid(refused, "requester", "Requester: is an agent", "InvalidValue")
    done = desk.call("PUT", f"tickets/{desk.ticket()['id']}/mark_as_spam.json")
    assert (done.status, done.body) == (200, {})


def test_unverified_times_of_an_import(desk: Desk) -> None:
    ahead = {"description": "d", "created_at": "2999-01-01T00:00:00Z"}
    refused = desk.call("POST", "imports/tickets.json", {"ticket": ahead}, by="olga")
    _invalid(refused, "created_at", "Created at: is in the future", "InvalidValue")
    past = {"comments": [{"value": "a"}, {"value": "b"}], "created_at": "2001-01-01T00:00:00Z"}
    made = desk.post("imports/tickets.json", {"ticket": past}, by="olga")["ticket"]
    first, second = desk.get(f"tickets/{made['id']}/comments.json")["comments"]
    assert first["created_at"] == "2001-01-01T00:00:00Z"
    assert second["created_at"] > "2020"


def test_unverified_words_of_a_merge_of_users_that_cannot_be(desk: Desk) -> None:
    rosa, ben = desk.ids["rosa"], desk.ids["ben"]
    answer = desk.call("PUT", f"users/{rosa}/merge.json", {"user": {"id": ben}})
    _invalid(answer, "base", f"User: {ben} is not an active end user")


def test_unverified_refusals_of_passwords(desk: Desk) -> None:
    path = f"users/{desk.ids['rosa']}/password.json"
    wrong = {"previous_password": "x", "password": "correct horse"}
    answer = desk.call("PUT", path, wrong, by="rosa")
    _invalid(answer, "previous_password", "Previous password: is wrong", "InvalidValue")
    short = {"previous_password": desk.cards["rosa"].secrets["password"], "password": "abc"}
    answer = desk.call("PUT", path, short, by="rosa")
    _invalid(answer, "password", "Password: must be at least 5 characters", "InvalidValue")


def test_unverified_refusals_of_organizations(desk: Desk) -> None:
    unknown = {"organization": {"id": 1, "name": "n"}}
    answer = desk.call("POST", "organizations/create_or_update.json", unknown, by="olga")
    assert (answer.status, answer.body["error"]) == (404, "RecordNotFound")
    itself = {"organization_merge": {"winner_id": 900}}
    answer = desk.call("POST", "organizations/900/merge.json", itself, by="olga")
    _invalid(answer, "winner_id", "Winner: is the organization itself", "InvalidValue")
