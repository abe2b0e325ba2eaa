"""What agents keep for themselves: tickets they passed over, and bookmarks."""

from __future__ import annotations

from typing import Any

from clones.helpdesk.models import CustomRole, User
from tests.helpdesk.conftest import Desk


def skip(desk: Desk, ticket: int, *, by: str = "ana", reason: str = "Not mine") -> Any:
    body = {"skip": {"ticket_id": ticket, "reason": reason}}
    return desk.post("skips.json", body, by=by)["skip"]


def bookmark(desk: Desk, ticket: int, *, by: str = "ana", status: int = 201) -> Any:
    body = {"bookmark": {"ticket_id": ticket}}
    return desk.post("bookmarks.json", body, by=by, status=status)["bookmark"]


def restrict(desk: Desk, who: str) -> None:
    with desk.writing():
        User.objects.filter(id=desk.ids[who]).update(ticket_restriction="assigned")


def skipped(desk: Desk, path: str, *, by: str = "ana") -> list[int]:
    return [item["id"] for item in desk.get(path, by=by)["skips"]]


def test_a_skip_is_recorded_with_its_ticket(desk: Desk) -> None:
    ticket = desk.get(f"tickets/{desk.ticket()['id']}.json")["ticket"]
    made = skip(desk, ticket["id"])
    assert (made["user_id"], made["ticket_id"]) == (desk.ids["ana"], ticket["id"])
    assert (made["reason"], made["ticket"]) == ("Not mine", ticket)
    assert made["created_at"] == made["updated_at"]
    listed = desk.get(f"users/{desk.ids['ana']}/skips.json")
    assert listed["skips"] == [made]
    assert desk.get(f"tickets/{ticket['id']}/skips.json")["skips"] == [made]


def test_skips_are_listed_by_agent_and_by_ticket_in_pages(desk: Desk) -> None:
    first, second = desk.ticket()["id"], desk.ticket()["id"]
    mine = [skip(desk, first)["id"], skip(desk, second)["id"], skip(desk, first)["id"]]
    bens = skip(desk, first, by="ben")["id"]
    path = f"users/{desk.ids['ana']}/skips.json"
    assert skipped(desk, path) == mine
    assert skipped(desk, f"{path}?sort_order=desc") == mine[::-1]
    page = desk.get(f"{path}?per_page=2&page=2")
    assert ([item["id"] for item in page["skips"]], page["count"]) == (mine[2:], 3)
    page = desk.get(f"{path}?page[size]=2")
    after = page["meta"]["after_cursor"]
    assert skipped(desk, f"{path}?page[size]=2&page[after]={after}") == mine[2:]
    assert skipped(desk, f"tickets/{first}/skips.json") == [mine[0], mine[2], bens]
    page = desk.get(f"tickets/{first}/skips.json?page[size]=1&sort_order=desc")
    assert [item["id"] for item in page["skips"]] == [bens]


def test_deleted_tickets_are_left_out_of_skips_and_bookmarks(desk: Desk) -> None:
    ticket = desk.ticket()["id"]
    skip(desk, ticket)
    bookmark(desk, ticket)
    desk.call("DELETE", f"tickets/{ticket}.json")
    assert skipped(desk, f"users/{desk.ids['ana']}/skips.json") == []
    assert desk.get("bookmarks.json")["bookmarks"] == []


def test_a_skip_names_a_ticket_that_its_agent_sees(desk: Desk) -> None:
    ticket = desk.ticket()["id"]
    restrict(desk, "ben")
    body = {"skip": {"ticket_id": ticket, "reason": "r"}}
    unseen = desk.call("POST", "skips.json", body, by="ben")
    assert (unseen.status, unseen.body["error"]) == (404, "RecordNotFound")
    assert desk.call("POST", "skips.json", body, by="rosa").status == 403
    assert desk.call("POST", "skips.json", body, by=None).status == 401
    none = desk.call("POST", "skips.json", {"skip": {"reason": "r"}})
    assert (none.status, none.body["error"]) == (400, "RequiredParameterMissing")
    body = {"skip": {"ticket_id": "x"}}
    assert desk.call("POST", "skips.json", body).body["error"]["title"] == "Invalid attribute"
    long = {"skip": {"ticket_id": ticket, "reason": "r" * 65_536}}
    refused = desk.call("POST", "skips.json", long)
    assert (refused.status, list(refused.body["details"])) == (422, ["reason"])
    odd = desk.call("POST", "skips.json", {"skip": {"ticket_id": ticket, "why": "r"}})
    assert '"skip.why"' in odd.headers["x-zendesk-api-warn"]
    assert len(skipped(desk, f"tickets/{ticket}/skips.json")) == 1


def test_unverified_skips_of_others_are_reports(desk: Desk) -> None:
    ticket = desk.ticket()["id"]
    skip(desk, ticket)
    skip(desk, ticket, by="ben")
    ana, ben = (f"users/{desk.ids[who]}/skips.json" for who in ("ana", "ben"))
    assert len(skipped(desk, ana, by="ben")) == 1
    with desk.writing():
        role = CustomRole.objects.order_by("id").first()
        assert role is not None
        role.configuration = {**role.configuration, "report_access": "none"}
        role.save()
        User.objects.filter(id=desk.ids["ben"]).update(custom_role=role)
    assert desk.call("GET", ana, by="ben").status == 403
    assert desk.call("GET", f"tickets/{ticket}/skips.json", by="ben").status == 403
    assert len(skipped(desk, ben, by="ben")) == 1
    assert len(skipped(desk, ana, by="olga")) == 1
    for path in (ana, f"tickets/{ticket}/skips.json"):
        assert desk.call("GET", path, by="rosa").status == 403
        assert desk.call("GET", path, by=None).status == 401
    assert desk.call("GET", "users/5/skips.json").status == 404
    assert desk.call("GET", "tickets/999/skips.json").status == 404


