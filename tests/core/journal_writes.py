"""Random writes to every journaled table, by every way a write can come.

Rows are made from the layout alone, so a model that somebody adds is covered without a line here.
"""

from __future__ import annotations

import math
import uuid
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from functools import cache
from random import Random
from typing import Any

from django.core.exceptions import ObjectDoesNotExist
from django.db import models, transaction

from clones.core import clock, ids, jobs, randomness
from clones.core.journal import TableLayout, act, layout
from clones.core.models import Message
from tests.core.dialects import DIALECT, Stranger

MOMENT = datetime(2026, 6, 16, 14, 0, tzinfo=UTC)
TEXTS = (
    "",
    "plain",
    "0",
    "1e3",
    "Größe 漢字 \U0001f9ea \u202ertl\u202c e\u0301",
    "line\r\nbreak\ttab",
    "'; DROP TABLE x; --",
    '"quoted" %s ? :name',
    "x" * 5_000,
)
FLOATS = (0.0, -0.0, 0.1 + 0.2, 1e308, 5e-324, -1e-9, math.inf, -math.inf, 2.0**53 + 1, 3.0)
JSONS: tuple[Any, ...] = (
    {},
    [],
    {"b": [1, {"ü": None}], "a": 0.1},
    "text",
    7,
    True,
    None,
    ["\ud800"],
)
BLOBS = (b"", b"\x00\xff\x00", bytes(range(256)), b"\x80" * 40_000)
INTEGERS = (0, 1, -1, 7, 2**31, -(2**63), 2**63 - 1)
NAMES = [table.name for table in layout().tables if table.name != "core_state"]


def model_of(table: TableLayout) -> type[models.Model]:
    """Return a table's model."""
    return table.fields[0].model


def field_value(field: models.Field[Any, Any], chance: Random) -> Any:
    """Return a value that the field's column takes (foreign keys: of a row that is there)."""
    if field.null and chance.random() < 0.2:
        return None
    if isinstance(field, models.ForeignKey):
        found = keys(layout().by_name(field.related_model._meta.db_table))
        return chance.choice(found) if found else None
    kind = field.get_internal_type()
    if isinstance(field, models.IntegerField):
        if kind == "BigIntegerField":
            return chance.choice(INTEGERS)
        high = 2**15 - 1 if "Small" in kind else 2**31 - 1
        low = 0 if "Positive" in kind else -high
        return chance.choice((0, 1, high, low, chance.randint(low, high)))
    makers: dict[str, Callable[[], Any]] = {
        "BooleanField": lambda: chance.random() < 0.5,
        "FloatField": lambda: chance.choice(FLOATS),
        "BinaryField": lambda: chance.choice(BLOBS),
        "DateTimeField": lambda: MOMENT + timedelta(microseconds=chance.randint(-(10**15), 10**15)),
        "DateField": lambda: date(2026, 1, 1) + timedelta(days=chance.randint(-9999, 9999)),
        "UUIDField": lambda: uuid.UUID(int=chance.getrandbits(128)),
        "DecimalField": lambda: Decimal(chance.randint(-999, 999)).scaleb(
            -getattr(field, "decimal_places", 0)
        ),
        "JSONField": lambda: _json(chance.choice(JSONS)),
    }
    made = makers.get(kind, lambda: chance.choice(TEXTS)[: field.max_length or None])()
    if not (field.unique and kind == "CharField"):
        return made
    # Unique columns would clash at once if they drew from so few.
    number = str(chance.randint(1, 10**6))
    return made[: min(10, (field.max_length or 10**6) - len(number))] + number


def _json(found: Any) -> Any:
    """Return what stores JSON null rather than SQL NULL."""
    return models.Value(None, models.JSONField()) if found is None else found


