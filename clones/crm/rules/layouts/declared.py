"""Layouts as the files in `objects/` declare them; objects without a file have a usual one."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from clones.crm.rules.record_ids import long_id
from clones.crm.rules.schema import Field, SObject

FILES: Final = Path(__file__).with_name("objects")
# The objects that a search of everything shows, in their order.
SEARCH_ORDER: Final = (
    "Account",
    "Contact",
    "Opportunity",
    "Lead",
    "Case",
    "Campaign",
    "Contract",
    "Order",
    "Product2",
    "Asset",
    "Task",
    "Event",
    "Note",
    "User",
)
_SYSTEM: Final = ("CreatedById", "LastModifiedById")
_DIGITS: Final = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

# Names of fields side by side; an empty name leaves its place free.
LayoutRow = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LayoutSection:
    """Fields under a heading, in one or two columns."""

    heading: str
    columns: int
    rows: tuple[LayoutRow, ...]

    @property
    def fields(self) -> Iterator[str]:
        """Yield the names of its fields, row by row."""
        return (name for row in self.rows for name in row if name)


@dataclass(frozen=True, slots=True)
class Layout:
    """What a page shows of a record of an object.

    Args:
        object: whose records.
        id: the layout's own.
        sections: from top to bottom.
        highlights: the fields at the head of the page, the name of the record first.
        search_columns: the fields of a list of what was found, as paths.
        related: names of relationships whose records are listed, and the fields of each list.
        labels: what a page calls a field that has another label elsewhere.
        required: fields that a page wants filled, besides those that no record is without.
    """

    object: SObject
    id: str
    sections: tuple[LayoutSection, ...]
    highlights: tuple[str, ...]
    search_columns: tuple[str, ...]
    related: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    labels: Mapping[str, str] = field(default_factory=dict)
    required: frozenset[str] = frozenset()

    def section_id(self, place: int) -> str:
        """Return the id of the section at a place."""
        return long_id(f"01B5g0000{self.object.prefix}AA{_DIGITS[place % len(_DIGITS)]}")


@lru_cache(maxsize=1024)
def layout_of(of: SObject) -> Layout:
    """Return the layout of an object; custom fields come last in its first section."""
    path = FILES / f"{of.name}.toml"
    is_declared = not of.is_custom and path.is_file()
    return read_layout(of, tomllib.loads(path.read_text(encoding="utf-8")) if is_declared else {})


def item_label(layout: Layout, field: Field) -> str:
    """Return what a page calls a field: what it refers to rather than the id of it."""
    if field.name in layout.labels:
        return layout.labels[field.name]
    if field.name == "OwnerId":
        return f"{layout.object.label} Owner"
    return field.label.removesuffix(" ID") if field.type == "reference" else field.label


def read_layout(of: SObject, given: Mapping[str, Any]) -> Layout:
    """Return the layout that a file in `objects/` declares for an object.

    Raises:
        ValueError: it names a field or relationship that the object does not have.
    """
    sections = tuple(_section(one) for one in given.get("sections", ()))
    sections = _with_custom(of, sections) if sections else _usual_sections(of)
    name = [] if of.name_field is None else [of.name_field.name]
    layout = Layout(
        object=of,
        id=long_id(f"00h5g0000{of.prefix}AAA"),
        sections=sections,
        highlights=tuple(given.get("highlights", name)),
        search_columns=tuple(given.get("search_columns", name or ["Id"])),
        related={name: tuple(fields) for name, fields in given.get("related", {}).items()},
        labels=given.get("labels", {}),
        required=frozenset(given.get("required", ())),
    )
    _check(layout)
    return layout


def _section(given: Mapping[str, Any]) -> LayoutSection:
    rows = tuple(tuple(row) for row in given["rows"])
    return LayoutSection(given["heading"], max(len(row) for row in rows), rows)


def _with_custom(of: SObject, sections: tuple[LayoutSection, ...]) -> tuple[LayoutSection, ...]:
    custom = [one.name for one in of.fields if one.custom]
    first, *others = sections
    rows = (*first.rows, *_pairs(custom))
    return (LayoutSection(first.heading, first.columns, rows), *others)


def _pairs(names: Sequence[str]) -> Iterator[LayoutRow]:
    return (tuple(names[place : place + 2]) for place in range(0, len(names), 2))


def _usual_sections(of: SObject) -> tuple[LayoutSection, ...]:
    shown = [
        one.name
        for one in of.fields
        if (one.createable or one.updateable or one.nameField) and not _is_part(of, one)
    ]
    system = tuple(name for name in _SYSTEM if of.field(name) is not None)
    sections = [LayoutSection("Information", 2, tuple(_pairs(shown)))] if shown else []
    sections += [LayoutSection("System Information", 2, (system,))] if system else []
    return tuple(sections)


def _is_part(of: SObject, one: Field) -> bool:
    return one.compoundFieldName not in (None, one.name) and bool(of.field(one.compoundFieldName))


def _check(layout: Layout) -> None:
    of = layout.object
    named = [name for section in layout.sections for name in section.fields]
    named += [*layout.highlights, *layout.labels, *layout.required]
    named += [path for path in layout.search_columns if "." not in path]
    for name in named:
        found = of.field(name)
        if found is None or found.name != name:
            raise ValueError(f"layout of {of.name}: there is no field {name}")
    for name, fields in layout.related.items():
        child = of.schema.child(of, name)
        if child is None:
            raise ValueError(f"layout of {of.name}: there is no relationship {name}")
        for path in fields:
            if "." not in path and child.child.field(path) is None:
                raise ValueError(f"layout of {of.name}: {name} has no field {path}")
