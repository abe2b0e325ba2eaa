"""Boards and backlogs in a real browser: dragging, and by keyboard alone."""

from __future__ import annotations

import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from clones.tracker.domain.board_configuration import ColumnDraft, set_columns
from clones.tracker.models import Board, User
from clones.tracker.queries.boards import columns_of, statuses_of
from clones.tracker.queries.rights import Rights
from episodes.browser import find_browser
from tests.tracker.boards import AGILE, board_of, running_sprint, sprint_on, withdraw
from tests.tracker.site import Site
from tests.tracker.web.test_boards import ask_on_the_way

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

pytestmark = pytest.mark.browser

NOTE = Path(__file__).resolve().parents[3] / ".sandlot" / "browser"
CARD = "platform-board-kit.ui.card.card"
COLUMN = "platform-board-kit.ui.column.draggable-column.styled-wrapper"
KEY = "platform-card.common.ui.key.key"
ROW = "software-backlog.card-list.card.content-container"


def play_at(
    site: Site, port: str, path: str, play: Callable[[Page, Any], Any], *, login: str = "dev"
) -> Any:
    """Return what a play on a page comes to; a script that fails, or breaks the policy, fails.

    It runs in a thread of its own: Playwright's loop keeps the ORM out.
    """
    complaints: list[str] = []
    card = site.cards[login]

    def run() -> Any:
        from playwright.sync_api import (  # noqa: PLC0415 - an extra, see the marker
            expect,
            sync_playwright,
        )

        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=find_browser(note=NOTE), args=["--no-sandbox", "--disable-gpu"]
            )
            page = browser.new_page(viewport={"width": 1280, "height": 720})
            page.set_default_timeout(30_000)
            expect.set_options(timeout=30_000)
            page.on("pageerror", lambda error: complaints.append(str(error)))
            page.on(
                "console",
                lambda said: complaints.append(said.text) if "Policy" in said.text else None,
            )
            page.goto(f"http://tracker.{site.row.id}.localhost:{port}{path}")
            page.get_by_label("Email").fill(card.login)
            page.get_by_label("Password").fill(card.secrets["password"])
            with page.expect_navigation():
                page.get_by_role("button", name="Log in").click()
            try:
                return play(page, expect)
            finally:
                browser.close()

    with ThreadPoolExecutor(1) as threads:
        found = threads.submit(run).result()
    assert complaints == []
    return found


def status_of(site: Site, key: str) -> str:
    found: str = site.get(f"issue/{key}?fields=status")["fields"]["status"]["name"]
    return found


def test_cards_are_dragged_and_moved_by_their_menus(site: Site, port: str) -> None:
    board = board_of(site, "OPS")
    keys = [site.issue(name, project={"key": "OPS"}) for name in ("Oil", "Sweep", "Mop")]

    def play(page: Page, expect: Any) -> None:
        column = page.get_by_test_id("platform-board-kit.ui.column.draggable-column.styled-wrapper")
        doing = column.filter(has=page.get_by_role("heading", name="In Progress"))
        cards = page.get_by_test_id(CARD)
        cards.filter(has_text="Sweep").drag_to(doing)
        expect(doing.get_by_test_id(CARD)).to_have_count(1)
        expect(page.get_by_role("status")).to_contain_text(f"{keys[1]} moved to In Progress")
        # Onto the upper half of a card: before it.
        top = {"x": 40, "y": 4}
        cards.filter(has_text="Mop").drag_to(cards.filter(has_text="Sweep"), target_position=top)  # type: ignore[arg-type] # a typed dictionary
        expect(doing.get_by_test_id(KEY)).to_have_text([keys[2], keys[1]])
        # The same by keyboard.
        menu = cards.filter(has_text="Oil").get_by_role("button", name="Card actions")
        menu.focus()
        page.keyboard.press("Enter")
        expect(page.get_by_role("menuitem", name="Open")).to_be_focused()
        page.keyboard.press("Escape")
        expect(page.get_by_role("menu")).to_have_count(0)
        expect(menu).to_be_focused()
        page.keyboard.press("Enter")
        page.get_by_role("menuitem", name="Move to Done").press("Enter")
        expect(column.last.get_by_test_id(CARD)).to_have_count(1)
        # Filters as one types, and inline.
        page.get_by_role("searchbox", name="Search board").fill("sweep")
        expect(cards).to_have_count(1)
        page.get_by_role("searchbox", name="Search board").fill("")
        expect(cards).to_have_count(3)
        page.get_by_role("button", name="Create work item in To Do").click()
        page.get_by_role("textbox", name="What needs to be done?").fill("Dust")
        page.keyboard.press("Enter")
        expect(cards).to_have_count(4)

    play_at(site, port, f"/jira/software/c/projects/OPS/boards/{board}", play)
    assert [status_of(site, key) for key in keys] == ["Done", "In Progress", "In Progress"]


