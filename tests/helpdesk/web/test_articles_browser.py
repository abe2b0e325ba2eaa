"""Articles in a browser: the way from the first page to a vote, and a link in the reply."""

from __future__ import annotations

import re

import pytest

from tests.helpdesk.web.conftest import AGENT, Office
from tests.helpdesk.web.shelf import HOME, Shelf
from tests.helpdesk.web.test_browser import Seat, play_at
from tests.helpdesk.web.visitors import MARA

pytestmark = pytest.mark.browser


def test_a_customer_searches_reads_and_votes(office: Office, port: str) -> None:
    def play(seat: Seat) -> None:
        page = seat.sign_in(f"{HOME}/requests", MARA)
        page.locator('[data-test-id="portal-brand"]').click()
        search = page.get_by_role("search", name="Articles").get_by_role("searchbox")
        search.fill("lenses")
        search.press("Enter")
        page.locator('[data-test-id="search-result"]').get_by_role(
            "link", name="Clean the lens"
        ).click()
        page.get_by_role("button", name="Yes").click()
        page.wait_for_selector('[data-test-id="article-vote-up"][aria-pressed="true"]')
        assert "1 out of 1" in page.locator('[data-test-id="article-votes"]').inner_text()
        page.get_by_role("navigation", name="Breadcrumb").get_by_role("link", name="Optics").click()
        page.wait_for_url("**/sections/**")

    play_at(office, port, play)
    (vote,) = office.changed("helpdesk_articlevote")
    assert vote["after"]["value"] == 1


def test_an_agent_links_an_article_where_they_write(office: Office, port: str) -> None:
    path = f"{Shelf(office).path('Return a part')}-Return-a-part"

    def play(seat: Seat) -> str:
        page = seat.sign_in(f"/agent/tickets/{office.keys.charged}", AGENT)
        composer = page.locator('[data-test-id="omnicomposer-rich-text-ckeditor"]')
        composer.click()
        page.keyboard.type("Please see ")
        page.locator('[data-test-id="knowledge-search"]').fill("return")
        page.locator('[data-test-id="knowledge-search"]').press("Enter")
        page.get_by_role("button", name="Link Return a part").click()
        page.keyboard.type("for more.")
        said = composer.inner_html()
        page.locator('[data-test-id="submit_button-button"]').click()
        page.locator('[data-test-id="notification"]').wait_for()
        return said

    said = play_at(office, port, play)
    assert re.sub("&nbsp;|\u00a0", " ", said) == (
        f'Please see <a href="{path}">Return a part</a> for more.'
    )
    [comment] = office.changed("helpdesk_comment")
    assert f'href="{path}"' in comment["after"]["html_body"]
