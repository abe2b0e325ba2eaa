"""Pages of people, and of held mail, in a real browser: by roles, labels and keys."""

from __future__ import annotations

import re

import pytest

from clones.core.tenancy import unit_of_work
from clones.helpdesk.domain.profile_fields import create_field
from clones.helpdesk.models import SuspendedTicket, User
from tests.helpdesk.web.conftest import Office
from tests.helpdesk.web.test_browser import Seat, play_at
from tests.helpdesk.web.test_suspended_pages import PATH, hold
from tests.helpdesk.web.test_user_page import company, wrote

pytestmark = pytest.mark.browser


def owner() -> User:
    return User.objects.get(role="admin")


def test_a_profile_is_changed_by_labels_and_keys(office: Office, port: str) -> None:
    firm = company(office, "Blue Harbour")
    given = {"key": "beta", "title": "Beta tester", "type": "checkbox"}
    wrote(office, lambda: create_field("user", actor=owner(), changes=given))

    def play(seat: Seat) -> None:
        page, expect = (
            seat.sign_in(f"/agent/users/{office.keys.customer}/requested_tickets"),
            (seat.expect),
        )
        form = page.get_by_role("form", name="User properties")
        form.get_by_role("combobox", name="Organization").fill("harb")
        page.get_by_role("option", name="Blue Harbour").click()
        form.get_by_role("combobox", name="Tags").fill("vip")
        page.keyboard.press("Enter")
        expect(form.get_by_role("button", name="Remove vip")).to_be_visible()
        form.get_by_role("textbox", name="Notes").fill("Calls on Mondays.")
        form.get_by_role("checkbox", name="Beta tester").check()
        form.get_by_role("button", name="Save").press("Enter")
        expect(page.get_by_role("status")).to_contain_text("User has been updated")
        actions = page.get_by_role("button", name="User actions")
        actions.focus()
        page.keyboard.press("Enter")
        expect(page.get_by_role("menuitem", name="Suspend access")).to_be_focused()
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", name="Merge Mara Voss")).to_be_visible()

    play_at(office, port, play)
    user = office.user(office.keys.customer)
    assert (user.organization_id, user.tags, user.notes) == (firm, ["vip"], "Calls on Mondays.")
    assert user.user_fields == {"beta": True}


def test_notes_are_kept_without_leaving_the_ticket(office: Office, port: str) -> None:
    def play(seat: Seat) -> None:
        page, expect = seat.sign_in(f"/agent/tickets/{office.keys.charged}"), seat.expect
        page.get_by_role("textbox", name="Serial number").fill("KL-7")
        notes = page.get_by_role("form", name="User notes")
        notes.get_by_role("textbox", name="Notes").fill("Likes calls.")
        notes.get_by_role("button", name="Save notes").click()
        expect(notes.get_by_role("status")).to_have_text("Saved")
        expect(page.get_by_role("textbox", name="Serial number")).to_have_value("KL-7")

    play_at(office, port, play)
    assert office.user(office.keys.customer).notes == "Likes calls."


def test_held_mail_is_selected_and_recovered(office: Office, port: str) -> None:
    for number in range(3):
        hold(office, sender=f"p{number}@else.example")

    def play(seat: Seat) -> None:
        page, expect = seat.sign_in(PATH), seat.expect
        recover = page.get_by_role("button", name="Recover automatically")
        expect(recover).to_be_hidden()
        page.get_by_role("checkbox", name="Select all suspended tickets").check()
        recover.click()
        expect(page.get_by_role("status")).to_contain_text("3 ticket(s) recovered")
        expect(page.locator("tbody")).to_contain_text(re.compile("No suspended tickets"))

    play_at(office, port, play)
    with office.bound(), unit_of_work("read"):
        assert SuspendedTicket.objects.count() == 0
