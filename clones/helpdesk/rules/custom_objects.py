"""Custom objects: limits, keys, and what values their fields keep and show."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from clones.core.digits import is_digits
from clones.helpdesk.rules import profile_fields

OBJECTS = 50
FIELDS = 100  # of an object, beside the standard ones
LOOKUPS = 10  # of them
RECORDS = 50_000_000  # of an account
RECORD_SIZE = 32 * 1024  # bytes of a record's values
KEY = re.compile(r"[A-Za-z0-9_]{1,100}")
# Words that stand in addresses where keys do.
RESERVED = frozenset({"limits", "new"})
TYPES = (*profile_fields.TYPES, "lookup")
TEXTS = ("text", "textarea", "regexp")
SCOPES = ("create", "read", "update", "delete")
STANDARD_TARGETS = ("zen:user", "zen:ticket", "zen:organization")
OBJECT_TARGET = "zen:custom_object:"
LARGEST = 10**15  # what both engines write back as it came

PROPERTIES: Mapping[str, Any] = {
    "autoincrement_enabled": False,
    "autoincrement_prefix": "",
    "autoincrement_padding": 0,
    "autoincrement_next_sequence": 1,
    "is_unique": False,
}
PREFIX, PADDING = 30, 9


def is_key(text: str) -> bool:
    """Tell whether an object can have a key: letters, digits, underscores, and not digits only."""
    return (
        KEY.fullmatch(text) is not None and not is_digits(text, len(text)) and text not in RESERVED
    )


def target_of(key: str) -> str:
    """Return the name of a custom object as the target of lookups."""
    return OBJECT_TARGET + key


def kept_value(kind: str, value: Any, options: Sequence[str], pattern: str | None) -> Any:
    """Return the value of a field that is no lookup as records keep it, None for an empty one.

    Raises:
        ValueError: the field cannot hold the value.
    """
    found = profile_fields.kept_value(kind, value, options, pattern)
    if found is None or kind not in ("integer", "decimal"):
        return found
    number = int(found) if kind == "integer" else float(Decimal(found))
    if kind == "decimal" and abs(number) >= LARGEST:
        raise ValueError(f"{found} is too large")
    return number


def shown_value(kind: str, value: Any) -> Any:
    """Return a kept value as the API shows it: dates as midnights, the rest as it is kept."""
    return profile_fields.shown_value(kind, value)


def size_of(name: str, values: Mapping[str, Any]) -> int:
    """Return how many bytes a record takes of its 32 KB."""
    return len(json.dumps([name, values], ensure_ascii=False).encode())


def numbered_name(properties: Mapping[str, Any]) -> str:
    """Return the name that autonumbering gives to the next record."""
    number = str(properties["autoincrement_next_sequence"])
    padded = number.rjust(properties["autoincrement_padding"], "0")
    return f"{properties['autoincrement_prefix']}{padded}"


def checked_properties(given: Mapping[str, Any], before: Mapping[str, Any]) -> dict[str, Any]:
    """Return the properties of a name, changed.

    Raises:
        ValueError: one has a value that it cannot have, or two contradict each other.
    """
    found = {**before, **{name: given[name] for name in given if name in before}}
    for name in ("autoincrement_enabled", "is_unique"):
        if not isinstance(found[name], bool):
            raise ValueError(f"{name} must be true or false")
    prefix = found["autoincrement_prefix"]
    if not isinstance(prefix, str) or len(prefix) > PREFIX or "\0" in prefix:
        raise ValueError(f"autoincrement_prefix cannot exceed {PREFIX} characters")
    padding, number = found["autoincrement_padding"], found["autoincrement_next_sequence"]
    if not _is_whole(padding) or padding > PADDING:
        raise ValueError(f"autoincrement_padding must be between 0 and {PADDING}")
    if not _is_whole(number) or not before["autoincrement_next_sequence"] <= number < LARGEST:
        raise ValueError("autoincrement_next_sequence cannot be less than the current value")
    if found["autoincrement_enabled"] and found["is_unique"]:
        raise ValueError("is_unique must be false if autoincrement_enabled is true")
    return found


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0