def test_where_several_transitions_lead_the_column_shows_a_zone_for_each(
    site: Site, port: str
) -> None:
    board = board_of(site, "OPS")
    keys = [site.issue(name, project={"key": "OPS"}) for name in ("Oil", "Sweep", "Mop")]

    def play(page: Page, expect: Any) -> None:
        column, cards = page.get_by_test_id(COLUMN), page.get_by_test_id(CARD)
        zones = page.get_by_test_id("platform-board-kit.ui.column.drop-zone")
        done = page.get_by_role("status")
        for at, name in enumerate(("Oil", "Sweep")):
            cards.filter(has_text=name).drag_to(column.last)
            expect(done).to_contain_text(f"{keys[at]} moved to Done")
        cards.filter(has_text="Oil").hover()
        page.mouse.down()
        column.nth(1).hover()  # a drag begins with the first move
        column.first.hover()
        expect(zones).to_have_text(["Backlog", "Selected for Development"])
        # A column that one transition leads to has none; they are there again, and one is chosen.
        column.nth(1).hover()
        expect(zones).to_have_count(0)
        column.first.hover()
        zones.last.hover()
        expect(zones.last).to_have_class("zones__one zones__one--over")
        page.mouse.up()
        expect(done).to_contain_text(f"{keys[0]} moved to Selected for Development")
        expect(zones).to_have_count(0)
        # Whoever is faster than the zones drops where they would have been.
        page.route(re.compile("/card/"), hold)
        low = {"x": 40, "y": 400}
        cards.filter(has_text="Sweep").drag_to(column.first, target_position=low)  # type: ignore[arg-type] # a typed dictionary
        expect(done).to_contain_text(f"{keys[1]} moved to Selected for Development")
        assert len(held) == 1
        for route in held:
            route.continue_()
        expect(zones).to_have_count(0)
        # In its own column a card is ranked.
        top = {"x": 40, "y": 60}
        first = column.first.get_by_test_id(KEY)
        cards.filter(has_text="Mop").drag_to(cards.filter(has_text="Oil"), target_position=top)  # type: ignore[arg-type] # a typed dictionary
        expect(first).to_have_text([keys[0], keys[2], keys[1]])

    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    play_at(site, port, f"/jira/software/c/projects/OPS/boards/{board}", play)
    statuses = ["Selected for Development"] * 2 + ["Backlog"]
    assert [status_of(site, key) for key in keys] == statuses


def test_a_refused_drag_puts_the_card_back(site: Site, port: str) -> None:
    board = board_of(site, "OPS")
    key = site.issue("Oil", project={"key": "OPS"})
    withdraw(site, "TRANSITION_ISSUES", "OPS")

    def play(page: Page, expect: Any) -> None:
        column = page.get_by_test_id("platform-board-kit.ui.column.draggable-column.styled-wrapper")
        page.get_by_test_id(CARD).drag_to(column.last)
        expect(page.get_by_role("alert")).to_contain_text(f"{key} was not moved.")
        expect(column.first.get_by_test_id(CARD)).to_have_count(1)

    play_at(site, port, f"/jira/software/c/projects/OPS/boards/{board}", play)


