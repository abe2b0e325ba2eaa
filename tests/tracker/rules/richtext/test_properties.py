"""What holds of every document and of every text."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from clones.tracker.rules.richtext.document import DEPTH, Node, to_json
from clones.tracker.rules.richtext.validation import read_document
from clones.tracker.rules.richtext.wiki.blocks import read_markup
from clones.tracker.rules.richtext.wiki.context import Context
from clones.tracker.rules.richtext.wiki.printing import write_markup
from tests.tracker.rules.richtext.documents import MARKUP, WORDS, documents

SITE = Context(
    issue_url=lambda key: f"https://s.example/browse/{key}" if key.startswith("ABC-") else None,
    names={"x": "Mia Krystof"},
    files={"p.png": "m-1", "f.pdf": "m-2"},
)


def depth(node: Node) -> int:
    return 1 + max(map(depth, node.children), default=0)


def through_markup(document: Node) -> Node:
    return read_markup(write_markup(document, SITE), SITE)


@settings(max_examples=200, deadline=None)
@given(documents())
def test_documents_are_stable_after_one_pass_through_markup(value: dict[str, Any]) -> None:
    once = through_markup(read_document(value))
    assert to_json(through_markup(once)) == to_json(once)


@settings(max_examples=100, deadline=None)
@given(documents(WORDS))
def test_what_markup_says_of_a_document_is_a_valid_document(value: dict[str, Any]) -> None:
    once = through_markup(read_document(value))
    assert read_document(to_json(once)) == once


@settings(max_examples=500, deadline=None)
@given(st.one_of(MARKUP, st.text(max_size=60)))
def test_any_text_is_markup_and_makes_a_valid_document(text: str) -> None:
    found = read_markup(text, SITE)
    assert read_document(to_json(found)) == found
    assert depth(found) < DEPTH


@settings(max_examples=200, deadline=None)
@given(MARKUP)
def test_what_markup_makes_is_stable_after_it_was_printed_once(text: str) -> None:
    once = through_markup(read_markup(text, SITE))
    assert to_json(through_markup(once)) == to_json(once)


@settings(max_examples=100, deadline=None)
@given(documents())
def test_a_document_comes_out_of_json_as_it_went_in(value: dict[str, Any]) -> None:
    document = read_document(value)
    assert read_document(to_json(document)) == document
