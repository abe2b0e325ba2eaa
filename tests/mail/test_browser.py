"""A mailbox in a real browser, by keyboard alone: a mail to the desk, and the answer to it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from episodes.browser import find_browser
from tests.mail.conftest import SUPPORT, PostOffice

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

NOTE = Path(__file__).resolve().parents[2] / ".sandlot" / "browser"
ROSA = "rosa@acme.example"


def sign_in(page: Page, password: str) -> None:
    """Sign in as Rosa, by keyboard."""
    from playwright.sync_api import expect  # noqa: PLC0415 - an extra, see the marker

    for label, text, key in (("Email", ROSA, "Tab"), ("Password", password, "Enter")):
        expect(page.get_by_role("textbox", name=label)).to_be_focused()
        page.keyboard.type(text)
        page.keyboard.press(key)


def test_a_customer_writes_and_answers_by_keyboard_alone(
    post_office: PostOffice, port: str
) -> None:
    complaints: list[str] = []

    def play() -> None:
        from playwright.sync_api import (  # noqa: PLC0415 - an extra, see the marker
            expect,
            sync_playwright,
        )

        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=find_browser(note=NOTE), args=["--no-sandbox", "--disable-gpu"]
            )
            page = browser.new_context(viewport={"width": 1280, "height": 720}).new_page()
            page.set_default_timeout(30_000)
            expect.set_options(timeout=30_000)
            page.on("pageerror", lambda error: complaints.append(str(error)))
            page.on(
                "console",
                lambda said: complaints.append(said.text) if "Policy" in said.text else None,
            )
            keys = page.keyboard
            page.goto(f"http://mail.{post_office.desk.row.id}.localhost:{port}/")
            sign_in(page, post_office.passwords[ROSA])
            expect(page.get_by_role("heading", name="Inbox")).to_be_visible()
            page.get_by_role("link", name="Compose").focus()
            keys.press("Enter")
            expect(page.get_by_role("textbox", name="To")).to_be_focused()
            for text in (SUPPORT, "", "Laser does not start", "It stays dark."):
                keys.type(text)
                keys.press("Tab")
            page.get_by_role("button", name="Send").focus()
            # The desk's answer is there already, and read with the conversation.
            with page.expect_response("**/marks/*") as marked:
                keys.press("Enter")
            assert marked.value.status == 204
            expect(page.get_by_role("status")).to_have_text("Your message has been sent.")
            page.get_by_role("link", name="Inbox").focus()
            keys.press("Enter")
            notice = page.get_by_role("link", name="[Request received] Laser does not start")
            notice.focus()
            keys.press("Enter")
            page.get_by_role("link", name="Reply", exact=True).last.focus()
            keys.press("Enter")
            expect(page.get_by_role("textbox", name="Message")).to_be_focused()
            keys.press("Control+Home")
            keys.type("It is plugged in.")
            page.get_by_role("button", name="Send").focus()
            keys.press("Enter")
            expect(page.get_by_role("article")).to_have_count(3)
            browser.close()

    with ThreadPoolExecutor(1) as threads:
        threads.submit(play).result()
    assert complaints == []
    [ticket] = post_office.tickets()
    said = [comment["plain_body"] for comment in post_office.comments(ticket)]
    assert said == ["It stays dark.", "It is plugged in."]
