"""What a client may send as a document, and how the vendor refuses the rest."""

from __future__ import annotations

import json
from typing import Any

import pytest

from clones.tracker.rules.richtext.document import DEPTH, media_ids, mentioned, to_json, walk
from clones.tracker.rules.richtext.validation import (
    InvalidDocument,
    NotADocument,
    NotAString,
    read_document,
    read_markup,
)

Json = dict[str, Any]


def document(*content: Any) -> Json:
    return {"type": "doc", "version": 1, "content": list(content)}


def node(type_: str, *content: Any, **attrs: Any) -> Json:
    return {"type": type_, **({"attrs": attrs} if attrs else {}), "content": list(content)}


def text(value: str = "words", *marks: Json) -> Json:
    return {"type": "text", "text": value, **({"marks": list(marks)} if marks else {})}


def mark(type_: str, **attrs: Any) -> Json:
    return {"type": type_, **({"attrs": attrs} if attrs else {})}


def line(*marks: Json) -> Json:
    return node("paragraph", text("words", *marks))


def leaf(type_: str, **attrs: Any) -> Json:
    return {"type": type_, **({"attrs": attrs} if attrs else {})}


CELL = node("tableCell", line())
ROW = node("tableRow", node("tableHeader", line(), colspan=2, colwidth=[100, 50]), CELL)
PICTURE = node("mediaSingle", leaf("media", type="file", id="m", collection=""), layout="center")
TASK = node("taskItem", text(), localId="1", state="TODO")

VALID = [
    document(),
    document(node("paragraph")),
    document({"type": "paragraph"}),
    document(line(mark("strong"), mark("em"), mark("strike"), mark("underline"))),
    document(line(mark("code"), mark("link", href="https://example.com"))),
    document(line(mark("subsup", type="sub"), mark("textColor", color="#bf2600"))),
    document(line(mark("backgroundColor", color="#FFF0B3"))),
    document({**line(), "marks": [mark("alignment", align="center")]}),
    document({**line(), "marks": [mark("indentation", level=2)]}),
    document(node("heading", text(), level=6), {"type": "rule"}),
    document(
        node("bulletList", node("listItem", line(), node("orderedList", node("listItem", line()))))
    ),
    document(node("orderedList", node("listItem", node("codeBlock", text())), order=3)),
    document(node("taskList", TASK, node("taskList", TASK, localId="2"), localId="1")),
    document(node("decisionList", node("decisionItem", localId="1", state="DECIDED"), localId="1")),
    document(node("codeBlock", text("x\ny"), language="python"), node("codeBlock")),
    document(node("blockquote", line(), node("bulletList", node("listItem", line())))),
    document(*(node("panel", line(), panelType=name) for name in ("info", "tip", "custom"))),
    document(node("table", ROW, isNumberColumnEnabled=False, layout="default")),
    document(node("paragraph", leaf("mention", id="5b1", text="@Mia", accessLevel=""))),
    document(node("paragraph", leaf("emoji", shortName=":smile:", id="1f604", text="😄"))),
    document(node("paragraph", leaf("date", timestamp="1582152559"), {"type": "hardBreak"})),
    document(node("paragraph", leaf("status", text="Done", color="green", localId="x", style=""))),
    document(node("paragraph", leaf("inlineCard", url="https://example.com"))),
    document(leaf("blockCard", url="https://example.com")),
    document(leaf("embedCard", url="https://example.com", layout="center", width=100)),
    document(PICTURE, node("mediaGroup", leaf("media", type="link", id="m", collection="c"))),
    document(node("expand", line(), node("nestedExpand", line(), title="t"), title="t")),
    document(
        node(
            "layoutSection",
            node("layoutColumn", line(), width=50),
            node("layoutColumn", line(), width=50),
        )
    ),
    document(leaf("extension", extensionKey="k", extensionType="t", parameters={"a": [1]})),
    document(node("paragraph", leaf("placeholder", text="Say it"))),
]

