"""The settings of a board: what they change is what the API and the board then show."""

from __future__ import annotations

import re
from datetime import date
from typing import Any

import pytest

from clones.tracker.models import Board, BoardColumn, Status
from clones.tracker.rules.board_settings import working_days
from tests.tracker.boards import AGILE, board_of, counted
from tests.tracker.site import Site
from tests.tracker.web.conftest import Visit, visitor

OPS = "/jira/software/c/projects/OPS/boards/"


@pytest.fixture
def board(site: Site) -> int:
    """The id of the kanban board of OPS."""
    return board_of(site, "OPS")


@pytest.fixture
def at(board: int) -> str:
    """Its address."""
    return f"{OPS}{board}"


@pytest.fixture
def ada(site: Site) -> Visit:
    """An admin of the site at the pages."""
    return visitor(site)


def columns(site: Site, board: int) -> dict[str, list[str]]:
    """Return the statuses of a board's columns, by name, as the API has them."""
    found = site.get(f"{AGILE}/board/{board}/configuration")["columnConfig"]["columns"]
    with site.store():
        names = {str(key): name for key, name in Status.objects.values_list("id", "name")}
    return {one["name"]: [names[row["id"]] for row in one["statuses"]] for one in found}


def column_ids(site: Site, board: int) -> dict[str, int]:
    with site.store():
        rows = BoardColumn.objects.filter(board=board)
        return {name: key for key, name in rows.values_list("id", "name")}


def status_id(site: Site, name: str) -> int:
    with site.store():
        return Status.objects.get(name=name, project=None).id


def settings(site: Site, board: int) -> dict[str, Any]:
    with site.store():
        found: dict[str, Any] = Board.objects.get(id=board).settings
        return found


def test_columns_are_added_renamed_limited_moved_and_deleted(
    site: Site, board: int, at: str, ada: Visit
) -> None:
    before = column_ids(site, board)
    first = columns(site, board)
    ada.post(f"{at}/config/columns/add", {"name": " Review "})
    assert list(columns(site, board)) == ["To Do", "In Progress", "Review", "Done"]
    ids = column_ids(site, board)
    assert {name: ids[name] for name in before} == before
    changed = ada.change(
        f"{at}/config/columns/{ids['In Progress']}",
        f"{at}/config/columns/{ids['In Progress']}",
        name="Doing", minimum="1", maximum="3",
    )  # fmt: skip
    assert changed.location == f"{at}?config=columns"
    found = site.get(f"{AGILE}/board/{board}/configuration")["columnConfig"]["columns"]
    assert [one["name"] for one in found] == ["To Do", "Doing", "Review", "Done"]
    assert (found[1]["min"], found[1]["max"]) == (1, 3)
    assert [row["id"] for row in found[1]["statuses"]] == [
        str(status_id(site, name)) for name in first["In Progress"]
    ]
    ada.post(f"{at}/config/columns/order", {"item": ids["Review"], "place": 0})
    assert list(columns(site, board)) == ["Review", "To Do", "Doing", "Done"]
    asked = ada.get(f"{at}/config/columns/{ids['Review']}/delete")
    assert "Delete column Review?" in asked.main
    assert list(columns(site, board)) == ["Review", "To Do", "Doing", "Done"]
    ada.post(f"{at}/config/columns/{ids['Review']}/delete")
    assert list(columns(site, board)) == ["To Do", "Doing", "Done"]
    assert column_ids(site, board)["Doing"] == before["In Progress"]


