"""Forms that send rich text as a document, as editors do: what is kept, and what is refused."""

from __future__ import annotations

import json
import re
from html import unescape
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from tests.tracker.desk_site import open_desk
from tests.tracker.issues import add_field, doc
from tests.tracker.site import Site
from tests.tracker.web.conftest import visitor
from tests.tracker.web.desk_pages import customer, portal
from tests.tracker.web.pages import Page
from tests.tracker.web.test_boards import ask_on_the_way

TASK: dict[str, Any] = {
    "type": "taskList",
    "attrs": {"localId": "1"},
    "content": [{"type": "taskItem", "attrs": {"localId": "2", "state": "TODO"}, "content": []}],
}
RICH: dict[str, Any] = {**doc("Words"), "content": [*doc("Words")["content"], TASK]}
SENT = json.dumps(RICH)


def fields(site: Site, key: str) -> Any:
    return site.get(f"issue/{key}")["fields"]


def documents(page: Page) -> dict[str, Any]:
    """Return the documents that a page's areas begin with, by their names; None for none."""
    found = {}
    for area in re.findall(r"<textarea\b([^>]*\bdata-rich\b[^>]*)>", page.html):
        name = re.search(r' name="([^"]*)"', area)
        text = re.search(r' data-document="([^"]*)"', area)
        assert name is not None
        found[name[1]] = json.loads(unescape(text[1])) if text is not None and text[1] else None
    return found


def test_every_form_takes_a_document(site: Site) -> None:
    key = site.issue("Fine")
    at = f"/browse/{key}"
    notes, _ = add_field(site, "textarea", "Notes")
    number = ask_on_the_way(site, key)
    dev = visitor(site, "dev")
    for field in ("description", notes):
        sent = {field: "Words", f"{field}:document": SENT}
        dev.post(f"{at}/fields/{field}", sent)
        assert fields(site, key)[field] == RICH
        assert documents(dev.get(at, edit=field))[field] == RICH
    dev.post(f"{at}/comments", {"body": "Words", "body:document": SENT})
    dev.post(f"{at}/worklog", {"spent": "1h", "body": "Words", "body:document": SENT})
    [comment] = site.get(f"issue/{key}/comment")["comments"]
    [work] = site.get(f"issue/{key}/worklog")["worklogs"]
    assert (comment["body"], work["comment"]) == (RICH, RICH)
    assert documents(dev.get(at, editComment=comment["id"]))["body"] == RICH
    assert documents(dev.get(f"{at}/worklog/{work['id']}"))["body"] == RICH
    resolution = site.get("resolution")[0]["id"]
    moved = {"resolution": resolution, "comment": "Words", "comment:document": SENT}
    dev.post(f"{at}/transition/{number}", moved)
    assert site.get(f"issue/{key}/comment")["comments"][-1]["body"] == RICH
    form = dev.get("/secure/CreateIssue").form("/secure/CreateIssue")
    made = dev.post(
        "/secure/CreateIssue",
        {**form, "summary": "New", "description": "x", "description:document": SENT},
    )
    assert fields(site, made.location.rpartition("/")[2])["description"] == RICH


def test_portals_take_documents_too(site: Site) -> None:
    desk = open_desk(site)
    key = desk.ask()["issueKey"]
    at, cara = portal(desk, key), customer(site)
    file = SimpleUploadedFile("photo.txt", b"dark", "text/plain")
    cara.post(f"{at}/comment", {"body": "Words", "body:document": SENT, "file": file})
    with_file = site.get(f"issue/{key}/comment")["comments"][-1]["body"]
    assert with_file["content"][:2] == RICH["content"]
    assert "photo.txt" in json.dumps(with_file["content"][2:])
    cara.post(f"{at}/comment", {"body": "Words", "body:document": SENT})
    assert site.get(f"issue/{key}/comment")["comments"][-1]["body"] == RICH


def test_a_document_that_comes_back_as_it_was_changes_nothing(site: Site) -> None:
    key = site.issue("Fine", description=RICH)
    at = f"/browse/{key}"
    dev = visitor(site, "dev")
    page = dev.get(at, edit="description")
    form = page.form("/fields/description")
    sent = {**form, "description:document": json.dumps(documents(page)["description"])}
    dev.post(f"{at}/fields/description", sent)
    assert site.get(f"issue/{key}/changelog")["values"] == []
    dev.post(f"{at}/fields/description", {"description": "", "description:document": ""})
    assert fields(site, key)["description"] is None


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ("no json", "Comment body is not valid!"),
        ("[" * 100_000, "Comment body is not valid!"),
        ('{"type": "doc", "version": 1, "content": NaN}', "Comment body is not valid!"),
        ('"words"', "Comment body is not valid!"),
        (json.dumps({**doc("x"), "version": 2}), "INVALID_INPUT"),
        (json.dumps({**doc("x"), "content": [{"type": "odd"}]}), "INVALID_INPUT"),
        (json.dumps(doc("x" * 40_000)), "CONTENT_LIMIT_EXCEEDED"),
        (json.dumps({**doc("x"), "content": []}), "Comment body can not be empty!"),
    ],
)
def test_what_is_no_document_is_refused(site: Site, sent: str, said: str) -> None:
    key = site.issue("Fine")
    page = visitor(site, "dev").post(
        f"/browse/{key}/comments", {"body": "words", "body:document": sent}, 422
    )
    assert page.said == [said]
    assert site.get(f"issue/{key}/comment")["comments"] == []


def test_a_refused_form_begins_with_what_was_written(site: Site) -> None:
    key = site.issue("Fine")
    dev = visitor(site, "dev")
    sent = {"spent": "soon", "body": "Words", "body:document": SENT}
    assert documents(dev.post(f"/browse/{key}/worklog", sent, 422))["body"] == RICH
    plain = {"spent": "soon", "body": "*Words*", "body:document": ""}
    [line] = documents(dev.post(f"/browse/{key}/worklog", plain, 422))["body"]["content"]
    assert line["content"] == [{"type": "text", "text": "Words", "marks": [{"type": "strong"}]}]


def test_a_comment_that_is_no_document_is_not_left_out_of_a_transition(site: Site) -> None:
    key = site.issue("Fine")
    number = ask_on_the_way(site, key)
    moved = {
        "resolution": site.get("resolution")[0]["id"],
        "comment": "x",
        "comment:document": "no json",
    }
    page = visitor(site, "dev").post(f"/browse/{key}/transition/{number}", moved, 422)
    assert page.said == ["Comment body is not valid!"]
    assert fields(site, key)["status"]["name"] == "To Do"


def test_what_is_no_document_is_not_left_out_of_what_is_made(site: Site) -> None:
    dev = visitor(site, "dev")
    form = dev.get("/secure/CreateIssue").form("/secure/CreateIssue")
    sent = {**form, "summary": "New", "description": "x", "description:document": "no json"}
    [said] = dev.post("/secure/CreateIssue", sent, 422).said
    assert said.startswith("Operation value must be an Atlassian Document")


def test_an_address_fills_a_form_with_markup(site: Site) -> None:
    page = visitor(site, "dev").get("/secure/CreateIssue", description="*Now*")
    marks = documents(page)["description"]["content"][0]["content"][0]["marks"]
    assert marks == [{"type": "strong"}]
    assert page.form("/secure/CreateIssue")["description"] == "*Now*"
