"""Sums, days and identifiers in free text."""

from __future__ import annotations

from datetime import date

import pytest

from seeds.people.extraction import IdKind, extract

SUMS: list[tuple[str, int, str]] = [
    ("$1,299.00", 129900, "usd"),
    ("1.299,00 €", 129900, "eur"),
    ("1 299,00 €", 129900, "eur"),
    ("CHF 1'299.00", 129900, "chf"),
    ("CHF 49.-", 4900, "chf"),
    ("129,- €", 12900, "eur"),
    ("USD 1299", 129900, "usd"),
    ("1299 USD", 129900, "usd"),
    ("49,90 EUR", 4990, "eur"),
    ("£34", 3400, "gbp"),
    ("34.00 gbp", 3400, "gbp"),
    ("CA$12.30", 1230, "cad"),
    ("¥5000", 5000, "jpy"),
    ("5,000 JPY", 5000, "jpy"),
    ("49 dollars", 4900, "usd"),
    ("12,5 €", 1250, "eur"),
    ("500 kr", 50000, "sek"),
    ("49 Pfund", 4900, "gbp"),
    ("1.234.567,89 €", 123456789, "eur"),
    ("a refund of 129.00, please", 12900, "usd"),
    ("(129.00)", 12900, "eur"),
]


@pytest.mark.parametrize(("text", "minor", "currency"), SUMS)
def test_sums(text: str, minor: int, currency: str) -> None:
    found = extract(text).money
    assert len(found) == 1
    assert found[0].matches(minor, currency)
    assert not found[0].matches(minor + 1, currency)


def test_a_symbol_leaves_the_currency_open_and_a_code_does_not() -> None:
    assert extract("$20").names_sum(2000, "cad")
    assert not extract("US$20").names_sum(2000, "cad")
    assert not extract("€20").names_sum(2000, "usd")


@pytest.mark.parametrize(
    "text",
    ["100 %", "version 2.10.3", "at 10:30", "ticket #88", "KL-10432", "600 x 400", "on 12.05."],
)
def test_what_is_no_sum(text: str) -> None:
    assert extract(text).money == ()


DAYS: list[tuple[str, date]] = [
    ("2026-06-16T10:00", date(2026, 6, 16)),
    ("16.06.2026", date(2026, 6, 16)),
    ("06/16/2026", date(2026, 6, 16)),
    ("16 June 2026", date(2026, 6, 16)),
    ("June 16th, 2026", date(2026, 6, 16)),
    ("the 3rd of May", date(2026, 5, 3)),
    ("16. Juni", date(2026, 6, 16)),
    ("le 1er juin 2026", date(2026, 6, 1)),
    ("16 de junio de 2026", date(2026, 6, 16)),
]


@pytest.mark.parametrize(("text", "day"), DAYS)
def test_days(text: str, day: date) -> None:
    found = extract(text).days
    assert len(found) == 1
    assert found[0].matches(day)
    assert not found[0].matches(date(2026, 7, 9))


def test_a_day_written_in_figures_is_open() -> None:
    [mention] = extract("3/4/2026").days
    assert mention.matches(date(2026, 4, 3))
    assert mention.matches(date(2026, 3, 4))
    assert extract("31/4/2026").days == ()


IDS: list[tuple[str, IdKind, str]] = [
    ("on ch_3Pq9ZkLmN0aBcDeFgHiJkLmN.", "charge", "ch_3Pq9ZkLmN0aBcDeFgHiJkLmN"),
    ("refund re_3Pq9ZkLmN0aBcDeF", "refund", "re_3Pq9ZkLmN0aBcDeF"),
    ("order kl-10432", "order", "KL-10432"),
    ("Order number: 104321", "order", "104321"),
    ("Bestellung Nr. 10432", "order", "10432"),
    ("see #88", "ticket", "88"),
    ("in ticket 88", "ticket", "88"),
    ("card ending in 4242", "card", "4242"),
    ("•••• 4242", "card", "4242"),
    ("Endziffern 4242", "card", "4242"),
    ("la tarjeta termina en 4242", "card", "4242"),
]


@pytest.mark.parametrize(("text", "kind", "value"), IDS)
def test_identifiers(text: str, kind: IdKind, value: str) -> None:
    assert extract(text).ids(kind) == (value,)


def test_identifiers_are_neither_sums_nor_days() -> None:
    found = extract("ch_3Pq9ZkLmN0aBcDeF12.00 and KL-2026-06-16")
    assert found.money == ()
