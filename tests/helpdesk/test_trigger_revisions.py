"""Revisions of triggers: what each edit left, what it changed, and how they are listed."""

from __future__ import annotations

from typing import Any

from clones.core.journal import canonical_changes, journal
from clones.helpdesk.models import Trigger, TriggerRevision
from tests.helpdesk.conftest import Desk

OPEN = {"field": "status", "operator": "is", "value": "open"}
HIGH = {"field": "priority", "operator": "is", "value": "high"}
LOW = {"field": "priority", "value": "low"}


def make(desk: Desk) -> str:
    """Make a trigger and return its address."""
    given = {"title": "First", "all": [OPEN, HIGH], "actions": [LOW]}
    key = desk.post("triggers", {"trigger": given}, by="olga")["trigger"]["id"]
    return f"triggers/{key}"


def edit(desk: Desk, place: str, **changes: Any) -> None:
    desk.advance(minutes=1)
    desk.put(place, {"trigger": changes}, by="olga")


def revisions(desk: Desk, place: str, query: str = "") -> list[Any]:
    found: list[Any] = desk.get(f"{place}/revisions{query}")["trigger_revisions"]
    return found


def test_each_edit_leaves_a_revision_with_its_author_and_what_changed(desk: Desk) -> None:
    place = make(desk)
    edit(desk, place, title="Second", description="For the night")
    edit(desk, place, active=False)
    last, second, first = revisions(desk, place)
    assert [row["id"] for row in (last, second, first)] == [3, 2, 1]
    assert {row["author_id"] for row in (last, second, first)} == {desk.ids["olga"]}
    assert first["snapshot"] == {
        "title": "First",
        "description": None,
        "active": True,
        "conditions": {"all": [OPEN, HIGH], "any": []},
        "actions": [LOW],
    }
    assert second["snapshot"]["description"] == "For the night"
    assert first["created_at"] < second["created_at"] < last["created_at"]
    assert second["diff"] == {
        "source_id": 1,
        "target_id": 2,
        "title": [{"change": "-", "content": "First"}, {"change": "+", "content": "Second"}],
        "description": [
            {"change": "-", "content": None},
            {"change": "+", "content": "For the night"},
        ],
        "active": [],
        "conditions": {},
        "actions": [],
    }
    assert last["diff"]["active"] == [
        {"change": "-", "content": True},
        {"change": "+", "content": False},
    ]
    shown = desk.get(f"{place}/revisions/2")["trigger_revision"]
    assert shown == {name: value for name, value in second.items() if name != "diff"}
    assert shown["url"].endswith(f"/api/v2/{place}/revisions/2.json")


def test_unverified_the_diff_of_conditions_and_actions(desk: Desk) -> None:
    place = make(desk)
    urgent = {**HIGH, "value": "urgent"}
    tag = {"field": "current_tags", "value": "hot"}
    edit(desk, place, conditions={"all": [OPEN, urgent], "any": []}, actions=[LOW, tag])
    diff = revisions(desk, place)[0]["diff"]

    def same(item: dict[str, str]) -> dict[str, Any]:
        return {name: [{"change": "=", "content": value}] for name, value in item.items()}

    assert diff["conditions"] == {
        "all": [
            same(OPEN),
            {
                **same(HIGH),
                "value": [{"change": "-", "content": "high"}, {"change": "+", "content": "urgent"}],
            },
        ]
    }
    assert diff["actions"] == [
        same(LOW),
        {name: [{"change": "+", "content": value}] for name, value in tag.items()},
    ]
    assert (diff["title"], diff["source_id"]) == ([], 1)


def test_moves_and_empty_edits_are_no_revisions(desk: Desk) -> None:
    place = make(desk)
    edit(desk, place, title="First")
    edit(desk, place, position=7)
    key = int(place.partition("/")[2])
    others = [row["id"] for row in desk.get("triggers")["triggers"] if row["id"] != key]
    desk.put("triggers/reorder", {"trigger_ids": [key, *others]}, by="olga")
    assert [row["id"] for row in revisions(desk, place)] == [1]
    with desk.bound():
        assert Trigger.objects.get(id=key).revision == 1


def test_a_trigger_that_came_with_the_account_has_one_until_it_is_edited(desk: Desk) -> None:
    standing = desk.get("triggers")["triggers"][0]
    place = f"triggers/{standing['id']}"
    (only,) = revisions(desk, place)
    assert (only["id"], only["author_id"], only["snapshot"]["title"]) == (1, -1, standing["title"])
    assert desk.get(f"{place}/revisions/1")["trigger_revision"]["snapshot"] == only["snapshot"]
    edit(desk, place, title="Ours")
    new, old = revisions(desk, place)
    assert old == only
    assert (new["id"], new["author_id"], new["snapshot"]["title"]) == (2, desk.ids["olga"], "Ours")


def test_they_are_listed_in_parts_with_their_authors(desk: Desk) -> None:
    place = make(desk)
    for number in range(2, 6):
        edit(desk, place, title=f"T{number}")
    page = desk.get(f"{place}/revisions?limit=2&include=users")
    assert [row["id"] for row in page["trigger_revisions"]] == [5, 4]
    assert (page["count"], page["after_url"], page["after_cursor"]) == (2, None, None)
    assert [user["id"] for user in page["users"]] == [desk.ids["olga"]]
    older = desk.get(page["before_url"].partition("/api/v2/")[2])
    assert [row["id"] for row in older["trigger_revisions"]] == [3, 2]
    assert older["trigger_revisions"][1]["diff"]["source_id"] == 1
    last = desk.get(older["before_url"].partition("/api/v2/")[2])
    assert [row["id"] for row in last["trigger_revisions"]] == [1]
    assert last["before_url"] is None
    back = desk.get(last["after_url"].partition("/api/v2/")[2])
    assert [row["id"] for row in back["trigger_revisions"]] == [3, 2]
    assert desk.call("GET", f"{place}/revisions?limit=1001").status == 400
    assert desk.call("GET", f"{place}/revisions?cursor=x").status == 400
    assert desk.call("GET", f"{place}/revisions/9").status == 404
    assert desk.call("GET", "triggers/1/revisions").status == 404
    for path in (f"{place}/revisions", f"{place}/revisions/1"):
        assert desk.call("GET", path, by="rosa").status == 403


def test_no_diff_shows_them_a_rewind_undoes_them_and_they_go_with_the_trigger(desk: Desk) -> None:
    place = make(desk)
    with desk.bound():
        mark = journal().position()
    edit(desk, place, title="Second")
    with desk.bound():
        tables = {change["table"] for change in canonical_changes(journal().changes(mark))}
        assert TriggerRevision.objects.count() == 2
    assert tables == {"helpdesk_trigger"}
    with desk.writing():
        assert journal().rewind(mark).mismatches == ()
        assert TriggerRevision.objects.count() == 1
    assert desk.call("DELETE", place, by="olga").status == 204
    with desk.bound():
        assert not TriggerRevision.objects.exists()
