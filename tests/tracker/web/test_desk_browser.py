"""Queues, a request's panels and the portal in a real browser, by roles and labels."""

from __future__ import annotations

from typing import Any

import pytest

from tests.tracker.desk_site import open_desk
from tests.tracker.site import Site
from tests.tracker.web.desk_pages import fields_of, organization
from tests.tracker.web.test_boards_browser import play_at
from tests.tracker.web.test_issue_browser import picture

pytestmark = pytest.mark.browser


def test_an_agent_works_through_a_queue(site: Site, port: str) -> None:
    desk = open_desk(site)
    desk.customer("mia", "Mia Lund")
    organization(desk, "Northwind", "mia")
    keys = [desk.ask(name)["issueKey"] for name in ("Printer jams", "Screen is dark")]
    site.advance(5 * 3600)

    def play(page: Any, expect: Any) -> None:
        page.set_viewport_size({"width": 1440, "height": 900})
        expect(page.get_by_role("heading", name="All open")).to_be_visible()
        picture(page, "queue")
        page.get_by_role("button", name="Star All open").click()
        expect(page.get_by_role("list", name="Starred")).to_contain_text("All open 2")
        page.get_by_role("link", name="Printer jams").click()
        panel = page.get_by_role("region", name="Request participants")
        panel.get_by_role("button", name="Add participant").click()
        panel.get_by_role("combobox", name="Participant to add").select_option("Mia Lund")
        panel.get_by_role("button", name="Add participant").last.click()
        expect(panel.get_by_role("list")).to_contain_text("Mia Lund")
        page.get_by_label("Reply to customer").check()
        picture(page, "request-panels")
        page.get_by_label("Add internal note").check()
        page.get_by_label("Comment", exact=True).fill("He shouts.")
        page.get_by_role("form", name="Add a comment").get_by_role("button", name="Save").click()
        expect(page.get_by_test_id("issue.activity.comment")).to_contain_text("Internal note")
        page.set_viewport_size({"width": 1280, "height": 720})
        picture(page, "request-note")

    play_at(site, port, "/jira/servicedesk/projects/IT/queues", play)
    shown = desk.get(f"request/{keys[0]}/participant")["values"]
    assert [one["displayName"] for one in shown] == ["Mia Lund"]
    [said] = desk.get(f"request/{keys[0]}/comment")["values"]
    assert (said["body"], said["public"]) == ("He shouts.", False)


def test_a_request_is_asked_for_and_followed(site: Site, port: str) -> None:
    desk = open_desk(site)
    desk.customer("mia", "Mia Lund")

    def play(page: Any, expect: Any) -> None:
        page.set_viewport_size({"width": 1440, "height": 900})
        picture(page, "portals")
        page.get_by_role("link", name="IT help").click()
        expect(page.get_by_role("heading", name="IT help")).to_be_visible()
        picture(page, "portal")
        page.get_by_role("link", name="Report a system problem").first.click()
        page.get_by_role("button", name="Send").click()
        expect(page.get_by_text("What is wrong? is required.")).to_be_visible()
        picture(page, "portal-form")
        page.get_by_role("textbox", name="What is wrong?").fill("The laser is off")
        page.get_by_role("textbox", name="What happens, and since when?").fill("Since noon.")
        page.get_by_role("combobox", name="Priority").select_option("High")
        page.get_by_role("button", name="Send").click()
        expect(page.get_by_test_id("flag")).to_have_text("Your request was sent")
        expect(page.get_by_test_id("request-status")).to_have_text("Waiting for support")
        page.get_by_role("textbox", name="Comment", exact=True).fill("Please hurry")
        page.keyboard.press("Control+a")
        page.keyboard.press("Control+b")
        picture(page, "portal-editor")
        page.get_by_role("button", name="Add comment").click()
        expect(page.get_by_test_id("portal-comment").get_by_text("Please hurry")).to_have_css(
            "font-weight", "700"
        )
        page.get_by_role("button", name="Share", exact=True).click()
        page.get_by_label("Email address").fill("mia@firm.example")
        page.get_by_role("button", name="Share with this person").click()
        expect(page.get_by_test_id("flag")).to_have_text("Your request was shared")
        picture(page, "portal-request")
        page.get_by_role("link", name="Requests", exact=True).click()
        expect(page.get_by_role("link", name="The laser is off")).to_be_visible()
        page.set_viewport_size({"width": 1280, "height": 720})
        picture(page, "portal-requests")

    play_at(site, port, "/servicedesk/customer/portals", play)
    fields = fields_of(site, "IT-1")
    assert (fields["summary"], fields["priority"]["name"]) == ("The laser is off", "High")
    shown = desk.get("request/IT-1/participant")["values"]
    assert [one["displayName"] for one in shown] == ["Mia Lund"]


def test_an_administrator_changes_a_promise_in_a_dialog(site: Site, port: str) -> None:
    desk = open_desk(site)
    organization(desk, "Northwind", "cara")
    key = desk.ask()["issueKey"]
    home = "/jira/servicedesk/projects/IT"

    def play(page: Any, expect: Any) -> None:
        page.set_viewport_size({"width": 1440, "height": 900})
        picture(page, "settings-slas")
        page.get_by_role("button", name="Edit goal 3 of Time to first response").press("Enter")
        dialog = page.get_by_role("dialog", name="Edit goal of Time to first response")
        box = dialog.get_by_role("textbox", name="Goal")
        box.fill("soon")
        page.keyboard.press("Enter")
        expect(dialog.get_by_text("Enter a time as 4h 30m.")).to_be_visible()
        picture(page, "settings-goal")
        dialog.get_by_role("textbox", name="Goal").fill("5h")
        page.keyboard.press("Enter")
        expect(page.get_by_test_id("flag")).to_contain_text("Goal updated")
        goals = page.get_by_role("table", name="Goals of Time to first response")
        expect(goals.get_by_role("row").last).to_contain_text("5h")
        for name in ("Request types", "Calendars", "Customer notifications", "Portal settings"):
            page.get_by_role("link", name=name, exact=True).first.click()
            expect(page.get_by_role("heading", name=name)).to_be_visible()
            picture(page, f"settings-{name.lower().replace(' ', '-')}")
        page.get_by_role("link", name="Request types", exact=True).first.click()
        page.get_by_role("link", name="Get IT help").click()
        expect(page.get_by_role("heading", name="Workflow statuses")).to_be_visible()
        page.set_viewport_size({"width": 1280, "height": 720})
        picture(page, "settings-request-type")
        page.goto(page.url.partition("/jira/")[0] + f"{home}/customers")
        picture(page, "customers")
        page.goto(page.url.partition("/jira/")[0] + f"{home}/queues/custom/1/edit")
        picture(page, "queue-edit")
        page.goto(page.url.partition("/jira/")[0] + f"{home}/queues/custom/1")
        picture(page, "queue-small")

    play_at(site, port, f"{home}/settings/slas", play, login="ada")
    cycle = desk.get(f"request/{key}/sla")["values"][0]["ongoingCycle"]
    assert cycle["goalDuration"]["friendly"] == "5h"
