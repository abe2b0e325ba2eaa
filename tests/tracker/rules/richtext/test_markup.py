"""Wiki markup: what it is read as, and what documents are written as."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from clones.tracker.rules.richtext.document import Node, to_json
from clones.tracker.rules.richtext.validation import read_document
from clones.tracker.rules.richtext.wiki.blocks import read_markup
from clones.tracker.rules.richtext.wiki.context import Context
from clones.tracker.rules.richtext.wiki.printing import write_markup
from tests.tracker.rules.richtext.test_validation import document, leaf, line, mark, node, text

Json = dict[str, Any]

SITE = Context(
    issue_url=lambda key: f"https://s.example/browse/{key}" if key.startswith("KEY-") else None,
    names={"5b1:2": "Mia Krystof"},
    files={"plan.png": "m-1"},
)
EXAMPLES = Path(__file__).with_name("markup.json")
JOINED = (
    '{adf:display=block}\n{"type":"table","content":[{"type":"tableRow","content":[{"type":'
    '"tableCell","attrs":{"colspan":2},"content":[{"type":"paragraph","content":[{"type":'
    '"text","text":"words"}]}]}]}]}\n{adf}'
)
CLOSING = (
    '{adf:display=block}\n{"type":"codeBlock","content":[{"type":"text","text":'
    '"\\u007bcode}\\u007bnoformat}"}]}\n{adf}'
)


def shorthand(given: Node) -> str:
    """Return a node in short: types, texts with their marks, attributes that say something."""
    marks = "".join(f"<{':'.join([m.type, *map(str, m.attrs.values())])}" for m in given.marks)
    if given.type == "text":
        return repr(given.text) + marks
    attrs = "".join(f" {value}" for value in given.attrs.values() if value != "")
    inside = "" if given.content is None else f"({' '.join(map(shorthand, given.content))})"
    return f"{given.type}{attrs}{inside}"


def read(markup: str) -> str:
    return " ".join(map(shorthand, read_markup(markup, SITE).children))


@pytest.mark.parametrize(("markup", "found"), json.loads(EXAMPLES.read_text()))
def test_markup_is_read(markup: str, found: str) -> None:
    assert read(markup) == found


def written(*content: Any) -> str:
    return write_markup(read_document(document(*content)), SITE)


ITEM = node("listItem", line())
TWO = [node("bulletList", ITEM, node("listItem", line(), node("orderedList", ITEM)))]


@pytest.mark.parametrize(
    ("content", "markup"),
    [
        ([], ""),
        ([line(), node("paragraph"), line()], "words\n\nwords"),
        ([node("paragraph", text("a\nb"), {"type": "hardBreak"}, text("c"))], "a\nb\nc"),
        ([line(mark("strong"), mark("em"))], "*_words_*"),
        ([line(mark("code"))], "{{words}}"),
        ([node("paragraph", text("a "), text(" b ", mark("strong")), text("c"))], "a  *b* c"),
        (
            [node("paragraph", text("un"), text("bold", mark("strong")), text("ed"))],
            "un{*}bold{*}ed",
        ),
        ([line(mark("textColor", color="#bf2600"))], "{color:#bf2600}words{color}"),
        ([line(mark("link", href="https://a.b"))], "[words|https://a.b]"),
        ([node("paragraph", text("2 * 3, a_b_c, -v, [x]"))], "2 * 3, a_b_c, -v, [x]"),
        ([node("paragraph", text("*not* {code} f(x)"))], r"\*not\* \{code} f\(x)"),
        ([node("paragraph", text("# no item"))], r"\# no item"),
        ([node("paragraph", text("see https://a.b/_c_"))], "see https://a.b/_c_"),
        ([node("paragraph", text("h2. title"))], "h2. title"),
        ([node("heading", text("a"), level=2)], "h2. a"),
        (TWO, "* words\n* words\n*# words"),
        ([node("codeBlock", text("x"), language="python")], "{code:python}x{code}"),
        ([node("codeBlock", text("x"), language="text")], "{noformat}x{noformat}"),
        ([node("blockquote", line(), line())], "{quote}words\n\nwords{quote}"),
        ([node("panel", line(), panelType="error")], "{panel:bgColor=#ffebe6}\nwords\n{panel}"),
        ([{"type": "rule"}], "----"),
        (
            [
                node(
                    "table",
                    node("tableRow", node("tableHeader", line()), node("tableCell", line())),
                )
            ],
            "||words|words|",
        ),
        (
            [node("table", node("tableRow", node("tableCell", node("paragraph", text("a|b")))))],
            r"|a\|b|",
        ),
        ([node("paragraph", leaf("mention", id="5b1", text="@Mia"))], "[~accountid:5b1]"),
        ([node("paragraph", leaf("emoji", shortName=":smile:", id="1f604", text="😄"))], "😄"),
        ([node("paragraph", leaf("emoji", shortName=":warning:", id="atlassian-warning"))], "(!)"),
        (
            [node("paragraph", leaf("status", text="In work", color="yellow"))],
            "{color:#FF991F}*[ IN WORK ]*{color}",
        ),
        ([node("paragraph", leaf("date", timestamp="1582152559000"))], "{{2020-02-19}}"),
        (
            [node("paragraph", leaf("inlineCard", url="https://a.b"))],
            "[https://a.b|https://a.b|smart-link]",
        ),
        (
            [node("paragraph", leaf("inlineCard", url="https://s/browse/KEY-1#icft=KEY-1"))],
            "[KEY-1]",
        ),
        ([leaf("blockCard", url="https://a.b")], "[https://a.b|https://a.b|smart-card]"),
        (
            [
                node(
                    "mediaSingle",
                    leaf("media", type="file", id="m-1", collection="c"),
                    layout="center",
                )
            ],
            "!plan.png|thumbnail!",
        ),
        ([node("mediaGroup", leaf("media", type="file", id="m-1", collection="c"))], "[^plan.png]"),
        ([node("expand", line(), title="More")], "*More*\n\nwords"),
        (
            [
                node(
                    "taskList",
                    node("taskItem", text("a"), localId="1", state="DONE"),
                    node("taskItem", text("b"), localId="2", state="TODO"),
                    localId="3",
                )
            ],
            "* -a-\n* b",
        ),
        (
            [
                node(
                    "decisionList",
                    node("decisionItem", text("a"), localId="1", state="D"),
                    localId="3",
                )
            ],
            "* <> a",
        ),
        ([node("table", node("tableRow", node("tableCell", line(), colspan=2)))], JOINED),
        ([node("codeBlock", text("{code}{noformat}"))], CLOSING),
    ],
    ids=lambda value: json.dumps(value)[:60],
)
def test_documents_are_written(content: list[Json], markup: str) -> None:
    assert written(*content) == markup


PEOPLE_USE = [
    [line(mark("strong")), line(mark("em")), line(mark("strike")), line(mark("underline"))],
    [line(mark("subsup", type="sub")), line(mark("code")), line(mark("link", href="https://a.b"))],
    [line(mark("strong"), mark("textColor", color="#bf2600"))],
    [node("heading", text("a"), level=3), {"type": "rule"}, line()],
    TWO,
    [node("orderedList", ITEM, node("listItem", line(), node("codeBlock", text("x"))))],
    [node("codeBlock", text("x\n\n  y"), language="python"), node("codeBlock", text("{z}"))],
    [node("blockquote", line(), *TWO)],
    [node("panel", node("heading", text("a"), level=1), line(), *TWO, panelType="note")],
    [
        node(
            "table",
            node("tableRow", node("tableHeader", line(mark("strong")))),
            node("tableRow", node("tableCell", line(), *TWO)),
        )
    ],
    [
        node(
            "table",
            node("tableRow", node("tableCell", line(), rowspan=2), node("tableCell", line())),
        )
    ],
    [node("paragraph", leaf("mention", id="5b1"), {"type": "hardBreak"}, text("b"))],
    [
        node("paragraph", leaf("inlineCard", url="https://a.b")),
        leaf("blockCard", url="https://a.b"),
    ],
    [
        node(
            "layoutSection",
            node("layoutColumn", line(), width=50),
            node("layoutColumn", line(), width=50),
        )
    ],
    [leaf("extension", extensionKey="k", extensionType="t")],
    [node("paragraph", text("a *b* [c|d] {e} \\ |f| !g.png! -h- (i) 2_3_4"))],
]


@pytest.mark.parametrize("content", PEOPLE_USE, ids=lambda value: json.dumps(value)[:60])
def test_what_people_use_goes_through_markup_unchanged(content: list[Json]) -> None:
    markup = written(*content)
    assert to_json(read_markup(markup, SITE)) == document(*content)
