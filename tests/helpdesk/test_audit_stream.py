"""The audits of all tickets: pages by `page[...]`, and by the cursor that extractors follow."""

from __future__ import annotations

from typing import Any

from tests.helpdesk.conftest import Desk


def path_of(url: str) -> str:
    return url.partition("/api/v2/")[2]


def test_extractors_reach_every_audit_by_following_the_addresses(desk: Desk) -> None:
    for number in range(5):
        desk.ticket(subject=f"t{number}")
        desk.advance(minutes=1)
    whole = desk.get("ticket_audits.json")
    every = [row["id"] for row in whole["audits"]]
    assert every == sorted(every, reverse=True)
    assert len(every) >= 5
    assert (whole["before_url"], whole["before_cursor"]) == (None, None)
    assert not {"meta", "links", "next_page", "count"} & set(whole)
    found: list[int] = []
    page: Any = desk.get("ticket_audits.json?limit=2")
    while True:
        assert len(page["audits"]) <= 2
        found += [row["id"] for row in page["audits"]]
        if page["before_url"] is None:
            break
        assert page["before_cursor"] in page["before_url"].replace("%3D", "=")
        page = desk.get(path_of(page["before_url"]))
    assert found == every


def test_what_came_after_is_found_by_the_other_address(desk: Desk) -> None:
    desk.ticket()
    newest = desk.get("ticket_audits.json?limit=1")
    nothing = desk.get(path_of(newest["after_url"]))
    assert (nothing["audits"], nothing["after_cursor"]) == ([], newest["after_cursor"])
    desk.advance(minutes=1)
    later = [desk.ticket()["id"], desk.ticket()["id"]]
    found = desk.get(path_of(newest["after_url"]).replace("limit=1", "limit=50"))
    assert {row["ticket_id"] for row in found["audits"]} == set(later)
    back = desk.get(path_of(found["before_url"]))
    assert back["audits"][0] == newest["audits"][0]


def test_pages_by_size_are_as_elsewhere(desk: Desk) -> None:
    desk.ticket()
    desk.ticket()
    page = desk.get("ticket_audits.json?page[size]=1&include=tickets")
    assert page["meta"]["has_more"]
    assert [row["id"] for row in page["tickets"]] == [page["audits"][0]["ticket_id"]]
    assert "before_url" not in page


def test_what_is_no_cursor_is_refused(desk: Desk) -> None:
    for asked in ("cursor=nonsense", "cursor=fA==", "limit=x"):
        answer = desk.call("GET", f"ticket_audits.json?{asked}")
        assert answer.status == 400, asked
        assert "Invalid attribute" in answer.body["error"]["title"]
