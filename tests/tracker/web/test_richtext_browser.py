"""Rich text written as it looks, in a real browser: what is typed becomes a document."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from tests.tracker.issues import doc
from tests.tracker.site import Site
from tests.tracker.web.test_boards_browser import play_at
from tests.tracker.web.test_issue_browser import picture

if TYPE_CHECKING:
    from playwright.sync_api import Route

pytestmark = pytest.mark.browser

Json = dict[str, Any]


def text(words: str, *marks: str | Json) -> Json:
    named = [{"type": mark} if isinstance(mark, str) else mark for mark in marks]
    return {"type": "text", "text": words, **({"marks": named} if named else {})}


def node(kind: str, *content: Json, **attrs: Any) -> Json:
    found: Json = {"type": kind}
    if attrs:
        found["attrs"] = attrs
    return {**found, "content": list(content)}


def line(*content: Json | str) -> Json:
    return node("paragraph", *(text(one) if isinstance(one, str) else one for one in content))


def whole(*content: Json) -> Json:
    return {"type": "doc", "version": 1, "content": list(content)}


def description_of(site: Site, key: str) -> Any:
    return site.get(f"issue/{key}?fields=description")["fields"]["description"]


def comments_of(site: Site, key: str) -> list[Any]:
    return [one["body"] for one in site.get(f"issue/{key}/comment")["comments"]]


def describe(site: Site, port: str, key: str, play: Any) -> Any:
    """Return the description after a play in its editor, which is saved at the end."""

    def edit(page: Any, expect: Any) -> None:
        page.get_by_role("button", name="Edit Description").click()
        box = page.get_by_role("textbox", name="Description area, start")
        expect(box).to_be_focused()
        play(page, box, expect)
        page.get_by_role("button", name="Save Description").click()
        expect(page.get_by_role("button", name="Edit Description")).to_be_visible()

    play_at(site, port, f"/browse/{key}", edit)
    return description_of(site, key)


def test_what_is_typed_becomes_a_document(site: Site, port: str) -> None:
    key = site.issue("Laser stops")

    def play(page: Any, box: Any, expect: Any) -> None:
        page.keyboard.type("## What we saw\n")
        page.keyboard.type("It **stops** after _an hour_, see https://x.example/a.\n")
        page.keyboard.type("* Heat\nDust\n\n1. Wait\nRestart\n\n> He said so\n\n")
        page.keyboard.type("```if x:\ny\n\n\nEnd")
        picture(page, "typed")

    assert describe(site, port, key, play) == whole(
        node("heading", text("What we saw"), level=2),
        line(
            "It ",
            text("stops", "strong"),
            " after ",
            text("an hour", "em"),
            ", see ",
            text("https://x.example/a", {"type": "link", "attrs": {"href": "https://x.example/a"}}),
            ".",
        ),
        node("bulletList", node("listItem", line("Heat")), node("listItem", line("Dust"))),
        node("orderedList", node("listItem", line("Wait")), node("listItem", line("Restart"))),
        node("blockquote", line("He said so")),
        node("codeBlock", text("if x:\ny")),
        line("End"),
    )


def test_signs_count_however_many_come_at_once(site: Site, port: str) -> None:
    key = site.issue("Laser stops")

    def play(page: Any, box: Any, expect: Any) -> None:
        box.fill("**all** at once")
        page.keyboard.press("Enter")
        page.keyboard.insert_text("It ")
        page.keyboard.insert_text("**burns**")
        page.keyboard.type(", *no _wait_*, `a*b*`\nsnake_case_name 2*3*4 --- [x] no\n")
        page.keyboard.type("[x] done\n\n---kept")

    found = describe(site, port, key, play)
    assert found["content"][:3] == [
        line("**all** at once"),
        line(
            *("It ", text("burns", "strong"), ", ", text("no wait", "em")),
            *(", ", text("a*b*", "code")),
        ),
        line("snake_case_name 2*3*4 --- [x] no"),
    ]
    task = node("taskItem", text("done"), localId="2", state="DONE")
    assert found["content"][3:] == [
        node("taskList", task, localId="1"),
        {"type": "rule"},
        line("kept"),
    ]


def pressed(page: Any, name: str, toolbar: str = "formatting") -> Any:
    """Press a button of the description's toolbar, and return it."""
    tools = page.get_by_role("toolbar", name=f"Description area, start {toolbar}")
    button = tools.get_by_role("button", name=name, exact=True)
    button.click()
    return button