def test_statuses_are_mapped_to_columns_and_to_none(
    site: Site, board: int, at: str, ada: Visit
) -> None:
    key = site.issue("Oil the lathe", project={"key": "OPS"})
    mine = columns(site, board)
    name = mine["To Do"][0]
    ids, status = column_ids(site, board), status_id(site, name)
    page = ada.get(at, config="columns")
    assert f'aria-label="Column of {name}"' in page.html
    sent = {"item": status, "into": ids["In Progress"], "place": 0}
    ada.post(f"{at}/config/columns/statuses", sent)
    assert columns(site, board)["In Progress"] == [name, *mine["In Progress"]]
    assert columns(site, board)["To Do"] == mine["To Do"][1:]
    # Where it is chosen once more, without a place, nothing changes.
    ada.post(f"{at}/config/columns/statuses", {"item": status, "into": ids["In Progress"]})
    assert columns(site, board)["In Progress"] == [name, *mine["In Progress"]]
    ada.post(f"{at}/config/columns/statuses", {"item": status, "into": ""})
    assert name not in columns(site, board)["In Progress"]
    loose = ada.get(at, config="columns").html.partition("Statuses of Unmapped statuses")[2]
    assert f">{name}</span>" in loose.partition("</ul>")[0]
    assert "1 work item" in loose.partition("</ul>")[0]
    assert f'data-key="{key}"' not in ada.get(at).html
    ada.post(f"{at}/config/columns/statuses", {"item": 10**9, "into": ""}, 404)
    ada.post(f"{at}/config/columns/statuses", {"item": status, "into": "77"}, 404)


def test_what_is_wrong_with_a_column_is_said_and_nothing_changes(
    site: Site, board: int, at: str, ada: Visit
) -> None:
    before = columns(site, board)
    ids = column_ids(site, board)
    edit = f"{at}/config/columns/{ids['Done']}"
    page = ada.post(edit, {"name": "Done", "minimum": "5", "maximum": "2"}, 400)
    assert page.said == ["The minimum of a column cannot be greater than its maximum."]
    assert 'value="5"' in page.html
    assert ada.post(edit, {"name": "Done", "minimum": "many"}, 400).said == [
        "many is not a whole number."
    ]
    nameless = ada.post(f"{at}/config/columns/add", {"name": " "}, 400)
    assert nameless.said == ["A name of 1 to 255 characters is required."]
    for name in ("To Do", "In Progress"):
        ada.post(f"{at}/config/columns/{ids[name]}/delete")
    last = ada.post(f"{at}/config/columns/{ids['Done']}/delete", status=400)
    assert last.said == ["A board needs at least one column."]
    assert columns(site, board) == {"Done": before["Done"]}
    page = ada.post(f"{at}/config/columns/constraint", {"constraint": "weight"}, 400)
    assert page.said == ["'weight' is none of none, issueCount, issueCountExclSubs."]


def test_limits_count_and_the_first_column_can_be_a_backlog(
    site: Site, board: int, at: str, ada: Visit
) -> None:
    ada.post(f"{at}/config/columns/constraint", {"constraint": "issueCountExclSubs"})
    found = site.get(f"{AGILE}/board/{board}/configuration")["columnConfig"]
    assert found["constraintType"] == "issueCountExclSubs"
    ada.post(f"{at}/config/columns/backlog", {"on": "on"})
    assert settings(site, board)["backlog"] is True
    assert "To Do" not in re.findall(r'column-header__name">([^<]*)<', ada.get(at).html)
    ada.post(f"{at}/config/columns/backlog", {})
    assert settings(site, board)["backlog"] is False


def test_quick_filters_are_kept_in_order_and_their_jql_is_checked(
    site: Site, board: int, at: str, ada: Visit
) -> None:
    add = f"{at}/config/quickFilters/add"
    page = ada.post(add, {"name": "Mine", "jql": "assignee ="}, 400)
    assert len(page.said) == 1
    assert "Expecting either a value, list or function before the end of the query" in page.said[0]
    assert site.get(f"{AGILE}/board/{board}/quickfilter")["values"] == []
    ada.post(add, {"name": "Mine", "jql": "assignee = currentUser()", "description": "My own"})
    ada.post(add, {"name": "Bugs", "jql": "type = Bug"})
    rows = site.get(f"{AGILE}/board/{board}/quickfilter")["values"]
    assert [(row["name"], row["jql"], row["description"]) for row in rows] == [
        ("Mine", "assignee = currentUser()", "My own"),
        ("Bugs", "type = Bug", ""),
    ]
    mine, bugs = (row["id"] for row in rows)
    ada.post(f"{at}/config/quickFilters/order", {"item": bugs, "place": 0})
    ada.change(
        f"{at}/config/quickFilters/{mine}",
        f"{at}/config/quickFilters/{mine}",
        jql="assignee is EMPTY",
    )
    rows = site.get(f"{AGILE}/board/{board}/quickfilter")["values"]
    assert [(row["id"], row["jql"]) for row in rows] == [
        (bugs, "type = Bug"),
        (mine, "assignee is EMPTY"),
    ]
    ada.post(f"{at}/config/quickFilters/{bugs}/delete")
    assert [row["id"] for row in site.get(f"{AGILE}/board/{board}/quickfilter")["values"]] == [mine]
    ada.get(f"{at}/config/quickFilters/{bugs}", 404)


