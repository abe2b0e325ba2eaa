"""Bulk writing: plain tuples into tables, the columns taken from the models.

Only world building may write so; everything else goes through the clones' `domain/`.
"""

from __future__ import annotations

import json
import marshal
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from operator import itemgetter
from typing import Any, Protocol

from django.core.serializers.json import DjangoJSONEncoder
from django.db import connection, models

from clones.core import ids
from clones.core.models.state import IdSequence

BATCH = 2000
KEPT_MOMENTS = 50_000
KEPT_JSON = 50_000
# The last version of `marshal` that writes what comes twice twice: later ones look at identity.
UNSHARED = 2

# Turns a Python value into what the database driver takes; None where they are the same.
Adapter = Callable[[Any], Any]


class UnknownColumn(Exception):
    """Raised when a row has a value for a column that its model does not have."""


@dataclass(frozen=True, slots=True)
class Json:
    """A value of a JSON column that is text already, for rows that have the same."""

    text: str

    @classmethod
    def of(cls, value: Any) -> Json:
        """Return a value as text."""
        return cls(_encode(value))


class RowWriter(Protocol):
    """Takes the rows of a world."""

    def add(self, model: type[models.Model], row: Mapping[str, Any]) -> None:
        """Queue a row of a model."""


class Stamps(Protocol):
    """Gives identifiers that rise with time."""

    def stamp(self, model: type[models.Model], moment: datetime) -> int:
        """Return the first free stamp of a moment."""


@dataclass(frozen=True, slots=True)
class Shape:
    """Rows that name the same columns in the same order.

    `adapt` is for those of them that need it, by their place, `defaults` are the stored values of
    the other columns, and `order` takes both together and gives the row in the table's own order.
    """

    adapt: list[tuple[int, Adapter]]
    defaults: list[Any]
    order: Callable[[list[Any]], tuple[Any, ...]]


class BulkTable:
    """Rows of one model on their way into the store.

    A row is a mapping of attribute names (`requester_id`, not `requester`); what it leaves out
    takes the field's default.
    """

    def __init__(self, model: type[models.Model], moments: Adapter) -> None:
        self.model = model
        self.fields: list[models.Field[Any, Any]] = list(model._meta.local_concrete_fields)
        self.columns = [str(field.attname) for field in self.fields]
        self._known = frozenset(self.columns)
        self._adapt = [_adapter(field, moments) for field in self.fields]
        self._shapes: dict[tuple[str, ...], Shape] = {}
        self._rows: list[tuple[Any, ...]] = []
        self.count = 0

    def has(self, column: str) -> bool:
        """Tell whether the model has the column."""
        return column in self._known

    def stored(self, row: Mapping[str, Any]) -> tuple[Any, ...]:
        """Return a row as the database driver takes it.

        Raises:
            UnknownColumn: the model has no such column, or it needs a value that is not there.
        """
        names = tuple(row)
        shape = self._shapes.get(names)
        if shape is None:
            shape = self._shapes[names] = self._shape(names)
        values = list(row.values())
        for place, adapt in shape.adapt:
            values[place] = adapt(values[place])
        values += shape.defaults
        return shape.order(values)

    def put(self, rows: Iterable[tuple[Any, ...]]) -> None:
        """Queue rows as the database driver takes them."""
        self._rows.extend(rows)

    def _shape(self, names: tuple[str, ...]) -> Shape:
        """Return how rows of these columns are stored: found once, used for all of them."""
        if not self._known.issuperset(names):
            strange = sorted(set(names) - self._known)
            raise UnknownColumn(f"{self.model._meta.label} has no {', '.join(strange)}")
        adapt = dict(zip(self.columns, self._adapt, strict=True))
        places = {name: place for place, name in enumerate(names)}
        defaults: list[Any] = []
        for column, field in zip(self.columns, self.fields, strict=True):
            if column not in places:
                places[column] = len(names) + len(defaults)
                defaults.append(_default(field, adapt[column]))
        order = [places[column] for column in self.columns]
        needed = [(place, found) for place, name in enumerate(names) if (found := adapt[name])]
        return Shape(needed, defaults, itemgetter(*order))

    @property
    def waiting(self) -> int:
        """How many rows are queued."""
        return len(self._rows)

    def flush(self) -> None:
        """Write what is queued."""
        if not self._rows:
            return
        quote = connection.ops.quote_name
        names = ", ".join(quote(str(field.column)) for field in self.fields)
        marks = ", ".join(["%s"] * len(self.fields))
        with connection.cursor() as cursor:
            cursor.executemany(
                f"INSERT INTO {quote(self.model._meta.db_table)} ({names}) VALUES ({marks})",  # noqa: S608 - model names
                self._rows,
            )
        self.count += len(self._rows)
        self._rows.clear()