def test_tools_make_marks_lists_and_tasks(site: Site, port: str) -> None:
    key = site.issue("Laser stops", description=doc("Old words"))
    formats = ("Bold", "Italic", "Underline", "Strikethrough")

    def play(page: Any, box: Any, expect: Any) -> None:
        box.fill("Marked")
        expect(box).to_have_text("Marked")
        page.keyboard.press("Control+a")
        for name in formats:
            expect(pressed(page, name)).to_have_attribute("aria-pressed", "true")
        page.keyboard.press("End")
        page.keyboard.press("Enter")
        for name in formats:
            expect(pressed(page, name)).to_have_attribute("aria-pressed", "false")
        page.get_by_role("combobox", name="Text styles").first.select_option("Heading 3")
        page.keyboard.type("Steps\n")
        pressed(page, "Numbered list")
        page.keyboard.type("One\n")
        page.keyboard.press("Tab")
        page.keyboard.type("Inner\n\n\n")
        pressed(page, "Action item")
        page.keyboard.type("Do\nDone\nNot")
        expect(pressed(page, "Action item")).to_have_attribute("aria-pressed", "false")
        expect(pressed(page, "Action item")).to_have_attribute("aria-pressed", "true")
        page.keyboard.press("Home")
        page.keyboard.press("Backspace")
        page.keyboard.type("After: ")
        box.locator("li[data-task]").nth(1).click(position={"x": -12, "y": 10}, force=True)

    inner = node("orderedList", node("listItem", line("Inner")))
    assert describe(site, port, key, play) == whole(
        line(text("Marked", "em", "strong", "strike", "underline")),
        node("heading", text("Steps"), level=3),
        node("orderedList", node("listItem", line("One"), inner)),
        node(
            "taskList",
            node("taskItem", text("Do"), localId="2", state="TODO"),
            node("taskItem", text("Done"), localId="3", state="DONE"),
            localId="1",
        ),
        line("After: Not"),
    )


def test_tools_make_links_panels_code_and_tables(site: Site, port: str) -> None:
    key = site.issue("Laser stops")

    def play(page: Any, box: Any, expect: Any) -> None:
        pressed(page, "Link")
        dialog = page.get_by_role("dialog", name="Link")
        dialog.get_by_label("URL").fill("docs.example/a")
        dialog.get_by_label("Display text (optional)").fill("the docs")
        dialog.get_by_role("button", name="Insert").click()
        expect(box).to_be_focused()
        page.keyboard.press("Enter")
        pressed(page, "Info panel")
        page.keyboard.type("Mind the gap\n\n")
        pressed(page, "Code snippet")
        page.keyboard.type("x = *1*")
        page.keyboard.press("Shift+Enter")
        pressed(page, "Divider")
        pressed(page, "Table")
        page.keyboard.type("A")
        page.keyboard.press("Tab")
        page.keyboard.type("B")
        for name in ("Delete column", "Delete row", "Delete row", "Add row below"):
            pressed(page, name, "table")
        picture(page, "tools")

    cell = node("tableCell", line())
    assert describe(site, port, key, play) == whole(
        line(text("the docs", {"type": "link", "attrs": {"href": "https://docs.example/a"}})),
        node("panel", line("Mind the gap"), panelType="info"),
        node("codeBlock", text("x = *1*")),
        {"type": "rule"},
        node("table", node("tableRow", cell, cell), node("tableRow", cell, cell)),
        line(),
    )


def test_what_nobody_touched_stays_and_what_cannot_be_edited_too(site: Site, port: str) -> None:
    date = {"type": "date", "attrs": {"timestamp": "1700000000000"}}
    rare = node("decisionList", node("decisionItem", localId="2", state="DECIDED"), localId="1")
    aligned = {**line("Right"), "marks": [{"type": "alignment", "attrs": {"align": "end"}}]}
    red = {"type": "textColor", "attrs": {"color": "#ff5630"}}
    cell = node("tableCell", line(text("Red", red)), background="#ffebe6", colspan=1)
    table = node("table", node("tableRow", cell))
    whole_one = whole(line("On ", date), rare, table, aligned)
    key = site.issue("Laser stops", description=whole_one)

    def leave(page: Any, box: Any, expect: Any) -> None:
        expect(box).to_contain_text("On 2023-11-14")
        expect(box.get_by_text("Red")).to_have_css("color", "rgb(255, 86, 48)")
        expect(box.locator("td")).to_have_css("background-color", "rgb(255, 235, 230)")
        page.keyboard.type("x")
        page.keyboard.press("Control+z")

    assert describe(site, port, key, leave) == whole_one
    assert site.get(f"issue/{key}?expand=changelog")["changelog"]["histories"] == []

    def add(page: Any, box: Any, expect: Any) -> None:
        page.keyboard.type("!")

    ended = {**aligned, "content": [text("Right!")]}
    assert describe(site, port, key, add) == whole(line("On ", date), rare, table, ended)


def test_lines_are_filled_in_and_pasted(site: Site, port: str) -> None:
    key = site.issue("Laser stops")
    html = "<h2>Seen</h2><p class='x'>A <b>bold</b> <a href='javascript:x()'>link</a></p>"

    def play(page: Any, box: Any, expect: Any) -> None:
        box.fill("First line\nSecond_line with _init_\n\nThird * line")
        page.keyboard.press("Control+End")
        page.keyboard.press("Enter")
        box.evaluate(
            """(box, html) => {
              const data = new DataTransfer();
              data.setData("text/html", html);
              const said = { clipboardData: data, bubbles: true, cancelable: true };
              box.dispatchEvent(new ClipboardEvent("paste", said));
            }""",
            html,
        )

    assert describe(site, port, key, play) == whole(
        line("First line"),
        line("Second_line with _init_"),
        line("Third * line"),
        node("heading", text("Seen"), level=2),
        line("A ", text("bold", "strong"), " link"),
    )


