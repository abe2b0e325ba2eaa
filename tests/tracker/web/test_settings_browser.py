"""Settings in a real browser: dragging, and by keyboard alone; sheets that open over their page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from clones.tracker.models import BoardColumn
from tests.tracker.boards import board_of
from tests.tracker.site import Site
from tests.tracker.web.test_boards_browser import play_at

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser
COLUMN = "board-settings.column"


def columns(site: Site, board: int) -> dict[str, list[str]]:
    with site.store():
        rows = BoardColumn.objects.filter(board=board).order_by("position")
        return {
            row.name: [
                one.status.name
                for one in row.statuses.select_related("status").order_by("position")
            ]
            for row in rows
        }


def test_columns_and_statuses_are_dragged_and_moved_by_keyboard(site: Site, port: str) -> None:
    board = board_of(site, "OPS")
    before = columns(site, board)
    first = before["To Do"][0]

    def play(page: Page, expect: Any) -> None:
        column = page.get_by_test_id(COLUMN)
        page.get_by_role("button", name="More actions").click()
        page.get_by_role("menuitem", name="Board settings").click()
        page.get_by_role("link", name="Columns").click()
        page.get_by_test_id("board-settings.status").filter(has_text=first).first.drag_to(
            column.filter(has=page.get_by_role("heading", name="In Progress"))
        )
        doing = page.get_by_role("list", name="Statuses of In Progress")
        expect(doing.get_by_text(first)).to_be_visible()
        page.get_by_label(f"Column of {first}").select_option("Done")
        done = page.get_by_role("list", name="Statuses of Done")
        expect(done.get_by_text(first)).to_be_visible()
        page.get_by_role("button", name="Move Done left").focus()
        page.keyboard.press("Enter")
        expect(column.nth(1).get_by_role("heading", name="Done")).to_be_visible()
        expect(page.get_by_role("button", name="Move Done left")).to_be_focused()
        page.get_by_role("link", name="Edit column Done").focus()
        page.keyboard.press("Enter")
        dialog = page.get_by_role("dialog")
        dialog.get_by_label("Minimum work items").fill("4")
        dialog.get_by_label("Maximum work items").fill("2")
        dialog.get_by_role("button", name="Save").click()
        expect(dialog.get_by_role("alert")).to_contain_text("cannot be greater")
        dialog.get_by_label("Maximum work items").fill("9")
        page.keyboard.press("Enter")
        expect(page.get_by_text("Max: 9")).to_be_visible()

    play_at(site, port, f"/jira/software/c/projects/OPS/boards/{board}", play, login="ada")
    after = columns(site, board)
    assert list(after) == ["To Do", "Done", "In Progress"]
    assert first in after["Done"]
    assert first not in after["To Do"]
