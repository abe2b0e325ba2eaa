"""Releases, the calendar and the list in a real browser: by dragging, in dialogs, by keyboard."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.tracker.site import Site
from tests.tracker.web.test_boards_browser import play_at
from tests.tracker.web.test_releases import LIST, made, of_issue, versions

if TYPE_CHECKING:
    from playwright.sync_api import Page


pytestmark = pytest.mark.browser

LAS = "/jira/software/c/projects/LAS"


def test_versions_are_dragged_made_and_released(site: Site, port: str) -> None:
    for name in ("1.0", "2.0", "3.0"):
        made(site, name)
    first = versions(site)["1.0"]["id"]
    key = site.issue(fixVersions=[{"id": first}])

    def play(page: Page, expect: Any) -> None:
        rows = page.get_by_role("table", name="Versions").locator("tbody tr")
        top = {"x": 60, "y": 3}
        rows.nth(2).drag_to(rows.nth(0), target_position=top)  # type: ignore[arg-type] # a typed dictionary
        expect(rows.nth(0)).to_contain_text("3.0")
        page.get_by_role("button", name="More actions for 2.0").click()
        page.get_by_role("menuitem", name="Move to top").press("Enter")
        expect(rows.nth(0)).to_contain_text("2.0")
        page.get_by_role("button", name="Create version").click()
        dialog = page.get_by_role("dialog", name="Create version")
        dialog.get_by_label("Name").fill("2.0")
        dialog.get_by_role("button", name="Save").click()
        expect(dialog.get_by_role("alert")).to_contain_text("already exists")
        dialog.get_by_label("Name").fill("4.0")
        dialog.get_by_role("button", name="Save").click()
        expect(page.get_by_role("status")).to_contain_text("Version 4.0 created")
        page.get_by_role("button", name="More actions for 1.0").click()
        page.get_by_role("menuitem", name="Release").click()
        dialog = page.get_by_role("dialog", name="Release 1.0")
        dialog.get_by_label("Move unresolved work item to version").check()
        dialog.get_by_role("combobox", name="Move to version").select_option("4.0")
        dialog.get_by_role("button", name="Release").click()
        expect(page.get_by_role("status")).to_contain_text("Version 1.0 released")

    play_at(site, port, LIST, play, login="ada")
    assert list(versions(site)) == ["2.0", "3.0", "1.0", "4.0"]
    assert of_issue(site, key) == ["4.0"]


def test_work_is_dragged_to_another_day_and_changed_in_the_list(site: Site, port: str) -> None:
    key = site.issue("Cut", duedate="2026-06-18")

    def play(page: Page, expect: Any) -> None:
        cell = page.locator('[data-day="2026-06-23"]')
        page.locator(f'[data-drag="{key}"]').drag_to(cell)
        expect(cell).to_contain_text(key)
        page.get_by_role("link", name=f"Change the date of {key}").click()
        dialog = page.get_by_role("dialog", name=f"Dates of {key}")
        dialog.get_by_label("Due date").fill("2026-06-25")
        dialog.get_by_role("button", name="Save").click()
        expect(page.locator('[data-day="2026-06-25"]')).to_contain_text(key)
        page.get_by_role("link", name="List", exact=True).click()
        page.get_by_role("link", name=f"Edit Summary of {key}").focus()
        page.keyboard.press("Enter")
        box = page.get_by_role("textbox", name="Summary")
        expect(box).to_be_focused()
        box.fill("Cut straight")
        page.keyboard.press("Enter")
        expect(page.get_by_role("status")).to_contain_text(f"{key} updated")
        expect(page.get_by_role("row", name=key)).to_contain_text("Cut straight")

    play_at(site, port, f"{LAS}/calendar", play)
    fields = site.get(f"issue/{key}?fields=duedate,summary")["fields"]
    assert (fields["duedate"], fields["summary"]) == ("2026-06-25", "Cut straight")
