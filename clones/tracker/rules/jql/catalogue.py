"""What JQL knows of fields and functions, whatever the site: `catalogue.toml`, read once."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from clones.tracker.rules.jql.nodes import Operator

# Products whose fields and functions the clone has; others answer as on a site without them.
CLONED: Final = frozenset({"", "software", "service"})
GROUPS: Final[Mapping[str, tuple[Operator, ...]]] = {
    "equality": ("=", "!=", "in", "not in"),
    "emptiness": ("is", "is not"),
    "order": ("<", "<=", ">", ">="),
    "text": ("~", "!~"),
    "contains": ("~",),
    "history": ("was", "was in", "was not", "was not in", "changed"),
}
_PROPERTY: Final = ("java.lang.Number", "java.util.Date", "java.lang.String")


@dataclass(frozen=True, slots=True)
class FieldType:
    """How a field is searched.

    `kind` is what its values are, `suggests` whether values are offered while typing. `product` is
    the product that has it, "" for the platform.
    """

    kind: str
    operators: tuple[Operator, ...]
    suggests: bool
    orderable: bool
    product: str

    @property
    def has_history(self) -> bool:
        """Whether it can be asked what the field was."""
        return "was" in self.operators

    @property
    def may_be_empty(self) -> bool:
        """Whether the field can be asked for no value."""
        return "is" in self.operators


@dataclass(frozen=True, slots=True)
class FieldAlias:
    """A name for a field that every site has: several may stand for one `key`."""

    name: str
    key: str
    type: FieldType


@dataclass(frozen=True, slots=True)
class FieldTypeLabel:
    """A type of custom fields: `label` is what their names in brackets end with."""

    key: str
    label: str
    type: FieldType


@dataclass(frozen=True, slots=True)
class FunctionType:
    """A function: `key` is the function that its name stands for, `most` None without a limit."""

    name: str
    key: str
    kind: str
    least: int
    most: int | None
    shown: int
    is_list: bool
    product: str


def _field_type(row: Mapping[str, Any]) -> FieldType:
    operators = tuple(operator for group in row["operators"] for operator in GROUPS[group])
    return FieldType(
        row["kind"],
        operators,
        row.get("auto", False),
        row.get("orderable", False),
        row.get("product", ""),
    )


@cache
def _tables() -> Mapping[str, Any]:
    return tomllib.loads(Path(__file__).with_name("catalogue.toml").read_text(encoding="utf-8"))


@cache
def system_fields() -> Mapping[str, FieldAlias]:
    """Return the fields of every site, by their names in lower case."""
    rows: Iterable[Mapping[str, Any]] = _tables()["fields"]
    return {
        row["name"].lower(): FieldAlias(row["name"], row["key"], _field_type(row)) for row in rows
    }


@cache
def custom_types() -> Mapping[str, FieldTypeLabel]:
    """Return the types of custom fields, by their keys."""
    rows: Iterable[Mapping[str, Any]] = _tables()["types"]
    return {
        row["type"]: FieldTypeLabel(row["type"], row["label"], _field_type(row)) for row in rows
    }


@cache
def functions() -> Mapping[str, FunctionType]:
    """Return the functions, by their names in lower case."""
    rows: Iterable[Mapping[str, Any]] = _tables()["functions"]
    return {
        row["name"].lower(): FunctionType(
            name=row["name"],
            key=row.get("key", row["name"]),
            kind=row["kind"],
            least=row["least"],
            most=None if row["most"] < 0 else row["most"],
            shown=row.get("shown", 0),
            is_list=row.get("list", False),
            product=row.get("product", ""),
        )
        for row in rows
    }


def classes(kind: str) -> tuple[str, ...]:
    """Return the classes that the reference data names for a kind of value."""
    if kind == "property":
        return _PROPERTY
    # What has no class of its own is text to a client.
    return (_tables()["classes"].get(kind, "java.lang.String"),)
