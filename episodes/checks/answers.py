"""How right an answer is, by the type that was declared for it.

A scalar is right or wrong; a set earns its F1 if at least half of it is right; an object earns the
share of its fields. Lists of guesses, hedging and "N/A" are wrong.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import Any, Literal

from episodes.checks.answer_types import AnswerType
from episodes.checks.compare import (
    as_number,
    plain,
    same_day,
    same_duration,
    same_moment,
    same_number,
    same_sum,
)
from episodes.checks.tolerances import tolerated, unadorned
from seeds.people.extraction import Day, Money, extract

PRECISION_FLOOR = 0.5
# What may stand beside a sum or a day in an answer; any other word hedges it.
BESIDE = frozenset(
    """a am and date day friday is it mon monday of on sat saturday sum sun sunday the thu thursday
    total tue tuesday was wed wednesday fri""".split()
)
WORDS = re.compile(r"[^\W\d_]+")


def grade(kind: AnswerType, expected: Any, given: Any) -> float:
    """Return how right an answer is, in [0, 1]; only 1.0 is a success."""
    given = tolerated(kind.kind, given)
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
    text = plain(unadorned(str(value))).removeprefix("#")
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
    hits, misses = set[int](), set[str]()
    for item in items:
        hit = next((n for n, one in enumerate(wanted) if grade(kind.item, one, item) >= 1.0), None)
        if hit is None:
            misses.add(_plainest(kind.item, item))
        else:
            hits.add(hit)
    if not wanted and not items:
        return 1.0
    right, said = len(hits), len(hits) + len(misses)
    if not right or right / said < PRECISION_FLOOR:
        return 0.0
    precision, recall = right / said, right / len(wanted)
    return 2 * precision * recall / (precision + recall)


def _plainest(kind: AnswerType, item: Any) -> str:
    """Return one form for items that say the same, so that a repeated one counts once."""
    said = tolerated(kind.kind, item)
    return _reference(said) or repr(said)


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
