"""Patterns of fields: what fits them, and what is not looked at because it could take too long."""

from __future__ import annotations

import time

import pytest

from clones.helpdesk.rules import patterns


@pytest.mark.parametrize(
    ("pattern", "text", "fit"),
    [
        (r"^\d{4}-\d{2}$", "2024-01", True),
        (r"^\d{4}-\d{2}$", "2024-1", False),
        (r"\A[A-Z]{2}\d+\z", "DE123", True),
        (r"\A[A-Z]{2}\d+\z", "DE123x", False),
        ("gold|silver", "solid gold", True),
        ("gold|silver", "bronze", False),
        (r"^https?://[^)+*]+$", "https://a.example", True),
        (r"^https?://[^)+*]+$", "ftp://a.example", False),
        (r"^(\d{3}-){2}\d{4}$", "555-123-4567", True),
        (r"^(\d{3}-){2}\d{4}$", "555-1234567", False),
    ],
)
def test_a_text_fits_a_pattern(pattern: str, text: str, fit: bool) -> None:
    assert patterns.fits(pattern, text) is fit


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("^(a+)+$", "a" * 60 + "b"),
        ("^(a|aa)+$", "a" * 60 + "b"),
        ("a?" * 40 + "a" * 40, "a" * 39),
        ("a*" * 9 + "b", "a" * 200),
        ("a{60000}b", "a" * 60_000),
        (".{0,99}" * 6 + "x", "a" * 300),
    ],
)
def test_what_could_take_too_long_is_not_looked_at(pattern: str, text: str) -> None:
    started = time.perf_counter()
    assert patterns.fits(pattern, text) is True
    assert time.perf_counter() - started < 1


def test_a_pattern_can_be_read_or_not() -> None:
    assert patterns.readable("[a-z]+") is True
    assert patterns.readable("[a-z") is False
    assert patterns.readable("(") is False
