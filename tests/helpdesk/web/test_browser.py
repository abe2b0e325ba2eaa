"""The pages in a real browser: by roles and labels, by keyboard alone, and without scripts."""

from __future__ import annotations

import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pytest

from clones.core.journal import act
from clones.core.tenancy import unit_of_work
from clones.helpdesk.models import Attachment, Comment, Draft, Ticket, TicketForm
from episodes.browser import find_browser
from tests.helpdesk.web.conftest import AGENT, Office

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

pytestmark = pytest.mark.browser

NOTE = Path(__file__).resolve().parents[3] / ".sandlot" / "browser"

NAMED = (
    *("button", "link", "textbox", "combobox", "checkbox", "searchbox", "menuitem", "radio"),
    *("menuitemradio", "option", "table", "navigation", "region", "dialog", "listbox", "menu"),
)
PAGES = (
    "/agent/dashboard",
    "/agent/filters",
    "/agent/tickets/{charged}",
    "/agent/tickets/{broken}?events=1",
    "/agent/tickets/{closed}",
    "/agent/tickets/new/1",
    "/agent/bulk/tickets?ids={charged}&ids={broken}",
    "/agent/bulk/merge?ids={charged}",
    "/agent/bulk/merge?ids={charged}&target={broken}",
    "/agent/search/1?q=charged",
    "/agent/customers",
    "/agent/users/{customer}/requested_tickets",
)


@dataclass(frozen=True, slots=True)
class Seat:
    """A browser window at the desk, and Playwright's `expect`."""

    page: Page
    expect: Any
    origin: str
    passwords: dict[str, str]

    def sign_in(self, path: str = "/agent/filters", login: str = AGENT) -> Page:
        """Open a page, sign in on the way, and arrive there, its scripts at work."""
        self.page.goto(self.origin + path)
        self.page.get_by_label("Email").fill(login)
        self.page.get_by_label("Password").fill(self.passwords[login])
        with self.page.expect_navigation():
            self.page.get_by_role("button", name="Sign in").click()
        return self.page


Play = Callable[[Seat], Any]


def play_at(office: Office, port: str, play: Play, *, scripts: bool = True) -> Any:
    """Return what a play at the desk's pages comes to.

    It runs in a thread of its own: Playwright's loop keeps the ORM out. A script that fails, or
    breaks the pages' policy, fails the test.
    """
    complaints: list[str] = []

    def run() -> Any:
        from playwright.sync_api import (  # noqa: PLC0415 - an extra, see the marker
            expect,
            sync_playwright,
        )

        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=find_browser(note=NOTE), args=["--no-sandbox", "--disable-gpu"]
            )
            page = browser.new_context(
                viewport={"width": 1280, "height": 720}, java_script_enabled=scripts
            ).new_page()
            page.set_default_timeout(30_000)
            expect.set_options(timeout=30_000)
            page.on("pageerror", lambda error: complaints.append(str(error)))
            page.on(
                "console",
                lambda said: complaints.append(said.text) if "Policy" in said.text else None,
            )
            origin = f"http://helpdesk.{office.row.id}.localhost:{port}"
            try:
                return play(Seat(page, expect, origin, office.passwords))
            finally:
                browser.close()

    with ThreadPoolExecutor(1) as threads:
        found = threads.submit(run).result()
    assert complaints == []
    return found


def last_comment(office: Office, key: int) -> Comment:
    """Return the last comment of a ticket."""
    with office.bound(), unit_of_work("read"):
        return Comment.objects.filter(ticket_id=key).latest("created_at", "id")


