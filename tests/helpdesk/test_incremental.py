"""Incremental exports: what changed since a time, to the end of the stream."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from clones.core.clock import now
from clones.helpdesk.models import Ticket, User
from tests.helpdesk.conftest import Desk

BY_TIME = ("tickets", "ticket_events", "users", "organizations")
BY_CURSOR = ("tickets/cursor", "users/cursor")


def _seconds(desk: Desk) -> int:
    with desk.bound():
        return int(now().timestamp())


def _export(desk: Desk, path: str) -> Any:
    return desk.get(f"incremental/{path}", by="olga")


def _next(desk: Desk, url: str) -> Any:
    return desk.get(url.partition("/api/v2/")[2], by="olga")


def _three_tickets(desk: Desk) -> list[int]:
    """Make three tickets, ten seconds apart, and let a minute pass."""
    made = []
    for _ in range(3):
        made.append(desk.ticket()["id"])
        desk.advance(seconds=10)
    desk.advance(minutes=2)
    return made


def test_tickets_come_in_the_order_of_their_changes(desk: Desk) -> None:
    first, second, third = _three_tickets(desk)
    desk.put(f"tickets/{first}.json", {"ticket": {"priority": "high"}})
    desk.advance(minutes=2)
    body = _export(desk, "tickets.json?start_time=0")
    assert [item["id"] for item in body["tickets"]] == [second, third, first]
    assert (body["count"], body["end_of_stream"]) == (3, True)
    assert body["tickets"][-1]["priority"] == "high"
    assert body["end_time"] == body["tickets"][-1]["generated_timestamp"]
    assert body["next_page"].endswith(f"incremental/tickets.json?start_time={body['end_time']}")
    later = _export(desk, f"tickets.json?start_time={body['end_time']}")
    assert [item["id"] for item in later["tickets"]] == [first]


def test_a_page_by_time_ends_where_the_next_begins_and_nothing_is_lost(desk: Desk) -> None:
    made = _three_tickets(desk)
    body = _export(desk, "tickets.json?start_time=0&per_page=2")
    assert (body["count"], body["end_of_stream"]) == (2, False)
    seen = [item["id"] for item in body["tickets"]]
    for _ in range(5):
        if body["end_of_stream"]:
            break
        body = _next(desk, body["next_page"])
        seen += [item["id"] for item in body["tickets"]]
    assert body["end_of_stream"]
    assert set(seen) == set(made)


def test_what_shares_a_second_comes_in_one_page_by_time(desk: Desk) -> None:
    made = _three_tickets(desk)
    with desk.writing():
        late = Ticket.objects.get(id=made[-1]).updated_at
        Ticket.objects.filter(id__in=made).update(updated_at=late.replace(microsecond=0))
        other = Ticket.objects.get(id=made[0])
        other.updated_at = late.replace(microsecond=500_000)
        other.save()
    body = _export(desk, "tickets.json?start_time=0&per_page=1")
    assert [item["id"] for item in body["tickets"]] == [made[1], made[2], made[0]]
    assert body["end_of_stream"] is True
    desk.ticket()
    desk.advance(minutes=2)
    again = _export(desk, f"tickets.json?start_time={body['end_time']}&per_page=1")
    assert (again["count"], again["end_of_stream"]) == (3, False)
    assert again["end_time"] == body["end_time"] + 1
    rest = _next(desk, again["next_page"])
    assert (rest["count"], rest["end_of_stream"]) == (1, True)


def test_a_cursor_leads_through_the_stream_once_and_on_from_its_end(desk: Desk) -> None:
    made = _three_tickets(desk)
    body = _export(desk, "tickets/cursor.json?start_time=0&per_page=2")
    assert [item["id"] for item in body["tickets"]] == made[:2]
    assert (body["end_of_stream"], body["before_cursor"], body["before_url"]) == (False, None, None)
    assert "start_time" not in body["after_url"]
    assert "per_page=2" in body["after_url"]
    body = _next(desk, body["after_url"])
    assert [item["id"] for item in body["tickets"]] == made[2:]
    assert body["end_of_stream"] is True
    cursor = body["after_cursor"]
    assert base64.b64decode(cursor).decode().endswith(f"||{made[2]}|")
    idle = _export(desk, f"tickets/cursor.json?cursor={cursor}")
    assert (idle["tickets"], idle["end_of_stream"], idle["after_cursor"]) == ([], True, cursor)
    fourth = desk.ticket()["id"]
    desk.advance(minutes=2)
    more = _export(desk, f"tickets/cursor.json?cursor={cursor}")
    assert [item["id"] for item in more["tickets"]] == [fourth]


def test_the_body_of_a_page_by_cursor_has_the_recorded_keys(desk: Desk) -> None:
    made = _three_tickets(desk)
    body = _export(desk, "tickets/cursor.json?start_time=0")
    assert set(body) == {
        "tickets",
        "after_url",
        "before_url",
        "after_cursor",
        "before_cursor",
        "end_of_stream",
    }
    for key, exported in zip(made, body["tickets"], strict=True):
        assert exported == desk.get(f"tickets/{key}.json")["ticket"]


def test_the_latest_minute_is_left_out(desk: Desk) -> None:
    made = _three_tickets(desk)
    desk.ticket()
    for path in ("tickets.json", "tickets/cursor.json"):
        found = _export(desk, f"{path}?start_time=0")["tickets"]
        assert [item["id"] for item in found] == made


def test_deleted_tickets_are_in_the_stream_unless_excluded(desk: Desk) -> None:
    first, second, third = _three_tickets(desk)
    desk.call("DELETE", f"tickets/{first}.json")
    desk.advance(minutes=2)
    since = _seconds(desk) - 125
    body = _export(desk, f"tickets.json?start_time={since}")
    assert [(item["id"], item["status"]) for item in body["tickets"]] == [(first, "deleted")]
    for path in ("tickets.json", "tickets/cursor.json"):
        kept = _export(desk, f"{path}?start_time=0&exclude_deleted=true")["tickets"]
        assert [item["id"] for item in kept] == [second, third]


@pytest.mark.parametrize("path", [*BY_TIME, *BY_CURSOR, "tickets/sample"])
def test_an_export_needs_a_start_that_is_past(desk: Desk, path: str) -> None:
    address = f"incremental/{path}.json"
    missing = desk.call("GET", address, by="olga")
    assert (missing.status, missing.body["error"]) == (400, "RequiredParameterMissing")
    late = desk.call("GET", f"{address}?start_time={_seconds(desk) - 50}", by="olga")
    assert (late.status, late.body["error"]) == (400, "StartTimeTooRecent")
    far = desk.call("GET", f"{address}?start_time={10**17}", by="olga")
    assert far.body["error"] == "StartTimeTooRecent"
    for wrong in ("-1", "yesterday"):
        assert desk.call("GET", f"{address}?start_time={wrong}", by="olga").status == 400
    assert desk.call("GET", f"{address}?start_time=0&per_page=x", by="olga").status == 400
    assert desk.call("GET", f"{address}?start_time=0", by="ana").status == 403
    assert desk.call("GET", f"{address}?start_time=0", by="olga").status == 200


@pytest.mark.parametrize("cursor", ["x", "MTIz", "YXx8MXw=", base64.b64encode(b"1e9||1|").decode()])
def test_a_cursor_that_no_export_gave_is_refused_or_read(desk: Desk, cursor: str) -> None:
    answer = desk.call("GET", f"incremental/users/cursor?cursor={cursor}", by="olga")
    assert answer.status == (200 if cursor.startswith("MWU5") else 400), answer.body


def test_users_come_with_those_who_are_gone(desk: Desk) -> None:
    desk.advance(minutes=2)
    everybody = _export(desk, "users.json?start_time=0")
    assert {item["id"] for item in everybody["users"]} == set(desk.ids.values())
    since = everybody["end_time"] + 1
    desk.call("DELETE", f"users/{desk.ids['tom']}.json")
    desk.put(f"users/{desk.ids['rosa']}.json", {"user": {"notes": "Careful"}})
    desk.advance(minutes=2)
    for path in ("users.json", "users/cursor.json"):
        found = _export(desk, f"{path}?start_time={since}&include=organizations")
        states = [(item["id"], item["active"]) for item in found["users"]]
        assert states == [(desk.ids["tom"], False), (desk.ids["rosa"], True)]
        assert found["users"][1]["notes"] == "Careful"
        assert [item["id"] for item in found["organizations"]] == [900]
    page = _export(desk, "users/cursor.json?start_time=0&per_page=1")
    following = _next(desk, page["after_url"])
    assert page["users"][0]["id"] < following["users"][0]["id"]


def test_organizations_come_when_they_changed(desk: Desk) -> None:
    desk.advance(minutes=2)
    first = _export(desk, "organizations.json?start_time=0")
    assert ([item["id"] for item in first["organizations"]], first["count"]) == ([900], 1)
    made = desk.post("organizations.json", {"organization": {"name": "Beta"}}, by="olga")
    desk.advance(minutes=2)
    later = _export(desk, f"organizations.json?start_time={first['end_time'] + 1}")
    assert [item["id"] for item in later["organizations"]] == [made["organization"]["id"]]


def test_ticket_events_tell_every_update_with_its_changes(desk: Desk) -> None:
    key = desk.ticket(tags=["a", "b"])["id"]
    desk.put(
        f"tickets/{key}.json",
        {
            "ticket": {
                "status": "open",
                "tags": ["b", "c"],
                "comment": {"body": "n", "public": False},
            }
        },
    )
    desk.advance(minutes=2)
    body = _export(desk, "ticket_events.json?start_time=0")
    audits = desk.get(f"tickets/{key}/audits.json")["audits"]
    assert [item["id"] for item in body["ticket_events"]] == [item["id"] for item in audits]
    update = body["ticket_events"][-1]
    assert (update["ticket_id"], update["updater_id"]) == (key, desk.ids["ana"])
    children = {name: item for item in update["child_events"] for name in item}
    assert (children["status"]["status"], children["status"]["previous_value"]) == ("open", "new")
    assert children["tags"]["added_tags"] == ["c"]
    assert children["tags"]["removed_tags"] == ["a"]
    said = children["comment_present"]
    assert (said["comment_public"], said["event_type"]) == (False, "Comment")
    assert "body" not in said
    told = _export(desk, "ticket_events.json?start_time=0&include=comment_events")
    comments = [
        item
        for event in told["ticket_events"]
        for item in event["child_events"]
        if item["event_type"] == "Comment"
    ]
    assert [(item["body"], item["public"]) for item in comments] == [
        ("It does not start.", True),
        ("n", False),
    ]
    paged = _export(desk, "ticket_events.json?start_time=0&per_page=1")
    assert paged["ticket_events"][0]["id"] == audits[0]["id"]


def test_tickets_come_with_what_is_asked_for_beside_them(desk: Desk) -> None:
    _three_tickets(desk)
    asked = "include=users,organizations,metric_sets,last_audits"
    body = _export(desk, f"tickets.json?start_time=0&{asked}")
    assert {item["id"] for item in body["users"]} == {desk.ids["rosa"], desk.ids["ana"]}
    assert [item["id"] for item in body["organizations"]] == [900]
    assert body["tickets"][0]["metric_set"]["ticket_id"] == body["tickets"][0]["id"]
    assert "last_audits" not in body


def test_a_sample_has_fifty_records_at_most(desk: Desk) -> None:
    people = [{"name": f"P{number}"} for number in range(60)]
    desk.post("users/create_many.json", {"users": people}, by="olga", status=200)
    desk.drain()
    with desk.writing():
        for index, user in enumerate(User.objects.filter(name__startswith="P").order_by("id")):
            user.updated_at = user.updated_at.replace(minute=index)
            user.save()
    desk.advance(hours=2)
    body = _export(desk, "users/sample.json?start_time=0&per_page=1000")
    assert (len(body["users"]), body["end_of_stream"]) == (50, False)
    assert len(_export(desk, "users.json?start_time=0")["users"]) == 65
    for name in BY_TIME:
        assert name in _export(desk, f"{name}/sample.json?start_time=0")
    unknown = desk.call("GET", "incremental/groups/sample.json?start_time=0", by="olga")
    assert (unknown.status, unknown.body["error"]) == (404, "RecordNotFound")


def test_unverified_an_export_without_changes_has_neither_end_nor_next(desk: Desk) -> None:
    desk.advance(hours=1)
    body = _export(desk, f"tickets.json?start_time={_seconds(desk) - 120}")
    assert body == {
        "tickets": [],
        "count": 0,
        "end_of_stream": True,
        "end_time": None,
        "next_page": None,
    }


def test_unverified_words_of_a_start_that_is_too_recent(desk: Desk) -> None:
    answer = desk.call("GET", f"incremental/users.json?start_time={_seconds(desk)}", by="olga")
    assert answer.body == {
        "error": "StartTimeTooRecent",
        "description": "Too recent start_time. Use a start_time older than 60 seconds",
    }


def test_unverified_keys_of_a_ticket_event(desk: Desk) -> None:
    desk.ticket()
    desk.advance(minutes=2)
    [event] = _export(desk, "ticket_events.json?start_time=0")["ticket_events"]
    assert set(event) == {
        "child_events",
        "id",
        "ticket_id",
        "timestamp",
        "created_at",
        "updater_id",
        "via",
        "system",
        "metadata",
        "event_type",
    }
    assert (event["via"], event["event_type"]) == ("Web service", "Audit")
    subject = next(item for item in event["child_events"] if "subject" in item)
    assert subject == {
        "id": subject["id"],
        "via": "Web service",
        "via_reference_id": None,
        "subject": "Laser does not start",
        "event_type": "Create",
    }
