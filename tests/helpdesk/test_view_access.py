"""Views by whom they are for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.helpdesk.conftest import Desk

OPEN = {"field": "status", "operator": "is", "value": "open"}
CLOSE = {"field": "status", "value": "solved"}


@pytest.fixture
def group(desk: Desk) -> int:
    """Ana's own view, one of a group that she is in, one of hers that is inactive; the group."""
    key: int = desk.get("groups")["groups"][0]["id"]
    personal = {"type": "User", "id": desk.ids["ana"]}
    make(desk, "Mine", personal, by="ana")
    make(desk, "Mine, asleep", personal, by="ana", active=False)
    make(desk, "Ours", {"type": "Group", "id": key, "ids": [key]})
    return key


def make(desk: Desk, title: str, restriction: Any, by: str = "olga", **more: Any) -> None:
    condition = {"field": "status", "operator": "is", "value": "open"}
    given = {"title": title, "all": [condition], "restriction": restriction, **more}
    desk.post("views", {"view": given}, by=by)


def titles(desk: Desk, query: str) -> set[str]:
    return {view["title"] for view in desk.get(f"views{query}")["views"]}


def test_views_are_listed_by_access_and_group(desk: Desk, group: int) -> None:
    every = titles(desk, "?per_page=100")
    account = every - {"Mine", "Mine, asleep", "Ours"}
    assert account
    assert titles(desk, "?access=personal") == {"Mine", "Mine, asleep"}
    assert titles(desk, "?access=personal&active=true") == {"Mine"}
    assert titles(desk, "?access=account&per_page=100") == account
    assert titles(desk, "?access=shared&per_page=100") == account | {"Ours"}
    assert titles(desk, f"?group_id={group}") == {"Ours"}
    assert titles(desk, "?group_id=1") == set()
    assert titles(desk, "/active?access=personal") == {"Mine"}
    assert titles(desk, "/search?query=mine&access=shared") == set()
    assert titles(desk, "/search?query=mine&access=personal&active=false") == {"Mine, asleep"}
    assert titles(desk, "?access=personal&page[size]=1") <= {"Mine", "Mine, asleep"}


def test_an_access_that_there_is_not_is_refused(desk: Desk) -> None:
    for path in ("views", "views/active", "views/search"):
        assert desk.call("GET", f"{path}?access=everybody&query=x").status == 400


def tags(number: int) -> dict[str, Any]:
    """Return a condition that asks for one of four tags."""
    value = " ".join(f"{number}{letter}" for letter in "abcd")
    return {"field": "current_tags", "operator": "includes", "value": value}


def is_number(number: int) -> dict[str, Any]:
    return {"field": "custom_fields_1", "operator": "is", "value": str(number)}


def is_any_number(number: int) -> dict[str, Any]:
    values = [f"{number}{letter}" for letter in "abcd"]
    return {"field": "custom_fields_1", "operator": "is_not", "value": values}


def hours_open(number: int) -> dict[str, Any]:
    return {"field": "OPEN", "operator": "greater_than", "value": str(number)}


@pytest.mark.parametrize("condition", [tags, is_number, is_any_number, hours_open])
@pytest.mark.parametrize("joined", ["all", "any"])
def test_a_view_asks_for_as_much_as_a_statement_can(
    desk: Desk, condition: Callable[[int], Any], joined: str
) -> None:
    wanted, statuses = list[Any](), set[int]()
    while statuses != {200, 422}:
        wanted += [condition(len(wanted) + number) for number in range(25)]
        view = {"title": "Much", "conditions": {"all": [OPEN], joined: [OPEN, *wanted]}}
        found = desk.call("POST", "views/preview", {"view": view})
        statuses.add(found.status)
        assert len(wanted) < 1000
    assert len(wanted) > 50
    for path in ("views/preview", "views", "triggers"):
        name = path.partition("/")[0][:-1]
        error = desk.call("POST", path, {name: {**view, "actions": [CLOSE]}}, by="olga")
        assert error.status == 422
        [told] = error.body["details"]["conditions"]
        assert told["description"] == "Conditions: are too many"
