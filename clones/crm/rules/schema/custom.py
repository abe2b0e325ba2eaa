"""Objects and fields that an organization defines: their names, kinds and descriptions."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

from clones.core.strict_json import read_json
from clones.crm.rules.schema.fields import Field, read_field
from clones.crm.rules.schema.objects import SObject, read_object

FILE: Final = Path(__file__).with_name("custom_object.json")
SUFFIX, PATH_SUFFIX = "__c", "__r"
_NAME: Final = re.compile(r"[A-Za-z](?:_?[A-Za-z0-9])*", re.ASCII)
LONGEST_NAME: Final = 40

# The kinds of fields that can be defined, by the vendor's name for each: the type that describe
# shows, and the kind of slot that holds the values.
KINDS: Final[Mapping[str, tuple[str, str]]] = {
    "Text": ("string", "t"),
    "TextArea": ("textarea", "t"),
    "LongTextArea": ("textarea", "t"),
    "Html": ("textarea", "t"),
    "Email": ("email", "t"),
    "Phone": ("phone", "t"),
    "Url": ("url", "t"),
    "Picklist": ("picklist", "t"),
    "Checkbox": ("boolean", "b"),
    "Number": ("double", "n"),
    "Currency": ("currency", "n"),
    "Percent": ("percent", "n"),
    "Date": ("date", "y"),
    "DateTime": ("datetime", "m"),
    "Lookup": ("reference", "r"),
    "MasterDetail": ("reference", "r"),
}
# The kinds whose values a formula can work out.
FORMULA_KINDS: Final = frozenset(
    {"Text", "Checkbox", "Number", "Currency", "Percent", "Date", "DateTime"}
)


def is_name(text: str) -> bool:
    """Tell whether a text can be the name of an object or a field, without its suffix."""
    return len(text) <= LONGEST_NAME and _NAME.fullmatch(text) is not None


def custom_object(name: str, prefix: str, given: Mapping[str, Any]) -> SObject:
    """Return the object that a definition describes: `label`, `plural`, `nameLabel`."""
    base = _base()
    fields = [
        {**line, "label": given.get("nameLabel") or line["label"]}
        if line["name"] == "Name"
        else line
        for line in base["fields"]
    ]
    found = read_object(
        {
            **base,
            "name": name,
            "label": given["label"],
            "labelPlural": given["plural"],
            "keyPrefix": prefix,
            "fields": fields,
        }
    )
    found.is_custom = True
    return found


def custom_field(slot: str | None, given: Mapping[str, Any]) -> Field:
    """Return the field that a definition describes, its values in a slot, if they are kept."""
    return read_field({"custom": True, **given, "slot": slot})


@cache
def _base() -> dict[str, Any]:
    found: dict[str, Any] = read_json(FILE.read_bytes())
    return found