INVALID = [
    document(leaf("marquee")),
    document(node("paragraph", text(), colour="red")),
    document(text()),
    document(node("paragraph", line())),
    document(node("heading", text(), level=7)),
    document(node("heading", text())),
    document({"type": "heading", "content": [text()]}),
    document(node("bulletList")),
    document(node("bulletList", line())),
    document(node("bulletList", node("listItem"))),
    document(node("bulletList", node("listItem", {"type": "rule"}))),
    document(node("blockquote", node("heading", text(), level=1))),
    document(node("blockquote", node("blockquote", line()))),
    document(node("table", node("tableRow", node("tableCell", node("table", ROW))))),
    document(node("table")),
    document(node("panel", line(), panelType="danger")),
    document(node("panel", line())),
    document(
        node("panel", {**line(), "marks": [mark("alignment", align="end")]}, panelType="note")
    ),
    document(line(mark("code"), mark("strong"))),
    document(line(mark("blink"))),
    document(line(mark("textColor", color="red"))),
    document(line(mark("link"))),
    document(line(mark("subsup", type="middle"))),
    document(node("codeBlock", text("x", mark("strong")))),
    document(node("codeBlock", {"type": "hardBreak"})),
    document({"type": "hardBreak"}),
    document(node("paragraph", {"type": "hardBreak", "text": "\n"})),
    document(node("paragraph", leaf("mention"))),
    document(node("paragraph", leaf("date", timestamp=1582152559))),
    document(node("paragraph", leaf("status", text="", color="green"))),
    document(node("paragraph", leaf("status", text="x", color="orange"))),
    document(node("mediaSingle", layout="center")),
    document(node("mediaSingle", leaf("media", type="file", id="m"), layout="center")),
    document(node("layoutSection", node("layoutColumn", line(), width=50))),
    document("words"),
    document({"content": []}),
    document(node("paragraph", {"type": "text"})),
    {**document(), "version": 2},
    {**document(), "version": True},
    {"type": "doc", "content": []},
    {**document(), "content": {}},
    {**document(), "title": "x"},
]


@pytest.mark.parametrize("value", VALID, ids=lambda value: json.dumps(value)[38:90])
def test_what_the_format_allows_is_taken_as_it_is(value: Json) -> None:
    assert to_json(read_document(value)) == value


@pytest.mark.parametrize("value", INVALID, ids=lambda value: json.dumps(value)[38:90])
def test_what_breaks_the_format_is_refused_without_a_place(value: Json) -> None:
    with pytest.raises(InvalidDocument) as refused:
        read_document(value)
    assert refused.value.code == "INVALID_INPUT"
    assert refused.value.reason


@pytest.mark.parametrize("value", ["words", 7, None, [], {}, {"type": "paragraph", "content": []}])
def test_what_is_no_document_is_refused_in_the_field(value: Any) -> None:
    with pytest.raises(NotADocument) as refused:
        read_document(value)
    assert refused.value.message == (
        "Operation value must be an Atlassian Document (see the Atlassian Document Format)"
    )
    assert refused.value.comment_message == "Comment body is not valid!"


def test_version_two_takes_strings_alone() -> None:
    assert read_markup("*words*") == "*words*"
    with pytest.raises(NotAString) as refused:
        read_markup(document())
    assert refused.value.message == "Operation value must be a string"


def test_unverified_text_without_text_is_dropped_from_its_paragraph() -> None:
    read = read_document(document(node("paragraph", text(""))))
    assert to_json(read) == document({"type": "paragraph", "content": []})


def test_the_colour_of_a_custom_panel_is_stored_in_capitals() -> None:
    read = read_document(document(node("panel", line(), panelType="custom", panelColor="#34eb6e")))
    assert read.children[0].attrs["panelColor"] == "#34EB6E"


def test_empty_attributes_of_tables_are_not_stored() -> None:
    sent = document({**node("table", {**ROW, "attrs": {}}), "attrs": {}})
    assert to_json(read_document(sent)) == document(node("table", ROW))


def nested(levels: int) -> Json:
    found = line()
    for _ in range(levels):
        found = node("bulletList", node("listItem", found))
    return document(found)


def test_depth_is_bounded() -> None:
    deepest = (DEPTH - 2) // 2
    assert len(list(walk(read_document(nested(deepest))))) == 2 * deepest + 3
    with pytest.raises(InvalidDocument):
        read_document(nested(deepest + 1))
    with pytest.raises(InvalidDocument):
        read_document(nested(400))


def test_files_and_people_of_a_document_are_found() -> None:
    mia = leaf("mention", id="5b1")
    read = read_document(document(PICTURE, node("paragraph", mia, text(), mia), PICTURE))
    assert media_ids(read) == ["m", "m"]
    assert mentioned(read) == ["5b1"]
