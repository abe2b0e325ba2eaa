"""Editing rich text as markup: what was not touched stays as it is stored, whatever it is."""

from __future__ import annotations

from typing import Any

import pytest

from clones.tracker.domain.richtext import markup_of, read_edited

Json = dict[str, Any]


def text(value: str, *marks: Json) -> Json:
    """Return a piece of text."""
    found: Json = {"type": "text", "text": value}
    return {**found, "marks": list(marks)} if marks else found


def node(kind: str, *content: Json, **attrs: Any) -> Json:
    """Return a node with content and attributes."""
    found: Json = {"type": kind}
    if attrs:
        found["attrs"] = attrs
    if content:
        found["content"] = list(content)
    return found


def line(*content: Json) -> Json:
    """Return a paragraph."""
    return node("paragraph", *(content or (text("words"),)))


def document(*blocks: Json) -> Json:
    """Return a document."""
    return {"type": "doc", "version": 1, "content": list(blocks)}


ROW = node("tableRow", node("tableCell", line(), background="#deebff", colwidth=[120]))
NUMBERED = node("orderedList", node("listItem", line()), order=3)
BLOCKS: dict[str, Json] = {
    "marks": line(
        text("plain "), text("all", {"type": "em"}, {"type": "strong"}), text(" x"),
        text("c", {"type": "code"}), text("u", {"type": "underline"}),
    ),
    "inline": line(
        node("mention", id="712020:a", text="@Ada"), text(" "),
        node("status", text="DOING", color="blue", localId="s"), text(" "),
        node("date", timestamp="1700000000000"), text(" "),
        node("emoji", shortName=":tada:", text="\N{PARTY POPPER}"),
        node("inlineCard", url="https://example.com/x"),
    ),
    "task list": node(
        "taskList", node("taskItem", text("do"), localId="i", state="TODO"), localId="l"
    ),
    "decisions": node(
        "decisionList", node("decisionItem", text("so"), localId="i", state="DECIDED"), localId="l"
    ),
    "panel": node("panel", line(), panelType="custom", panelColor="#34eb6e"),
    "expand": node("expand", line(), title="More"),
    "table": node("table", ROW, isNumberColumnEnabled=True, layout="wide"),
    "code": node("codeBlock", text("a = 1\n\nb = *2*"), language="python"),
    "quote": node("blockquote", line(), line()),
    "nested lists": node("bulletList", node("listItem", line(), NUMBERED)),
    "heading": node("heading", text("Head"), level=3),
    "rule": node("rule"),
    "card": node("blockCard", url="https://example.com/x"),
    "picture": node(
        "mediaSingle", node("media", type="file", id="11", collection="c"), layout="center"
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", BLOCKS)
def test_a_block_between_edited_ones_stays(name: str) -> None:
    block = BLOCKS[name]
    before = document(line(text("Begin")), block, line(text("End")))
    markup = markup_of(before)
    assert markup is not None
    assert read_edited(markup, before, "description") is before
    found = read_edited(markup.replace("End", "The end"), before, "description")
    assert found is not None
    assert found["content"][0] == line(text("Begin"))
    assert found["content"][-1] == line(text("The end"))
    assert found["content"][1:-1] == [block]


def test_blocks_are_deleted_moved_and_doubled() -> None:
    task, panel = BLOCKS["task list"], BLOCKS["panel"]
    before = document(line(text("One")), task, panel, line(text("Two")))
    parts = [(markup_of(document(one)) or "").strip() for one in before["content"]]

    def edited(*order: int) -> list[Json]:
        found = read_edited("\n\n".join(parts[at] for at in order), before, "description")
        assert found is not None
        return list(found["content"])

    assert edited(0, 2, 3) == [line(text("One")), panel, line(text("Two"))]
    assert edited(1, 3) == [task, line(text("Two"))]
    assert read_edited("Only this", before, "description") == document(line(text("Only this")))
    assert read_edited("", before, "description") is None
    assert read_edited("New", None, "description") == document(line(text("New")))
