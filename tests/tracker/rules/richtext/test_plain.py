"""Documents as plain text, and back."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from clones.tracker.rules.richtext.document import to_json
from clones.tracker.rules.richtext.plain import document_of_plain, plain_of_document
from clones.tracker.rules.richtext.validation import read_document
from tests.tracker.rules.richtext.test_validation import document, leaf, line, node, text

PLAIN = """Release notes

See @Mia Krystof, done on 2020-02-19 😄

* first
  more
* second
  1. inner

[x] one
[ ] two
  [ ] below

<> we ship

Name | Value
a | b c

x = 1

Details

hidden

https://a.b"""

BREAK = {"type": "hardBreak"}
FULL = document(
    node("heading", text("Release notes"), level=1),
    node(
        "paragraph",
        text("See "),
        leaf("mention", id="5b1"),
        text(", "),
        leaf("status", text="done", color="green"),
        text(" on "),
        leaf("date", timestamp="1582152559000"),
        text(" "),
        leaf("emoji", shortName=":smile:", id="1f604"),
    ),
    node(
        "bulletList",
        node("listItem", node("paragraph", text("first"), BREAK, text("more"))),
        node(
            "listItem",
            node("paragraph", text("second")),
            node("orderedList", node("listItem", node("paragraph", text("inner")))),
        ),
    ),
    node(
        "taskList",
        node("taskItem", text("one"), localId="1", state="DONE"),
        node("taskItem", text("two"), localId="2", state="TODO"),
        node("taskList", node("taskItem", text("below"), localId="4", state="TODO"), localId="5"),
        localId="3",
    ),
    node(
        "decisionList", node("decisionItem", text("we ship"), localId="1", state="D"), localId="2"
    ),
    node(
        "table",
        node(
            "tableRow",
            node("tableHeader", node("paragraph", text("Name"))),
            node("tableHeader", node("paragraph", text("Value"))),
        ),
        node(
            "tableRow",
            node("tableCell", node("paragraph", text("a"))),
            node("tableCell", node("paragraph", text("b")), node("paragraph", text("c"))),
        ),
    ),
    node("codeBlock", text("x = 1")),
    node("expand", node("paragraph", text("hidden")), title="Details"),
    leaf("blockCard", url="https://a.b"),
)


def test_the_words_that_a_reader_sees_are_in_the_text() -> None:
    assert plain_of_document(read_document(FULL), {"5b1": "Mia Krystof"}) == PLAIN


def test_a_mention_without_a_known_name_shows_what_it_carries() -> None:
    carried = document(node("paragraph", leaf("mention", id="5b1", text="@Mia")))
    assert plain_of_document(read_document(carried)) == "@Mia"
    bare = document(node("paragraph", leaf("mention", id="5b1")))
    assert plain_of_document(read_document(bare)) == "@5b1"


def test_plain_text_is_paragraphs_and_lines() -> None:
    made = to_json(document_of_plain("one\r\ntwo\n \n\n*three*\n"))
    assert made == document(
        node("paragraph", text("one"), BREAK, text("two")), node("paragraph", text("*three*"))
    )
    assert to_json(document_of_plain("")) == document()
    assert to_json(document_of_plain("\n \n")) == document()


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=80))
def test_any_text_makes_a_valid_document(value: str) -> None:
    made = document_of_plain(value)
    assert read_document(to_json(made)) == made


@settings(max_examples=200, deadline=None)
@given(st.lists(st.text("ab *_{", min_size=1).filter(str.strip), min_size=1, max_size=4))
def test_lines_come_back_as_they_were(lines: list[str]) -> None:
    assert plain_of_document(document_of_plain("\n".join(lines))) == "\n".join(lines)
    assert plain_of_document(document_of_plain("\n\n".join(lines))) == "\n\n".join(lines)


def test_words_without_formats_are_one_line() -> None:
    assert plain_of_document(read_document(document(line()))) == "words"