def test_a_transition_with_a_screen_is_taken_in_its_dialog(site: Site, port: str) -> None:
    board = board_of(site, "OPS")
    keys = [site.issue(name, project={"key": "OPS"}) for name in ("Oil", "Sweep")]
    ask_on_the_way(site, keys[0])

    def play(page: Page, expect: Any) -> None:
        column = page.get_by_test_id(COLUMN)
        cards = page.get_by_test_id(CARD)
        dialog = page.get_by_role("dialog", name=f"Close: {keys[0]}")
        card = page.get_by_role("link", name=f"{keys[0]} Oil")
        cards.filter(has_text="Oil").drag_to(column.last)
        expect(dialog.get_by_label("Resolution")).to_be_visible()
        dialog.get_by_role("link", name="Cancel").click()
        expect(dialog).to_have_count(0)
        expect(column.first.get_by_test_id(KEY)).to_have_text(keys)
        expect(card).to_be_focused()
        # What it asks for is asked for again; then the card goes there.
        cards.filter(has_text="Oil").drag_to(column.last)
        dialog.get_by_role("button", name="Close").click()
        expect(dialog).to_contain_text("Resolution is required.")
        dialog.get_by_label("Resolution").select_option("Done")
        dialog.get_by_role("button", name="Close").click()
        expect(column.last.get_by_test_id(KEY)).to_have_text([keys[0]])
        expect(page.get_by_role("status")).to_contain_text(f"{keys[0]} moved to Done")
        expect(card).to_be_focused()
        # The same by keyboard, from the menu.
        dialog = page.get_by_role("dialog", name=f"Close: {keys[1]}")
        menu = cards.filter(has_text="Sweep").get_by_role("button", name="Card actions")
        menu.press("Enter")
        page.get_by_role("menuitem", name="Move to Done").press("Enter")
        expect(dialog.get_by_label("Resolution")).to_be_visible()
        page.keyboard.press("Escape")
        expect(menu).to_be_focused()
        expect(column.first.get_by_test_id(KEY)).to_have_text([keys[1]])
        menu.press("Enter")
        page.get_by_role("menuitem", name="Move to Done").press("Enter")
        dialog.get_by_label("Resolution").select_option("Done")
        dialog.get_by_role("button", name="Close").press("Enter")
        expect(page.get_by_role("status")).to_contain_text(f"{keys[1]} moved to Done")
        expect(menu).to_be_focused()

    play_at(site, port, f"/jira/software/c/projects/OPS/boards/{board}", play)
    assert [status_of(site, key) for key in keys] == ["Done", "Done"]


SIZES = [{"width": 1440, "height": 900}, {"width": 1280, "height": 720}]
# How far a page can be scrolled, and an element's distance from the window's lower edge.
SCROLLS = "document.scrollingElement.scrollHeight - innerHeight"
BELOW = "one => one.getBoundingClientRect().bottom - innerHeight"


def test_a_long_board_scrolls_in_its_columns(site: Site, port: str) -> None:
    board = board_of(site, "OPS")
    keys = [site.issue(f"Part {at}", project={"key": "OPS"}) for at in range(24)]
    doing = next(
        one["id"]
        for one in site.get(f"issue/{keys[0]}/transitions")["transitions"]
        if one["name"] == "In Progress"
    )
    for key in keys[:2]:
        site.post(f"issue/{key}/transitions", {"transition": {"id": doing}}, status=204)

    def play(page: Page, expect: Any) -> None:
        column, cards = page.get_by_test_id(COLUMN), page.get_by_test_id(CARD)
        for size in SIZES:
            page.set_viewport_size(size)  # type: ignore[arg-type] # a typed dictionary
            assert page.evaluate(SCROLLS) <= 0
            assert column.first.evaluate(BELOW) <= 0
        # High up in the column: into the zone of Backlog.
        high = {"x": 40, "y": 60}
        cards.filter(has=page.get_by_text(keys[1], exact=True)).drag_to(
            column.first,
            target_position=high,  # type: ignore[arg-type] # a typed dictionary
        )
        expect(page.get_by_role("status")).to_contain_text(f"{keys[1]} moved to Backlog")
        cell = page.get_by_test_id("board.content.cell").first
        cards.filter(has=page.get_by_text(keys[0], exact=True)).drag_to(cell, target_position=high)  # type: ignore[arg-type] # a typed dictionary
        expect(page.get_by_role("status")).to_contain_text(f"{keys[0]} moved to Backlog")
        # From far down, and to a card that is out of sight.
        cards.filter(has=page.get_by_text(keys[-1], exact=True)).drag_to(column.nth(1))
        expect(page.get_by_role("status")).to_contain_text(f"{keys[-1]} moved to In Progress")
        expect(cards.filter(has=page.get_by_text(keys[-2], exact=True))).to_be_in_viewport()
        cards.filter(has=page.get_by_text(keys[-1], exact=True)).drag_to(
            cards.filter(has=page.get_by_text(keys[-2], exact=True))
        )
        selected = "Selected for Development"  # the zone of the lower half
        expect(page.get_by_role("status")).to_contain_text(f"{keys[-1]} moved to {selected}")
        expect(column.first.get_by_role("heading")).to_be_in_viewport()
        assert page.evaluate(SCROLLS) <= 0

    play_at(site, port, f"/jira/software/c/projects/OPS/boards/{board}", play)
    for key in keys[:-1]:
        assert status_of(site, key) == "Backlog"
    assert status_of(site, keys[-1]) == "Selected for Development"


