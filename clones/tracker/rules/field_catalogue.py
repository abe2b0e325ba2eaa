"""The fields that every site has and the types of custom fields: `field_catalogue.toml`, read once.

What a field is called, where it can stand and what its values are; how values are read, kept and
shown is not here.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal

from clones.core.digits import is_digits
from clones.tracker.rules.jql.catalogue import custom_types as searched_types

PREFIX: Final = "com.atlassian.jira.plugin.system.customfieldtypes:"
CUSTOM: Final = "customfield_"
Choice = Literal["", "one", "many", "tree"]


@dataclass(frozen=True, slots=True)
class SystemField:
    """A field that every site has.

    `on_screens` says whether it can stand on a screen, `clauses` what queries call it.
    `type` is "" of what has no schema.
    """

    id: str
    name: str
    on_screens: bool
    is_column: bool
    is_searched: bool
    clauses: tuple[str, ...]
    type: str
    items: str
    renderer: str
    about: str

    @property
    def schema(self) -> dict[str, Any] | None:
        """What its values are, as the vendor writes it; None without a schema."""
        if not self.type:
            return None
        items = {"items": self.items} if self.items else {}
        return {"type": self.type, **items, "system": self.id}


@dataclass(frozen=True, slots=True)
class CustomType:
    """A type of custom fields. `searchers` are whole keys; `choice` says how options are chosen.

    `default_type` is the vendor's word for its default values, "" of types that have none.
    `is_made` says whether admins can make fields of it.
    """

    key: str
    label: str
    type: str
    items: str
    searchers: tuple[str, ...]
    choice: Choice
    default_type: str
    renderer: str
    is_made: bool

    def schema(self, number: int) -> dict[str, Any]:
        """Return what the values of a field of this type are, as the vendor writes it."""
        items = {"items": self.items} if self.items else {}
        return {"type": self.type, **items, "custom": self.key, "customId": number}


@cache
def _tables() -> Mapping[str, Any]:
    return tomllib.loads(
        Path(__file__).with_name("field_catalogue.toml").read_text(encoding="utf-8")
    )


@cache
def system_fields() -> Mapping[str, SystemField]:
    """Return the fields of every site by their ids, in the vendor's order."""
    return {
        row["id"]: SystemField(
            id=row["id"],
            name=row["name"],
            on_screens=row.get("screen", False),
            is_column=row.get("column", False),
            is_searched=row.get("search", False),
            clauses=tuple(row["clauses"]),
            type=row.get("type", ""),
            items=row.get("items", ""),
            renderer=row.get("renderer", ""),
            about=row.get("about", ""),
        )
        for row in _tables()["fields"]
    }


@cache
def custom_types() -> Mapping[str, CustomType]:
    """Return the types of custom fields by their keys."""
    labels = searched_types()
    return {
        key: CustomType(
            key=key,
            label=labels[key].label if key in labels else key.rpartition(":")[2],
            type=row["type"],
            items=row.get("items", ""),
            searchers=tuple(
                name if ":" in name else PREFIX + name for name in row.get("searchers", [])
            ),
            choice=row.get("choice", ""),
            default_type=row["default"],
            renderer=row.get("renderer", ""),
            is_made=row.get("made", False),
        )
        for key, row in _tables()["types"].items()
    }


def custom_type(key: str) -> CustomType:
    """Return the type of custom fields of this key; an app's is taken for a line of text."""
    return custom_types().get(key) or CustomType(key, key, "any", "", (), "", "", "", False)


def custom_number(field: str) -> int | None:
    """Return the number of `customfield_N`, None of any other id."""
    digits = field.removeprefix(CUSTOM)
    if digits == field or not is_digits(digits):
        return None
    return int(digits)


def clause_names(number: int, name: str, type_key: str) -> list[str]:
    """Return what queries call a custom field: its number, its name, its name with its type."""
    return [f"cf[{number}]", name, f"{name}[{custom_type(type_key).label}]"]
