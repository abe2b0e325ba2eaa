"""The operators of conditions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Final

from clones.core.patterns import BadPattern, read_pattern
from clones.tracker.rules.automation.smart.dates import as_moment
from clones.tracker.rules.automation.smart.parsing import SmartValueError
from clones.tracker.rules.automation.smart.values import number_of


@dataclass(frozen=True, slots=True)
class ComparedValue:
    """A value that a field has: how people read it, its id, and what it is as a number or time."""

    text: str
    id: str = ""
    number: float | None = None
    moment: datetime | date | None = None


def compare(operator: str, first: str, second: str) -> bool:
    """Tell whether two texts stand to each other as an operator of a comparison says.

    Raises:
        SmartValueError: there is no such operator, or a pattern cannot be used.
    """
    act = _OPERATORS.get(operator)
    if act is None:
        raise SmartValueError(f"There is no comparison {operator[:40]}.")
    return act(first, second)


def _order(first: str, second: str) -> int | None:
    """Return how two texts follow each other, as numbers or times if both are."""
    numbers = number_of(first), number_of(second)
    if numbers[0] is not None and numbers[1] is not None:
        return (numbers[0] > numbers[1]) - (numbers[0] < numbers[1])
    moments = as_moment(first), as_moment(second)
    if moments[0] is not None and moments[1] is not None:
        return (moments[0] > moments[1]) - (moments[0] < moments[1])
    return None


def _same(first: str, second: str) -> bool:
    left, right = number_of(first), number_of(second)
    if left is not None and right is not None:
        return left == right
    return first == second


def _pattern(first: str, second: str, *, whole: bool) -> bool:
    try:
        read = read_pattern(second, "java")
    except BadPattern as error:
        raise SmartValueError(f"The regular expression cannot be used: {second[:120]}") from error
    return (read.fullmatch(first) if whole else read.search(first)) is not None


_OPERATORS: Final[dict[str, Callable[[str, str], bool]]] = {
    "EQUALS": _same,
    "NOT_EQUALS": lambda first, second: not _same(first, second),
    "STARTS_WITH": lambda first, second: first.startswith(second),
    "ENDS_WITH": lambda first, second: first.endswith(second),
    "CONTAINS": lambda first, second: second in first,
    "NOT_CONTAINS": lambda first, second: second not in first,
    "REGEX_MATCHES": lambda first, second: _pattern(first, second, whole=True),
    "REGEX_NOT_MATCHES": lambda first, second: not _pattern(first, second, whole=True),
    "REGEX_CONTAINS": lambda first, second: _pattern(first, second, whole=False),
    "GREATER_THAN": lambda first, second: (_order(first, second) or 0) > 0,
    "GREATER_THAN_EQUAL": lambda first, second: _order(first, second) in (0, 1),
    "LESS_THAN": lambda first, second: (_order(first, second) or 0) < 0,
    "LESS_THAN_EQUAL": lambda first, second: _order(first, second) in (0, -1),
}


def holds(comparison: str, held: Sequence[ComparedValue], wanted: Sequence[str]) -> bool:
    """Tell whether a field with these values meets a condition on others, by id or by name.

    Raises:
        SmartValueError: there is no such comparison.
    """
    found = [any(_is(one, text) for one in held) for text in wanted]
    if comparison in _SETS:
        return _SETS[comparison](held, found)
    if comparison in ("CONTAINS", "NOT_CONTAINS"):
        inside = any(found) or any(
            text.casefold() in one.text.casefold() for one in held for text in wanted if text
        )
        return inside == (comparison == "CONTAINS")
    if comparison in ("GREATER_THAN", "LESS_THAN"):
        sign = 1 if comparison == "GREATER_THAN" else -1
        return any(_ordered(one, text) == sign for one in held for text in wanted[:1])
    raise SmartValueError(f"There is no comparison {comparison[:40]}.")


_SETS: Final[dict[str, Callable[[Sequence[ComparedValue], list[bool]], bool]]] = {
    "EMPTY": lambda held, _: not held,
    "NOT_EMPTY": lambda held, _: bool(held),
    "EQUALS": lambda held, found: bool(found) and all(found) and len(held) <= len(found),
    "NOT_EQUALS": lambda held, found: not (found and all(found) and len(held) <= len(found)),
    "ONE_OF": lambda _, found: any(found),
    "NOT_ONE_OF": lambda _, found: not any(found),
    "CONTAINS_ANY": lambda _, found: any(found),
    "CONTAINS_ALL": lambda _, found: bool(found) and all(found),
    "CONTAINS_NONE": lambda _, found: not any(found),
}


def _is(held: ComparedValue, text: str) -> bool:
    if text and text == held.id:
        return True
    if held.text.casefold() == text.strip().casefold():
        return True
    number = number_of(text) if held.number is not None else None
    return number is not None and number == held.number


def _ordered(held: ComparedValue, text: str) -> int | None:
    moment: Any = as_moment(held.moment) if held.moment is not None else None
    if moment is not None:
        other = as_moment(text)
        return None if other is None else (moment > other) - (moment < other)
    return _order(held.text, text)
