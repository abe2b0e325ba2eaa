"""Boards: what they show and to whom, and what cards can be made to do."""

from __future__ import annotations

import re
from typing import Any

import pytest

from clones.tracker.domain.board_configuration import ColumnDraft, add_quick_filter, set_columns
from clones.tracker.domain.numbering import next_id
from clones.tracker.domain.transitions import workflow_of
from clones.tracker.models import Board, Issue, Project, Screen, Transition, User
from clones.tracker.queries.rights import Rights
from tests.tracker.boards import (
    AGILE,
    board_of,
    counted,
    own_scheme,
    running_sprint,
    sprint_on,
    withdraw,
)
from tests.tracker.issues import add_field, configure
from tests.tracker.site import Site
from tests.tracker.web.conftest import Visit, visitor
from tests.tracker.web.pages import Page


def columns(page: Page) -> dict[str, list[str]]:
    """Return the keys of the cards of each column, by its name."""
    found = {}
    for part in page.html.split('data-testid="platform-board-kit.ui.column.draggable-column')[1:]:
        name = re.search(r'column-header__name">([^<]*)<', part)
        assert name is not None
        found[name[1]] = re.findall(r'<article class="card[^>]*data-key="([^"]+)"', part)
    return found


def column_ids(page: Page) -> dict[str, str]:
    """Return the ids of the columns by name."""
    names = re.findall(r'column-header__name">([^<]*)<', page.html)
    return dict(zip(names, re.findall(r'data-column="(\d+)"', page.html), strict=False))


@pytest.fixture
def kanban(site: Site) -> str:
    """The address of the kanban board of OPS."""
    return f"/jira/software/c/projects/OPS/boards/{board_of(site, 'OPS')}"


@pytest.fixture
def dev(site: Site) -> Visit:
    """A developer at the pages."""
    return visitor(site, "dev")


def ops(site: Site, summary: str, **fields: Any) -> str:
    return site.issue(summary, project={"key": "OPS"}, **fields)


def ask_on_the_way(site: Site, key: str, *, beside: bool = False) -> int:
    """Have the transition to Done, then "Close", show a screen that asks for a resolution.

    Args:
        site: the site.
        key: an issue of the workflow.
        beside: whether a second one leads there without a screen.

    Returns:
        Its number.
    """
    with site.writing():
        issue = Issue.objects.select_related("project", "issue_type").get(key=key)
        flow = workflow_of(issue.project, issue.issue_type)
        row = Transition.objects.filter(workflow=flow, to_status__name="Done").order_by("id")[0]
        number = row.number
        row.name, row.screen = "Close", Screen.objects.get(name="Resolve Issue Screen")
        row.save()
        if beside:
            row.id, row.number, row.name, row.screen = next_id(Transition), 900, "Done", None
            row.save(force_insert=True)
    return number


def test_a_board_shows_the_work_of_its_space_in_columns(
    site: Site, kanban: str, dev: Visit
) -> None:
    mine = {"accountId": site.ids["dev"]}
    first, second = ops(site, "Oil the lathe", assignee=mine), ops(site, "Sweep & mop")
    page = dev.get(kanban)
    assert columns(page) == {"To Do": [first, second], "In Progress": [], "Done": []}
    assert page.links(f"{first} ")[
        f"{first} Oil the lathe. Use the enter key to load the work item."
    ] == (f"/browse/{first}")
    assert "Sweep &amp; mop" in page.html
    assert "Assignee: Dev Anand" in page.html
    assert re.search(r"<h3[^>]*>\s*<span[^>]*>To Do</span> <span[^>]*>2</span>", page.html)
    assert "OPS board - Operations - Tracker" in page.html
    # By search, by person, by quick filter, all at once.
    assert columns(dev.get(kanban, search="MOP"))["To Do"] == [second]
    assert columns(dev.get(kanban, assignee=site.ids["dev"]))["To Do"] == [first]
    assert columns(dev.get(kanban, assignee="unassigned"))["To Do"] == [second]
    with site.writing():
        board = Board.objects.get(project__key="OPS")
        admin = Rights(User.objects.get(account_id=site.ids["ada"]))
        quick = add_quick_filter(board, "Only sweeping", "summary ~ sweep", actor=admin)
    narrowed = dev.get(kanban, quickFilter=quick.id)
    assert columns(narrowed)["To Do"] == [second]
    assert "1 of 2" in narrowed.part("platform-board-kit.ui.column.count")
    # Where a board is asked for in another place, its own is shown.
    moved = dev.get(kanban.replace("/c/projects/OPS", "/projects/LAS"), status=302)
    assert moved.location == kanban
    assert dev.get("/jira/software/c/projects/OPS", status=302).location == kanban
    assert f'data-selected="{first}"' in dev.get(kanban, selectedIssue=first).html