def new_key(table: TableLayout, chance: Random) -> Any:
    """Return a key that may be taken."""
    field = table.fields[table.key_index]
    if isinstance(field, models.ForeignKey):
        return field_value(field, chance)
    if isinstance(field, models.IntegerField):
        return chance.randint(1, 40)
    return chance.choice((f"k{chance.randint(1, 40)}", "", "ключ", str(chance.randint(1, 9))))


def new_row(table: TableLayout, chance: Random) -> models.Model:
    """Return an unsaved row."""
    values = {
        str(field.attname): field_value(field, chance)
        for field in table.fields
        if not field.primary_key
    }
    values[str(table.fields[table.key_index].attname)] = new_key(table, chance)
    return model_of(table)(**values)


def keys(table: TableLayout) -> list[Any]:
    """Return the keys of a table's rows."""
    return [row[0] for row in raw(f'SELECT "{table.key}" FROM "{table.name}" ORDER BY 1')]


def raw(statement: str, *parameters: Any) -> list[tuple[Any, ...]]:
    """Run raw SQL on the sandbox's own connection."""
    return DIALECT.raw(statement, *parameters)


def one_of(table: TableLayout, chance: Random) -> models.Model | None:
    """Return a row."""
    found = keys(table)
    return model_of(table)._base_manager.get(pk=chance.choice(found)) if found else None


def stored(table: TableLayout, chance: Random) -> dict[str, Any]:
    """Return a row as it is stored, by column; empty if the table is."""
    found = keys(table)
    if not found:
        return {}
    (row,) = raw(
        f'SELECT {stored_columns_of(table)} FROM "{table.name}" WHERE "{table.key}" = ?',
        chance.choice(found),
    )
    return dict(zip(table.columns, row, strict=True))


def columns_of(table: TableLayout) -> str:
    """Return a table's columns as SQL."""
    return ",".join(f'"{column}"' for column in table.columns)


def stored_columns_of(table: TableLayout) -> str:
    """Return a table's columns as SQL that Django's connection leaves as they are stored."""
    return ",".join(DIALECT.stored(column) for column in table.columns)


def insert(table: TableLayout, row: dict[str, Any], tail: str = "") -> None:
    """Write a stored row by raw SQL."""
    marks = ",".join("?" * len(row))
    raw(f'INSERT INTO "{table.name}" ({columns_of(table)}) VALUES ({marks}) {tail}', *row.values())


@cache
def unique_columns(table: TableLayout) -> list[str]:
    """Return the columns, but the key, that are unique by themselves or with others."""
    meta = model_of(table)._meta
    names = {name for constraint in meta.total_unique_constraints for name in constraint.fields}
    names |= {field.name for field in table.fields if field.unique and not field.primary_key}
    return sorted(str(field.column) for field in table.fields if field.name in names)


@cache
def references(table: TableLayout) -> list[tuple[str, str]]:
    """Return (table, column) of the foreign keys that lead here."""
    return [
        (other.name, str(field.column))
        for other in layout().tables
        for field in other.fields
        if isinstance(field, models.ForeignKey) and field.related_model._meta.db_table == table.name
    ]


# Ways to write: each takes a table and a source of chance.

Write = Callable[[TableLayout, Random], None]


def create(table: TableLayout, chance: Random) -> None:
    new_row(table, chance).save(force_insert=True)


def create_in_bulk(table: TableLayout, chance: Random) -> None:
    rows = {row.pk: row for row in (new_row(table, chance) for _ in range(4))}
    model_of(table)._base_manager.bulk_create(list(rows.values()), ignore_conflicts=True)


def save(table: TableLayout, chance: Random) -> None:
    row = one_of(table, chance)
    if row is not None:
        for field in chance.sample(table.fields, k=min(3, len(table.fields))):
            if not field.primary_key:
                setattr(row, str(field.attname), field_value(field, chance))
        row.save()


def update(table: TableLayout, chance: Random) -> None:
    field, found = chance.choice(table.fields), keys(table)
    if not field.primary_key:
        changed = field_value(field, chance)
        some = chance.sample(found, k=min(3, len(found)))
        model_of(table)._base_manager.filter(pk__in=some).update(**{str(field.attname): changed})


