"""The page of an issue and the dialog of a new one in a real browser, by roles and labels."""

from __future__ import annotations

import os
from typing import Any

import pytest

from tests.tracker.issues import doc
from tests.tracker.site import Site
from tests.tracker.web.test_boards_browser import play_at

pytestmark = pytest.mark.browser


def picture(page: Any, name: str) -> None:
    """Keep what the page looks like, where somebody asked for pictures."""
    folder = os.environ.get("SANDLOT_PICTURES")
    if folder:
        page.screenshot(path=f"{folder}/{name}.png")


def test_an_issue_is_changed_in_its_place(site: Site, port: str) -> None:
    key = site.issue("Laser stops", description=doc("It stops after an hour."), labels=["hot"])

    def play(page: Any, expect: Any) -> None:
        page.locator("html.scripted").wait_for()
        picture(page, "issue")
        page.get_by_label("Comment", exact=True).fill("Half a thought")
        page.get_by_role("heading", name="Laser stops").click()
        box = page.get_by_role("textbox", name="Summary")
        expect(box).to_be_focused()
        box.fill("")
        page.get_by_role("button", name="Confirm Summary").click()
        expect(page.get_by_text("You must specify a summary of the issue.")).to_be_visible()
        picture(page, "summary")
        page.get_by_role("textbox", name="Summary").fill("Laser burns")
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", name="Laser burns")).to_be_visible()
        expect(page.get_by_label("Comment", exact=True)).to_have_text("Half a thought")
        page.get_by_role("button", name="Edit Priority").click()
        page.get_by_role("combobox", name="Priority").select_option("High")
        picture(page, "priority")
        page.get_by_role("button", name="Save Priority").click()
        page.get_by_role("button", name="Edit Due date").click()
        expect(page.get_by_label("Due date", exact=True)).to_be_focused()
        expect(page.get_by_test_id("issue.views.field.priority")).to_contain_text("High")
        page.keyboard.press("Escape")
        expect(page.get_by_role("button", name="Edit Due date")).to_be_visible()
        page.get_by_role("button", name="Change status").click()
        picture(page, "menu")
        page.get_by_role("menuitem", name="In Progress").click()
        expect(page.get_by_role("button", name="In Progress - Change status")).to_be_visible()
        page.get_by_role("form", name="Add a comment").get_by_role("button", name="Save").click()
        expect(page.get_by_test_id("issue.activity.comment")).to_contain_text("Half a thought")
        expect(page.get_by_label("Comment", exact=True)).to_have_text("")
        page.get_by_role("link", name="History").click()
        expect(page.get_by_label("Activity", exact=True).last).to_contain_text("changed")
        picture(page, "history")

    play_at(site, port, f"/browse/{key}", play)
    found = site.get(f"issue/{key}")["fields"]
    assert (found["summary"], found["priority"]["name"]) == ("Laser burns", "High")
    assert found["status"]["name"] == "In Progress"


def test_an_issue_is_made_in_a_dialog(site: Site, port: str) -> None:
    def play(page: Any, expect: Any) -> None:
        page.locator("html.scripted").wait_for()
        page.get_by_role("link", name="Create", exact=True).click()
        dialog = page.get_by_role("dialog", name="Create work item")
        expect(dialog.get_by_role("textbox", name="Summary")).to_be_focused()
        dialog.get_by_role("combobox", name="Space").select_option("Operations")
        expect(dialog.get_by_role("combobox", name="Space")).to_have_value(ops)
        dialog.get_by_role("combobox", name="Space").select_option("Laser control")
        expect(dialog.get_by_role("combobox", name="Space")).to_have_value(las)
        picture(page, "create")
        dialog.get_by_test_id("issue-create.common.ui.footer.create-button").click()
        said = dialog.locator('[id="summary-field-error"]')
        expect(said).to_have_text("You must specify a summary of the issue.")
        picture(page, "refused")
        dialog.get_by_role("textbox", name="Summary").fill("Made by dialog")
        page.keyboard.press("Enter")
        expect(page.get_by_test_id("flag")).to_contain_text("You've created")
        page.get_by_role("link", name="View work item").click()
        expect(page.get_by_role("heading", name="Made by dialog")).to_be_visible()
        page.get_by_role("button", name="Actions").click()
        page.get_by_role("menuitem", name="Log work").click()
        log = page.get_by_role("dialog", name="Time tracking")
        expect(log.get_by_label("Time spent")).to_be_focused()
        picture(page, "worklog")
        page.keyboard.type("2h")
        page.keyboard.press("Enter")
        expect(page.get_by_test_id("flag")).to_contain_text("Work logged")
        page.set_viewport_size({"width": 1440, "height": 900})
        picture(page, "made")

    ops, las = site.get("project/OPS")["id"], site.get("project/LAS")["id"]
    play_at(site, port, "/jira/for-you", play)