def test_lanes_by_person_and_by_epic(site: Site, kanban: str, dev: Visit) -> None:
    epic = ops(site, "Clean shop", issuetype={"name": "Epic"})
    below = ops(site, "Sweep", parent={"key": epic}, assignee={"accountId": site.ids["dana"]})
    ops(site, "Other")
    lanes = re.findall(
        r'lane__name">(.*?)</span> <span class="quiet">(.*?)</span>',
        dev.get(kanban, group="assignee").html,
    )
    assert lanes == [("Dana Ruiz", "1 work item"), ("Unassigned", "2 work items")]
    page = dev.get(kanban, group="parent")
    first, rest = page.html.split('class="lane"')[1:]
    assert "Clean shop" in first
    assert f'data-key="{below}"' in first
    assert "Everything else" in rest
    assert f'data-key="{below}"' not in rest
    assert columns(dev.get(kanban, epic=epic))["To Do"] == [below]


def test_cards_move_between_columns_and_in_the_order(site: Site, kanban: str, dev: Visit) -> None:
    keys = [ops(site, name) for name in ("A", "B", "C")]
    ids = column_ids(dev.get(kanban))
    done = dev.post(f"{kanban}/move?search=", {"issue": keys[0], "column": ids["In Progress"]})
    assert done.location == kanban
    assert f"{keys[0]} moved to In Progress" in dev.get(kanban).main
    assert site.get(f"issue/{keys[0]}?fields=status")["fields"]["status"]["name"] == "In Progress"
    dev.post(f"{kanban}/move", {"issue": keys[2], "before": keys[1]})
    assert columns(dev.get(kanban))["To Do"] == [keys[2], keys[1]]
    dev.post(f"{kanban}/move", {"issue": keys[2], "where": "down"})
    assert columns(dev.get(kanban))["To Do"] == [keys[1], keys[2]]
    dev.post(f"{kanban}/move", {"issue": keys[2], "where": "top"})
    # Into a column, to a place in it.
    sent = {"issue": keys[1], "column": ids["In Progress"], "before": keys[0]}
    dev.post(f"{kanban}/move", sent)
    assert columns(dev.get(kanban)) == {
        "To Do": [keys[2]], "In Progress": [keys[1], keys[0]], "Done": [],
    }  # fmt: skip
    assert (
        "no such column" in dev.post(f"{kanban}/move", {"issue": keys[1], "column": "1"}, 404).text
    )


def test_a_card_takes_the_transition_in_whose_zone_it_is_dropped(
    site: Site, kanban: str, dev: Visit
) -> None:
    keys = [ops(site, name) for name in ("A", "B")]
    ids = column_ids(dev.get(kanban))

    def drop(column: str, height: str, status: int = 302, **place: str) -> Page:
        sent = {"issue": keys[0], "column": ids[column], "height": height, **place}
        return dev.post(f"{kanban}/move", sent, status)

    def status() -> str:
        found: str = site.get(f"issue/{keys[0]}?fields=status")["fields"]["status"]["name"]
        return found

    for height, name in (
        ("0", "Backlog"), ("0.4999", "Backlog"), ("0.5", "Selected for Development"),
        ("1.0000", "Selected for Development"),
    ):  # fmt: skip
        drop("Done", "0.3")
        assert status() == "Done"
        drop("To Do", height, after=keys[1])
        assert status() == name
    # One that leads there alone has no zone: the card goes to its place. In a zone it keeps it.
    assert columns(dev.get(kanban))["To Do"] == keys
    drop("Done", "0.3", after=keys[1])
    drop("To Do", "0.3")
    assert columns(dev.get(kanban))["To Do"] == keys[::-1]
    # Within its column it is ranked, wherever that is.
    drop("To Do", "0.9", before=keys[1])
    assert (columns(dev.get(kanban))["To Do"], status()) == (keys, "Backlog")
    for height in ("2", "1.5", "-0.1", "nan", "0,5", "\u0661", "0." + "1" * 9):
        drop("Done", height, 404)
    assert status() == "Backlog"