class BulkWriter:
    """The tables of one world build, flushed parents first."""

    def __init__(self) -> None:
        self._tables: dict[type[models.Model], BulkTable] = {}
        self._moments = adapts_moments()

    def add(self, model: type[models.Model], row: Mapping[str, Any]) -> None:
        """Queue a row of a model.

        Raises:
            UnknownColumn: the model has no such column, or it needs a value that is not there.
        """
        table = self.table(model)
        self.put(model, (table.stored(row),))

    def put(self, model: type[models.Model], rows: Iterable[tuple[Any, ...]]) -> None:
        """Queue rows of a model as the database driver takes them."""
        table = self.table(model)
        table.put(rows)
        if table.waiting >= BATCH:
            self.flush()

    def table(self, model: type[models.Model]) -> BulkTable:
        """Return the queue of a model."""
        found = self._tables.get(model)
        if found is None:
            found = self._tables[model] = BulkTable(model, self._moments)
            self._parents_first()
        return found

    def _parents_first(self) -> None:
        """Put each model behind those that its rows refer to.

        A row that comes before what it refers to is looked for again when that comes.
        """
        ordered: dict[type[models.Model], BulkTable] = {}
        visited: set[object] = set()

        def visit(model: Any) -> None:
            if model in visited or model not in self._tables:
                return
            visited.add(model)
            table = self._tables[model]
            for field in table.fields:
                visit(field.related_model)
            ordered[table.model] = table

        for model in self._tables:
            visit(model)
        self._tables = ordered

    def flush(self) -> None:
        """Write everything that is queued."""
        for table in self._tables.values():
            table.flush()

    def counts(self) -> dict[str, int]:
        """Return the rows written, by model label."""
        return {
            table.model._meta.label: table.count + table.waiting
            for table in sorted(self._tables.values(), key=lambda item: item.model._meta.label)
        }


@dataclass(slots=True)
class Stamped:
    """The stamps given to a model: all, and for which first one the last one was given."""

    taken: set[int]
    first: int = 0
    last: int = 0


class Identifiers:
    """The identifiers of one build, by the rules of `clones.core.ids` for back-dated rows."""

    def __init__(self, seed: str) -> None:
        self.seed = seed
        self._stamps: dict[type[models.Model], Stamped] = {}
        self._codes: dict[type[models.Model], int] = {}
        self._keyed: dict[type[models.Model], int] = {}

    def stamp(self, model: type[models.Model], moment: datetime) -> int:
        """Return the first free stamp of a moment."""
        return self.stamp_from(model, ids.stamp_of(moment))

    def stamp_from(self, model: type[models.Model], first: int) -> int:
        """Return the first free stamp from one on."""
        given = self._stamps.get(model)
        if given is None:
            given = self._stamps[model] = Stamped(set())
        # Of the moment asked for last, all up to the one given then are taken.
        number, taken = given.last if given.first == first else first, given.taken
        while number in taken:
            number += ids.STRIDE
        taken.add(number)
        given.first, given.last = first, number
        return number

    def taken(self, model: type[models.Model]) -> set[int]:
        """Return the stamps given to a model so far."""
        found = self._stamps.get(model)
        return set() if found is None else found.taken

    def code(
        self, prefix: str, model: type[models.Model], *, length: int = 24, skip: int = 0
    ) -> str:
        """Return the next coded identifier; `skip` leaves a gap before it, as deletions do."""
        number = self._codes.get(model, 0) + 1 + skip
        self._codes[model] = number
        return prefix + ids.code_text(
            f"{self.seed}|{model._meta.label_lower}.code|{number}", length
        )

    def keyed(self, prefix: str, model: type[models.Model], *, skip: int = 0) -> str:
        """Return the next keyed identifier; `skip` leaves a gap before it, as deletions do."""
        number = self._keyed.get(model, 0) + 1 + skip
        self._keyed[model] = number
        return ids.keyed_text(prefix, f"{self.seed}|{model._meta.label_lower}.keyed", number)

    def store(self, serials: Mapping[type[models.Model], int]) -> None:
        """Set the counters past every row; `serials` are the last numbers of numbered models."""
        highest: dict[str, int] = {}
        for model, given in self._stamps.items():
            app, last = model._meta.app_label, max(given.taken)
            highest[app] = max(highest.get(app, 0), last)
        rows = [IdSequence(name=f"{app}.stamp", last=last) for app, last in sorted(highest.items())]
        rows += [
            IdSequence(name=f"{model._meta.label_lower}.code", last=last)
            for model, last in sorted(self._codes.items(), key=lambda item: item[0]._meta.label)
        ]
        rows += [
            IdSequence(name=f"{model._meta.label_lower}.keyed", last=last)
            for model, last in sorted(self._keyed.items(), key=lambda item: item[0]._meta.label)
        ]
        rows += [
            IdSequence(name=f"{model._meta.label_lower}.serial", last=last)
            for model, last in sorted(serials.items(), key=lambda item: item[0]._meta.label)
        ]
        IdSequence.objects.bulk_create(rows)


