"""The administration in a real browser: by the cog's menu, in dialogs, by keyboard."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from clones.tracker.web.admin.navigation import address_of
from tests.tracker.site import Site
from tests.tracker.web.test_boards_browser import play_at

if TYPE_CHECKING:
    from playwright.sync_api import Page


pytestmark = pytest.mark.browser


def test_a_priority_is_made_in_a_dialog_and_moved(site: Site, port: str) -> None:
    def play(page: Page, expect: Any) -> None:
        page.get_by_role("button", name="Settings", exact=True).focus()
        page.keyboard.press("Enter")
        expect(page.get_by_role("menuitem", name="System")).to_be_focused()
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", name="Work types", level=1)).to_be_visible()
        page.get_by_role("link", name="Priorities", exact=True).click()
        page.get_by_role("link", name="Create priority").click()
        dialog = page.get_by_role("dialog", name="Create priority")
        dialog.get_by_label("Name").fill("Burning")
        dialog.get_by_label("Priority color").fill("red")
        dialog.get_by_role("button", name="Create").click()
        expect(dialog.get_by_role("alert")).to_contain_text("hexadecimal format")
        expect(dialog.get_by_label("Name")).to_have_value("Burning")
        dialog.get_by_label("Priority color").fill("#ff0000")
        page.keyboard.press("Enter")
        expect(page.get_by_test_id("flag")).to_contain_text("Priority “Burning” created")
        row = page.get_by_role("row").filter(has_text="Burning")
        row.get_by_role("button", name="Move up Burning").click()
        expect(page.get_by_test_id("flag")).to_contain_text("Priority “Burning” moved")
        page.get_by_role("link", name="Delete Burning").click()
        expect(page.get_by_role("dialog")).to_be_visible()
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_have_count(0)

    play_at(site, port, "/jira/for-you", play, login="ada")
    names = [one["name"] for one in site.get("priority/search")["values"]]
    assert names[-2:] == ["Burning", "Lowest"]


def test_a_permission_is_granted_in_a_dialog(site: Site, port: str) -> None:
    at = address_of("permission-schemes")

    def play(page: Page, expect: Any) -> None:
        page.get_by_role("link", name="Copy Default software scheme").click()
        page.get_by_role("dialog").get_by_label("Name").fill("Strict")
        page.get_by_role("dialog").get_by_role("button", name="Copy").click()
        expect(page.get_by_role("heading", name="Strict", level=1)).to_be_visible()
        page.get_by_role("link", name="Grant Browse Projects").click()
        dialog = page.get_by_role("dialog", name="Grant permission")
        expect(dialog.get_by_label("Permissions")).to_have_values(["BROWSE_PROJECTS"])
        dialog.get_by_label("Granted to").select_option(label="Reporter")
        dialog.get_by_role("button", name="Grant").click()
        expect(page.get_by_test_id("flag")).to_contain_text("Permission granted")

    play_at(site, port, at, play, login="ada")
    schemes = site.get("permissionscheme?expand=permissions")["permissionSchemes"]
    (made,) = [one for one in schemes if one["name"] == "Strict"]
    held = [one["holder"]["type"] for one in made["permissions"]
            if one["permission"] == "BROWSE_PROJECTS"]  # fmt: skip
    assert held == ["applicationRole", "reporter"]