def test_a_zone_may_have_a_screen(site: Site, kanban: str, dev: Visit) -> None:
    key = ops(site, "A")
    number = ask_on_the_way(site, key, beside=True)
    ids = column_ids(dev.get(kanban))
    sent = {"issue": key, "column": ids["Done"]}
    asked = [dev.post(f"{kanban}/move", {**sent, "height": height}) for height in ("0.1", "0.9")]
    screen = f"/browse/{key}/transition/{number}?zone=1"
    assert sorted(page.location == screen for page in asked) == [False, True]
    assert site.get(f"issue/{key}?fields=status")["fields"]["status"]["name"] == "Done"


def test_a_refused_move_leaves_the_card_and_says_why(site: Site, kanban: str, dev: Visit) -> None:
    key = ops(site, "A")
    ids = column_ids(dev.get(kanban))
    withdraw(site, "TRANSITION_ISSUES", "OPS")
    page = dev.post(f"{kanban}/move", {"issue": key, "column": ids["Done"]}, 400)
    said = f"{key} was not moved. You do not have permission to transition this issue."
    assert said in page.part("flag")
    assert columns(page)["To Do"] == [key]
    withdraw(site, "SCHEDULE_ISSUES", "OPS")
    other = ops(site, "B")
    page = dev.post(f"{kanban}/move", {"issue": other, "before": key}, 400)
    assert f"You do not have permission to rank issue {other}." in page.part("flag")
    assert "to top" not in dev.get(f"{kanban}/card/{key}").main


def test_the_menu_of_a_card_does_what_dragging_does_and_more(
    site: Site, kanban: str, dev: Visit
) -> None:
    key = ops(site, "A")
    menu = dev.get(f"{kanban}/card/{key}")
    assert menu.links("Open")["Open"] == f"/browse/{key}"
    names = re.findall(r'role="menuitem"[^>]*>([^<]+)<', menu.html.partition('menu--page"')[2])
    assert names == [
        "Open", "Move to To Do: Selected for Development", "Move to In Progress",
        "Move to Done", "Move to top", "Move up", "Move down", "Move to bottom", "Edit summary",
        "Add flag", "Assign to me",
    ]  # fmt: skip
    dev.post(f"{kanban}/card/{key}/flag")
    assert "Flagged" in dev.get(kanban).html
    assert "Remove flag" in dev.get(f"{kanban}/card/{key}").main
    dev.post(f"{kanban}/card/{key}/flag")
    assert 'aria-label="Flagged"' not in dev.get(kanban).html
    dev.post(f"{kanban}/card/{key}/assign")
    assert site.get(f"issue/{key}")["fields"]["assignee"]["displayName"] == "Dev Anand"
    assert "Assign to me" not in dev.get(f"{kanban}/card/{key}").main
    page = dev.get(kanban, edit=key)
    sent = page.form(f"/card/{key}/summary")
    assert sent["summary"] == "A"
    refused = dev.post(f"{kanban}/card/{key}/summary", {"summary": "x" * 300}, 400)
    assert "255" in refused.part("flag")
    assert refused.form(f"/card/{key}/summary")["summary"] == "x" * 300
    dev.post(f"{kanban}/card/{key}/summary", {**sent, "summary": "Better"})
    assert site.get(f"issue/{key}")["fields"]["summary"] == "Better"


def test_a_transition_with_a_screen_shows_it_before_the_card_moves(
    site: Site, kanban: str, dev: Visit
) -> None:
    key = ops(site, "A")
    screen = f"/browse/{key}/transition/{ask_on_the_way(site, key)}"
    ids = column_ids(dev.get(kanban))
    asked = dev.post(f"{kanban}/move", {"issue": key, "column": ids["Done"]})
    assert asked.location == screen
    assert dev.get(f"{kanban}/card/{key}").links("Move")["Move to Done"] == screen
    assert columns(dev.get(kanban))["To Do"] == [key]
    dev.post(screen, {**dev.get(screen).form(screen), "resolution": done_as(site)})
    other = ops(site, "B")
    dev.post(f"{kanban}/move", {"issue": key, "before": other, "passed": "1"})
    page = dev.get(kanban)
    assert f"{key} moved to Done" in page.main
    assert columns(page) == {"To Do": [other], "In Progress": [], "Done": [key]}