def test_what_is_dragged_is_what_was_pressed_where_the_board_scrolls_aside(
    site: Site, port: str
) -> None:
    board = board_of(site, "OPS")
    keys = [site.issue(f"Part {at}", project={"key": "OPS"}) for at in range(12)]
    with site.writing():
        row = Board.objects.get(id=board)
        first, *others = [ColumnDraft(one.name, tuple(statuses_of(one))) for one in columns_of(row)]
        spare = [ColumnDraft(f"Spare {at}", ()) for at in range(5)]
        admin = Rights(User.objects.get(account_id=site.ids["ada"]))
        set_columns(row, [first, *spare, *others], actor=admin)

    def play(page: Page, expect: Any) -> None:
        card = page.get_by_test_id(CARD).filter(has=page.get_by_text(keys[-1], exact=True))
        card.drag_to(page.get_by_test_id(COLUMN).last)
        expect(page.get_by_role("status")).to_contain_text(f"{keys[-1]} moved to Done")
        assert page.evaluate(SCROLLS) <= 0

    play_at(site, port, f"/jira/software/c/projects/OPS/boards/{board}", play)


def test_rows_are_dragged_over_the_length_of_a_backlog(site: Site, port: str) -> None:
    board = board_of(site)
    keys = [site.issue(f"Part {at}") for at in range(36)]
    sprint = sprint_on(site, board, "First")
    site.post(f"{AGILE}/sprint/{sprint}/issue", {"issues": keys[:2]}, status=204)

    def play(page: Page, expect: Any) -> None:
        into = page.get_by_test_id(f"software-backlog.card-list.container.{sprint}")
        rest = page.get_by_test_id("software-backlog.card-list.container.BACKLOG")
        said = page.get_by_role("status")
        page.get_by_test_id(f"{ROW}.{keys[0]}").drag_to(rest)
        expect(said).to_contain_text(f"{keys[0]} moved to Backlog")
        for key in (keys[-1], keys[-3]):
            page.get_by_test_id(f"{ROW}.{key}").drag_to(into)
            expect(said).to_contain_text(f"{key} moved to First")

    play_at(site, port, f"/jira/software/c/projects/LAS/boards/{board}/backlog", play)


def test_the_bar_of_chosen_rows_stays_in_sight(site: Site, port: str) -> None:
    board = board_of(site)
    keys = [site.issue(f"Part {at}") for at in range(36)]

    def play(page: Page, expect: Any) -> None:
        bar = page.get_by_role("form", name="Selected work items")
        for size in SIZES:
            page.set_viewport_size(size)  # type: ignore[arg-type] # a typed dictionary
            box = page.get_by_role("checkbox", name=f"Select {keys[-1]}")
            box.check()
            expect(bar).to_be_in_viewport(ratio=1)
            expect(page.get_by_role("navigation", name="Sidebar")).to_be_in_viewport(ratio=1)
            assert page.evaluate(SCROLLS) <= 0
            box.uncheck()
            expect(bar).to_be_hidden()

    play_at(site, port, f"/jira/software/c/projects/LAS/boards/{board}/backlog", play)


