"""Searching in a real browser: queries typed by keyboard alone, menus, the box above every page."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from tests.tracker.site import Site
from tests.tracker.web.test_boards_browser import play_at

if TYPE_CHECKING:
    from playwright.sync_api import Route

pytestmark = pytest.mark.browser


def test_queries_are_typed_with_offers_and_menus_search(site: Site, port: str) -> None:
    first = site.issue("Laser stops", labels=["hot"])
    second = site.issue("Mirror is dusty")

    def play(page: Any, expect: Any) -> None:
        editor = page.get_by_role("combobox", name="JQL query")
        editor.fill("")
        page.keyboard.type("lab")
        option = page.get_by_role("option", name="labels", exact=True)
        expect(option).to_be_visible()
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        expect(editor).to_have_value("labels ")
        page.keyboard.type("= ho")
        expect(page.get_by_role("option", name="hot")).to_be_visible()
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        page.keyboard.press("Escape")
        page.keyboard.press("Enter")
        table = page.get_by_test_id("native-issue-table.ui.issue-table")
        expect(table.get_by_role("link", name=first)).to_be_visible()
        expect(table.get_by_role("link", name=second)).to_have_count(0)
        page.get_by_role("link", name="Basic").click()
        expect(page.get_by_text("Labels: hot")).to_be_visible()
        page.get_by_text("Labels: hot").click()
        page.get_by_role("checkbox", name="hot").uncheck()
        page.keyboard.press("Escape")
        expect(table.get_by_role("link", name=second)).to_be_visible()

    play_at(site, port, "/issues/?mode=jql&jql=project+%3D+LAS", play)


def test_offers_for_an_earlier_text_are_not_taken(site: Site, port: str) -> None:
    site.issue("Laser stops")
    held: list[Any] = []

    def hold(route: Route) -> None:
        held.append(route)

    def play(page: Any, expect: Any) -> None:
        editor = page.get_by_role("combobox", name="JQL query")
        options = page.get_by_role("option")
        editor.fill("")
        page.keyboard.type("la")
        expect(options.filter(has_text="labels")).to_be_visible()
        asking = re.compile(r"/issues/.*[?&]at=")
        page.route(asking, hold)
        with page.expect_request(asking):
            page.keyboard.type("bels = hot OR su")
        expect(options).to_have_count(0)
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Tab")
        expect(editor).to_have_value("labels = hot OR su")
        expect(editor).not_to_be_focused()

    play_at(site, port, "/issues/?mode=jql&jql=project+%3D+LAS", play)
    assert held


def test_the_search_box_offers_while_one_types(site: Site, port: str) -> None:
    first = site.issue("Laser stops")
    second = site.issue("Lasting dust")

    def play(page: Any, expect: Any) -> None:
        box = page.get_by_role("searchbox", name="Search", exact=True)
        offers = page.get_by_role("region", name="Search suggestions")
        expect(offers).to_be_hidden()
        with page.expect_response("**/jira/viewed/*"):  # that it is viewed is known
            page.reload()
        page.keyboard.press("/")
        expect(offers.get_by_role("heading", name="Recently viewed")).to_be_visible()
        expect(offers.get_by_role("link", name="Laser stops")).to_be_visible()
        page.keyboard.type("last")
        expect(offers.get_by_role("link")).to_have_count(2)
        expect(offers.get_by_role("link", name="Lasting dust")).to_be_visible()
        page.keyboard.press("Escape")
        expect(offers).to_be_hidden()
        expect(box).to_be_focused()
        # A key after Escape brings them back; arrows lead into them and around.
        page.keyboard.press("Backspace")
        expect(offers.get_by_role("link", name="Laser control LAS", exact=True)).to_be_visible()
        page.keyboard.press("ArrowDown")
        expect(offers.get_by_role("link").first).to_be_focused()
        page.keyboard.press("ArrowUp")
        expect(box).to_be_focused()
        page.keyboard.press("ArrowUp")
        expect(offers.get_by_role("link", name="Search for “las”")).to_be_focused()
        offers.get_by_role("link", name="Lasting dust").click()
        page.wait_for_url(f"**/browse/{second}")
        # Enter searches as ever; a press elsewhere closes.
        box.fill("lasting")
        expect(offers).to_be_visible()
        page.get_by_role("heading", name="Details").click()
        expect(offers).to_be_hidden()
        box.press("Enter")
        expect(page.get_by_role("main").get_by_role("link", name="Lasting dust")).to_be_visible()

    play_at(site, port, f"/browse/{first}", play)