def adapts_moments() -> Adapter:
    """Return what adapts moments: many rows have the same one."""
    known: dict[datetime, Any] = {}
    adapted = connection.ops.adapt_datetimefield_value

    def adapt(value: datetime | None) -> Any:
        if value is None:
            return None
        found = known.get(value)
        if found is None:
            if len(known) > KEPT_MOMENTS:
                known.clear()
            found = known[value] = adapted(value)
        return found

    return adapt


def _encoder() -> Callable[[Any], str]:
    """Return what encodes as `DjangoJSONEncoder` does, by the same encoder for every value.

    `json` makes one for each, which takes longer than most values.
    """
    plain = DjangoJSONEncoder(check_circular=False)
    make = getattr(json.encoder, "c_make_encoder", None)
    if make is None:
        return plain.encode
    ascii_only = json.encoder.encode_basestring_ascii
    chunks = make(None, plain.default, ascii_only, None, ": ", ", ", False, False, True)
    return lambda value: "".join(chunks(value, 0))


_encode = _encoder()


def _writes_json() -> Callable[[Any], str | None]:
    """Return what writes values of JSON columns: those of many rows are equal.

    Plain values are equal where `marshal` says the same of them, which tells types apart and takes
    a fraction of the time that writing JSON takes. Equal values get one and the same text, which
    is sent to other processes once.
    """
    known: dict[bytes, str] = {}

    def write(value: Any) -> str | None:
        if value is None:
            return None
        if isinstance(value, Json):
            return value.text
        try:
            key = marshal.dumps(value, UNSHARED)
        except ValueError:  # it has other values than plain ones
            return _encode(value)
        found = known.get(key)
        if found is None:
            if len(known) > KEPT_JSON:
                known.clear()
            found = known[key] = _encode(value)
        return found

    return write


_json = _writes_json()


def _adapter(field: models.Field[Any, Any], moments: Adapter) -> Adapter | None:
    """Return what turns a field's values into what the database driver takes, if anything does."""
    target = getattr(field, "target_field", field)
    if isinstance(target, models.DateTimeField):
        return moments
    if isinstance(target, models.JSONField):
        return _json
    if isinstance(target, models.DateField | models.DecimalField | models.BinaryField):
        return lambda value: target.get_db_prep_save(value, connection)
    return None


def _default(field: models.Field[Any, Any], adapt: Adapter | None) -> Any:
    """Return the stored form of a field's default.

    Raises:
        UnknownColumn: it has none.
    """
    if not field.has_default() and not field.null:
        if isinstance(field, models.CharField | models.TextField):
            return ""
        raise UnknownColumn(f"{field.model._meta.label}.{field.name} needs a value")
    value = field.get_default()
    return value if adapt is None else adapt(value)