def test_an_answer_that_comes_late_leaves_the_focus_where_it_is(site: Site, port: str) -> None:
    board = board_of(site, "OPS")
    keys = [site.issue(name, project={"key": "OPS"}) for name in ("Oil", "Sweep")]

    def play(page: Page, expect: Any) -> None:
        cards = page.get_by_test_id(CARD)
        column = page.get_by_test_id("platform-board-kit.ui.column.draggable-column.styled-wrapper")
        page.route("**", hold)
        cards.filter(has_text="Sweep").drag_to(column.last)
        actions = cards.filter(has_text="Oil").get_by_role("button", name="Card actions")
        actions.focus()
        was = actions.element_handle()
        assert len(held) == 1
        held[0].continue_()
        expect(page.get_by_role("status")).to_contain_text(f"{keys[1]} moved to Done")
        assert was is not None
        assert not was.evaluate("one => one.isConnected")
        expect(actions).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.get_by_role("menuitem", name="Open")).to_be_focused()

    held: list[Route] = []

    def hold(route: Route) -> None:
        if route.request.method == "POST":
            held.append(route)
        else:
            route.continue_()

    play_at(site, port, f"/jira/software/c/projects/OPS/boards/{board}", play)


def test_a_sprint_is_planned_by_dragging_and_started_in_a_dialog(site: Site, port: str) -> None:
    board = board_of(site)
    keys = [site.issue(name) for name in ("Oil", "Sweep", "Mop")]
    sprint = sprint_on(site, board, "First")

    def play(page: Page, expect: Any) -> None:
        into = page.get_by_test_id(f"software-backlog.card-list.container.{sprint}")
        page.get_by_test_id(f"{ROW}.{keys[0]}").drag_to(into)
        expect(into.get_by_test_id(f"{ROW}.{keys[0]}")).to_be_visible()
        menu = page.get_by_role("button", name=f"More actions for {keys[1]}")
        menu.click()
        page.get_by_role("menuitem", name="Move to First").click()
        expect(into.get_by_role("listitem")).to_have_count(2)
        page.get_by_role("button", name="Start sprint").click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_label("Sprint name").fill("x" * 30)
        dialog.get_by_role("button", name="Start").click()
        expect(dialog.get_by_role("alert")).to_contain_text("must be shorter")
        dialog.get_by_label("Sprint name").fill("Spring")
        dialog.get_by_role("button", name="Start").click()
        expect(page.get_by_role("button", name="Complete sprint")).to_be_visible()
        expect(page.get_by_test_id(CARD)).to_have_count(2)

    play_at(site, port, f"/jira/software/c/projects/LAS/boards/{board}/backlog", play)
    found = site.get(f"{AGILE}/sprint/{sprint}")
    assert (found["name"], found["state"]) == ("Spring", "active")


def test_a_sprint_is_completed_in_a_dialog(site: Site, port: str) -> None:
    board = board_of(site)
    sprint = running_sprint(site, board)
    key = site.issue("Left")
    site.post(f"{AGILE}/sprint/{sprint}/issue", {"issues": [key]}, status=204)

    def play(page: Page, expect: Any) -> None:
        page.get_by_role("button", name="Sprint details").click()
        expect(page.get_by_role("dialog", name="Sprint 1")).to_be_visible()
        page.keyboard.press("Escape")
        page.get_by_test_id("software-board.header.complete-sprint-button").click()
        dialog = page.get_by_role("dialog", name="Complete Sprint 1")
        expect(dialog).to_contain_text("1 open work item")
        dialog.get_by_label("Move open work items to").select_option("Backlog")
        dialog.get_by_role("button", name="Complete sprint").click()
        expect(page.get_by_role("heading", name="There is no active sprint")).to_be_visible()

    play_at(site, port, f"/jira/software/c/projects/LAS/boards/{board}", play)
    assert site.get(f"{AGILE}/sprint/{sprint}")["state"] == "closed"


