"""What smart values can be, and how each is written out."""

from __future__ import annotations

import json
import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any, Final

MOMENT: Final = "%Y-%m-%dT%H:%M:%S"


class SmartRecord(ABC):
    """A record in a text: an issue, somebody, a version."""

    @property
    @abstractmethod
    def shown(self) -> str:
        """What a text says where it names the record itself."""

    @abstractmethod
    def part(self, name: str) -> Any:
        """Return a part by its name, in any case; None where there is none."""


def is_many(value: Any) -> bool:
    """Tell whether a value is a list."""
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)


def is_empty(value: Any) -> bool:
    """Tell whether a value shows nothing."""
    return value is None or value == "" or (is_many(value) and not value)


def is_true(value: Any) -> bool:
    """Tell whether a section of a value is written: nothing and false are not."""
    if isinstance(value, str):
        return value.strip().lower() not in ("", "false")
    return value is not False and not is_empty(value)


def number_of(value: Any) -> float | None:
    """Return a value as a number, None where it is none, or beyond what numbers can tell."""
    if isinstance(value, bool) or value is None:
        return None
    said = value if isinstance(value, int | float) else text_of(value).strip().replace(",", "")
    try:
        found = float(said)
    except (ValueError, OverflowError):
        return None
    return found if math.isfinite(found) else None


def number_text(value: float) -> str:
    """Return a number without a fraction that says nothing."""
    if isinstance(value, int):  # as JSON has it: there may be more to it than a fraction can hold
        return str(value)
    return f"{value:.15g}" if abs(value) < 1e15 else f"{value:.0f}"


def text_of(value: Any) -> str:
    """Return what a text says of a value."""
    if value is None or isinstance(value, str):
        return value or ""
    if isinstance(value, bool | int | float):
        return _of_number(value)
    if isinstance(value, date):
        return _of_time(value)
    if isinstance(value, Mapping):
        return json.dumps(plain_of(value), ensure_ascii=False)
    if is_many(value):
        return ", ".join(text_of(item) for item in value)
    return value.shown if isinstance(value, SmartRecord) else str(value)


def _of_number(value: float) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return number_text(value)


def _of_time(value: date) -> str:
    if isinstance(value, datetime):
        return f"{value:{MOMENT}}.{value.microsecond // 1000:03d}{value:%z}"
    return value.isoformat()


def plain_of(value: Any) -> Any:
    """Return a value as JSON has it."""
    if isinstance(value, Mapping):
        return {str(key): plain_of(item) for key, item in value.items()}
    if is_many(value):
        return [plain_of(item) for item in value]
    if value is None or isinstance(value, bool | int | float | str):
        return value
    return text_of(value)
