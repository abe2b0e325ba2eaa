"""Typed facts in free text: sums of money, days, and the identifiers people quote.

A mention may be open: "$" stands for several currencies, "3/4" for two days. It matches a value
when one of its readings does.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import Literal

from clones.billing.rules.money import decimals

# Money

DOLLARS = frozenset({"usd", "cad", "aud", "nzd", "mxn"})
KRONER = frozenset({"sek", "nok", "dkk"})
CODES = (
    *("usd", "eur", "gbp", "chf", "jpy", "cad", "aud", "nzd", "mxn", "brl", "inr", "krw"),
    *("sek", "nok", "dkk", "pln", "czk", "huf", "sgd", "hkd", "cny", "zar"),
)
SYMBOLS: dict[str, frozenset[str]] = {
    "us$": frozenset({"usd"}),
    "ca$": frozenset({"cad"}),
    "c$": frozenset({"cad"}),
    "a$": frozenset({"aud"}),
    "au$": frozenset({"aud"}),
    "nz$": frozenset({"nzd"}),
    "mx$": frozenset({"mxn"}),
    "r$": frozenset({"brl"}),
    "$": DOLLARS,
    "€": frozenset({"eur"}),
    "£": frozenset({"gbp"}),
    "¥": frozenset({"jpy", "cny"}),
    "₹": frozenset({"inr"}),
    "₩": frozenset({"krw"}),
    "kr": KRONER,
}
WORDS: dict[str, frozenset[str]] = {
    "us dollars?": frozenset({"usd"}),
    "canadian dollars?": frozenset({"cad"}),
    "australian dollars?": frozenset({"aud"}),
    "dollars?|dollar|d[oó]lares|d[oó]lar|bucks": DOLLARS,
    "euros?": frozenset({"eur"}),
    "pounds? sterling|pounds?|quid|pfund|livres sterling|livres?|libras esterlinas|libras?": (
        frozenset({"gbp"})
    ),
    "swiss francs?|francs? suisses|schweizer franken|franken|francos suizos": frozenset({"chf"}),
    "yen|yenes": frozenset({"jpy"}),
    "kroner|kronor|kronen": KRONER,
}
SPACE = " \u00a0\u2009\u202f"
NUMBER = rf"\d{{1,3}}(?:[{SPACE}.,'’]\d{{3}})+(?:[.,]\d{{1,2}})?|\d+(?:[.,]\d{{1,3}})?"
CENTS = r"(?:[.,](?:--?|–))?"

# Identifiers

IdKind = Literal[
    "charge", "refund", "subscription", "invoice", "customer", "intent", "order", "ticket", "card"
]
CODED: dict[str, IdKind] = {
    "ch": "charge",
    "py": "charge",
    "re": "refund",
    "pyr": "refund",
    "sub": "subscription",
    "in": "invoice",
    "cus": "customer",
    "pi": "intent",
}
ORDER_WORDS = r"order|purchase|bestellung|auftrag|commande|pedido|orden"
NUMBER_WORDS = r"(?:(?:number|nummer|num[eé]ro|n[uú]mero|nr|no|n[°º]|id)\b\.?)?"
CARD_WORDS = (
    r"ending(?: in| with)?|ends in|last (?:four|4)(?: digits)?(?: are| is)?|"
    r"endziffern?|endend auf|endet auf|letzten vier(?: ziffern)?(?: sind)?|"
    r"finissant par|se terminant par|termine par|(?:quatre|4) derniers chiffres(?: sont)?|"
    r"terminada en|que termina en|termina en|acabada en|[uú]ltimos (?:cuatro|4)(?: d[ií]gitos)?"
    r"(?: son)?"
)
TICKET_WORDS = r"ticket|request|case|anfrage|demande|solicitud|caso"
PATTERNS: tuple[tuple[IdKind, re.Pattern[str]], ...] = (
    ("order", re.compile(r"\b([A-Z]{2,3}-\d{4,8})\b", re.IGNORECASE)),
    (
        "order",
        re.compile(rf"\b(?:{ORDER_WORDS})[ :]*{NUMBER_WORDS}[ :]*#?(\d{{4,10}})\b", re.IGNORECASE),
    ),
    (
        "ticket",
        re.compile(rf"\b(?:{TICKET_WORDS})[ :]*{NUMBER_WORDS}[ :]*#?(\d{{1,9}})\b", re.IGNORECASE),
    ),
    ("ticket", re.compile(r"(?<![\w&])#(\d{1,9})\b")),
    ("card", re.compile(rf"\b(?:{CARD_WORDS})\W{{0,3}}(\d{{4}})\b", re.IGNORECASE)),
    ("card", re.compile(r"(?:[•*·]{2,}|\bx{2,})[ -]?(\d{4})\b", re.IGNORECASE)),
)
CODE = re.compile(rf"\b({'|'.join(CODED)})_([A-Za-z0-9]{{8,}})\b")

# Days

MONTHS: dict[str, int] = {
    name: number
    for number, names in enumerate(
        (
            "january jan januar jänner janvier janv enero ene",
            "february feb februar février fevrier févr febrero",
            "march mar märz maerz mrz mars marzo",
            "april apr avril avr abril abr",
            "may mai mayo",
            "june jun juni juin junio",
            "july jul juli juillet juil julio",
            "august aug août aout agosto ago",
            "september sep sept septembre septiembre setiembre",
            "october oct oktober okt octobre octubre",
            "november nov novembre noviembre",
            "december dec dezember dez décembre decembre déc diciembre dic",
        ),
        start=1,
    )
    for name in names.split()
}
MONTH = "|".join(sorted(MONTHS, key=len, reverse=True))
YEAR = r"(\d{4})"
ISO_DAY = re.compile(rf"\b{YEAR}-(\d{{2}})-(\d{{2}})(?!\d)")
DAY_MONTH = re.compile(
    rf"\b(\d{{1,2}})(?:st|nd|rd|th|er|\.|º)? ?(?:of |de )?({MONTH})\b\.?,?"
    rf"(?: ?(?:de |del )?{YEAR})?",
    re.IGNORECASE,
)
MONTH_DAY = re.compile(
    rf"\b({MONTH})\.? (\d{{1,2}})(?:st|nd|rd|th)?\b(?!:)(?:,? {YEAR})?", re.IGNORECASE
)
FIGURES = re.compile(r"(?<![\d/.])(\d{1,2})([/.])(\d{1,2})\2(\d{4}|\d{2})?(?![\d/])")


@dataclass(frozen=True, slots=True)
class Money:
    """A sum as written: minor units, and the currencies it may be in (none: it does not say)."""

    minor: int
    currencies: frozenset[str]
    at: int
    end: int

    def matches(self, minor: int, currency: str) -> bool:
        """Tell whether the mention may mean this sum."""
        return self.minor == minor and (not self.currencies or currency.lower() in self.currencies)


@dataclass(frozen=True, slots=True)
class Day:
    """A day as written: its (year, month, day) readings; the year is None where it is left out."""

    readings: frozenset[tuple[int | None, int, int]]
    at: int
    end: int

    def matches(self, day: date) -> bool:
        """Tell whether the mention may mean this day."""
        return any(
            (month, number) == (day.month, day.day) and year in (None, day.year)
            for year, month, number in self.readings
        )


@dataclass(frozen=True, slots=True)
class Identifier:
    """An identifier as written: a charge, an order, the last four digits of a card..."""

    kind: IdKind
    value: str
    at: int

    @property
    def end(self) -> int:
        """The place after its last character."""
        return self.at + len(self.value)


@dataclass(frozen=True, slots=True)
class Extracted:
    """Every typed fact of a text, each in the order of its place."""

    money: tuple[Money, ...]
    days: tuple[Day, ...]
    identifiers: tuple[Identifier, ...]

    def ids(self, kind: IdKind) -> tuple[str, ...]:
        """Return the identifiers of one kind, each once."""
        return tuple(dict.fromkeys(item.value for item in self.identifiers if item.kind == kind))

    def names_sum(self, minor: int, currency: str) -> bool:
        """Tell whether a sum is mentioned."""
        return any(money.matches(minor, currency) for money in self.money)


def extract(text: str) -> Extracted:
    """Return the typed facts of a text."""
    identifiers = _identifiers(text)
    rest = _blanked(text, identifiers)
    days = _days(rest)
    return Extracted(_money(rest, {day.at for day in days}), days, tuple(identifiers))


def _identifiers(text: str) -> list[Identifier]:
    found = [Identifier(CODED[match[1]], match[0], match.start()) for match in CODE.finditer(text)]
    for kind, pattern in PATTERNS:
        for match in pattern.finditer(text):
            value = match[1].upper() if kind == "order" else match[1]
            if not any(item.at == match.start(1) for item in found):
                found.append(Identifier(kind, value, match.start(1)))
    return sorted(found, key=lambda item: item.at)


def _blanked(text: str, identifiers: Iterable[Identifier]) -> str:
    """Return the text with its identifiers blanked: their digits are neither sums nor days."""
    letters = list(text)
    for item in identifiers:
        letters[item.at : item.at + len(item.value)] = "_" * len(item.value)
    return "".join(letters)


@cache
def _money_patterns() -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    symbols = "|".join(re.escape(symbol) for symbol in sorted(SYMBOLS, key=len, reverse=True))
    codes = "|".join(CODES)
    words = "|".join(WORDS)
    before = re.compile(
        rf"(?<![\w$€£])({symbols}|(?:{codes})\b)[{SPACE}]?({NUMBER}){CENTS}(?![\d%])", re.IGNORECASE
    )
    after = re.compile(
        rf"(?<![\w.,#/-])({NUMBER}){CENTS}[{SPACE}]?((?:{codes}|{words})\b|(?:{symbols})(?!\w))",
        re.IGNORECASE,
    )
    bare = re.compile(
        rf"(?<![\w.,#/:-])((?:\d{{1,3}}(?:[{SPACE}.,'’]\d{{3}})+|\d+)[.,]\d\d)(?![\w%.,]\w|\w|%)"
    )
    return before, after, bare


def _money(text: str, days: set[int]) -> tuple[Money, ...]:
    """Return the sums; a number without a currency is one if it has two decimals and is no day."""
    before, after, bare = _money_patterns()
    found = [_sum(match[2], _currencies(match[1]), match.span()) for match in before.finditer(text)]
    for match in after.finditer(text):
        if not _covered(found, match.start(1)):
            found.append(_sum(match[1], _currencies(match[2]), match.span()))
    for match in bare.finditer(text):
        if not _covered(found, match.start(1)) and match.start(1) not in days:
            found.append(_sum(match[1], frozenset(), match.span()))
    return tuple(sorted(found, key=lambda money: money.at))


def _covered(found: Iterable[Money], place: int) -> bool:
    return any(money.at <= place < money.end for money in found)


def _currencies(written: str) -> frozenset[str]:
    name = written.lower()
    if name in CODES:
        return frozenset({name})
    if name in SYMBOLS:
        return SYMBOLS[name]
    for pattern, currencies in WORDS.items():
        if re.fullmatch(pattern, name):
            return currencies
    return frozenset()


def _sum(written: str, currencies: frozenset[str], span: tuple[int, int]) -> Money:
    """Return a sum: the last separator parts the minor units unless three digits follow it."""
    places = min((decimals(code) for code in currencies), default=2)
    number = re.sub(rf"[{SPACE}'’]", "", written)
    cut = max(number.rfind("."), number.rfind(","))
    whole, fraction = number, ""
    if cut >= 0:
        mixed = "." in number and "," in number
        grouped = number.count(number[cut]) > 1 or (not mixed and len(number) - cut - 1 == 3)
        if not grouped:
            whole, fraction = number[:cut], number[cut + 1 :]
    digits = int(re.sub(r"[.,]", "", whole))
    fraction = fraction[:places] if places else ""
    minor = digits * 10**places + int(fraction.ljust(places, "0") or "0")
    return Money(minor, currencies, *span)


def _days(text: str) -> tuple[Day, ...]:
    found: dict[int, Day] = {}
    for match in ISO_DAY.finditer(text):
        _add_day(found, match.span(), [(int(match[1]), int(match[2]), int(match[3]))])
    for match in DAY_MONTH.finditer(text):
        year = int(match[3]) if match[3] else None
        _add_day(found, match.span(), [(year, MONTHS[match[2].lower()], int(match[1]))])
    for match in MONTH_DAY.finditer(text):
        year = int(match[3]) if match[3] else None
        _add_day(found, match.span(), [(year, MONTHS[match[1].lower()], int(match[2]))])
    for match in FIGURES.finditer(text):
        year = int(match[4]) if match[4] else None
        year = year + 2000 if year is not None and year < 100 else year
        first, second = int(match[1]), int(match[3])
        readings = [(year, second, first)]
        if match[2] == "/":
            readings.append((year, first, second))
        _add_day(found, match.span(), readings)
    return tuple(found[start] for start in sorted(found))


def _add_day(
    found: dict[int, Day],
    span: tuple[int, int],
    readings: Iterable[tuple[int | None, int, int]],
) -> None:
    possible = frozenset(reading for reading in readings if _is_day(*reading))
    if possible and span[0] not in found:
        found[span[0]] = Day(possible, *span)


def _is_day(year: int | None, month: int, day: int) -> bool:
    try:
        date(year or 2024, month, day)
    except ValueError:
        return False
    return True