def update_in_bulk(table: TableLayout, chance: Random) -> None:
    rows = [row for row in (one_of(table, chance) for _ in range(3)) if row is not None]
    fields = [field for field in table.fields if not field.primary_key]
    if rows and fields:
        field = chance.choice(fields)
        for row in rows:
            setattr(row, str(field.attname), field_value(field, chance))
        model_of(table)._base_manager.bulk_update(rows, [field.name])


def delete(table: TableLayout, chance: Random) -> None:
    """Delete a row with all that hangs on it."""
    row = one_of(table, chance)
    if row is not None:
        row.delete()


def delete_all(table: TableLayout, chance: Random) -> None:
    """Empty a table (another one, if rows refer to this one)."""
    leaves = [name for name in NAMES if not references(layout().by_name(name))]
    name = table.name if table.name in leaves else chance.choice(leaves)
    raw(f'DELETE FROM "{name}"')


def set_hostile(table: TableLayout, chance: Random) -> None:
    row, column = stored(table, chance), chance.choice(table.columns)
    if row and column != table.key:
        raw(
            f'UPDATE "{table.name}" SET "{column}" = ? WHERE "{table.key}" = ?',
            chance.choice(DIALECT.hostile),
            row[table.key],
        )


def replace(table: TableLayout, chance: Random) -> None:
    """Write over a row: its key, or another key with its unique values."""
    row, other = stored(table, chance), stored(table, chance)
    if row:
        column = chance.choice(table.columns)
        DIALECT.replace(table, {**row, column: other[column]})


def replace_by_update(table: TableLayout, chance: Random) -> None:
    row, other = stored(table, chance), stored(table, chance)
    if row:
        DIALECT.replace_key(table, row[table.key], other[table.key])


def upsert(table: TableLayout, chance: Random) -> None:
    row, column = stored(table, chance), chance.choice(table.columns)
    if row and column != table.key:
        tail = f'ON CONFLICT ("{table.key}") DO UPDATE SET "{column}" = excluded."{column}"'
        insert(table, {**row, column: stored(table, chance)[column]}, tail=tail)


def change_key(table: TableLayout, chance: Random) -> None:
    """Give a row another key; what refers to it follows."""
    row, key = stored(table, chance), new_key(table, chance)
    if row:
        raw(
            f'UPDATE "{table.name}" SET "{table.key}" = ? WHERE "{table.key}" = ?',
            key,
            row[table.key],
        )
        for other, column in references(table):
            raw(f'UPDATE "{other}" SET "{column}" = ? WHERE "{column}" = ?', key, row[table.key])


def rotate_keys(table: TableLayout, chance: Random) -> None:
    """Hand the keys of some rows round."""
    if isinstance(table.fields[table.key_index], models.IntegerField | models.CharField):
        rotate(table, table.key, chance)


def rotate_unique(table: TableLayout, chance: Random) -> None:
    """Hand the values of a unique column round (of another table, if this one has none)."""
    found = {name: unique for name in NAMES if (unique := unique_columns(layout().by_name(name)))}
    name = table.name if table.name in found else chance.choice(sorted(found))
    rotate(layout().by_name(name), chance.choice(found[name]), chance)


def rotate(table: TableLayout, column: str, chance: Random) -> None:
    """Hand the values of a column round between some rows, by way of one that nobody has."""
    name, found = f'"{table.name}"', keys(table)
    place = DIALECT.place(table)
    places = raw(f'SELECT {place}, "{column}" FROM {name}')
    if len(found) >= 2:
        ring = chance.sample(places, k=min(3, len(places)))
        spare = -987 if isinstance(ring[0][1], int) else "nobody's"
        first = spare if place == f'"{column}"' else ring[0][0]
        steps = [(ring[0][0], spare), *((ring[i][0], ring[i - 1][1]) for i in range(1, len(ring)))]
        for at, new in [*steps, (first, ring[-1][1])]:
            raw(f'UPDATE {name} SET "{column}" = ? WHERE {place} = ?', new, at)


