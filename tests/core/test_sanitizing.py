"""HTML of any length is cleaned in a time that is short, and what is honest stays as it is."""

from __future__ import annotations

import time

import pytest

from clones.core.pages import harmless_html
from clones.core.plaintext import plain_of_html
from clones.core.sanitizing import MOST_TAGS, cleaned_html
from clones.helpdesk.domain.values import NewComment
from clones.helpdesk.rules.text import kept_of_html


@pytest.mark.parametrize("clean", [harmless_html, kept_of_html, cleaned_html])
@pytest.mark.parametrize(
    "piece", ["<div>", "<b><i>", "<p><table>", "<ul><li>", "<div><!-- </div> -->", "<div></x>"]
)
def test_elements_within_elements_take_no_time(clean: object, piece: str) -> None:
    began = time.process_time()
    assert callable(clean)
    assert clean(piece * 60_000)
    assert time.process_time() - began < 3


def test_as_many_tags_as_a_text_has_are_kept() -> None:
    rows = "<tr><td>1</td></tr>" * (MOST_TAGS // 2 - 1)
    table = f"<table><tbody>{rows}</tbody></table>"
    assert kept_of_html(table) == table
    assert kept_of_html(table) == kept_of_html(kept_of_html(table))
    more = kept_of_html("<b>x</b>" * (MOST_TAGS + 1))
    assert more == "<b>x</b>" * MOST_TAGS + "&lt;b&gt;x&lt;/b&gt;"


def test_a_comment_that_is_too_long_is_not_read_before_it_is_refused() -> None:
    began = time.process_time()
    comment = NewComment(None, "<div>" * 2_000_000)
    assert not comment.is_blank
    assert time.process_time() - began < 0.5


@pytest.mark.parametrize("piece", ["<a ", '<a x="', "<!--", "</", "<b", "&#"])
def test_tags_without_an_end_take_no_time(piece: str) -> None:
    for end in ("", ">"):
        began = time.process_time()
        plain_of_html(piece * 10_000 + end)
        assert time.process_time() - began < 3
