"""Merging, playing and coming back to a tab in a real browser."""

from __future__ import annotations

import pytest

from tests.helpdesk.web.conftest import Office
from tests.helpdesk.web.test_browser import Seat, play_at

pytestmark = pytest.mark.browser


def test_a_ticket_is_merged_in_a_dialog_over_its_page(office: Office, port: str) -> None:
    source, target = office.keys.broken, office.keys.charged

    def play(seat: Seat) -> None:
        page, expect = seat.sign_in(f"/agent/tickets/{source}"), seat.expect
        button = page.get_by_role("button", name="Ticket options")
        button.focus()
        page.keyboard.press("Enter")
        expect(page.get_by_role("menuitem", name="Merge into another ticket")).to_be_focused()
        page.keyboard.press("Enter")
        dialog = page.get_by_role("dialog", name=f"Merge ticket #{source}")
        expect(dialog.get_by_label("Merge into ticket")).to_be_focused()
        page.keyboard.type("999")
        page.keyboard.press("Enter")
        expect(dialog.get_by_role("alert")).to_contain_text("there is no ticket 999")
        dialog.get_by_role("button", name=f"Merge into #{target}").first.click()
        confirm = page.get_by_role("dialog", name="Confirm ticket merge")
        confirm.get_by_label(f"Comment for ticket #{target}").fill("One conversation.")
        confirm.get_by_role("checkbox").last.check()
        confirm.get_by_role("button", name="Confirm and Merge").click()
        page.wait_for_url(f"**/agent/tickets/{target}")
        expect(page.get_by_role("log", name="Conversation")).to_contain_text("One conversation.")
        button = page.get_by_role("button", name="Ticket options")
        button.click()
        page.get_by_role("menuitem", name="Delete").click()
        page.get_by_role("dialog").get_by_role("link", name="Cancel").click()
        expect(page.get_by_role("dialog")).to_have_count(0)

    play_at(office, port, play)
    assert office.ticket(source).status == "closed"
    assert office.ticket(target).deleted_at is None


def test_what_was_typed_in_a_tab_is_there_when_it_is_opened_again(
    office: Office, port: str
) -> None:
    keys = office.keys

    def play(seat: Seat) -> None:
        page, expect = seat.sign_in(f"/agent/tickets/{keys.charged}"), seat.expect
        page.get_by_role("combobox", name="Priority").select_option("High")
        page.get_by_role("textbox", name="Public reply composer").fill("Half a")
        # What there was no pause to keep, the next page keeps.
        with page.expect_response(f"**/agent/drafts/tickets/{keys.charged}"):
            page.get_by_role("textbox", name="Serial number").evaluate(
                """(field, address) => {
                    field.value = "KL-7";
                    field.dispatchEvent(new Event("input", { bubbles: true }));
                    location.assign(address);
                }""",
                f"/agent/tickets/{keys.broken}",
            )
            page.wait_for_url(f"**/agent/tickets/{keys.broken}")
        page.get_by_role("link", name="Charged twice for June").first.click()
        expect(page.get_by_role("textbox", name="Serial number")).to_have_value("KL-7")
        expect(page.get_by_role("combobox", name="Priority")).to_have_value("high")
        expect(page.get_by_role("textbox", name="Public reply composer")).to_have_text("Half a")

    play_at(office, port, play)
    assert office.changes() == []


def test_a_view_is_played_and_shows_cards(office: Office, port: str) -> None:
    keys = office.keys

    def play(seat: Seat) -> None:
        page, expect = seat.sign_in(), seat.expect
        page.get_by_role("link", name="All unsolved tickets").click()
        card = page.get_by_role("tooltip")
        page.get_by_role("table").get_by_role("link", name="Charged twice for June").hover()
        expect(card).to_contain_text("Looks like the retry of the card terminal.")
        page.mouse.move(0, 0)
        expect(card).to_be_hidden()
        page.get_by_role("link", name="Play", exact=True).click()
        page.wait_for_url(f"**/agent/tickets/{keys.charged}")
        page.get_by_role("link", name="Skip", exact=True).click()
        dialog = page.get_by_role("dialog", name=f"Skip ticket #{keys.charged}")
        dialog.get_by_label("Why do you skip").fill("Not mine")
        dialog.get_by_role("button", name="Skip").click()
        page.wait_for_url(f"**/agent/tickets/{keys.broken}")
        page.get_by_role("link", name="Exit play mode").click()
        expect(page.get_by_role("heading", name="All unsolved tickets")).to_be_visible()

    play_at(office, port, play)
    [skip] = office.changed("helpdesk_skip")
    assert skip["after"]["reason"] == "Not mine"