def test_keys_do_what_buttons_do(site: Site, port: str) -> None:
    key = site.issue("Mirror drifts", assignee={"accountId": site.ids["dana"]})

    def play(page: Any, expect: Any) -> None:
        page.locator("html.scripted").wait_for()
        page.keyboard.press("i")
        expect(page.get_by_test_id("issue.views.field.assignee")).to_contain_text("Dev Anand")
        page.keyboard.press("l")
        expect(page.get_by_role("textbox", name="Labels")).to_be_focused()
        page.keyboard.type("dust")
        page.keyboard.press("Enter")
        expect(page.get_by_test_id("issue.views.field.labels")).to_contain_text("dust")
        page.keyboard.press("?")
        listed = page.get_by_role("dialog", name="Keyboard shortcuts")
        expect(listed).to_contain_text("Assign to me")
        picture(page, "keys")
        page.keyboard.press("Escape")
        expect(listed).to_have_count(0)
        page.keyboard.press(".")
        actions = page.get_by_role("dialog", name="Actions")
        expect(actions.get_by_role("textbox", name="Search actions")).to_be_focused()
        page.keyboard.type("clone")
        picture(page, "operations")
        page.keyboard.press("Enter")
        dialog = page.get_by_role("dialog", name=f"Clone {key}")
        expect(dialog.get_by_role("textbox", name="Summary")).to_have_value("CLONE - Mirror drifts")
        picture(page, "clone")
        page.keyboard.press("Escape")
        page.keyboard.press("m")
        expect(page.get_by_label("Comment", exact=True)).to_be_focused()

    play_at(site, port, f"/browse/{key}", play)
    assert site.get(f"issue/{key}")["fields"]["labels"] == ["dust"]


def test_people_are_named_and_an_issue_is_moved(site: Site, port: str) -> None:
    key = site.issue("Mirror drifts")

    def play(page: Any, expect: Any) -> None:
        page.locator("html.scripted").wait_for()
        box = page.get_by_label("Comment", exact=True)
        box.focus()
        page.keyboard.type("Ask @dan")
        people = page.get_by_role("listbox", name="People")
        expect(people.get_by_role("option", name="Dana Ruiz")).to_have_attribute(
            "aria-selected", "true"
        )
        picture(page, "mentions")
        page.keyboard.press("Enter")
        expect(people).to_have_count(0)
        expect(box).to_have_text("Ask @Dana Ruiz ")
        page.get_by_role("form", name="Add a comment").get_by_role("button", name="Save").click()
        expect(page.get_by_test_id("issue.activity.comment")).to_contain_text("@Dana Ruiz")
        page.get_by_role("button", name="Actions").click()
        picture(page, "actions")
        page.get_by_role("menuitem", name="Move").click()
        dialog = page.get_by_role("dialog", name=f"Move {key}")
        dialog.get_by_role("combobox", name="New space").select_option("Operations")
        expect(dialog.get_by_role("combobox", name="New space")).to_have_value(ops)
        picture(page, "move")
        dialog.get_by_role("button", name="Next").click()
        dialog.get_by_role("combobox", name="New status for To Do").select_option("Done")
        dialog.get_by_role("button", name="Next").click()
        expect(dialog.get_by_role("region", name="Changes")).to_contain_text("OPS-1")
        picture(page, "moved")
        dialog.get_by_role("button", name="Confirm").click()
        expect(page.get_by_test_id("flag")).to_contain_text(f"{key} moved to OPS-1")

    ops = site.get("project/OPS")["id"]
    play_at(site, port, f"/browse/{key}", play)
    found = site.get("issue/OPS-1")["fields"]
    assert (found["project"]["key"], found["status"]["name"]) == ("OPS", "Done")


