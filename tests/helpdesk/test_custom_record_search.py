"""Records of custom objects, found by words, by parts of their names, and by filters."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from snapshots.manifest import Manifest
from snapshots.sandboxes import Sandboxes
from tests.helpdesk.conftest import Desk, image_after
from tests.helpdesk.test_custom_objects import add_field, choices, machine
from tests.helpdesk.test_custom_records import RECORDS, make, names, open_shop
from tests.sandbox_pool import SandboxPool

SEARCH, PARTS = f"{RECORDS}/search", f"{RECORDS}/autocomplete"


def stock(shop: Desk) -> None:
    """Add machines, and another object whose fields have the same keys."""
    open_shop(shop)
    body = {"organization": {"name": "Beta"}}
    beta = shop.post("organizations.json", body, by="olga")["organization"]["id"]
    make(
        shop,
        "Hobby 40",
        external_id="x-1",
        model="K40",
        notes="Cuts plywood",
        leased=True,
        bought="2024-05-01",
        hours=9,
        power=40.5,
        colour="red",
        extras=["fan", "lamp"],
        owner="900",
    )
    shop.advance(hours=1)
    make(shop, "Pro 100", model="P100 hobbyist", bought="2025-01-31", hours=120, power=100)
    shop.advance(hours=1)
    make(
        shop,
        "Pro 60",
        by="ben",
        model="p60",
        colour="blue",
        extras=["case"],
        owner=str(beta),
        hours=9,
    )
    machine(shop, key="site", title="Site", title_pluralized="Sites")
    add_field(shop, "hours", of="site")
    add_field(shop, "model", "dropdown", of="site", custom_field_options=choices("open"))
    values = {"hours": "nine to five", "model": "open"}
    record = {"name": "Hobby house", "custom_object_fields": values}
    shop.post("custom_objects/site/records", {"custom_object_record": record})


@pytest.fixture(scope="session")
def stocked_image(sandboxes: Sandboxes, desk_image: Manifest) -> Manifest:
    """An image of a desk with these."""
    return image_after(stock, "a-shop-with-machines", desk_image, sandboxes)


@pytest.fixture
def stocked(sandbox_pool: SandboxPool, stocked_image: Manifest) -> Iterator[Desk]:
    """A desk with machines, and with another object whose fields have the same keys."""
    with sandbox_pool.borrow(stocked_image) as row:
        yield Desk(row)


def found(desk: Desk, given: Any, query: str = "") -> list[str]:
    body = desk.post(f"{SEARCH}?sort=name{query}", {"filter": given}, status=200)
    assert body["count"] == len(body["custom_object_records"])
    return names(body)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("hobby", ["Hobby 40", "Pro 100"]),
        ("HOB", ["Hobby 40", "Pro 100"]),
        ("obby", []),
        ("pro 60", ["Pro 60", "Pro 100"]),
        ("plywood", ["Hobby 40"]),
        ("x", ["Hobby 40"]),
        ("red", []),
        ("", ["Hobby 40", "Pro 100", "Pro 60"]),
    ],
)
def test_records_are_found_by_words(stocked: Desk, query: str, expected: list[str]) -> None:
    assert names(stocked.get(f"{SEARCH}?query={query}")) == expected


def test_what_is_found_comes_in_pages_and_in_the_order_asked_for(stocked: Desk) -> None:
    first = stocked.get(f"{SEARCH}?query=pro hobby&page[size]=2")
    assert (names(first), first["count"]) == (["Pro 100", "Hobby 40"], 2)
    assert first["links"]["prev"] is None
    cursor = first["meta"]["after_cursor"]
    second = stocked.get(f"{SEARCH}?query=pro hobby&page[size]=2&page[after]={cursor}")
    assert (names(second), second["meta"]["has_more"]) == (["Pro 60"], False)
    assert names(stocked.get(f"{SEARCH}?sort=-name")) == ["Pro 60", "Pro 100", "Hobby 40"]
    late = stocked.get(f"{SEARCH}?sort=-created_at&page[size]=1")
    assert names(late) == ["Pro 60"]
    cursor = late["meta"]["after_cursor"]
    later = stocked.get(f"{SEARCH}?sort=-created_at&page[size]=1&page[after]={cursor}")
    assert names(later) == ["Pro 100"]
    for path in (f"{SEARCH}?sort=hours", f"{PARTS}?sort=hours", f"{SEARCH}?page[size]=0"):
        assert stocked.call("GET", path).status == 400
    assert stocked.call("GET", "custom_objects/none/records/search?query=x").status == 404
    assert stocked.call("GET", "custom_objects/none/records/autocomplete?name=x").status == 404


def test_records_are_found_by_a_part_of_their_name(stocked: Desk) -> None:
    assert names(stocked.get(f"{PARTS}?name=hob")) == ["Hobby 40"]
    assert names(stocked.get(f"{PARTS}?name=plywood")) == []
    assert names(stocked.get(f"{PARTS}?name=pro&page[size]=1")) == ["Pro 100"]
    target = "zen:custom_object:machine"
    field = add_field(stocked, "best", "lookup", of="site", relationship_target_type=target)
    source = "source=zen:custom_object:site"
    assert names(stocked.get(f"{PARTS}?name=hob&field_id={field['id']}&{source}")) == ["Hobby 40"]
    assert stocked.call("GET", f"{PARTS}?name=hob&{source}").status == 400
    assert stocked.call("GET", f"{PARTS}?name=hob&field_id=5&{source}").status == 404
    assert stocked.call("GET", f"{PARTS}?name=hob&field_id=5&source=zen:user").status == 404


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({}, ["Hobby 40", "Pro 100", "Pro 60"]),
        ({"external_id": {"$eq": "x-1"}}, ["Hobby 40"]),
        ({"name": {"$contains": "pro"}}, ["Pro 100", "Pro 60"]),
        ({"created_by_user": {"$eq": "ben"}}, ["Pro 60"]),
        ({"updated_by_user": {"$eq": "ana"}}, ["Hobby 40", "Pro 100"]),
        ({"name": {"$contains": "o"}, "external_id": {"$eq": "x-1"}}, ["Hobby 40"]),
        ({"$or": [{"external_id": {"$eq": "x-1"}}, {"name": {"$contains": "60"}}]}, [0, 2]),
        ({"$and": [{"name": {"$contains": "pro"}}, {"name": {"$contains": "60"}}]}, [2]),
    ],
)
def test_records_are_filtered_by_what_every_object_has(
    stocked: Desk, given: Any, expected: list[Any]
) -> None:
    for name in ("created_by_user", "updated_by_user"):
        if name in given:
            given = {name: {"$eq": str(stocked.ids[given[name]["$eq"]])}}
    every = ["Hobby 40", "Pro 100", "Pro 60"]
    wanted = [every[item] if isinstance(item, int) else item for item in expected]
    assert found(stocked, given) == wanted


def test_records_are_filtered_by_time(stocked: Desk) -> None:
    second = stocked.get(f"{SEARCH}?query=p100")["custom_object_records"][0]
    moment = second["created_at"]
    assert found(stocked, {"created_at": {"$gt": moment}}) == ["Pro 60"]
    assert found(stocked, {"created_at": {"$gte": moment}}) == ["Pro 100", "Pro 60"]
    assert found(stocked, {"updated_at": {"$gt": "2999-01-01"}}) == []


@pytest.mark.parametrize(
    ("key", "asked", "expected"),
    [
        ("model", {"$eq": "K40"}, [0]),
        ("model", {"$eq": "k40"}, []),
        ("model", {"$noteq": "K40"}, [1, 2]),
        ("model", {"$contains": "HOBBY"}, [1]),
        ("model", {"$notcontains": "hobby"}, [0, 2]),
        ("notes", {"$exists": True}, [0]),
        ("notes", {"$exists": False}, [1, 2]),
        ("leased", {"$eq": True}, [0]),
        ("leased", {"$eq": "false"}, [1, 2]),
        ("leased", {"$noteq": True}, [1, 2]),
        ("bought", {"$eq": "2024-05-01"}, [0]),
        ("bought", {"$gt": "2024-05-01"}, [1]),
        ("bought", {"$gte": "2024-05-01", "$lt": "2025-01-31"}, [0]),
        ("bought", {"$lte": "2025-01-31T00:00:00+00:00"}, [0, 1]),
        ("hours", {"$eq": 9}, [0, 2]),
        ("hours", {"$noteq": "9"}, [1]),
        ("hours", {"$gt": 9}, [1]),
        ("hours", {"$gte": 9}, [0, 1, 2]),
        ("hours", {"$lt": 100}, [0, 2]),
        ("power", {"$gt": 40}, [0, 1]),
        ("power", {"$lte": 40.5}, [0]),
        ("power", {"$eq": 100}, [1]),
        ("power", {"$exists": False}, [2]),
        ("colour", {"$eq": "red"}, [0]),
        ("colour", {"$noteq": "red"}, [1, 2]),
        ("colour", {"$in": ["red", "blue"]}, [0, 2]),
        ("colour", {"$notin": ["red"]}, [1, 2]),
        ("extras", {"$contains": "lamp"}, [0]),
        ("extras", {"$notcontains": "lamp"}, [1, 2]),
        ("owner", {"$eq": "900"}, [0]),
        ("owner", {"$exists": True}, [0, 2]),
    ],
)
def test_unverified_which_operators_each_type_of_field_takes(
    stocked: Desk, key: str, asked: Any, expected: list[int]
) -> None:
    every = ["Hobby 40", "Pro 100", "Pro 60"]
    given = {f"custom_object_fields.{key}": asked}
    assert found(stocked, given) == [every[item] for item in expected]


def test_records_that_refer_to_another_are_listed(stocked: Desk) -> None:
    owner = stocked.get("custom_objects/machine/fields/owner")["custom_object_field"]["id"]
    source = "zen:custom_object:machine"
    path = f"zen:organization/900/relationship_fields/{owner}/{source}"
    assert names(stocked.get(path)) == ["Hobby 40"]
    late = make(stocked, "Later", owner="900")
    whole = stocked.get(f"{path}?per_page=1&page=2")
    assert (whole["custom_object_records"], whole["count"]) == ([late], 2)
    first = stocked.get(f"{path}?page[size]=1")
    assert (names(first), first["meta"]["has_more"]) == (["Hobby 40"], True)
    key = add_field(stocked, "next", "lookup", relationship_target_type=source)["id"]
    make(stocked, "First", next=late["id"])
    found = stocked.get(f"{source}/{late['id']}/relationship_fields/{key}/{source}")
    assert names(found) == ["First"]
    for wrong in (
        f"zen:organization/901/relationship_fields/{owner}/{source}",
        f"zen:user/{stocked.ids['ana']}/relationship_fields/{owner}/{source}",
        f"zen:boat/900/relationship_fields/{owner}/{source}",
        f"zen:organization/900/relationship_fields/5/{source}",
        f"zen:organization/900/relationship_fields/{owner}/zen:ticket",
        f"zen:organization/900/relationship_fields/{owner}/zen:custom_object:none",
    ):
        assert stocked.call("GET", wrong).status == 404, wrong
    assert stocked.call("GET", path, by="rosa").status == 403


def test_a_filter_and_words_narrow_each_other(stocked: Desk) -> None:
    given = {"custom_object_fields.hours": {"$eq": 9}}
    assert found(stocked, given, "&query=pro") == ["Pro 60"]
    body = stocked.post(f"{SEARCH}?query=pro&page[size]=1", {"filter": {}}, status=200)
    assert (names(body), body["meta"]["has_more"]) == (["Pro 100"], True)


@pytest.mark.parametrize(
    "given",
    [
        {"colour": {"$eq": "red"}},
        {"custom_object_fields.wheels": {"$eq": 4}},
        {"custom_object_fields.colour": "red"},
        {"custom_object_fields.colour": {}},
        {"custom_object_fields.colour": {"$gt": "red"}},
        {"custom_object_fields.colour": {"$in": "red"}},
        {"custom_object_fields.colour": {"$eq": None}},
        {"custom_object_fields.colour": {"$exists": "yes"}},
        {"custom_object_fields.hours": {"$eq": "many"}},
        {"custom_object_fields.bought": {"$gt": "soon"}},
        {"created_at": {"$gt": "soon"}},
        {"created_by_user": {"$eq": "ana"}},
        {"$or": {"name": {"$eq": "x"}}},
        {"$or": []},
        {"$not": [{"name": {"$eq": "x"}}]},
        {"$and": [{"$and": [{"$and": [{"$and": [{"$and": [{"name": {"$eq": "x"}}]}]}]}]}]},
        {"$and": [{"name": {"$eq": "x"}}] * 101},
        {"name": {"$eq": "a\0b"}},
    ],
)
def test_a_filter_that_cannot_be_answered_is_refused(stocked: Desk, given: Any) -> None:
    answer = stocked.call("POST", SEARCH, {"filter": given})
    assert (answer.status, answer.body["error"]["title"]) == (400, "Invalid attribute")


@pytest.mark.parametrize("key", ["1_0", "0_1", "_7", "7a"])
def test_keys_are_taken_as_they_are_written(stocked: Desk, key: str) -> None:
    add_field(stocked, key)
    add_field(stocked, f"{key}_n", "integer")
    values: dict[str, Any] = {key: "violet", f"{key}_n": 5}
    make(stocked, "Violet", **values)
    for comparison in (
        {f"custom_object_fields.{key}": {"$eq": "violet"}},
        {f"custom_object_fields.{key}": {"$exists": True}},
        {f"custom_object_fields.{key}_n": {"$gt": 4}},
        {f"custom_object_fields.{key}_n": {"$eq": 5}},
    ):
        assert found(stocked, comparison) == ["Violet"], comparison
    assert names(stocked.get(f"{SEARCH}?query=violet")) == ["Violet"]
