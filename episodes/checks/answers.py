"""Answers: their declared types, and how right one is.

A scalar is right or wrong; a set earns its F1 if at least half of it is right; an object earns the
share of its fields. Lists of guesses, hedging and "N/A" are wrong.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any, Literal

from episodes.checks.compare import (
    as_number,
    plain,
    same_day,
    same_duration,
    same_moment,
    same_number,
    same_sum,
)
from seeds.people.extraction import Day, Money, extract

AnswerKind = Literal[
    "id",
    "ref",
    "int",
    "number",
    "money",
    "datetime",
    "date",
    "duration",
    "enum",
    "set",
    "list",
    "object",
]
PRECISION_FLOOR = 0.5
# What may stand beside a sum or a day in an answer; any other word hedges it.
BESIDE = frozenset(
    """a am and date day friday is it mon monday of on sat saturday sum sun sunday the thu thursday
    total tue tuesday was wed wednesday fri""".split()
)
WORDS = re.compile(r"[^\W\d_]+")


class BadAnswerType(ValueError):
    """Raised when an answer type is not fully declared."""


@dataclass(frozen=True, slots=True)
class AnswerType:
    """The type that a goal declares for its answer.

    `currency` is for money (expected in minor units), `zone` for moments without one, `unit` for
    durations given as numbers, `tolerance` in the answer's own unit (seconds for times), `options`
    for enums, `item` for sets and lists, `fields` for objects.

    Raises:
        BadAnswerType: money lacks a currency, an enum options, a collection its items' type.
    """

    kind: AnswerKind
    currency: str | None = None
    zone: str = "UTC"
    unit: timedelta = timedelta(minutes=1)
    tolerance: float = 0.0
    options: tuple[str, ...] = ()
    item: AnswerType | None = None
    fields: Mapping[str, AnswerType] = field(default_factory=dict)

    def __post_init__(self) -> None:
        missing = {
            "money": self.currency is None,
            "enum": not self.options,
            "set": self.item is None,
            "list": self.item is None,
            "object": not self.fields,
        }
        if missing.get(self.kind):
            raise BadAnswerType(f"an answer of kind {self.kind} is not fully declared")


def grade(kind: AnswerType, expected: Any, given: Any) -> float:
    """Return how right an answer is, in [0, 1]; only 1.0 is a success."""
    if given is None:
        return 0.0
    if kind.kind == "set":
        return _grade_set(kind, expected, given)
    if kind.kind == "list":
        return _grade_list(kind, expected, given)
    if kind.kind == "object":
        return _grade_object(kind, expected, given)
    return 1.0 if _same(kind, expected, given) else 0.0


def _same(kind: AnswerType, expected: Any, given: Any) -> bool:
    span = timedelta(seconds=kind.tolerance)
    match kind.kind:
        case "id" | "ref":
            return _reference(expected) == _reference(given)
        case "int" | "number":
            return same_number(expected, given, tolerance=kind.tolerance)
        case "money":
            return _names_one(given, "money") and same_sum(
                int(expected), kind.currency or "", given
            )
        case "datetime":
            return same_moment(expected, given, zone=kind.zone, tolerance=span)
        case "date":
            day = expected if isinstance(expected, date) else date.fromisoformat(expected)
            return _names_one(given, "days") and same_day(day, given)
        case "duration":
            return same_duration(expected, given, unit=kind.unit, tolerance=span)
        case _:
            options = {plain(option) for option in kind.options}
            return (
                isinstance(given, str)
                and plain(given) in options
                and plain(given) == plain(str(expected))
            )


def _names_one(given: Any, what: Literal["money", "days"]) -> bool:
    """Tell whether an answer is a value, or a text that names one sum or day and hedges nothing."""
    if not isinstance(given, str) or as_number(given) is not None:
        return True
    found = extract(given)
    mentions: Sequence[Money | Day] = found.money if what == "money" else found.days
    if len(mentions) != 1:
        return False
    (one,) = mentions
    if isinstance(one, Day) and len(one.readings) > 1:
        return False
    rest = f"{given[: one.at]} {given[one.end :]}"
    return "?" not in rest and {word.casefold() for word in WORDS.findall(rest)} <= BESIDE


def _reference(value: Any) -> str | None:
    """Return a number, key or address as it is compared; a leading # is decoration."""
    if isinstance(value, bool) or not isinstance(value, int | str):
        return None
    text = plain(str(value)).removeprefix("#")
    number = as_number(text)
    return str(number.normalize()) if number is not None and "e" not in text else text


def _items(given: Any) -> list[Any] | None:
    if isinstance(given, str) or not isinstance(given, Sequence | set | frozenset):
        return None
    return list(given)


def _grade_set(kind: AnswerType, expected: Any, given: Any) -> float:
    items = _items(given)
    if items is None or kind.item is None:
        return 0.0
    wanted = list(expected)
    unique: list[Any] = []
    for item in items:
        if not any(_equal(kind.item, other, item) for other in unique):
            unique.append(item)
    if not wanted and not unique:
        return 1.0
    right = sum(any(_equal(kind.item, one, item) for one in wanted) for item in unique)
    if not right or right / len(unique) < PRECISION_FLOOR:
        return 0.0
    precision, recall = right / len(unique), right / len(wanted)
    return 2 * precision * recall / (precision + recall)


def _equal(kind: AnswerType, one: Any, other: Any) -> bool:
    """Tell whether two given items are one, or a given item is the expected one."""
    return one == other or grade(kind, one, other) >= 1.0


def _grade_list(kind: AnswerType, expected: Any, given: Any) -> float:
    items = _items(given)
    if items is None or kind.item is None or len(items) != len(expected):
        return 0.0
    pairs = zip(expected, items, strict=True)
    return 1.0 if all(grade(kind.item, one, item) >= 1.0 for one, item in pairs) else 0.0


def _grade_object(kind: AnswerType, expected: Any, given: Any) -> float:
    if not isinstance(given, Mapping) or set(given) - set(kind.fields):
        return 0.0
    right = sum(
        grade(part, expected[name], given.get(name)) >= 1.0 for name, part in kind.fields.items()
    )
    return right / len(kind.fields)
