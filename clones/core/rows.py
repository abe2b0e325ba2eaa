"""The statements by which `Record` writes rows: made once per model and set of columns.

What `save` does for a model of ours comes to one INSERT or UPDATE, since keys come from `core.ids`
and no model has signals, parents or defaults of the database. Triggers journal these like any.
Nobody but `clones.core.models.records` calls them: all others save records as Django has it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, cast

from django.db import connection, connections, models

if TYPE_CHECKING:
    from clones.core.tenancy.wrapper import StoreWrapper

AS_THEY_ARE: dict[type, type] = {
    models.BigIntegerField: int,
    models.PositiveIntegerField: int,
    models.IntegerField: int,
    models.CharField: str,
    models.TextField: str,
    models.BooleanField: bool,
}


def insert_rows(rows: Sequence[models.Model]) -> None:
    """Write new rows of one model, whose keys are set.

    Raises:
        IntegrityError: a key or a unique value is taken.
    """
    if not rows:
        return
    model = type(rows[0])
    names = tuple(field.attname for field in model._meta.concrete_fields)
    values = [_values(row, names) for row in rows]
    if len(values) == 1:
        _store().enqueue(_insert(model), values[0])
    else:
        with connection.cursor() as cursor:
            cursor.executemany(_insert(model), values)
    for row in rows:
        row._state.adding = False
        row._state.db = "default"


def update_row(row: models.Model, names: Sequence[str]) -> None:
    """Write a row's columns of these names (attnames).

    Raises:
        IntegrityError: a unique value is taken.
        RowGone: there is no such row any more.
    """
    if names:
        statement = _update(type(row), tuple(names))
        _store().enqueue(statement, [*_values(row, names), row.pk], rows=1)


def _store() -> StoreWrapper:
    return cast("StoreWrapper", connections["default"])


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
