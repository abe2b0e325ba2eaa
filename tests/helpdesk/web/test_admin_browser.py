"""Admin Center in a real browser: rows come and go in place, by keyboard too."""

from __future__ import annotations

import pytest

from clones.core.tenancy import unit_of_work
from clones.helpdesk.models import TicketField
from tests.helpdesk.web.admin_seat import OWNER
from tests.helpdesk.web.conftest import Office
from tests.helpdesk.web.test_browser import Seat, play_at

pytestmark = pytest.mark.browser

FIELDS = "/admin/objects-rules/tickets/ticket-fields"


def test_a_drop_down_is_made_with_its_options(office: Office, port: str) -> None:
    def play(seat: Seat) -> None:
        page, expect = seat.sign_in(FIELDS, OWNER), seat.expect
        page.get_by_role("link", name="Add field").click()
        page.get_by_role("link", name="Drop-down").click()
        page.get_by_role("textbox", name="Display name").fill("Reason")
        page.get_by_role("textbox", name="Option 1", exact=True).fill("Late")
        page.get_by_role("textbox", name="Option 2", exact=True).fill("Broken")
        page.get_by_role("button", name="Add option").focus()
        page.keyboard.press("Enter")
        third = page.get_by_role("textbox", name="Option 3", exact=True)
        expect(third).to_be_visible()
        expect(page.get_by_role("button", name="Add option")).to_be_focused()
        third.fill("Lost")
        page.get_by_role("button", name="Move row 3 up").click()
        expect(page.get_by_role("textbox", name="Option 2", exact=True)).to_have_value("Lost")
        expect(page.get_by_role("textbox", name="Display name")).to_have_value("Reason")
        page.get_by_role("textbox", name="Display name").press("Enter")
        expect(page.get_by_role("status")).to_contain_text("Reason has been saved")

    play_at(office, port, play)
    with office.bound(), unit_of_work("read"):
        field = TicketField.objects.get(title="Reason")
    assert [item["name"] for item in field.options] == ["Late", "Lost", "Broken"]
