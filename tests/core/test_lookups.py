"""Text is found alike on every engine: which letters are the same, where words begin and end."""

from __future__ import annotations

import pytest

from clones.core.models import Message
from clones.core.tenancy import SandboxRow, unit_of_work
from clones.core.words import words_of
from snapshots.conformance import write_message
from tests.conftest import bind

TEXTS = (
    "École Zoë\u2019s \u201cticket\u201d",
    "straße 100% a_b c\\d",
    "ISTANBUL \u0130stanbul",
    "one-two (three) [four]",
    "line\nbreak",
    "\u4f60\u597d\u3002world\U0001f642hand",
    "",
)


@pytest.mark.parametrize(
    ("lookup", "wanted", "found"),
    [
        ("icontains", "éCOLE", [0]),
        ("icontains", "COL", [0]),
        ("icontains", "STRASSE", []),
        ("icontains", "STRAßE", [1]),
        ("icontains", "0%", [1]),
        ("icontains", "a_B", [1]),
        ("icontains", "C\\D", [1]),
        ("icontains", "a%b", []),
        ("icontains", "\u212a", [0, 4]),
        ("icontains", "stanbul", [2]),
        ("icontains", "\0", []),
        ("icontains", "x" * 60_000, []),
        ("istartswith", "éc", [0]),
        ("istartswith", "cole", []),
        ("iexact", "LINE\nBREAK", [4]),
        ("iexact", "line", []),
        ("iexact", "éCOLE ZOË\u2019S \u201cTICKET\u201d", [0]),
        ("has_word", "zoË", [0]),
        ("has_word", "zo", []),
        ("has_word", "ticket", [0]),
        ("has_word", "S", [0]),
        ("has_word", "two", [3]),
        ("has_word", "four", [3]),
        ("has_word", "break", [4]),
        ("has_word", "hand", [5]),
        ("has_word", "a", []),
        ("has_word", "", []),
        ("has_word", "a\0", []),
        ("has_prefix", "ZO", [0]),
        ("has_prefix", "oë", []),
        ("has_prefix", "éco", [0]),
        ("has_prefix", "wor", [5]),
    ],
)
def test_a_text_is_found(
    empty_sandbox: SandboxRow, lookup: str, wanted: str, found: list[int]
) -> None:
    with bind(empty_sandbox), unit_of_work("write"):
        for number, text in enumerate(TEXTS):
            write_message(number, subject=text)
        rows = Message.objects.filter(**{f"subject__{lookup}": wanted}).order_by("id")
        assert list(rows.values_list("id", flat=True)) == found
        others = Message.objects.exclude(**{f"subject__{lookup}": wanted}).count()
        assert others == len(TEXTS) - len(found)


def test_a_text_has_the_words_that_are_found_in_it() -> None:
    words = [word for text in TEXTS for word in words_of(text)]
    assert words[:4] == ["École", "Zoë", "s", "ticket"]
    assert words[4:7] == ["straße", "100", "a_b"]
    assert words[-3:] == ["\u4f60\u597d", "world", "hand"]
