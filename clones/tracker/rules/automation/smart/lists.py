"""What smart values can do with lists and numbers: the vendor's functions, in small letters."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime
from typing import Any, Final

from clones.tracker.rules.automation.smart.dates import as_moment
from clones.tracker.rules.automation.smart.maths import rounded
from clones.tracker.rules.automation.smart.parsing import LONGEST, LONGEST_BETWEEN, SmartValueError
from clones.tracker.rules.automation.smart.values import number_of, number_text, text_of

_EARLIEST: Final = datetime(1, 1, 1, tzinfo=UTC)
Arguments = Sequence[Any]
Many = Sequence[Any]


def _numbers(items: Many) -> list[float]:
    return [found for item in items if (found := number_of(item)) is not None]


def _at(items: Many, given: Arguments) -> Any:
    at = number_of(given[0]) if given else None
    return items[int(at)] if at is not None and 0 <= at < len(items) else None


def _distinct(items: Many, _: Arguments) -> list[Any]:
    return list({text_of(item): item for item in reversed(items)}.values())[::-1]


def _least(items: Many, *, most: bool) -> Any:
    if items and all(isinstance(item, date) for item in items):
        return (max if most else min)(items, key=lambda item: as_moment(item) or _EARLIEST)
    found = _numbers(items)
    return (max if most else min)(found) if found else None


def _average(items: Many, _: Arguments) -> float | None:
    found = _numbers(items)
    return math.fsum(found) / len(found) if found else None


def _holds(items: Many, given: Arguments) -> bool:
    wanted = [text_of(one) for one in given]
    held = {text_of(item) for item in items}
    return bool(wanted) and all(one in held for one in wanted)


def _sorted(items: Many, _: Arguments) -> list[Any]:
    numbers = [number_of(item) for item in items]
    if all(number is not None for number in numbers):
        return sorted(items, key=lambda item: number_of(item) or 0.0)
    return sorted(items, key=text_of)


def _join(items: Many, given: Arguments) -> str:
    sign = text_of(given[0]) if given else ", "
    said = list(map(text_of, items))
    if sum(map(len, said)) + len(sign) * len(said) > LONGEST_BETWEEN:
        raise SmartValueError(f"The text would be longer than {LONGEST} characters.")
    return sign.join(said)


FUNCTIONS: Final[dict[str, Callable[[Many, Arguments], Any]]] = {
    "average": _average,
    "contains": _holds,
    "distinct": _distinct,
    "first": lambda items, _: items[0] if items else None,
    "get": _at,
    "isempty": lambda items, _: not items,
    "isnotempty": lambda items, _: bool(items),
    "join": _join,
    "last": lambda items, _: items[-1] if items else None,
    "max": lambda items, _: _least(items, most=True),
    "min": lambda items, _: _least(items, most=False),
    "reverse": lambda items, _: list(reversed(items)),
    "size": lambda items, _: float(len(items)),
    "sort": _sorted,
    "sum": lambda items, _: math.fsum(_numbers(items)),
}


def _other(given: Arguments) -> float:
    found = number_of(given[0]) if given else None
    if found is None:
        raise SmartValueError("A function of numbers needs another number.")
    return found


def _divided(value: float, given: Arguments) -> float:
    by = _other(given)
    if by == 0:
        raise SmartValueError("A number cannot be divided by zero.")
    return value / by


def _format(value: float, given: Arguments) -> str:
    """Return a number as a pattern such as `#,##0.00` says."""
    pattern = text_of(given[0]) if given else "0.##"
    whole, _, fraction = pattern.strip("%").partition(".")
    scaled = value * (100 if pattern.endswith("%") else 1)
    text = f"{rounded(scaled, len(fraction)):{',' if ',' in whole else ''}.{len(fraction)}f}"
    spare = len(fraction) - len(fraction.rstrip("#"))
    for _ in range(spare):
        text = text.removesuffix("0") if "." in text else text
    return text.rstrip(".") + ("%" if pattern.endswith("%") else "")


NUMBERS: Final[dict[str, Callable[[float, Arguments], Any]]] = {
    "abs": lambda value, _: abs(value),
    "ascurrency": lambda value, _: f"${value:,.2f}",
    "asnumber": lambda value, _: value,
    "aspercentage": lambda value, _: f"{rounded(value * 100):.0f}%",
    "asstring": lambda value, _: number_text(value),
    "ceil": lambda value, _: float(math.ceil(value)),
    "divide": _divided,
    "eq": lambda value, given: value == _other(given),
    "equals": lambda value, given: value == _other(given),
    "floor": lambda value, _: float(math.floor(value)),
    "format": _format,
    "gt": lambda value, given: value > _other(given),
    "gte": lambda value, given: value >= _other(given),
    "lt": lambda value, given: value < _other(given),
    "lte": lambda value, given: value <= _other(given),
    "minus": lambda value, given: value - _other(given),
    "multiply": lambda value, given: value * _other(given),
    "plus": lambda value, given: value + _other(given),
    "round": lambda value, given: rounded(value, int(_other(given)) if given else 0),
    "tostring": lambda value, _: number_text(value),
}
