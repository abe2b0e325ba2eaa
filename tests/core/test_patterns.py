"""Patterns of accounts: what fits them, in time that grows with the text alone."""

from __future__ import annotations

import ast
import time
from collections.abc import Iterator

import pytest

from clones.core.patterns import (
    LONGEST,
    BadPattern,
    Language,
    is_found,
    is_pattern,
    matches,
    read_pattern,
)
from clones.core.words import any_case
from tests.project.paths import ROOT, python_files

SEARCHES = {
    "compile",
    "match",
    "search",
    "fullmatch",
    "sub",
    "subn",
    "split",
    "findall",
    "finditer",
}
# Where Python's engine is given more than a text that stands there: words of ours, and what was
# typed as it stands, escaped; nothing in either repeats within what repeats.
MADE = {
    "clones/config/authority.py",
    "clones/core/journal/identity.py",
    "clones/core/quoting.py",
    "clones/core/tenancy/addressing.py",
    "clones/crm/rules/bulk/tables.py",
    "clones/crm/rules/formulas/functions/dates.py",
    "clones/crm/rules/formulas/lexer.py",
    "clones/tracker/api/issue_picker.py",
    "clones/tracker/api/presenters/people.py",
    "clones/tracker/rules/durations_of_work.py",
    "clones/tracker/rules/jql/lexer.py",
    "clones/tracker/rules/jql/reference.py",
    "clones/tracker/rules/jql/words.py",
    "clones/tracker/rules/richtext/schema.py",
    "clones/tracker/rules/richtext/wiki/emoticons.py",
    "clones/tracker/rules/richtext/wiki/links.py",
}


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


def test_a_query_with_jokers_is_answered_in_time() -> None:
    """SQLite asks here for REGEXP: no watch could end a search within Python's engine."""
    started = time.process_time()
    pattern = "^" + "[aA][^ ]*" * 12 + "[bB]$"
    assert matches(pattern, "a" * 30_000) is False
    assert matches(pattern, "A" * 30_000 + "b") is True
    assert time.process_time() - started < 5


def test_a_query_can_look_for_as_long_a_text_as_is_taken() -> None:
    text = "a\u00e9" * 5_000
    assert matches(f"^{any_case(text)}\\Z", text.upper()) is True
    assert matches(f"^{any_case(text)}\\Z", text + "x") is False
    assert matches("a", None) is None
    assert matches("^5", 50) is True


def is_fixed(node: ast.expr) -> bool:
    """Tell whether a pattern is made of texts that stand in the code, and of constants."""
    match node:
        case ast.Constant():
            return True
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name.isupper()
        case ast.JoinedStr(values=values):
            return all(is_fixed(value) for value in values)
        case ast.FormattedValue(value=value):
            return is_fixed(value)
        case ast.BinOp(left=left, right=right):
            return is_fixed(left) and is_fixed(right)
    return False


def searches(tree: ast.AST) -> Iterator[ast.expr]:
    """Return the patterns that Python's engine is given."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id="re"), attr=name), args=[first, *_]):
                if name in SEARCHES:
                    yield first
            case ast.ImportFrom(module="re"):
                raise AssertionError(f"import re whole: {ast.unparse(node)}")


def test_clones_give_pythons_engine_no_pattern_that_somebody_sent() -> None:
    made = {
        str(path.relative_to(ROOT))
        for path in python_files("clones")
        for pattern in searches(ast.parse(path.read_text()))
        if not is_fixed(pattern)
    }
    assert made == MADE