def test_a_card_takes_the_transition_without_a_screen_where_there_is_one(
    site: Site, kanban: str, dev: Visit
) -> None:
    key = ops(site, "A")
    number = ask_on_the_way(site, key, beside=True)
    ids = column_ids(dev.get(kanban))
    menu = dev.get(f"{kanban}/card/{key}")
    assert menu.links("Move")["Move to Done: Close"] == f"/browse/{key}/transition/{number}"
    assert "Move to Done: Done" in menu.main
    chosen = {"issue": key, "column": ids["Done"], "transition": str(number)}
    assert dev.post(f"{kanban}/move", chosen).location == f"/browse/{key}/transition/{number}"
    dev.post(f"{kanban}/move", {"issue": key, "column": ids["Done"]})
    assert columns(dev.get(kanban))["Done"] == [key]


def done_as(site: Site) -> str:
    """Return the id of the resolution "Done"."""
    found: str = next(one["id"] for one in site.get("resolution") if one["name"] == "Done")
    return found


def test_work_is_made_in_a_column(site: Site, kanban: str, dev: Visit) -> None:
    ids = column_ids(dev.get(kanban))
    page = dev.get(kanban, create=ids["In Progress"])
    sent = page.form(f"{kanban}/create")
    assert sent["into"] == ids["In Progress"]
    dev.post(f"{kanban}/create", {**sent, "summary": "Made here"})
    key = columns(dev.get(kanban))["In Progress"][0]
    fields = site.get(f"issue/{key}")["fields"]
    assert (fields["summary"], fields["reporter"]["displayName"]) == ("Made here", "Dev Anand")
    # What the space asks for beside a summary refuses it, and nothing is made.
    field, _ = add_field(site, "textfield", "Reason")
    with site.writing():
        scheme = Project.objects.get(key="LAS").field_scheme
        Project.objects.filter(key="OPS").update(field_scheme=scheme)
    configure(site, field, is_required=True)
    refused = dev.post(f"{kanban}/create", {**sent, "summary": "Not made"}, 400)
    assert "Reason is required." in refused.part("flag")
    assert refused.form(f"{kanban}/create")["summary"] == "Not made"
    assert columns(dev.get(kanban))["In Progress"] == [key]
    withdraw(site, "CREATE_ISSUES", "OPS")
    assert "inline-card-create" not in dev.get(kanban).html


def test_limits_of_columns_are_shown_when_they_are_passed(
    site: Site, kanban: str, dev: Visit
) -> None:
    ops(site, "A")
    ops(site, "B")
    with site.writing():
        board = Board.objects.get(project__key="OPS")
        admin = Rights(User.objects.get(account_id=site.ids["ada"]))
        rows = [
            (row.name, [one.status_id for one in row.statuses.all()])
            for row in board.columns.order_by("position")
        ]
        wanted = [ColumnDraft(name, statuses, minimum=1, maximum=1) for name, statuses in rows]
        set_columns(board, wanted, actor=admin)
    page = dev.get(kanban)
    assert re.findall(r'class="column (\w*)"', page.html) == ["over", "under", "under"]
    assert "Max: 1" in page.main


def test_a_scrum_board_shows_the_sprint_that_runs(site: Site, dev: Visit) -> None:
    board = board_of(site)
    path = f"/jira/software/c/projects/LAS/boards/{board}"
    empty = dev.get(path)
    assert "There is no active sprint" in empty.main
    assert empty.links("Go to Backlog")["Go to Backlog"] == f"{path}/backlog"
    inside, _outside = site.issue("In"), site.issue("Out")
    sprint = running_sprint(site, board)
    site.post(f"{AGILE}/sprint/{sprint}/issue", {"issues": [inside]}, status=204)
    page = dev.get(path)
    assert columns(page)["To Do"] == [inside]
    assert page.links("Complete sprint")["Complete sprint"] == f"{path}/sprint/{sprint}/complete"
    assert "Sprint details" in page.main
    # What is made on it is in the sprint.
    ids = column_ids(page)
    form = dev.get(path, create=ids["To Do"]).form(f"{path}/create")
    dev.post(f"{path}/create", {**form, "summary": "New"})
    assert len(columns(dev.get(path))["To Do"]) == 2
    dev.post(f"{path}/card/{inside}/backlog")
    assert inside not in columns(dev.get(path))["To Do"]
    withdraw(site, "MANAGE_SPRINTS_PERMISSION")
    assert "Complete sprint" not in dev.get(path).main


