"""Fields of users and organizations: their types, keys, and what values they keep and show."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Any

from clones.core.digits import is_digits
from clones.core.patterns import is_found
from clones.helpdesk.rules import fields, tags

# A lookup refers to other records and needs a place to keep what it refers to: there is none.
TYPES = (
    "text",
    "textarea",
    "checkbox",
    "date",
    "integer",
    "decimal",
    "regexp",
    "dropdown",
    "multiselect",
)
WITH_OPTIONS = ("dropdown", "multiselect")
_KEY = re.compile(r"[A-Za-z0-9_]{1,255}")


def is_key(text: str) -> bool:
    """Tell whether a field can have a key: letters, digits, underscores, and not digits only."""
    return _KEY.fullmatch(text) is not None and not is_digits(text, len(text))


def kept_value(kind: str, value: Any, options: Sequence[str], pattern: str | None) -> Any:
    """Return the value to keep, None for an empty one, in the forms that tickets keep theirs in.

    Raises:
        ValueError: the field cannot hold the value.
    """
    found = fields.field_value(_ticket_kind(kind), value, options)
    if kind == "decimal" and found is not None and not math.isfinite(float(found)):
        raise ValueError(f"{found} is too large")
    if (
        kind == "regexp"
        and found is not None
        and not is_found(pattern or "", found, "ruby", otherwise=True)
    ):
        raise ValueError(f"{found} does not fit")
    return found


def shown_value(kind: str, value: Any) -> Any:
    """Return a kept value as profiles show it: numbers as numbers, dates as midnights."""
    if kind == "checkbox":
        return bool(value)
    if value is None:
        return None
    if kind == "integer":
        return int(value)
    if kind == "decimal":
        return float(value)
    if kind == "date":
        return f"{value}T00:00:00+00:00"
    return value


def value_tags(kind: str, value: Any, tag: str | None) -> set[str]:
    """Return the tags that a value puts on its profile."""
    return tags.field_tags(_ticket_kind(kind), value, tag)


def _ticket_kind(kind: str) -> str:
    return "tagger" if kind == "dropdown" else kind