def test_a_ticket_is_answered_and_solved_by_roles_and_labels(office: Office, port: str) -> None:
    keys = office.keys

    def play(seat: Seat) -> None:
        page = seat.sign_in()
        views = page.get_by_role("navigation", name="Views")
        views.get_by_role("link", name="Unassigned tickets").click()
        seat.expect(page.get_by_role("heading", name="Unassigned tickets")).to_be_visible()
        page.get_by_role("link", name="Charged twice for June").first.click()
        log = page.get_by_role("log", name="Conversation")
        seat.expect(log).to_contain_text("129.00 EUR")
        editor = page.get_by_role("textbox", name="Public reply composer")
        editor.fill("Hello Mara,\n\nrefunded.\nAna")
        page.get_by_role("button", name="take it").click()
        page.get_by_role("combobox", name="Product area").select_option("Billing")
        page.get_by_role("button", name="Submit as another status").click()
        page.get_by_role("menuitem", name="Submit as Solved").click()
        notice = f"Ticket #{keys.charged} has been updated"
        seat.expect(page.get_by_role("status")).to_contain_text(notice)

    play_at(office, port, play)
    ticket = office.ticket(keys.charged)
    assert (ticket.status, ticket.assignee_id) == ("solved", keys.agent)
    comment = last_comment(office, keys.charged)
    assert (comment.body, comment.public) == ("Hello Mara,\n\nrefunded.\nAna", True)


def test_required_fields_are_named_where_they_are(office: Office, port: str) -> None:
    def play(seat: Seat) -> None:
        page = seat.sign_in(f"/agent/tickets/{office.keys.charged}")
        editor = page.get_by_role("textbox", name="Public reply composer")
        editor.fill("Refunded.")
        page.get_by_role("button", name="Submit as another status").click()
        page.get_by_role("menuitem", name="Submit as Solved").click()
        seat.expect(page.get_by_role("alert")).to_contain_text("“Assignee” needed")
        field = page.get_by_role("combobox", name="Product area")
        seat.expect(field).to_have_attribute("aria-invalid", "true")
        seat.expect(field).to_have_accessible_description("“Product area” needed")
        seat.expect(editor).to_have_text("Refunded.")
        seat.expect(page.get_by_role("button", name="Submit as Solved")).to_be_visible()

    play_at(office, port, play)


def test_a_ticket_is_answered_by_keyboard_alone(office: Office, port: str) -> None:
    def play(seat: Seat) -> None:
        page, expect = seat.sign_in("/agent/dashboard"), seat.expect
        keyboard = page.keyboard
        keyboard.press("Control+Alt+f")
        keyboard.type("subject:charged")
        keyboard.press("Enter")
        page.get_by_role("link", name="Charged twice for June").last.focus()
        keyboard.press("Enter")
        expect(page.get_by_role("textbox", name="Public reply composer")).to_be_visible()
        keyboard.press("Control+Alt+x")
        expect(page.get_by_role("textbox", name="Internal note composer")).to_be_focused()
        keyboard.type("Checked.")
        keyboard.press("Enter")
        keyboard.type("Fine.")
        keyboard.press("Control+Alt+m")
        expect(page.get_by_role("combobox", name="Apply macro")).to_be_focused()
        keyboard.insert_text("duplicate")
        # No waiting for the list to narrow: keys that come first are meant for what was typed.
        keyboard.press("ArrowDown")
        keyboard.press("Enter")
        expect(page.get_by_role("combobox", name="Priority")).to_have_value("high")
        page.get_by_role("combobox", name="Type").focus()
        keyboard.press("q")
        expect(page.get_by_role("combobox", name="Type")).to_have_value("question")
        page.get_by_role("combobox", name="Tags").focus()
        keyboard.type("by_keys")
        keyboard.press("Enter")
        button = page.get_by_role("button", name="Submit as another status")
        button.focus()
        keyboard.press("Enter")
        expect(page.get_by_role("menuitem", name="Submit as Open")).to_be_focused()
        keyboard.press("ArrowUp")
        expect(page.get_by_role("menuitem", name="Submit as Solved")).to_be_focused()
        keyboard.press("Escape")
        expect(button).to_be_focused()
        keyboard.press("Control+Alt+p")
        expect(page.get_by_role("status")).to_contain_text("has been updated")

    play_at(office, port, play)
    ticket = office.ticket(office.keys.charged)
    assert (ticket.status, ticket.priority, ticket.type) == ("pending", "high", "question")
    assert ticket.tags == ["billing", "by_keys", "refund"]
    comment = last_comment(office, ticket.id)
    assert comment.body == "Checked.\nFine.\n\nHello Mara Voss, sorry."
    assert not comment.public


