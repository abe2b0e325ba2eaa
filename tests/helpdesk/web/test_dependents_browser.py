"""In a real browser, a control that depends on another is shown and sent only where it counts."""

from __future__ import annotations

import pytest

from tests.helpdesk.web.conftest import Office
from tests.helpdesk.web.rules_pages import MACROS, OWNER, VIEWS, api
from tests.helpdesk.web.test_browser import Seat, play_at

pytestmark = pytest.mark.browser

WEBHOOKS = "/admin/apps-integrations/webhooks/webhooks/new"
MEMBERS = "/admin/people/team/members/new"


@pytest.mark.parametrize("form", [VIEWS, MACROS], ids=["view", "macro"])
def test_groups_are_offered_for_specific_groups_only(office: Office, port: str, form: str) -> None:
    def play(seat: Seat) -> None:
        page, expect = seat.sign_in(f"{form}/new", OWNER), seat.expect
        groups = page.get_by_role("group", name="Groups (for agents in specific groups)")
        access = page.get_by_role("combobox", name="Who has access")
        expect(access).to_have_value("everyone")
        expect(groups).to_have_count(0)  # of what can be seen
        access.select_option(label="Agents in specific groups")
        expect(groups).to_be_visible()
        groups.get_by_role("checkbox").first.check()
        access.select_option(label="All agents")
        expect(groups).to_have_count(0)
        sent = page.evaluate("[...new FormData(document.forms[document.forms.length - 1]).keys()]")
        assert "group_ids" not in sent
        access.select_option(label="Agents in specific groups")
        expect(groups.get_by_role("checkbox").first).to_be_checked()

    play_at(office, port, play)


def test_the_order_of_groups_is_offered_where_there_are_any(office: Office, port: str) -> None:
    def play(seat: Seat) -> None:
        page, expect = seat.sign_in(f"{VIEWS}/new", OWNER), seat.expect
        order = page.get_by_label("Group order")
        by = page.get_by_label("Group by")
        by.select_option(label="None")
        expect(order).to_be_hidden()
        expect(order).to_be_disabled()
        by.select_option(label="Status")
        expect(order).to_be_visible()
        expect(order).to_be_enabled()

    play_at(office, port, play)


def test_a_webhook_asks_for_what_its_authentication_needs(office: Office, port: str) -> None:
    def play(seat: Seat) -> None:
        page, expect = seat.sign_in(WEBHOOKS, OWNER), seat.expect
        kind = page.get_by_label("Authentication", exact=True)
        inputs = {
            "None": [],
            "API key": ["Header name of the API key", "API key"],
            "Basic authentication": ["User name", "Password"],
            "Bearer token": ["Token"],
        }
        for name, wanted in inputs.items():
            kind.select_option(label=name)
            for label in (label for labels in inputs.values() for label in labels):
                field = page.get_by_label(label, exact=True)
                assert field.is_visible() == (label in wanted), (name, label)
                assert field.is_enabled() == (label in wanted), (name, label)
        events = page.get_by_role("group", name="Events")
        expect(events).to_have_count(0)
        page.get_by_label("Connect to").select_option(label="Subscribed events")
        expect(events).to_be_visible()

    play_at(office, port, play)


def test_only_agents_have_a_role_and_a_reach_to_choose(office: Office, port: str) -> None:
    def play(seat: Seat) -> None:
        page, expect = seat.sign_in(MEMBERS, OWNER), seat.expect
        reach = page.get_by_label("Tickets agents can access")
        for role, shown in (("Agent", True), ("Administrator", False), ("Agent", True)):
            page.get_by_label("Role", exact=True).select_option(label=role)
            expect(reach).to_be_visible(visible=shown)
            expect(page.get_by_label("Agent role")).to_be_enabled(enabled=shown)

    play_at(office, port, play)


def test_a_webhooks_idle_values_are_refused_without_scripts(office: Office) -> None:
    olga = office.sign_in(OWNER)
    sent = {
        "name": "Hook",
        "endpoint": "https://hooks.example.com/x",
        "http_method": "POST",
        "request_format": "json",
        "connection": "conditional",
    }
    page = olga.post(WEBHOOKS, {**sent, "auth_token": "hush"})
    assert (page.status, "is of another authentication than is chosen" in page.text) == (422, True)
    page = olga.post(WEBHOOKS, {**sent, "events": ["zen:event-type:user.created"]})
    assert (page.status, "Subscribed events" in page.text) == (422, True)
    assert olga.changes() == []


def test_what_counts_for_nothing_is_refused_without_scripts(office: Office) -> None:
    olga = office.sign_in(OWNER)
    before = api(olga, "macros")["count"]
    sent = {
        "title": "For some",
        "actions-0-field": "priority",
        "actions-0-value": "high",
        "access": "everyone",
        "group_ids": [str(olga.keys.billing)],
    }
    page = olga.post(f"{MACROS}/new", sent)
    assert (page.status, "choose &quot;Agents in specific groups&quot;" in page.html) == (422, True)
    assert f'value="{olga.keys.billing}" checked' in page.html
    assert api(olga, "macros")["count"] == before
    assert olga.post(f"{MACROS}/new", {**sent, "group_ids": []}).status == 302
