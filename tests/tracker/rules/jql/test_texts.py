"""What `~` looks for."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clones.tracker.rules.jql.texts import Term, parse_text
from tests.tracker.rules.jql.oracle import reads

TEXT = "The detector needs a new calibration, says the lcls-ii team."


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("detector", True),
        ("DETECTOR calibration", True),
        ("detector missing", False),
        ("detector AND missing", False),
        ("detector OR missing", True),
        ("missing || calibration team", True),
        ("+detector +calibration", True),
        ("detector -calibration", False),
        ("detector NOT missing", True),
        ("detector !team", False),
        ('"new calibration"', True),
        ('"calibration new"', False),
        ('-"new calibration"', False),
        ("calib*", True),
        ("c?libration", True),
        ("calib?", False),
        ("lcls-ii", True),
        ("(detector)", True),
        ("detector^4 calibration~", True),
        (r"needs\ a", True),
    ],
)
def test_a_text_is_found_by(query: str, found: bool) -> None:
    parsed = parse_text(query)
    assert parsed is not None
    assert reads(parsed, TEXT) is found


@pytest.mark.parametrize("query", ["", "AND", "OR", "NOT", "a AND", "OR a", "a OR OR b", "()", "!"])
def test_unverified_a_text_that_cannot_be_read(query: str) -> None:
    assert parse_text(query) is None


@pytest.mark.parametrize(
    "query", ["~", "~~", "^", ":", "...", "~ ^ /", '"~"', '"..."', r"\~", "-~", "/"]
)
def test_unverified_marks_alone_are_not_found_everywhere(query: str) -> None:
    """A text without a word in it is refused; beside a word marks say nothing."""
    assert parse_text(query) is None
    assert parse_text(f"detector {query}") == parse_text("detector")


def test_marks_inside_of_quotation_marks_are_text() -> None:
    parsed = parse_text(r'"AND" "say \"x\"" a\*b')
    assert parsed is not None
    assert parsed.groups == (
        (Term("AND", phrase=True),),
        (Term('say "x"', phrase=True),),
        (Term("a*b"),),
    )


@given(st.text(max_size=40))
@settings(max_examples=150, deadline=None)
def test_any_text_is_read_or_not(text: str) -> None:
    parsed = parse_text(text)
    if parsed is not None:
        assert all(group and all(term.text for term in group) for group in parsed.groups)


def test_a_text_has_a_length() -> None:
    assert parse_text("a" * 4097) is None