def test_enter_in_a_field_does_not_submit(office: Office, port: str) -> None:
    def play(seat: Seat) -> None:
        page = seat.sign_in(f"/agent/tickets/{office.keys.charged}")
        subject = page.get_by_role("textbox", name="Subject")
        subject.fill("Changed")
        subject.press("Enter")
        page.get_by_role("textbox", name="Serial number").press("Enter")
        page.get_by_role("combobox", name="Followers").press("Enter")
        seat.expect(subject).to_have_value("Changed")

    play_at(office, port, play)
    assert office.changes() == []


def test_a_macro_keeps_what_was_chosen_before(office: Office, port: str) -> None:
    def play(seat: Seat) -> None:
        page, expect = seat.sign_in(f"/agent/tickets/{office.keys.charged}"), seat.expect
        page.get_by_label("Attach files").set_input_files(
            {"name": "a.txt", "mimeType": "text/plain", "buffer": b"abc"}
        )
        editor = page.get_by_role("textbox", name="Public reply composer")
        editor.fill("First.")
        page.get_by_role("textbox", name="Serial number").fill("KL-7")
        page.get_by_role("combobox", name="Apply macro").click()
        page.get_by_role("option", name="Refund::Duplicate charge").click()
        expect(editor).to_have_text(re.compile("First.*Hello Mara Voss, sorry."))
        expect(page.get_by_role("textbox", name="Serial number")).to_have_value("KL-7")
        page.get_by_role("button", name="Submit as Pending").click()
        expect(page.get_by_role("status")).to_contain_text("has been updated")

    play_at(office, port, play)
    comment = last_comment(office, office.keys.charged)
    assert comment.body == "First.\n\nHello Mara Voss, sorry."
    with office.bound(), unit_of_work("read"):
        assert Attachment.objects.get(comment=comment).file_name == "a.txt"


def test_what_is_typed_while_the_form_changes_is_kept(office: Office, port: str) -> None:
    rule = {
        "parent_field_id": office.keys.product,
        "value": "area_laser",
        "child_fields": [{"id": office.keys.serial, "is_required": False}],
    }
    with office.bound(), unit_of_work("write"), act(actor="test", label="condition"):
        TicketForm.objects.update(agent_conditions=[rule])

    def play(seat: Seat) -> None:
        page, expect = seat.sign_in(f"/agent/tickets/{office.keys.charged}"), seat.expect
        serial = page.get_by_role("textbox", name="Serial number")
        expect(serial).to_be_hidden()
        tags = page.get_by_role("combobox", name="Tags")
        page.get_by_role("combobox", name="Product area").select_option("Laser head")
        tags.focus()
        page.keyboard.type("by_keys")
        page.keyboard.press("Enter")
        page.get_by_role("textbox", name="Public reply composer").fill("Meanwhile.")
        expect(serial).to_be_visible()
        expect(page.get_by_role("button", name="Remove by_keys")).to_be_visible()
        editor = page.get_by_role("textbox", name="Public reply composer")
        expect(editor).to_have_text("Meanwhile.")
        page.get_by_role("combobox", name="Type").select_option("Task")
        expect(page.get_by_label("Due date")).to_be_visible()
        expect(page.get_by_role("combobox", name="Linked problem")).to_be_hidden()

    play_at(office, port, play)


def test_what_is_chosen_before_the_scripts_are_there_counts(office: Office, port: str) -> None:
    rule = {
        "parent_field_id": office.keys.product,
        "value": "area_laser",
        "child_fields": [{"id": office.keys.serial, "is_required": False}],
    }
    with office.bound(), unit_of_work("write"), act(actor="test", label="condition"):
        TicketForm.objects.update(agent_conditions=[rule])

    def play(seat: Seat) -> None:
        page, held = seat.sign_in("/agent/dashboard"), cast("list[Route]", [])
        seat.expect(page.get_by_role("navigation", name="Main")).to_be_visible()

        def hold(route: Route) -> None:  # Playwright takes no bound method of a list
            held.append(route)

        page.route("**/desk.*.js", hold)
        page.goto(f"{seat.origin}/agent/tickets/{office.keys.charged}", wait_until="commit")
        page.get_by_role("combobox", name="Product area").select_option("Laser head")
        serial = page.get_by_role("textbox", name="Serial number")
        seat.expect(serial).to_be_hidden()
        held[0].continue_()
        seat.expect(serial).to_be_visible()

    play_at(office, port, play)


