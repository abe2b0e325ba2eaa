"""Rules made in a real browser: rows by pickers and keys, orders by dragging, text with a look."""

from __future__ import annotations

import pytest

from tests.helpdesk.web.conftest import Office
from tests.helpdesk.web.rules_pages import MACROS, OWNER, TRIGGERS, api
from tests.helpdesk.web.test_browser import Seat, play_at

pytestmark = pytest.mark.browser


def sign_in(seat: Seat, office: Office) -> None:
    """Sign in as the owner."""
    page = seat.page
    page.goto(f"{seat.origin}/agent/dashboard")
    page.get_by_label("Email").fill(OWNER)
    page.get_by_label("Password").fill(office.passwords[OWNER])
    page.get_by_role("button", name="Sign in").click()
    seat.expect(page.get_by_role("navigation", name="Main")).to_be_visible()


def make_a_trigger(seat: Seat) -> None:
    """Build a trigger by pickers, from the second row on by keys alone."""
    page, expect = seat.page, seat.expect
    page.goto(f"{seat.origin}{TRIGGERS}/new")
    page.get_by_label("Trigger name").fill("By hand")
    page.get_by_role("combobox", name="ALL condition 1 field").select_option("Status")
    operator = page.get_by_role("combobox", name="ALL condition 1 operator")
    value = page.get_by_label("ALL condition 1 value", exact=True)
    operator.select_option("Changed")
    expect(value).to_be_hidden()
    operator.select_option("Is")
    expect(value).to_be_visible()
    value.select_option("Pending")
    # From here by keys alone.
    page.get_by_role("button", name="Add condition").first.focus()
    page.keyboard.press("Enter")
    second = page.get_by_role("combobox", name="ALL condition 2 field")
    expect(second).to_be_focused()
    second.select_option("Tags")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    expect(page.get_by_role("combobox", name="ALL condition 2 value")).to_be_focused()
    page.keyboard.type("fire smoke ")
    page.get_by_role("button", name="Add condition").first.press("Enter")
    page.get_by_role("button", name="Remove ALL condition 1").press("Enter")
    expect(page.get_by_role("group", name="ALL condition 1")).to_contain_text("smoke")
    page.get_by_role("combobox", name="Action 1 field").select_option("User email")
    page.get_by_role("combobox", name="Action 1 value").select_option("(requester)")
    page.get_by_role("textbox", name="Action 1 email subject").fill("Subject")
    page.get_by_role("textbox", name="Action 1 email body").fill("Body")
    page.get_by_role("button", name="Create").last.click()
    expect(page.get_by_role("status")).to_contain_text("By hand has been saved")


def drag_and_move(seat: Seat) -> None:
    """Drag the first trigger to the third place, and move the new one up by a button."""
    page = seat.page
    page.goto(seat.origin + TRIGGERS)
    rows = page.locator("tr[data-movable]")
    first = rows.nth(0).get_attribute("data-key")
    with page.expect_navigation():
        rows.nth(0).drag_to(rows.nth(2), target_position={"x": 200, "y": 38})
    seat.expect(rows.nth(2)).to_have_attribute("data-key", first or "")
    with page.expect_navigation():
        page.get_by_role("button", name="Move By hand up").press("Enter")


def make_a_macro(seat: Seat) -> None:
    """Write a macro with formatted text."""
    page = seat.page
    page.goto(f"{seat.origin}{MACROS}/new")
    page.get_by_label("Macro name").fill("Rich")
    page.get_by_role("combobox", name="Action 1 field").select_option("Comment/description (rich)")
    page.get_by_role("textbox", name="Action 1 comment/description (rich)").click()
    page.get_by_role("button", name="Bold").click()
    page.keyboard.type("Hello")
    page.get_by_role("button", name="Create").last.click()
    seat.expect(page.get_by_role("status")).to_contain_text("Rich has been saved")


def test_rules_are_made_and_put_in_order_in_a_browser(office: Office, port: str) -> None:
    def play(seat: Seat) -> None:
        sign_in(seat, office)
        make_a_trigger(seat)
        drag_and_move(seat)
        make_a_macro(seat)

    before = [item["title"] for item in api(office, "triggers")["triggers"]]
    play_at(office, port, play)
    found = api(office, "triggers")["triggers"]
    made = next(item for item in found if item["title"] == "By hand")
    assert made["conditions"] == {
        "all": [{"field": "current_tags", "operator": "includes", "value": "fire smoke"}],
        "any": [],
    }
    assert made["actions"] == [
        {"field": "notification_user", "value": ["requester_id", "Subject", "Body"]}
    ]
    titles = [item["title"] for item in found]
    assert titles[:3] == [before[1], before[2], before[0]]
    assert titles[-2:] == ["By hand", before[-1]]
    rich = api(office, "macros/search?query=Rich")["macros"][0]
    assert rich["actions"] == [{"field": "comment_value_html", "value": "<b>Hello</b>"}]