def test_comments_are_written_named_changed_and_sent_by_key(site: Site, port: str) -> None:
    key = site.issue("Laser stops")

    def play(page: Any, expect: Any) -> None:
        box = page.get_by_role("textbox", name="Comment", exact=True)
        box.click()
        page.keyboard.type("- Ask @dana ru")
        expect(page.get_by_role("option", name="Dana Ruiz")).to_be_visible()
        page.keyboard.press("Tab")
        page.keyboard.type("today")
        page.keyboard.press("Control+Enter")
        said = page.get_by_test_id("issue.activity.comment")
        expect(said).to_contain_text("@Dana Ruiz today")
        expect(box).to_have_text("")
        expect(box).to_be_focused()
        page.get_by_role("button", name="Edit comment of Dev Anand").click()
        edited = page.get_by_role("textbox", name="Edit comment")
        expect(edited).to_be_focused()
        page.keyboard.press("End")
        page.keyboard.type(" or `now`")
        page.get_by_role("button", name="Save comment changes").click()
        expect(edited).to_have_count(0)
        expect(said).to_contain_text("or now")
        picture(page, "comment")

    play_at(site, port, f"/browse/{key}", play)
    mention = {"type": "mention", "attrs": {"id": site.ids["dana"], "text": "@Dana Ruiz"}}
    item = line("Ask ", mention, " today or ", text("now", "code"))
    assert comments_of(site, key) == [whole(node("bulletList", node("listItem", item)))]


def test_who_types_faster_than_answers_come_names_whom_they_typed(site: Site, port: str) -> None:
    key = site.issue("Laser stops")
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    def play(page: Any, expect: Any) -> None:
        box = page.get_by_role("textbox", name="Comment", exact=True)
        box.click()
        page.keyboard.type("@")
        people = page.get_by_role("listbox", name="People").get_by_role("option")
        expect(people.filter(has_text="Dana Ruiz")).to_be_visible()
        assert people.count() > 1
        page.route(re.compile("/mentions"), hold)
        page.keyboard.type("dana ru")
        expect(people).to_have_text(["Dana Ruiz"])
        page.keyboard.press("Tab")
        page.keyboard.type("or @")
        page.unroute(re.compile("/mentions"), hold)
        page.keyboard.type("zz")
        expect(people).to_have_count(0)
        page.keyboard.press("Control+Enter")
        said = page.get_by_test_id("issue.activity.comment")
        expect(said).to_contain_text("@Dana Ruiz or @zz")

    play_at(site, port, f"/browse/{key}", play)
    assert held
    mention = {"type": "mention", "attrs": {"id": site.ids["dana"], "text": "@Dana Ruiz"}}
    assert comments_of(site, key) == [whole(line(mention, " or @zz"))]


def test_a_refused_form_keeps_what_was_written(site: Site, port: str) -> None:
    def play(page: Any, expect: Any) -> None:
        page.get_by_role("link", name="Create", exact=True).click()
        dialog = page.get_by_role("dialog", name="Create")
        box = dialog.get_by_role("textbox", name="Description", exact=True)
        box.click()
        page.keyboard.type("It **burns**")
        picture(page, "create-rich")
        send = dialog.get_by_test_id("issue-create.common.ui.footer.create-button")
        send.click()
        expect(dialog.locator('[id="summary-field-error"]')).to_be_visible()
        expect(box.locator("strong")).to_have_text("burns")
        dialog.get_by_role("textbox", name="Summary").fill("Laser burns")
        box.focus()
        page.keyboard.press("Control+Enter")
        expect(page.get_by_test_id("flag")).to_contain_text("You've created")

    play_at(site, port, "/jira/for-you", play)
    found = site.get("search/jql?jql=summary~burns&fields=description")["issues"][0]["fields"]
    assert found["description"] == whole(line("It ", text("burns", "strong")))


def test_dialogs_have_editors(site: Site, port: str) -> None:
    key = site.issue("Laser stops")

    def play(page: Any, expect: Any) -> None:
        page.keyboard.press(".")
        page.keyboard.type("log work")
        page.keyboard.press("Enter")
        log = page.get_by_role("dialog", name="Time tracking")
        log.get_by_label("Time spent").fill("1h")
        log.get_by_role("textbox", name="Work description").fill("Looked at it")
        page.keyboard.press("Control+a")
        page.keyboard.press("Control+i")
        page.keyboard.press("Control+Enter")
        expect(page.get_by_test_id("flag")).to_contain_text("Work logged")

    play_at(site, port, f"/browse/{key}", play)
    (work,) = site.get(f"issue/{key}/worklog")["worklogs"]
    assert work["comment"] == whole(line(text("Looked at it", "em")))