def test_a_ticket_is_marked_once(desk: Desk) -> None:
    ticket = desk.get(f"tickets/{desk.ticket()['id']}.json")["ticket"]
    answer = desk.call("POST", "bookmarks.json", {"bookmark": {"ticket_id": ticket["id"]}})
    made = answer.body["bookmark"]
    assert (answer.status, answer.headers["Location"]) == (201, made["url"])
    assert made["ticket"] == ticket
    assert bookmark(desk, ticket["id"], status=200) == made
    assert desk.get("bookmarks.json")["bookmarks"] == [made]
    assert bookmark(desk, ticket["id"], by="ben")["id"] != made["id"]


def test_unverified_bookmarks_are_listed_newest_first_in_pages(desk: Desk) -> None:
    tickets = [desk.ticket()["id"] for _ in range(3)]
    for ticket in tickets:
        bookmark(desk, ticket)
        desk.advance(seconds=5)
    page = desk.get("bookmarks.json?per_page=2&page=2")
    assert [item["ticket"]["id"] for item in page["bookmarks"]] == tickets[:1]
    assert (page["count"], page["next_page"]) == (3, None)
    assert desk.get("bookmarks.json", by="ben")["bookmarks"] == []


def test_bookmarks_are_removed_by_their_owner(desk: Desk) -> None:
    made = bookmark(desk, desk.ticket()["id"])
    path = f"bookmarks/{made['id']}.json"
    for who in ("ben", "olga"):
        assert desk.call("DELETE", path, by=who).body["error"] == "RecordNotFound"
    assert desk.call("DELETE", path, by="rosa").status == 403
    assert desk.call("DELETE", path, by=None).status == 401
    answer = desk.call("DELETE", path)
    assert (answer.status, answer.raw) == (204, b"")
    assert desk.get("bookmarks.json")["bookmarks"] == []
    assert desk.call("DELETE", path).status == 404


def test_only_agents_mark_tickets_that_they_see(desk: Desk) -> None:
    ticket = desk.ticket()["id"]
    body = {"bookmark": {"ticket_id": ticket}}
    assert desk.call("POST", "bookmarks.json", body, by="rosa").status == 403
    assert desk.call("GET", "bookmarks.json", by="rosa").status == 403
    assert desk.call("POST", "bookmarks.json", body, by=None).status == 401
    assert desk.call("GET", "bookmarks.json", by=None).status == 401
    restrict(desk, "ben")
    assert desk.call("POST", "bookmarks.json", body, by="ben").body["error"] == "RecordNotFound"
    none = desk.call("POST", "bookmarks.json", {"bookmark": {}})
    assert (none.status, none.body["error"]) == (400, "RequiredParameterMissing")


def test_unverified_content_is_pinned_to_a_ticket_once(desk: Desk) -> None:
    key = str(desk.ticket()["id"])
    given = {"ticket_id": key, "content_id": "a-1", "content_type": "article", "locale": "en-US"}
    body = {"ticket_content_pin": given}
    pin = desk.post("ticket_content_pins", body)
    assert pin == {
        **given,
        "id": pin["id"],
        "account_id": "18525119",
        "created_at": pin["created_at"],
        "url": pin["url"],
    }
    assert pin["url"].endswith(f"/api/v2/ticket_content_pins/{pin['id']}.json")
    again = desk.call("POST", "ticket_content_pins", body)
    assert (again.status, again.body) == (
        422,
        {
            "error": "ContentAlreadyPinned",
            "description": "The content with ID a-1 is already pinned to this ticket.",
        },
    )
    other = {**given, "content_type": "external_content", "locale": None}
    second = desk.post("ticket_content_pins", {"ticket_content_pin": other})
    listed = desk.get(f"ticket_content_pins?ticket_id={key}", by="ben")
    assert listed == {"ticket_content_pins": [pin, second], "count": 2}
    for wrong in ({"locale": None}, {"content_id": " "}, {"content_type": ""}):
        refused = {"ticket_content_pin": {**given, **wrong}}
        assert desk.call("POST", "ticket_content_pins", refused).status == 422
    nowhere = {"ticket_content_pin": {**given, "ticket_id": "99999"}}
    assert desk.call("POST", "ticket_content_pins", nowhere).status == 404
    assert desk.call("GET", "ticket_content_pins").status == 400
    assert desk.call("POST", "ticket_content_pins", body, by="rosa").status == 403
    path = f"ticket_content_pins/{pin['id']}"
    gone = desk.call("DELETE", path)
    assert (gone.status, gone.body) == (200, pin)
    assert desk.call("DELETE", path).status == 404
    assert desk.get(f"ticket_content_pins?ticket_id={key}")["count"] == 1