def test_who_does_not_see_a_board_does_not_get_it(site: Site, kanban: str) -> None:
    withdraw(site, "BROWSE_PROJECTS", "OPS")
    page = visitor(site, "dev").get(kanban, status=404)
    assert "The requested board cannot be viewed" in page.text
    assert "Customers have no access" in visitor(site, "cara").get(kanban, status=403).text
    away = visitor(site, "dev").client.post(f"{kanban}/move", {"issue": "OPS-1"})
    assert away.status_code == 403


def test_a_board_whose_filter_names_what_one_does_not_see_says_so(site: Site, dev: Visit) -> None:
    site.issue("Oil", project={"key": "OPS"})
    kept = site.post("filter", {"name": "Both", "jql": "project in (LAS, OPS)"}, status=200)["id"]
    shared = {"type": "authenticated"}
    site.post(f"filter/{kept}/permission", shared)
    place = {"type": "project", "projectKeyOrId": "LAS"}
    body = {"name": "Both", "type": "kanban", "filterId": int(kept), "location": place}
    board = site.post(f"{AGILE}/board", body)["id"]
    address = f"/jira/software/c/projects/LAS/boards/{board}"
    assert "Oil" in dev.get(address).main
    own_scheme(site, "OPS")
    withdraw(site, "BROWSE_PROJECTS", "OPS")
    page = dev.get(address)
    assert page.said == ["The value 'OPS' does not exist for the field 'project'."]
    assert "Oil" not in page.main


def test_boards_are_listed_found_and_made(site: Site, dev: Visit) -> None:
    page = dev.get("/jira/boards")
    assert {"LAS board", "OPS board"} <= set(page.links("board"))
    found = dev.get("/jira/boards", contains="ops")
    assert "LAS board" not in found.main
    form = dev.get("/jira/boards/create").form("/jira/boards/create")
    wrong = dev.post("/jira/boards/create", {**form, "name": " "}, 400)
    assert "The board name must be specified." in wrong.main
    sent = {**form, "name": "Second", "type": "kanban", "space": "OPS"}
    made = dev.post("/jira/boards/create", sent)
    assert made.location.startswith("/jira/software/c/projects/OPS/boards/")
    boards = site.get(f"{AGILE}/board?name=Second", by="dev")["values"]
    assert [(board["name"], board["type"]) for board in boards] == [("Second", "kanban")]
    own = dev.post("/jira/boards/create", {**sent, "name": "Mine", "space": ""}).location
    assert own.startswith(f"/jira/people/{site.ids['dev']}/boards/")
    assert dev.get(own).status == 200


def test_a_board_costs_as_many_statements_for_many_cards_as_for_few(
    site: Site, kanban: str, dev: Visit
) -> None:
    person = {"accountId": site.ids["dev"]}
    epic = ops(site, "Epic", issuetype={"name": "Epic"})
    for at in range(3):
        ops(site, f"Card {at}", parent={"key": epic}, assignee=person)
    dev.get(kanban, group="parent")
    with counted(site) as few:
        dev.get(kanban, group="parent")
    for at in range(9):
        ops(site, f"More {at}", parent={"key": epic}, assignee=person)
    with counted(site) as many:
        dev.get(kanban, group="parent")
    assert len(many) == len(few)


def test_a_sprint_of_a_space_is_not_on_a_board_of_another(site: Site, dev: Visit) -> None:
    board = board_of(site)
    sprint = sprint_on(site, board, "Later")
    kanban = f"/jira/software/c/projects/OPS/boards/{board_of(site, 'OPS')}"
    assert dev.get(f"{kanban}/backlog", status=302).location == kanban
    assert "Sprint details" not in dev.get(kanban).main
    assert f"sprint/{sprint}" not in dev.get(kanban).html
