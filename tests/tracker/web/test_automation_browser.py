"""The builder of rules in a real browser, by roles and labels, with the keyboard."""

from __future__ import annotations

from typing import Any

import pytest

from tests.tracker.automation import act, branch, log, rule, when
from tests.tracker.site import Site
from tests.tracker.web.test_boards_browser import play_at
from tests.tracker.web.test_issue_browser import picture

pytestmark = pytest.mark.browser
SPACE = "/jira/software/c/projects/LAS/settings/automate"


def test_a_rule_is_built_by_hand(site: Site, port: str) -> None:
    rule(
        site,
        when("transitioned"),
        branch("subtasks", log("{{issue.key}}")),
        act("jira.issue.comment", {"comment": "Moved"}),
        name="Follow the parent",
        spaces=("LAS",),
        labels=["hygiene"],
    )
    rule(site, when("jira.manual.trigger.issue"), log("{{boom()}}"), name="Escalate")
    key = site.issue("Laser stops")

    def play(page: Any, expect: Any) -> None:
        page.locator("html.scripted").wait_for()
        page.set_viewport_size({"width": 1440, "height": 900})
        picture(page, "automation-list")
        page.get_by_role("switch", name="Enable rule: Follow the parent").focus()
        page.keyboard.press("Space")
        expect(page.get_by_role("switch", name="Enable rule: Follow the parent")).to_have_attribute(
            "aria-checked", "false"
        )
        page.get_by_role("link", name="Create rule").click()
        page.get_by_label("Rule name").fill("Greet")
        picture(page, "automation-create")
        page.get_by_role("button", name="Work item created").click()
        page.get_by_role("link", name="Add component", exact=True).click()
        picture(page, "automation-add")
        page.get_by_role("button", name="Edit work item").click()
        page.get_by_role("combobox", name="Field 1", exact=True).select_option("labels")
        page.get_by_role("combobox", name="Change of field 1").select_option("ADD")
        page.get_by_role("textbox", name="Value of field 1").fill("new")
        page.get_by_role("button", name="Save", exact=True).click()
        picture(page, "automation-builder")
        page.set_viewport_size({"width": 1280, "height": 720})
        picture(page, "automation-builder-small")
        page.get_by_role("button", name="Turn on rule").click()
        expect(page.get_by_test_id("automation.rule.state")).to_have_text("Enabled")
        page.get_by_role("link", name="Rule details").last.click()
        picture(page, "automation-details")
        page.get_by_role("link", name="Audit log").click()
        expect(page.get_by_test_id("automation.audit-log.entry").first).to_contain_text(
            "Rule enabled"
        )
        page.goto(page.url.partition("/jira/")[0] + f"/browse/{key}")
        page.get_by_role("button", name="Actions", exact=True).click()
        page.get_by_role("menuitem", name="Escalate").click()
        picture(page, "automation-run")
        page.get_by_role("button", name="Run rule").click()
        expect(page.get_by_test_id("flag")).to_contain_text(f"Rule “Escalate” was run on {key}")
        page.goto(page.url.partition("/browse/")[0] + "/jira/settings/automation/audit")
        page.get_by_text("Escalate").first.click()
        picture(page, "automation-audit")
        expect(page.get_by_text("There is no function boom.").first).to_be_visible()

    play_at(site, port, SPACE, play, login="ada")