def test_formatting_and_links(office: Office, port: str) -> None:
    def play(seat: Seat) -> None:
        page = seat.sign_in(f"/agent/tickets/{office.keys.charged}")
        page.get_by_role("textbox", name="Public reply composer").click()
        page.keyboard.type("It is ")
        page.get_by_role("button", name="Bold").click()
        page.keyboard.type("done")
        page.get_by_role("button", name="Bold").click()
        page.keyboard.type(", see ")
        page.get_by_role("button", name="Link").click()
        dialog = page.get_by_role("dialog", name="Insert link")
        dialog.get_by_label("Text").fill("here")
        dialog.get_by_label("Link", exact=True).fill("https://kestrel.example/help")
        dialog.get_by_role("button", name="Add link").click()
        page.keyboard.press("Control+Alt+o")
        seat.expect(page.get_by_role("status")).to_contain_text("has been updated")

    play_at(office, port, play)
    comment = last_comment(office, office.keys.charged)
    assert "<b>done</b>" in comment.html_body
    assert 'href="https://kestrel.example/help"' in comment.html_body
    assert comment.body == "It is done, see here"


def test_a_link_is_there_as_soon_as_it_is_added(office: Office, port: str) -> None:
    def play(seat: Seat) -> None:
        page = seat.sign_in(f"/agent/tickets/{office.keys.charged}")
        editor = page.get_by_role("textbox", name="Public reply composer")
        dialog = page.get_by_role("dialog", name="Insert link")
        page.get_by_role("button", name="Link").click()
        dialog.get_by_label("Link", exact=True).fill("https://kestrel.example/no")
        dialog.get_by_role("button", name="Cancel").click()
        seat.expect(editor).to_be_focused()
        page.get_by_role("button", name="Link").click()
        dialog.get_by_label("Link", exact=True).fill("https://kestrel.example/help")
        kept = "document.querySelector('[name=comment_html]').value"
        sent = dialog.get_by_role("button", name="Add link").evaluate(
            f"button => {{ button.click(); return {kept} }}"
        )
        assert 'href="https://kestrel.example/help"' in sent
        assert "kestrel.example/no" not in sent
        page.get_by_role("button", name="Link").click()
        dialog.get_by_label("Link", exact=True).fill("https://kestrel.example/two")
        page.keyboard.press("Enter")
        seat.expect(editor).to_contain_text("https://kestrel.example/two")
        seat.expect(editor).to_be_focused()

    play_at(office, port, play)


def test_the_requester_is_found_while_typing(office: Office, port: str) -> None:
    def play(seat: Seat) -> None:
        page = seat.sign_in("/agent/tickets/new/1")
        requester = page.get_by_role("combobox", name="Requester")
        requester.fill("mar")
        found = page.get_by_role("listbox", name="Requester")
        found.get_by_role("option", name="Mara Voss").click()
        seat.expect(requester).to_have_value("Mara Voss <mara@acme.example>")
        page.get_by_role("combobox", name="CCs").fill("olga@kestrel.example")
        page.get_by_role("combobox", name="CCs").press("Enter")
        page.get_by_role("textbox", name="Subject").fill("She called")
        page.get_by_role("textbox", name="Public reply composer").fill("Thanks for your call.")
        page.get_by_role("button", name="Submit as Open").click()
        seat.expect(page.get_by_role("status")).to_contain_text("has been created")

    play_at(office, port, play)
    with office.bound(), unit_of_work("read"):
        ticket = Ticket.objects.latest("id")
        assert ticket.requester_id == office.keys.customer
        assert (ticket.subject, ticket.status) == ("She called", "open")
        assert len(ticket.email_cc_ids) == 1


def test_a_draft_survives_leaving_the_page(office: Office, port: str) -> None:
    def play(seat: Seat) -> None:
        page = seat.sign_in(f"/agent/tickets/{office.keys.charged}")
        editor = page.get_by_role("textbox", name="Public reply composer")
        with page.expect_response(re.compile("/agent/drafts/")):
            editor.fill("Half a")
        page.get_by_role("link", name="Home").click()
        page.goto(f"{seat.origin}/agent/tickets/{office.keys.charged}")
        seat.expect(editor).to_have_text("Half a")

    play_at(office, port, play)
    with office.bound(), unit_of_work("read"):
        assert Draft.objects.get().body == "Half a"
    assert office.changes() == []


