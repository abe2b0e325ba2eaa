"""Sums, periods and the search language, by themselves."""

from __future__ import annotations

import contextlib
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clones.billing.errors import UnparsableQuery
from clones.billing.rules.money import (
    decimals,
    format_money,
    parse_amount,
    plain_amount,
    processing_fee,
    settled,
)
from clones.billing.rules.periods import add_interval
from clones.billing.rules.search import Clause, Query, parse_query

CURRENCIES = st.sampled_from(["usd", "eur", "jpy", "krw", "kwd", "chf"])


@pytest.mark.parametrize(
    ("amount", "currency", "told"),
    [
        (4900, "usd", "$49.00"),
        (123456789, "USD", "$1,234,567.89"),
        (5, "eur", "€0.05"),
        (-2000, "usd", "-$20.00"),
        (5000, "jpy", "¥5,000"),
        (1500, "kwd", "1.500 KWD"),
        (1200, "chf", "12.00 CHF"),
        (0, "gbp", "£0.00"),
    ],
)
def test_sums_as_people_read_them(amount: int, currency: str, told: str) -> None:
    assert format_money(amount, currency) == told


@given(st.integers(0, 10**12 - 1), CURRENCIES)
def test_a_plain_amount_is_read_back(amount: int, currency: str) -> None:
    assert parse_amount(plain_amount(amount, currency), currency) == amount
    assert parse_amount(plain_amount(amount, currency, grouped=True), currency) == amount


@pytest.mark.parametrize("text", ["", ".", "-1", "1.2.3", "1.", "١", "1e3", "9" * 13, "1.001"])
def test_what_is_no_amount(text: str) -> None:
    assert parse_amount(text, "usd") is None


def test_currencies_differ_in_decimals() -> None:
    assert [decimals(currency) for currency in ("usd", "JPY", "kwd")] == [2, 0, 3]


def test_conversion_rounds_half_up() -> None:
    assert settled(1000, None) == 1000
    assert settled(1000, "1.0845") == 1085
    assert settled(1, "0.5") == 1
    assert settled(333, "0.0065") == 2
    assert processing_fee(4900) == 172


@pytest.mark.parametrize(
    ("interval", "count", "expected"),
    [
        ("day", 3, datetime(2024, 2, 3, tzinfo=UTC)),
        ("week", 1, datetime(2024, 2, 7, tzinfo=UTC)),
        ("month", 1, datetime(2024, 2, 29, tzinfo=UTC)),
        ("month", 12, datetime(2025, 1, 31, tzinfo=UTC)),
        ("month", 13, datetime(2025, 2, 28, tzinfo=UTC)),
        ("year", 1, datetime(2025, 1, 31, tzinfo=UTC)),
    ],
)
def test_periods_end_on_days_that_exist(interval: str, count: int, expected: datetime) -> None:
    assert add_interval(datetime(2024, 1, 31, tzinfo=UTC), interval, count) == expected


def test_queries() -> None:
    assert parse_query("amount>=100 -status:'failed'") == Query(
        (
            Clause("amount", None, ">=", 100, negated=False),
            Clause("status", None, ":", "failed", negated=True),
        ),
        any=False,
    )
    assert parse_query('metadata["a b"]:\'it\\\'s\' or name~"x"') == Query(
        (
            Clause("metadata", "a b", ":", "it's", negated=False),
            Clause("name", None, "~", "x", negated=False),
        ),
        any=True,
    )
    assert parse_query("metadata['k']:null").clauses[0].value is None


@given(st.text(max_size=60))
def test_no_text_breaks_the_parser(text: str) -> None:
    with contextlib.suppress(UnparsableQuery):
        parse_query(text)
