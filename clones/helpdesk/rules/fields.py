"""Values of custom ticket fields: what each type takes, and the form it is kept in."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from decimal import Decimal, InvalidOperation
from typing import Any

TEXT_LIMIT = 65_535


def field_value(kind: str, value: Any, options: Sequence[str]) -> Any:
    """Return the value to keep, None for an empty one.

    Text, numbers and dates are kept as text, checkboxes as booleans, multiple choices as lists.

    Raises:
        ValueError: the field cannot hold the value.
    """
    if kind == "checkbox":
        return _boolean(value)
    if value in (None, "", []):
        return None
    if kind == "multiselect":
        chosen = value if isinstance(value, list) else [value]
        if any(item not in options for item in chosen):
            raise ValueError(f"{value} is no option")
        return [option for option in options if option in chosen]
    if isinstance(value, (list, dict)):
        raise ValueError("a single value is wanted")
    return _single(kind, value, options)


def without_missing_tags(kind: str, value: Any, tags: Sequence[str]) -> Any:
    """Return what is left of a value when only `tags` are on the ticket."""
    if kind == "multiselect" and isinstance(value, list):
        return [item for item in value if item in tags] or None
    if kind == "checkbox":
        return False
    return None


def _single(kind: str, value: Any, options: Sequence[str]) -> str:
    text = str(value).strip() if not isinstance(value, bool) else str(value).lower()
    if "\0" in text or len(text) > TEXT_LIMIT:
        raise ValueError("too long, or not text")
    if kind == "tagger":
        if text not in options:
            raise ValueError(f"{text} is no option")
    elif kind == "integer":
        if not re.fullmatch(r"[+-]?\d{1,18}", text, re.ASCII):
            raise ValueError(f"{text} is no whole number")
        text = str(int(text))
    elif kind == "decimal":
        try:
            if not Decimal(text).is_finite():
                raise ValueError(f"{text} is no number")
        except InvalidOperation as error:
            raise ValueError(f"{text} is no number") from error
    elif kind == "date":
        text = date.fromisoformat(text[:10]).isoformat()
    return text


def _boolean(value: Any) -> bool:
    if value in (None, "", False, 0, "false", "0", "no"):
        return False
    if value in (True, 1, "true", "1", "yes"):
        return True
    raise ValueError(f"{value} is neither true nor false")