def test_what_is_being_written_stays_while_other_things_change(site: Site, port: str) -> None:
    key = site.issue("Laser stops", description=doc("It stops."))

    def play(page: Any, expect: Any) -> None:
        page.locator("html.scripted").wait_for()
        page.get_by_role("button", name="Edit Description").click()
        area = page.get_by_role("textbox", name="Description area, start")
        expect(area).to_be_focused()
        area.fill("It burns.")
        page.get_by_role("button", name="Change status").click()
        page.get_by_role("menuitem", name="In Progress").click()
        status = page.get_by_role("button", name="In Progress - Change status")
        expect(status).to_be_focused()
        expect(area).to_have_text("It burns.")
        page.get_by_role("button", name="Vote options").click()
        page.get_by_role("menuitem", name="Vote for this work item").click()
        expect(page.get_by_role("button", name="Vote options")).to_contain_text("1")
        page.get_by_role("button", name="Edit Priority").click()
        expect(page.get_by_role("combobox", name="Priority")).to_be_focused()
        page.keyboard.press("Escape")
        expect(page.get_by_role("button", name="Edit Priority")).to_be_focused()
        # A field beside it is renamed: the window is, too.
        page.get_by_role("button", name="Edit Summary").click()
        page.get_by_role("textbox", name="Summary").fill("Laser burns")
        page.keyboard.press("Enter")
        expect(page).to_have_title(f"[{key}] Laser burns - Tracker")
        expect(page.get_by_role("button", name="Edit Summary")).to_be_focused()
        expect(area).to_have_text("It burns.")
        area.press("Control+Enter")
        expect(page.get_by_role("button", name="Edit Description")).to_be_focused()
        expect(area).to_have_count(0)

    play_at(site, port, f"/browse/{key}", play)
    found = site.get(f"issue/{key}")["fields"]
    assert (found["description"], found["summary"]) == (doc("It burns."), "Laser burns")


def test_a_comment_that_is_edited_waits_under_other_tabs(site: Site, port: str) -> None:
    key = site.issue("Laser stops")
    for text in ("It stops.", "It hums."):
        site.post(f"issue/{key}/comment", {"body": doc(text)}, status=201)

    def play(page: Any, expect: Any) -> None:
        page.locator("html.scripted").wait_for()
        comments = page.get_by_role("list", name="Comments").get_by_role("listitem")
        comments.filter(has_text="It stops.").get_by_role("button", name="Edit comment").click()
        area = page.get_by_role("textbox", name="Edit comment")
        area.fill("It burns.")
        for tab in ("History", "Work log"):
            page.get_by_role("link", name=tab, exact=True).click()
            expect(area).to_have_count(0)
        page.get_by_role("link", name="Comments", exact=True).click()
        expect(area).to_have_text("It burns.")
        expect(comments).to_have_count(2)
        page.get_by_role("link", name="All", exact=True).click()
        expect(area).to_have_text("It burns.")
        # Who lets it be lets it be for good.
        page.get_by_role("link", name="Cancel", exact=True).click()
        expect(area).to_have_count(0)
        page.get_by_role("link", name="History", exact=True).click()
        expect(comments).to_have_count(0)
        page.get_by_role("link", name="Comments", exact=True).click()
        expect(comments.filter(has_text="It stops.")).to_be_visible()
        comments.filter(has_text="It hums.").get_by_role("button", name="Edit comment").click()
        area.fill("It sings.")
        page.get_by_role("link", name="History", exact=True).click()
        expect(area).to_have_count(0)
        page.get_by_role("link", name="Comments", exact=True).click()
        area.press("Control+Enter")
        expect(area).to_have_count(0)
        expect(comments.filter(has_text="It sings.")).to_be_visible()

    play_at(site, port, f"/browse/{key}", play, login="ada")
    bodies = [one["body"] for one in site.get(f"issue/{key}/comment")["comments"]]
    assert bodies == [doc("It stops."), doc("It sings.")]


