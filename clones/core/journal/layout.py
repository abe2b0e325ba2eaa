"""The tables that the journal covers, their numbers and their columns.

The layout is a function of the models alone, so every process of one schema version agrees on it.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cache, cached_property

from django.apps import apps
from django.db import models

from clones.core.models.records import JournalKind, Record

# The way in which a store's identity is made of its rows (see `identity`). By another one the
# images and sandboxes of a build are not what their manifests say.
IDENTITY = 2
# The way in which a store keeps its journal: by another one a build cannot read it, or undo by it.
JOURNAL = 2


@dataclass(frozen=True, slots=True)
class TableLayout:
    """One journaled table: `number` names it in the journal, `columns` are in model order."""

    number: int
    name: str
    kind: JournalKind
    key: str
    columns: tuple[str, ...]
    fields: tuple[models.Field[object, object], ...]

    @property
    def key_index(self) -> int:
        """The place of the primary key among the columns."""
        return self.columns.index(self.key)

    @property
    def key_is_number(self) -> bool:
        """Whether keys are integers; they are text otherwise."""
        field: models.Field[object, object] = self.fields[self.key_index]
        while isinstance(field, models.ForeignKey):
            field = field.target_field
        return isinstance(field, models.IntegerField)


@dataclass(frozen=True)
class Layout:
    """Every journaled table, by number and by name."""

    tables: tuple[TableLayout, ...]

    @property
    def width(self) -> int:
        """The number of image columns: the width of the widest table."""
        return max(len(table.columns) for table in self.tables)

    def by_number(self, number: int) -> TableLayout:
        """Return the table of that number (numbers start at 1)."""
        return self.tables[number - 1]

    def by_name(self, name: str) -> TableLayout:
        """Return the table of that name.

        Raises:
            KeyError: the table is not journaled.
        """
        return self._names[name]

    @cached_property
    def _names(self) -> dict[str, TableLayout]:
        return {table.name: table for table in self.tables}


def record_models() -> list[type[Record]]:
    """Return every concrete model of a sandbox's store, by table name."""
    found = [model for model in apps.get_models() if issubclass(model, Record)]
    return sorted(found, key=lambda model: model._meta.db_table)


@cache
def layout() -> Layout:
    """Return the layout of the installed models."""
    tables = []
    for number, model in enumerate(record_models(), start=1):
        meta = model._meta
        fields = tuple(meta.local_concrete_fields)
        key = meta.pk
        tables.append(
            TableLayout(
                number=number,
                name=meta.db_table,
                kind=model.journal,
                key=str(key.column),
                columns=tuple(str(field.column) for field in fields),
                fields=fields,
            )
        )
    return Layout(tuple(tables))


@cache
def schema_version() -> str:
    """Return a name for the schema, for how stores are identified and how they keep journals.

    Equal layouts have equal names, on every engine.
    """
    digest = hashlib.sha256(f"identity {IDENTITY} journal {JOURNAL}\n".encode())
    for table in layout().tables:
        digest.update(_shape(table))
    return digest.hexdigest()[:16]


@cache
def table_versions() -> dict[str, str]:
    """Return a name for each table's shape, by the table's name."""
    return {table.name: hashlib.sha256(_shape(table)).hexdigest()[:8] for table in layout().tables}


def _shape(table: TableLayout) -> bytes:
    head = f"{table.name}|{table.kind}|{table.key}\n"
    columns = (
        f"{field.column}:{field.get_internal_type()}:{field.null}:{field.max_length}\n"
        for field in table.fields
    )
    return (head + "".join(columns)).encode()