def test_swimlanes_by_queries_are_the_lanes_of_the_board(
    site: Site, board: int, at: str, ada: Visit
) -> None:
    fast = site.issue("Fast", project={"key": "OPS"}, labels=["expedite"])
    slow = site.issue("Slow", project={"key": "OPS"})
    ada.post(f"{at}/config/swimlanes/base", {"swimlanes": "query"})
    add = f"{at}/config/swimlanes/add"
    ada.post(add, {"name": "Expedite", "jql": "labels = expedite"})
    ada.post(add, {"name": "All of them", "jql": "project = OPS"})
    assert "Expedite" in ada.get(at, config="swimlanes").main
    lanes = re.findall(r'lane__name">(.*?)</span>', ada.get(at).html)
    assert lanes == ["Expedite", "All of them"]
    first, second = ada.get(at).html.split('class="lane"')[1:]
    assert f'data-key="{fast}"' in first
    assert f'data-key="{slow}"' in second
    ada.post(f"{at}/config/swimlanes/order", {"item": 2, "place": 0})
    assert [one["name"] for one in settings(site, board)["swimlanes"]] == [
        "All of them",
        "Expedite",
    ]
    ada.post(f"{at}/config/swimlanes/2/delete")
    ada.change(f"{at}/config/swimlanes/1", f"{at}/config/swimlanes/1", name="Urgent")
    lanes = re.findall(r'lane__name">(.*?)</span>', ada.get(at).html)
    assert lanes == ["Urgent", "Everything else"]
    assert ada.post(add, {"name": "", "jql": "type = Bug"}, 400).said == [
        "A name of 1 to 255 characters is required."
    ]


def test_cards_show_the_chosen_fields_and_colours(
    site: Site, board: int, at: str, ada: Visit
) -> None:
    key = site.issue("Oil", project={"key": "OPS"}, labels=["lathe"], duedate="2026-07-01")
    ada.post(
        f"{at}/config/cardLayout/fields",
        {"place": "board", "board-1": "labels", "board-2": "duedate", "board-3": ""},
    )
    card = ada.get(at).html.partition(f'id="card-{key}"')[2].partition("</article>")[0]
    assert 'title="Labels: lathe"' in card
    assert "Due date: " in card
    twice = {"place": "board", "board-1": "labels", "board-2": "labels"}
    page = ada.post(f"{at}/config/cardLayout/fields", twice, 400)
    assert page.said == ["You can show up to 3 different fields on a card."]
    ada.post(f"{at}/config/cardColors/base", {"by": "custom"})
    ada.post(f"{at}/config/cardColors/add", {"color": "color_9", "jql": "labels = lathe"})
    assert f'class="card stripe--color_9" id="card-{key}"' in ada.get(at).html
    ada.post(f"{at}/config/cardColors/base", {"by": "issuetype"})
    form = ada.get(at, config="cardColors").form("/config/cardColors/colours")
    task = next(name for name in form if name.startswith("issuetype-"))
    ada.post(f"{at}/config/cardColors/colours", {**form, task: "color_3"})
    assert settings(site, board)["cardColors"]["colors"] == {task: "color_3"}
    ada.post(f"{at}/config/cardColors/colours", {**form, task: ""})
    assert settings(site, board)["cardColors"]["colors"] == {}


