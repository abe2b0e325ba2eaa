"""The navigator in a real browser: a query typed by keyboard alone, menus that search."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.serving import serving
from tests.tracker.site import Site
from tests.tracker.web.test_boards_browser import play_at

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def port() -> Iterator[str]:
    """The port that the data plane is served on."""
    with serving() as address:
        yield address.rpartition(":")[2]


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
