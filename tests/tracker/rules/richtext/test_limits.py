"""How long texts may be, how deep, and how long reading them takes."""

from __future__ import annotations

import subprocess
import sys

import pytest

from clones.tracker.rules.richtext.document import DEPTH, Node, doc, paragraph, text
from clones.tracker.rules.richtext.html import HtmlContext, render
from clones.tracker.rules.richtext.limits import (
    LIMIT,
    DocumentTooLong,
    MarkupTooLong,
    check_document,
    check_markup,
)
from clones.tracker.rules.richtext.wiki.blocks import read_markup
from clones.tracker.rules.richtext.wiki.printing import write_markup
from tests.growth import TIMES, stays_a_line
from tests.project.paths import ROOT


def test_markup_beyond_the_limit_is_refused_in_the_vendors_words() -> None:
    check_markup("x" * LIMIT)
    with pytest.raises(MarkupTooLong) as refused:
        check_markup("x" * (LIMIT + 1))
    assert refused.value.message == (
        "The entered text is too long. It exceeds the allowed limit of 32,767 characters."
    )


def test_a_document_beyond_the_limit_is_refused_by_a_code() -> None:
    check_document(doc(paragraph(text("x" * LIMIT))))
    with pytest.raises(DocumentTooLong) as refused:
        check_document(doc(paragraph(text("x" * (LIMIT + 1)))))
    assert refused.value.code == "CONTENT_LIMIT_EXCEEDED"


def test_unverified_characters_are_counted_as_java_does_and_in_markup() -> None:
    with pytest.raises(MarkupTooLong):
        check_markup("🙂" * (LIMIT // 2 + 1))
    with pytest.raises(DocumentTooLong):
        check_document(doc(Node("heading", (text("x" * (LIMIT - 3)),), {"level": 1})))


REPEATED = (
    *(
        "word ",
        "*a ",
        "*a* ",
        "_*-a ",
        "{{a",
        "{{a}}b",
        "[a|",
        "[a|https://b.c] ",
        "!a ",
        "!a.png! ",
    ),
    *(
        "{code}",
        "{quote}a",
        "{color:red}a",
        "{panel",
        "\\",
        "\\\\a",
        "\\\\ ",
        "--",
        " -- ",
        "(*",
        ":)",
    ),
    *(
        "https://a.b/",
        "h1. a\n",
        "* a\n",
        "*# a\n",
        "|a",
        "|a|\n",
        "||",
        "\n",
        "- ",
        "{*}",
        "??a ",
        "A-1 ",
    ),
    *(
        "{adf}[",
        "{{",
        "}}",
        "!",
        "[",
        "]",
        "{anchor:a}",
        "[^a.b] ",
        "bq. a\n",
        "----\n",
        "{color}{color:a}",
    ),
)


@pytest.mark.in_turn
@pytest.mark.parametrize("piece", REPEATED)
def test_reading_takes_time_as_the_text_is_long(piece: str) -> None:
    short, long = (piece * (length // len(piece)) for length in (4_000, 4_000 * TIMES))
    # Fifteen leaves room for memory.
    assert stays_a_line(lambda: read_markup(short), lambda: read_markup(long), bound=15)


@pytest.mark.in_turn
@pytest.mark.parametrize("piece", ["word ", "*a* ", "_b", "{code}", "\\-", "see https://a.b/_c_ "])
def test_writing_takes_time_as_the_text_is_long(piece: str) -> None:
    short, long = (
        doc(*(paragraph(text(piece * 20)) for _ in range(length // 20 // len(piece))))
        for length in (2_000, 2_000 * TIMES)
    )
    assert stays_a_line(lambda: write_markup(short), lambda: write_markup(long), bound=15)


def depth(node: Node) -> int:
    return 1 + max(map(depth, node.children), default=0)


@pytest.mark.parametrize(
    "markup",
    [
        "*" * 200 + " a",
        "\n".join("*" * level + " a" for level in range(1, 40)),
        "{quote}{panel}{color:red}" * 50 + "a",
        "".join(f"{'*' * level} a {{quote}}\n" for level in range(1, 20)) + "{quote}" * 20,
        "*_-+^~a" * 50 + "~^+-_*" * 50,
        '{adf}{"type":"panel","content":[' * 200 + "{adf}",
    ],
)
def test_depth_is_bounded_whatever_is_written(markup: str) -> None:
    found = read_markup(markup)
    assert depth(found) < DEPTH
    assert depth(read_markup(write_markup(found))) < DEPTH
    assert isinstance(render(found, HtmlContext()), str)


def test_rich_text_needs_no_django() -> None:
    modules = [
        ".".join(path.relative_to(ROOT).with_suffix("").parts)
        for path in (ROOT / "clones/tracker/rules/richtext").rglob("*.py")
    ]
    assert len(modules) > 15
    code = f"import sys, {', '.join(modules)}\nsys.exit('django' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)