def test_estimates_and_working_days(site: Site, ada: Visit) -> None:
    board = board_of(site, "LAS")
    at = f"/jira/software/c/projects/LAS/boards/{board}"
    ada.post(f"{at}/config/estimation/statistic", {"estimation": "timeoriginalestimate"})
    found = site.get(f"{AGILE}/board/{board}/configuration")["estimation"]
    assert found["field"]["fieldId"] == "timeoriginalestimate"
    page = ada.post(f"{at}/config/estimation/statistic", {"estimation": "summary"}, 400)
    assert page.said == ["Field 'summary' cannot be used for estimation."]
    days = {"timeZone": "Europe/Berlin", "days": ["monday", "wednesday"]}
    ada.post(f"{at}/config/workingDays/days", days)
    ada.post(f"{at}/config/workingDays/add", {"day": "2026-06-15"})
    kept = working_days(settings(site, board))
    assert (kept.zone, kept.days, kept.off) == (
        "Europe/Berlin",
        frozenset({0, 2}),
        frozenset({date(2026, 6, 15)}),
    )
    assert [kept.works_on(date(2026, 6, day)) for day in (15, 16, 17)] == [False, False, True]
    ada.post(f"{at}/config/workingDays/remove", {"day": "2026-06-15"})
    assert working_days(settings(site, board)).off == frozenset()
    assert ada.post(f"{at}/config/workingDays/days", {**days, "days": []}, 400).said == [
        "Choose at least one working day."
    ]
    # A board without sprints has nothing to estimate.
    ada.get(f"{OPS}{board_of(site, 'OPS')}", 404, config="estimation")


def test_general_settings_and_who_may_open_them(
    site: Site, board: int, at: str, ada: Visit
) -> None:
    dev = visitor(site, "dev")
    said = dev.get(at, 403, config="columns").text
    assert "You do not have permission to edit this board." in said
    dev.post(f"{at}/config/columns/add", {"name": "Mine"}, 403)
    assert "Board settings" not in dev.get(at).links()
    assert ada.get(at).links()["Board settings"] == f"{at}?config=general"
    ada.post(f"{at}/config/general/name", {"name": "Shop floor"})
    ada.change(
        f"{at}/config/general/admins", f"{at}/config/general/admins",
        users=[site.ids["ada"], site.ids["dev"]],
    )  # fmt: skip
    dev.get(at, config="columns")
    assert dev.get(at).links()["Board settings"] == f"{at}?config=general"
    found = site.post(
        "filter", {"name": "Bugs of OPS", "jql": "project = OPS AND type = Bug"}, status=200
    )
    ada.post(f"{at}/config/general/filter", {"filter": found["id"]})
    ada.post(f"{at}/config/general/subfilter", {"jql": "labels is EMPTY"})
    shown = site.get(f"{AGILE}/board/{board}/configuration")
    assert (shown["name"], shown["filter"]["id"]) == ("Shop floor", found["id"])
    assert shown["subQuery"]["query"] == "labels is EMPTY"
    nobody: dict[str, list[str]] = {"users": [], "groups": []}
    assert ada.post(f"{at}/config/general/admins", nobody, 400).said == [
        "A board needs at least one administrator."
    ]
    moved = ada.post(f"{at}/config/general/location", {"space": ""})
    assert moved.location.startswith("/jira/people/")
    location = site.get(f"{AGILE}/board/{board}")["location"]
    assert location["userAccountId"] == site.ids["ada"]
    ada.post(f"{at}/config/general/delete")
    site.get(f"{AGILE}/board/{board}", status=404)


def test_every_page_of_the_settings_asks_the_same_number_of_statements(
    site: Site, board: int, at: str, ada: Visit
) -> None:
    def asked() -> dict[str, int]:
        found = {}
        for name in ("columns", "quickFilters", "swimlanes", "cardLayout", "cardColors"):
            with counted(site) as statements:
                ada.get(at, config=name)
            found[name] = len(statements)
        return found

    asked()
    few = asked()
    for number in range(4):
        site.issue(f"Task {number}", project={"key": "OPS"})
        ada.post(f"{at}/config/columns/add", {"name": f"Column {number}"})
        ada.post(f"{at}/config/quickFilters/add", {"name": f"Q{number}", "jql": "type = Bug"})
    assert asked() == few
