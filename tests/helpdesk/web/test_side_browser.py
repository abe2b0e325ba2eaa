"""Side conversations in a real browser: beside a ticket whose answer is half written."""

from __future__ import annotations

import pytest

from clones.core.tenancy import unit_of_work
from clones.helpdesk.models import SideConversation, SideConversationEvent
from tests.helpdesk.web.conftest import Office
from tests.helpdesk.web.test_browser import Seat, play_at

pytestmark = pytest.mark.browser


def test_a_side_conversation_is_held_without_leaving_the_ticket(office: Office, port: str) -> None:
    key = office.keys.charged

    def play(seat: Seat) -> None:
        page = seat.sign_in(f"/agent/tickets/{key}")
        page.get_by_role("textbox", name="Subject", exact=True).fill("Charged thrice")
        side = page.get_by_role("region", name="Side conversations")
        side.get_by_role("link", name="New email").press("Enter")
        side.get_by_label("Side conversation message").fill("Which receipts?")
        side.get_by_role("button", name="Send").press("Enter")
        seat.expect(side.get_by_role("alert")).to_contain_text("To: cannot be blank")
        to = side.get_by_role("combobox", name="To")
        to.press_sequentially("ben")
        option = side.get_by_role("option", name="Ben Okafor")
        seat.expect(option).to_be_visible()
        to.press("Enter")
        seat.expect(side.get_by_label("Side conversation message")).to_have_value("Which receipts?")
        side.get_by_role("button", name="Send").press("Enter")
        log = side.get_by_role("log", name="Side conversation messages")
        seat.expect(log).to_contain_text("To Ben Okafor")
        side.get_by_label("Reply to Ben Okafor").fill("Those of June.")
        side.get_by_role("button", name="Reply").press("Enter")
        seat.expect(log).to_contain_text("Those of June.")
        side.get_by_role("button", name="Mark as done").press("Enter")
        seat.expect(side.get_by_role("button", name="Reopen")).to_be_visible()
        side.get_by_role("link", name="Back to side conversations").press("Enter")
        row = side.get_by_role("listitem").first
        seat.expect(row).to_contain_text("Done")
        subject = page.get_by_role("textbox", name="Subject", exact=True)
        seat.expect(subject).to_have_value("Charged thrice")
        assert page.url.endswith(f"/agent/tickets/{key}")

    play_at(office, port, play)
    with office.bound(), unit_of_work("read"):
        thread = SideConversation.objects.get(ticket_id=key)
        kinds = SideConversationEvent.objects.order_by("position").values_list("type", flat=True)
        assert (thread.state, list(kinds)) == ("closed", ["create", "reply", "update"])
    assert office.ticket(key).subject == "Charged twice for June"