def test_the_focus_stays_near_what_was_done(site: Site, port: str) -> None:
    key = site.issue("Laser stops")

    def play(page: Any, expect: Any) -> None:
        page.locator("html.scripted").wait_for()
        box = page.get_by_label("Comment", exact=True)
        box.fill("First")
        box.press("Control+Enter")
        expect(page.get_by_test_id("issue.activity.comment")).to_contain_text("First")
        expect(box).to_be_focused()
        edit = page.get_by_role("button", name="Edit comment of Dev Anand")
        edit.click()
        changed = page.get_by_role("textbox", name="Edit comment")
        expect(changed).to_be_focused()
        expect(page.get_by_role("textbox", name="Comment", exact=True)).to_have_count(1)
        expect(page.get_by_role("button", name="Save", exact=True)).to_have_count(1)
        changed.fill("Second")
        page.get_by_role("button", name="Save comment changes").click()
        expect(edit).to_be_focused()
        edit.click()
        expect(changed).to_be_focused()
        page.keyboard.press("Escape")
        expect(edit).to_be_focused()
        page.get_by_role("button", name="Delete comment of Dev Anand").click()
        page.get_by_role("dialog").get_by_role("button", name="Delete").click()
        expect(page.get_by_test_id("issue.activity.comment")).to_have_count(0)
        expect(page.get_by_role("link", name="Comments")).to_be_focused()
        page.get_by_role("link", name="History").click()
        expect(page.get_by_role("link", name="History")).to_be_focused()
        box.fill("A draft")
        page.get_by_role("button", name="Actions").click()
        page.get_by_role("menuitem", name="Log work").click()
        page.get_by_label("Time spent").fill("2h")
        page.keyboard.press("Enter")
        expect(page.get_by_test_id("flag")).to_contain_text("Work logged")
        expect(page.get_by_role("button", name="Actions")).to_be_focused()
        expect(box).to_have_text("A draft")
        page.get_by_role("button", name="Create subtask").click()
        expect(page.get_by_role("textbox", name="What needs to be done?")).to_be_focused()
        page.keyboard.type("Wipe it")
        page.keyboard.press("Enter")
        expect(
            page.get_by_role("link", name="Wipe it").or_(page.get_by_text("Wipe it"))
        ).to_be_visible()
        expect(page.get_by_role("button", name="Create subtask")).to_be_focused()
        page.get_by_role("button", name="Link work item").click()
        expect(page.get_by_role("textbox", name="Keys of work items to link")).to_be_focused()

    play_at(site, port, f"/browse/{key}", play)


FILE: Any = {"name": "log.txt", "mimeType": "text/plain", "buffer": b"line"}


@pytest.mark.parametrize("dialog", [True, False])
def test_chosen_files_stay_while_a_form_comes_back(site: Site, port: str, dialog: bool) -> None:
    def play(page: Any, expect: Any) -> None:
        page.locator("html.scripted").wait_for()
        if dialog:
            page.get_by_role("link", name="Create", exact=True).click()
        files = page.get_by_label("Attachment", exact=True)
        files.set_input_files(FILE)
        with page.expect_response("**/CreateIssue"):
            page.get_by_role("combobox", name="Work type").select_option("Bug")
        create = page.get_by_test_id("issue-create.common.ui.footer.create-button")
        create.click()
        expect(page.locator('[id="summary-field-error"]')).to_be_visible()
        expect(files).to_have_value("C:\\fakepath\\log.txt")
        page.get_by_role("textbox", name="Summary").fill("With a log")
        page.get_by_label("Create another").check()
        create.click()
        expect(page.get_by_text("You've created")).to_be_visible()
        expect(files).to_have_value("")

    path = f"/secure/CreateIssue?pid={site.get('project/LAS')['id']}"
    play_at(site, port, f"/browse/{site.issue()}" if dialog else path, play)
    asked = {"jql": "summary ~ log", "fields": ["attachment", "issuetype"]}
    [made] = site.post("search/jql", asked, status=200)["issues"]
    assert [one["filename"] for one in made["fields"]["attachment"]] == ["log.txt"]
    assert made["fields"]["issuetype"]["name"] == "Bug"


def test_an_answer_that_comes_late_takes_nothing_away(site: Site, port: str) -> None:
    key = site.issue("Laser stops")

    def play(page: Any, expect: Any) -> None:
        late: list[Any] = []

        def hold(route: Any) -> None:
            late.append(route)

        page.route("**/*tab=*", hold)
        actions = page.get_by_role("button", name="Actions")
        page.get_by_role("link", name="History").click()
        actions.click()
        item = page.get_by_role("menuitem", name="Log work")
        expect(item).to_be_visible()
        late.pop().continue_()
        expect(page.get_by_role("link", name="History")).to_have_attribute("aria-current", "page")
        expect(item).to_be_visible()
        page.keyboard.press("Escape")
        expect(actions).to_be_focused()
        page.get_by_role("link", name="All", exact=True).click()
        actions.click()
        item.click()
        log = page.get_by_role("dialog", name="Time tracking")
        expect(log.get_by_label("Time spent")).to_be_focused()
        late.pop().continue_()
        every = page.locator("#issue-tabs a", has_text="All")
        expect(every).to_have_attribute("aria-current", "page")
        expect(log.get_by_label("Time spent")).to_be_focused()
        page.keyboard.press("Escape")
        expect(log).to_have_count(0)
        expect(actions).to_be_focused()

    play_at(site, port, f"/browse/{key}", play)
