"""The portal in a real browser: by roles, labels and keys, with scripts and without."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from clones.core.tenancy import unit_of_work
from clones.helpdesk.models import Ticket
from tests.helpdesk.web.conftest import Office
from tests.helpdesk.web.test_browser import Seat, play_at
from tests.helpdesk.web.test_portal_writing import portal_fields
from tests.helpdesk.web.visitors import HOME, MARA, NEW

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser


def sign_in(seat: Seat, office: Office, path: str) -> Page:
    """Open a page of the portal as Mara."""
    seat.page.goto(seat.origin + path)
    seat.page.get_by_label("Email").fill(MARA)
    seat.page.get_by_label("Password").fill(office.passwords[MARA])
    seat.page.get_by_role("button", name="Sign in").click()
    return seat.page


def test_a_request_is_asked_answered_and_solved(office: Office, port: str, tmp_path: Path) -> None:
    portal_fields(office)
    log = tmp_path / "log.txt"
    log.write_text("line")

    def play(seat: Seat) -> None:
        page = sign_in(seat, office, HOME)
        page.get_by_role("link", name="Submit a request").click()
        page.get_by_label("Subject").fill("Beam is off")
        page.get_by_label("What it is about").select_option(label="Laser head")
        page.get_by_label("Serial number").fill("SN-7")
        page.get_by_label("Description").fill("By two millimetres.")
        page.get_by_label("Attachments").set_input_files(log)
        page.get_by_role("button", name="Submit", exact=True).press("Enter")
        seat.expect(page.get_by_role("heading", name="Beam is off")).to_be_visible()
        seat.expect(page.get_by_role("status")).to_contain_text("successfully submitted")
        seat.expect(page.get_by_role("link", name="log.txt")).to_be_visible()
        page.get_by_role("link", name="Requests", exact=True).click()
        page.get_by_label("Status:").select_option("solved")
        seat.expect(page.locator('[data-test-id="requests-row"]')).to_have_count(1)
        page.goto(f"{seat.origin}{HOME}/{office.keys.broken}")
        seat.expect(page.get_by_role("button", name="Mark as solved", exact=True)).to_be_visible()
        page.get_by_label("Your reply").fill("It is gone.")
        page.get_by_role("button", name="Mark as solved & submit").click()
        seat.expect(page.locator('[data-test-id="request-status"]')).to_have_text("Solved")
        page.locator('[data-test-id="portal-user-menu-button"]').press("Enter")
        seat.expect(page.get_by_role("menuitem", name="My profile")).to_be_focused()
        page.keyboard.press("ArrowDown")
        seat.expect(page.get_by_role("menuitem", name="Change password")).to_be_focused()
        page.get_by_role("menuitem", name="Sign out").click()
        seat.expect(page.get_by_role("link", name="Sign in")).to_be_visible()

    play_at(office, port, play)
    with office.bound(), unit_of_work("read"):
        ticket = Ticket.objects.latest("id")
        assert ticket.custom_fields[str(office.keys.serial)] == "SN-7"
        assert ticket.comments.get().attachments.get().file_name == "log.txt"
    assert office.ticket(office.keys.broken).status == "solved"


def test_fields_are_asked_for_without_scripts(office: Office, port: str) -> None:
    portal_fields(office)

    def play(seat: Seat) -> None:
        page = seat.page
        page.goto(seat.origin + NEW)
        page.get_by_label("What it is about").select_option(label="Laser head")
        page.get_by_label("Your email address").fill("nora@else.example")
        page.get_by_role("button", name="Update the form").click()
        page.get_by_label("Serial number").fill("SN-8")
        page.get_by_label("Subject").fill("Price?")
        page.get_by_label("Description").fill("Of the small one.")
        page.get_by_role("button", name="Submit", exact=True).click()
        seat.expect(page.get_by_role("status")).to_contain_text("successfully submitted")

    play_at(office, port, play, scripts=False)
    with office.bound(), unit_of_work("read"):
        ticket = Ticket.objects.select_related("requester").latest("id")
        assert ticket.requester.email == "nora@else.example"
        assert ticket.custom_fields[str(office.keys.serial)] == "SN-8"
