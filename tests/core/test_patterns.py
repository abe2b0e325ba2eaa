"""Patterns of accounts: what fits them, in time that grows with the text alone."""

from __future__ import annotations

import time

import pytest

from clones.core.patterns import LONGEST, BadPattern, Language, is_found, is_pattern, read_pattern


@pytest.mark.parametrize(
    ("pattern", "text", "fit"),
    [
        (r"^\d{4}-\d{2}$", "2024-01", True),
        (r"^\d{4}-\d{2}$", "2024-1", False),
        (r"\A[A-Z]{2}\d+\z", "DE123", True),
        (r"\A[A-Z]{2}\d+\z", "DE123x", False),
        (r"\A[A-Z]{2}\d+\Z", "DE123\n", True),
        (r"^\h+$", "c0ffee", True),
        (r"^\h+$", "coffee", False),
        (r"\\h", "a\\h", True),
        (r"^[\h-]+$", "c0-ffee", True),
        (r"^[\h-]+$", "c0-[ffee", False),
        (r"^[]\h]+$", "]c0]", True),
        (r"^[^\h]+$", "xyz", True),
        (r"^[^\h]+$", "xyz0", False),
        ("(?m:a.b)", "a\nb", True),
        ("(?m-i)a.b", "a\nb", True),
        ("a.b", "a\nb", False),
        ("(?im)A.B", "a\nb", True),
        ("gold|silver", "solid gold", True),
        ("gold|silver", "bronze", False),
        (r"^https?://[^)+*]+$", "https://a.example", True),
        (r"^https?://[^)+*]+$", "ftp://a.example", False),
        (r"^(\d{3}-){2}\d{4}$", "555-123-4567", True),
        (r"^(\d{3}-){2}\d{4}$", "555-1234567", False),
        ("^second$", "first\nsecond", True),
        ("^é{2}$", "éé", True),
    ],
)
def test_a_text_fits_a_pattern_of_rubys(pattern: str, text: str, fit: bool) -> None:
    assert is_found(pattern, text, "ruby", otherwise=not fit) is fit


def test_lines_are_rubys_and_texts_are_javas() -> None:
    assert is_found("^second$", "first\nsecond", "ruby", otherwise=False)
    assert not is_found("^second$", "first\nsecond", "java", otherwise=True)
    assert not is_pattern(r"\h", "java")


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("^(a+)+$", "a" * 60 + "!"),
        ("(?:a+)+$", "a" * 100_000 + "!"),
        ("^(a|aa)+$", "a" * 60 + "b"),
        ("a*" * 9 + "b", "a" * 100_000),
        (".{0,99}" * 6 + "x", "a" * 20_000),
        ("(.*)(.*)(.*)(.*)x", "a" * 20_000),
    ],
)
@pytest.mark.parametrize("language", ["ruby", "java"])
def test_unlucky_pairs_are_told_in_time(pattern: str, text: str, language: Language) -> None:
    started = time.process_time()
    assert is_found(pattern, text, language, otherwise=True) is False
    assert time.process_time() - started < 5


@pytest.mark.parametrize(
    "pattern",
    [
        "[a-z", "(", r"[\H]", r"[\Z]", "(?x)a",
        r"(?#[)(a+)+$(?#])", r"(a)\1", "a(?=b)", "(?<!a)b", "a++", "a{60000}",
        "(a{1000}){1000}", "a" * (LONGEST + 1),
    ],
)  # fmt: skip
@pytest.mark.parametrize("language", ["ruby", "java"])
def test_what_cannot_be_searched_so_is_no_pattern(pattern: str, language: Language) -> None:
    assert not is_pattern(pattern, language)
    assert is_found(pattern, "a", language, otherwise=True)
    assert not is_found(pattern, "a", language, otherwise=False)
    with pytest.raises(BadPattern):
        read_pattern(pattern, language)