def reinsert(table: TableLayout, chance: Random) -> None:
    row, column = stored(table, chance), chance.choice(table.columns)
    if row:
        raw(f'DELETE FROM "{table.name}" WHERE "{table.key}" = ?', row[table.key])
        insert(table, {**row, column: stored(table, chance).get(column, row[column])})


def take_back(table: TableLayout, chance: Random) -> None:
    """Write, then roll the savepoint back."""
    with transaction.atomic():
        create_in_bulk(table, chance)
        delete_all(table, chance)
        transaction.set_rollback(True)


def act_on(table: TableLayout, chance: Random) -> None:
    """Write as acts do: attributed, with time, identity and chance."""
    with act(actor="tester", label="write"):
        create_in_bulk(table, chance)
        with act(actor="rule", label="nested"):
            update(table, chance)
        randomness.stream(chance.choice("abc")).random()
        ids.next_stamp(Message)
        ids.next_code("ch_", Message)
        DIALECT.touch_act()


def lose_context(table: TableLayout, chance: Random) -> None:
    """Write when nothing says which act is at hand."""
    DIALECT.lose_act()
    create_in_bulk(table, chance)


def pass_time(table: TableLayout, chance: Random) -> None:
    jobs.advance(clock.now() + timedelta(seconds=chance.randint(0, 10**5)))


WRITES: dict[str, Write] = {
    function.__name__: function
    for function in (
        create,
        create_in_bulk,
        save,
        update,
        update_in_bulk,
        delete,
        delete_all,
        set_hostile,
        replace,
        replace_by_update,
        upsert,
        change_key,
        rotate_keys,
        rotate_unique,
        reinsert,
        take_back,
        act_on,
        lose_context,
        pass_time,
    )
}


def write(name: str, table: TableLayout, chance: Random) -> bool:
    """Try one write in a savepoint of its own; tell whether the database took it."""
    try:
        with transaction.atomic():
            WRITES[name](table, chance)
    except (
        ArithmeticError,
        LookupError,
        ObjectDoesNotExist,
        TypeError,
        ValueError,
        models.ProtectedError,
    ):
        return False  # what a raw statement left in a row is not what its model can read
    except Exception as error:
        if isinstance(error.__cause__ or error, DIALECT.errors):
            return False
        raise
    return True


def write_bare(bare: Stranger, table: TableLayout, chance: Random, *, checked: bool) -> None:
    """Write as a stranger in a transaction; unless `checked`, it goes round foreign keys."""
    name, key = f'"{table.name}"', f'"{table.key}"'
    try:
        bare.run("BEGIN IMMEDIATE")
        rows = bare.run(f"SELECT {columns_of(table)} FROM {name}")
        for row in rows[: chance.randint(0, 3)]:
            column = chance.choice(table.columns)
            bare.run("SAVEPOINT one")
            try:
                bare.run(
                    f'UPDATE {name} SET "{column}" = ? WHERE {key} = ?',
                    chance.choice(DIALECT.hostile),
                    row[table.key_index],
                )
            except DIALECT.errors:
                bare.run("ROLLBACK TO one")
                bare.run(f"DELETE FROM {name} WHERE {key} = ?", row[table.key_index])
        bare.run("COMMIT")
    except DIALECT.errors:
        assert checked or DIALECT.always_checked
        with suppress(*DIALECT.errors):  # there may be no transaction any more
            bare.run("ROLLBACK")


def populate(chance: Random, *, rows: int) -> None:
    """Give every table some rows; passes repeat so that what is referred to comes first."""
    for _ in range(6):
        for table in layout().tables:
            for _ in range(rows if table.name in NAMES else 0):
                if len(keys(table)) < rows:
                    write("create", table, chance)