def test_tickets_are_selected_for_bulk_edit(office: Office, port: str) -> None:
    def play(seat: Seat) -> None:
        page, expect = seat.sign_in(), seat.expect
        page.get_by_role("link", name="All unsolved tickets").click()
        edit = page.locator('[data-test-id="bulk-edit-button"]')
        every = page.get_by_role("checkbox", name="Select all tickets")
        broken = page.get_by_role("checkbox", name=f"Select ticket #{office.keys.broken}")
        expect(edit).to_be_hidden()
        every.check()
        expect(edit).to_have_text("Edit 2 tickets")
        expect(every).to_have_js_property("indeterminate", False)
        broken.uncheck()
        expect(every).to_have_js_property("indeterminate", True)
        expect(every).not_to_be_checked()
        broken.check()
        expect(every).to_have_js_property("indeterminate", False)
        expect(every).to_be_checked()
        every.uncheck()
        expect(broken).not_to_be_checked()
        expect(every).not_to_be_checked()
        every.check()
        broken.uncheck()
        page.get_by_role("button", name="Edit 1 ticket").click()
        page.get_by_role("combobox", name="Priority").select_option("Low")
        page.get_by_role("button", name="Submit", exact=True).click()
        expect(page.get_by_role("status")).to_contain_text("1 ticket(s) updated")

    play_at(office, port, play)
    assert office.ticket(office.keys.charged).priority == "low"
    assert office.ticket(office.keys.broken).priority == "urgent"


def test_everything_works_without_scripts(office: Office, port: str) -> None:
    keys = office.keys

    def play(seat: Seat) -> None:
        page = seat.sign_in(f"/agent/tickets/{keys.charged}")
        page.locator("textarea[name=comment]").fill("By hand.")
        page.locator("select[name=macro_id]").select_option(label="Refund::Duplicate charge")
        page.get_by_role("button", name="Apply").click()
        page.get_by_role("button", name="take it").click()
        page.get_by_role("button", name="Public reply").click()
        page.get_by_role("menuitemradio", name="Internal note").click()
        page.get_by_role("combobox", name="Product area").select_option("Billing")
        page.get_by_role("button", name="Submit as another status").click()
        page.get_by_role("menuitem", name="Submit as Solved").click()
        seat.expect(page.get_by_role("status")).to_contain_text("has been updated")

    play_at(office, port, play, scripts=False)
    ticket = office.ticket(keys.charged)
    assert (ticket.status, ticket.priority) == ("solved", "high")
    assert ticket.assignee_id == keys.agent
    comment = last_comment(office, keys.charged)
    assert comment.body == "By hand.\n\nHello Mara Voss, sorry."
    assert not comment.public


def test_every_control_has_a_name(office: Office, port: str) -> None:
    keys = office.keys
    names = {"charged": keys.charged, "broken": keys.broken, "closed": keys.closed}
    bare = re.compile(rf"^\s*- (?:{'|'.join(NAMED)})(?:$|:| \[)")

    def play(seat: Seat) -> list[str]:
        seat.sign_in()
        nameless: list[str] = []
        for path in PAGES:
            seat.page.goto(seat.origin + path.format(**names, customer=keys.customer))
            tree = seat.page.locator("body").aria_snapshot()
            nameless += [f"{path}: {line}" for line in tree.splitlines() if bare.match(line)]
        return nameless

    assert play_at(office, port, play) == []


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (1280, 720)])
def test_the_desk_fits_the_window(office: Office, port: str, width: int, height: int) -> None:
    def play(seat: Seat) -> list[int]:
        page = seat.sign_in(f"/agent/tickets/{office.keys.charged}")
        page.set_viewport_size({"width": width, "height": height})
        for name in ("Submit as Open", "Submit as another status", "Public reply"):
            seat.expect(page.get_by_role("button", name=name)).to_be_in_viewport(ratio=1)
        size = "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
        found: list[int] = page.evaluate(size)
        return found

    assert play_at(office, port, play) == [width, height]
