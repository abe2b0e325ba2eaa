"""Each query parameter that the descriptions name is read, or a page says why it is not."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

import pytest

from clones.core.operations import Operation
from clones.helpdesk.api.entry import operations
from clones.helpdesk.models import TicketField, User
from tests.helpdesk.conftest import Desk
from tests.helpdesk.fidelity_pages import text_of

FACTS: Final = Path(__file__).parents[1] / "facts" / "helpdesk" / "parameters.json"
ROW: Final = re.compile(r"^\| `([\w\[\]]+)` \| ([\w, ]+) \| (.+) \|$", re.MULTILINE)
# What lists are cut into pages by: `clones.helpdesk.api.paging` reads it.
PAGING: Final = {"page", "per_page", "page[size]", "page[after]", "page[before]"}
# Whose `sort` orders pages by cursor: `clones.helpdesk.api.rule_lists` reads it.
SORTED: Final = {"ListActiveTriggers", "ListTriggers", "ListViews"}
# Spelled `role[]` wherever it is explained.
SPELLED: Final = {"roles": "role[]"}


def bare(name: str) -> str:
    """Return a method and path without the names of the path's parameters."""
    return re.sub(r"\{[^}]*\}", "{}", name)


def reads(operation: Operation) -> set[str]:
    """Return the query parameters that an operation reads."""
    fields = operation.query.model_fields.items() if operation.query is not None else ()
    found = {field.alias or name for name, field in fields}
    if "per_page" in found:
        found |= PAGING
    return found | {"sort"} if operation.id in SORTED else found


def dropped() -> set[tuple[str, str]]:
    """Return the described parameters that nothing reads, with their operations."""
    known: dict[str, list[str]] = json.loads(FACTS.read_text(encoding="utf-8"))
    return {
        (operation.id, name)
        for operation in operations().all.values()
        for name in known.get(bare(f"{operation.method} {operation.path}"), ())
        if SPELLED.get(name, name) not in reads(operation)
    }


def test_no_described_parameter_is_dropped_without_a_word() -> None:
    rows = ROW.findall(text_of("helpdesk-parameters.md").partition("\n## ")[0])
    listed = {(id, name) for name, ids, _ in rows for id in ids.split(", ")}
    assert dropped() == listed


def ids(answer: Any, name: str) -> list[int]:
    return [row["id"] for row in answer[name]]


def test_addresses_are_listed_by_their_types(desk: Desk) -> None:
    rosa = desk.ids["rosa"]
    path = f"users/{rosa}/identities.json"
    desk.post(path, {"identity": {"type": "phone_number", "value": "+49301234567"}})
    for asked, wanted in (
        ("type[]=email", {"email"}),
        ("type[]=phone_number", {"phone_number"}),
        ("type[]=phone_number&type[]=email", {"email", "phone_number"}),
        ("type[]=twitter", set()),
    ):
        assert {row["type"] for row in desk.get(f"{path}?{asked}")["identities"]} == wanted


def test_users_are_listed_and_counted_by_the_same(desk: Desk) -> None:
    role = desk.post("custom_roles.json", {"custom_role": {"name": "Lead"}}, status=200, by="olga")
    key = role["custom_role"]["id"]
    ana, rosa = desk.ids["ana"], desk.ids["rosa"]
    with desk.writing():
        User.objects.filter(id=ana).update(custom_role_id=key)
        User.objects.filter(id=rosa).update(external_id="r-1")
    for asked, wanted in (
        (f"permission_set={key}", [ana]),
        (f"permission_set={key}&role=admin", []),
        (f"permission_set={key + 1}", []),
        ("external_id=r-1", [rosa]),
        ("external_id=none", []),
    ):
        assert ids(desk.get(f"users.json?{asked}"), "users") == wanted, asked
        assert desk.get(f"users/count.json?{asked}")["count"]["value"] == len(wanted), asked


def test_users_are_changed_and_deleted_by_external_ids(desk: Desk) -> None:
    rosa, tom = desk.ids["rosa"], desk.ids["tom"]
    with desk.writing():
        for key, name in ((rosa, "r-1"), (tom, "t-1")):
            User.objects.filter(id=key).update(external_id=name)
    path = "users/update_many.json?external_ids=r-1,t-1,none"
    job = desk.put(path, {"user": {"notes": "Seen"}}, by="olga")["job_status"]
    desk.drain()
    done = desk.get(f"job_statuses/{job['id']}.json", by="olga")["job_status"]
    assert sorted(row["id"] for row in done["results"]) == sorted([rosa, tom])
    assert {desk.get(f"users/{key}.json")["user"]["notes"] for key in (rosa, tom)} == {"Seen"}
    gone = desk.call("DELETE", "users/destroy_many.json?external_ids=t-1", by="olga")
    assert gone.status == 200
    desk.drain()
    assert not desk.get(f"users/{tom}.json")["user"]["active"]
    assert desk.get(f"users/{rosa}.json")["user"]["active"]
    many = ",".join(f"x-{number}" for number in range(101))
    refused = desk.call("DELETE", f"users/destroy_many.json?external_ids={many}", by="olga")
    assert refused.status == desk.call("DELETE", "users/destroy_many.json", by="olga").status == 400