def test_an_issue_is_worked_on_over_its_board(site: Site, port: str) -> None:
    board = board_of(site, "OPS")
    key = site.issue("Oil", project={"key": "OPS"})
    other = site.issue("Sweep", project={"key": "OPS"})

    def play(page: Page, expect: Any) -> None:
        card = page.get_by_role("link", name=f"{key} Oil")
        card.focus()
        page.keyboard.press("Enter")
        dialog = page.get_by_role("dialog", name=f"{key} Oil")
        expect(dialog.get_by_role("heading", name="Oil")).to_be_visible()
        expect(page).to_have_url(re.compile(f"selectedIssue={key}"))
        dialog.get_by_role("button", name="Change status").click()
        page.get_by_role("menuitem", name="In Progress").click()
        expect(dialog.get_by_role("button", name="In Progress - Change status")).to_be_visible()
        dialog.get_by_role("button", name="Edit Summary").click()
        dialog.get_by_role("textbox", name="Summary").fill("Oil it")
        page.keyboard.press("Escape")
        expect(dialog.get_by_role("heading", name="Oil")).to_be_visible()
        page.keyboard.press("Escape")
        expect(dialog).to_have_count(0)
        expect(card).to_be_focused()
        doing = page.get_by_test_id("platform-board-kit.ui.column.draggable-column.styled-wrapper")
        expect(doing.nth(1).get_by_test_id(KEY)).to_have_text([key])
        expect(page).not_to_have_url(re.compile("selectedIssue"))
        page.goto(f"{page.url}?selectedIssue={other}")
        expect(page.get_by_role("dialog", name=f"{other} Sweep")).to_be_visible()
        page.get_by_role("button", name="Close").click()
        expect(page.get_by_role("link", name=f"{other} Sweep")).to_be_focused()

    play_at(site, port, f"/jira/software/c/projects/OPS/boards/{board}", play)
    assert status_of(site, key) == "In Progress"


def test_rows_are_chosen_by_presses_and_dropped_on_epics(site: Site, port: str) -> None:
    board = board_of(site)
    keys = [site.issue(name) for name in ("Oil", "Sweep", "Mop")]
    epic = site.issue("Clean shop", issuetype={"name": "Epic"})

    def play(page: Page, expect: Any) -> None:
        rows = [page.get_by_test_id(f"{ROW}.{key}") for key in keys]
        bar = page.get_by_role("form", name="Selected work items")
        expect(bar).to_be_hidden()
        at = {"x": 300, "y": 12}
        rows[0].click(modifiers=["Control"], position=at)  # type: ignore[arg-type] # a typed dictionary
        rows[2].click(modifiers=["Shift"], position=at)  # type: ignore[arg-type] # a typed dictionary
        expect(bar).to_contain_text("3 selected")
        bar.get_by_role("combobox").select_option("Add flag")
        bar.get_by_role("button", name="Apply").click()
        expect(page.get_by_role("status")).to_contain_text("3 work items flagged")
        expect(bar).to_be_hidden()
        page.get_by_role("button", name="Epic panel").click()
        panel = page.get_by_role("complementary", name="Epics")
        expect(panel).to_be_visible()
        rows[1].drag_to(panel.get_by_role("listitem").filter(has_text="Clean shop"))
        expect(page.get_by_role("status")).to_contain_text(f"1 work item added to {epic}")
        page.get_by_role("button", name=f"Estimate of {keys[0]}: none").click()
        expect(page.get_by_role("textbox", name=f"Estimate of {keys[0]}")).to_be_focused()
        page.keyboard.type("5")
        page.keyboard.press("Enter")
        expect(page.get_by_role("button", name=f"Estimate of {keys[0]}: 5")).to_be_visible()

    play_at(site, port, f"/jira/software/c/projects/LAS/boards/{board}/backlog", play)
    assert site.get(f"issue/{keys[1]}")["fields"]["parent"]["key"] == epic
