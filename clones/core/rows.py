"""Writing single rows: statements made once per model, in place of `save` and `create`.

What `save` does for a model of ours comes to one INSERT or UPDATE, since keys come from `core.ids`
and no model has signals, parents or defaults of the database. Triggers journal these like any.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cache
from typing import Any, Self, TypeVar

from django.db import connection, connections, models

from clones.core.tenancy.context import current

Row = TypeVar("Row", bound=models.Model)
AS_THEY_ARE: dict[type, type] = {
    models.BigIntegerField: int,
    models.PositiveIntegerField: int,
    models.IntegerField: int,
    models.CharField: str,
    models.TextField: str,
    models.BooleanField: bool,
}


class KeepsLoaded(models.Model):
    """A model whose rows know what was loaded, so that `update_row` leaves the rest alone.

    A column that is set to what it holds costs SQLite the rewriting of each index it stands in.
    """

    loaded_columns: dict[str, Any] | None = None

    class Meta:
        abstract = True

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Save as any model does, and forget what was loaded."""
        super().save(*args, **kwargs)
        self.loaded_columns = None

    @classmethod
    def from_db(
        cls, db: str | None, field_names: Collection[str], values: Collection[Any], **kwargs: Any
    ) -> Self:
        """Make a row of a query's columns."""
        row = super().from_db(db, field_names, values, **kwargs)
        row.loaded_columns = dict(zip(field_names, values, strict=True))
        return row

    def refresh_from_db(self, *args: Any, **kwargs: Any) -> None:
        """Load anew as any model does, and forget what was loaded before."""
        super().refresh_from_db(*args, **kwargs)
        self.loaded_columns = None


def insert_row(row: Row) -> Row:
    """Write a new row, whose key is set, and return it.

    An engine may put it off until the next statement, which then raises what is wrong with it.

    Raises:
        IntegrityError: its key or a unique value is taken.
    """
    return insert_rows([row])[0]


def insert_rows(rows: Sequence[Row]) -> Sequence[Row]:
    """Write new rows of one model, whose keys are set, and return them.

    Raises:
        IntegrityError: a key or a unique value is taken.
    """
    if not rows:
        return rows
    model = type(rows[0])
    names = tuple(field.attname for field in model._meta.concrete_fields)
    values = [_values(row, names) for row in rows]
    if len(values) == 1:
        current().wrapper.tell(_insert(model), values[0])
    else:
        with connection.cursor() as cursor:
            cursor.executemany(_insert(model), values)
    for row in rows:
        row._state.adding = False
        row._state.db = "default"
    return rows


def update_row(row: models.Model, names: Sequence[str] | None = None) -> None:
    """Write a row's columns of these names (attnames), or those that were changed.

    Only a `KeepsLoaded` row knows which were; of others all are written. As with `insert_row`, what
    is wrong may be raised by the next statement.

    Raises:
        IntegrityError: a unique value is taken.
        RowGone: there is no such row any more.
    """
    model = type(row)
    names = tuple(_changed(row) if names is None else names)
    if not names:
        return
    current().wrapper.tell(_update(model, names), [*_values(row, names), row.pk], rows=1)
    if isinstance(row, KeepsLoaded) and row.loaded_columns is not None:
        row.loaded_columns |= {name: getattr(row, name) for name in names}


def _changed(row: models.Model) -> Sequence[str]:
    names = _others(type(row))
    loaded = row.loaded_columns if isinstance(row, KeepsLoaded) else None
    if loaded is None:
        return names
    return [
        name
        for name in names
        # Lists and mappings may have been changed in place.
        if isinstance(value := getattr(row, name), list | dict) or value != loaded.get(name, loaded)
    ]


def _values(row: models.Model, names: Sequence[str]) -> list[Any]:
    fields, plain = _fields(type(row)), _plain(type(row))
    at_hand = connections["default"]
    return [
        value
        if (value := getattr(row, name)) is None or type(value) is plain.get(name)
        else fields[name].get_db_prep_save(value, at_hand)
        for name in names
    ]


@cache
def _fields(model: type[models.Model]) -> dict[str, models.Field[Any, Any]]:
    return {field.attname: field for field in model._meta.concrete_fields}


@cache
def _plain(model: type[models.Model]) -> dict[str, type]:
    """Return the columns that keep values as they are: the type of those values, by attname."""
    found: dict[str, type] = {}
    for field in model._meta.concrete_fields:
        target: Any = field
        while isinstance(target, models.ForeignKey):
            target = target.target_field
        if type(target) in AS_THEY_ARE:
            found[field.attname] = AS_THEY_ARE[type(target)]
    return found


@cache
def _others(model: type[models.Model]) -> tuple[str, ...]:
    fields = model._meta.concrete_fields
    return tuple(field.attname for field in fields if not field.primary_key)


@cache
def _insert(model: type[models.Model]) -> str:
    columns = [str(field.column) for field in model._meta.concrete_fields]
    marks = ", ".join("%s" for _ in columns)
    return f"INSERT INTO {_quoted(model._meta.db_table)} ({_list(columns)}) VALUES ({marks})"  # noqa: S608 - names of models


@cache
def _update(model: type[models.Model], names: tuple[str, ...]) -> str:
    sets = ", ".join(f"{_quoted(str(_fields(model)[name].column))} = %s" for name in names)
    key = _quoted(str(model._meta.pk.column))
    return f"UPDATE {_quoted(model._meta.db_table)} SET {sets} WHERE {key} = %s"  # noqa: S608 - the same


def _list(columns: Sequence[str]) -> str:
    return ", ".join(_quoted(column) for column in columns)


def _quoted(name: str) -> str:
    return connection.ops.quote_name(name)