def test_deleted_groups_are_listed_if_they_are_asked_for(desk: Desk) -> None:
    made = desk.post("groups.json", {"group": {"name": "Gone"}}, by="olga")["group"]["id"]
    assert desk.call("DELETE", f"groups/{made}.json", by="olga").status == 204
    for asked, wanted in (("", False), ("?exclude_deleted=true", False)):
        assert (made in ids(desk.get(f"groups.json{asked}"), "groups")) is wanted
    every = desk.get("groups.json?exclude_deleted=false")["groups"]
    assert {row["id"]: row["deleted"] for row in every}[made] is True


def test_titles_of_fields_are_shown_in_a_language(desk: Desk) -> None:
    variants = [
        {"content": "Colour", "locale_id": 1, "default": True},
        {"content": "Farbe", "locale_id": 8, "default": False},
    ]
    with desk.writing():
        User.objects.filter(id=desk.ids["ben"]).update(locale="de")
    item = {"name": "colour", "default_locale_id": 1, "variants": variants}
    desk.post("dynamic_content/items.json", {"item": item}, by="olga")
    field = {"type": "text", "title": "Colour", "title_in_portal": "{{dc.colour}}"}
    key = desk.post("ticket_fields.json", {"ticket_field": field}, by="olga")["ticket_field"]["id"]
    for asked, wanted in (("", "Colour"), ("?locale=de", "Farbe"), ("?locale=8", "Farbe")):
        rows = {row["id"]: row for row in desk.get(f"ticket_fields.json{asked}")["ticket_fields"]}
        assert rows[key]["title_in_portal"] == wanted
    with desk.bound():
        assert TicketField.objects.get(id=key).title_in_portal == "{{dc.colour}}"


def trigger(desk: Desk, title: str, **values: Any) -> int:
    body = {
        "title": title,
        "conditions": {"all": [{"field": "status", "operator": "is", "value": "open"}]},
        "actions": [{"field": "priority", "value": "high"}],
        **values,
    }
    found: int = desk.post("triggers.json", {"trigger": body}, by="olga")["trigger"]["id"]
    return found


def test_triggers_are_found_by_what_they_are(desk: Desk) -> None:
    close = trigger(desk, "Close", description="Close a ticket")
    calm = trigger(desk, "Close calmly", description="Close a ticket", active=False)
    trigger(desk, "Open", description="Open a ticket")

    def found(values: Any, query: str = "") -> list[int]:
        text = quote(json.dumps({"json": values}))
        path = f"triggers/search.json?filter={text}{query}"
        return sorted(ids(desk.get(path, by="olga"), "triggers"))

    told = {"description": "Close a ticket"}
    assert found(told) == sorted([close, calm])
    assert found({**told, "active": True}) == [close]
    assert found(told, "&query=calmly") == [calm]
    assert found({"id": close}) == [close]
    assert found({"title": "Nothing"}) == []
    for text in ("none", "[]", '{"title": "Close"}', '{"json": {"colour": 1}}', '{"json": 7}'):
        path = f"triggers/search.json?filter={quote(text)}"
        assert desk.call("GET", path, by="olga").status == 400, text


def test_categories_come_in_the_order_asked_for(desk: Desk) -> None:
    for name in ("Zebra", "Alpha"):
        desk.post(
            "trigger_categories.json", {"trigger_category": {"name": name}}, status=200, by="olga"
        )
        desk.advance(hours=1)

    def names(asked: str) -> list[str]:
        rows = desk.get(f"trigger_categories.json?{asked}", by="olga")["trigger_categories"]
        return [row["name"] for row in rows]

    for page in ("", "&page[size]=100"):
        rising = names(f"sort=name{page}")
        assert rising == sorted(rising)
        assert names(f"sort=-name{page}") == rising[::-1]
        assert names(f"sort=created_at{page}")[-2:] == ["Zebra", "Alpha"]
        assert names(f"sort=-updated_at{page}")[:2] == ["Alpha", "Zebra"]
        assert names(f"sort=-position{page}") == names(f"sort=position{page}")[::-1]
    assert desk.call("GET", "trigger_categories.json?sort=colour", by="olga").status == 400


@pytest.mark.parametrize("path", ["macros.json", "macros/active.json", "macros/search.json"])
def test_macros_of_a_group(desk: Desk, path: str) -> None:
    first, second = (
        desk.post("groups.json", {"group": {"name": name}}, by="olga")["group"]["id"]
        for name in ("First", "Second")
    )
    made = {}
    for name, groups in (("both", [first, second]), ("one", [second]), ("all", [])):
        macro: dict[str, Any] = {
            "title": name,
            "actions": [{"field": "priority", "value": "high"}],
        }
        if groups:
            macro["restriction"] = {"type": "Group", "id": groups[0], "ids": groups}
        shown = desk.post("macros.json", {"macro": macro}, by="olga")["macro"]
        assert (shown["restriction"] is None) is (not groups)
        made[name] = shown["id"]
    query = "&query=" if "search" in path else ""
    for group, wanted in ((first, ["both"]), (second, ["both", "one"]), (77, [])):
        found = ids(desk.get(f"{path}?group_id={group}{query}", by="olga"), "macros")
        assert sorted(found) == sorted(made[name] for name in wanted)
