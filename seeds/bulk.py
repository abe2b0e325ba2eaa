"""Bulk writing: plain tuples into tables, the columns taken from the models.

Only world building may write so; everything else goes through the clones' `domain/`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder
from django.db import connection, models

from clones.core import ids
from clones.core.models.state import IdSequence

BATCH = 2000


class UnknownColumn(Exception):
    """Raised when a row has a value for a column that its model does not have."""


class BulkTable:
    """Rows of one model on their way into the store.

    A row is a mapping of attribute names (`requester_id`, not `requester`); what it leaves out
    takes the field's default.
    """

    def __init__(self, model: type[models.Model]) -> None:
        self.model = model
        self.fields: list[models.Field[Any, Any]] = list(model._meta.local_concrete_fields)
        self.columns = [str(field.attname) for field in self.fields]
        self._known = frozenset(self.columns)
        self._adapt = [_adapter(field) for field in self.fields]
        self._default = [_default(field) for field in self.fields]
        self._rows: list[tuple[Any, ...]] = []
        self.count = 0

    def has(self, column: str) -> bool:
        """Tell whether the model has the column."""
        return column in self._known

    def add(self, row: Mapping[str, Any]) -> None:
        """Queue a row.

        Raises:
            UnknownColumn: the model has no such column.
        """
        if not self._known.issuperset(row):
            strange = sorted(set(row) - self._known)
            raise UnknownColumn(f"{self.model._meta.label} has no {', '.join(strange)}")
        self._rows.append(
            tuple(
                adapt(row[column]) if column in row else default()
                for column, adapt, default in zip(
                    self.columns, self._adapt, self._default, strict=True
                )
            )
        )
        if len(self._rows) >= BATCH:
            self.flush()

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

    def add(self, model: type[models.Model], row: Mapping[str, Any]) -> None:
        """Queue a row of a model."""
        self.table(model).add(row)

    def table(self, model: type[models.Model]) -> BulkTable:
        """Return the queue of a model."""
        found = self._tables.get(model)
        if found is None:
            found = self._tables[model] = BulkTable(model)
        return found

    def flush(self) -> None:
        """Write everything that is queued, in the order in which models were first used."""
        for table in self._tables.values():
            table.flush()

    def counts(self) -> dict[str, int]:
        """Return the rows written, by model label."""
        return {
            table.model._meta.label: table.count + table.waiting
            for table in sorted(self._tables.values(), key=lambda item: item.model._meta.label)
        }


class Identifiers:
    """The identifiers of one build, by the rules of `clones.core.ids` for back-dated rows."""

    def __init__(self, seed: str) -> None:
        self.seed = seed
        self._taken: dict[type[models.Model], set[int]] = {}
        self._highest: dict[str, int] = {}
        self._codes: dict[type[models.Model], int] = {}

    def stamp(self, model: type[models.Model], moment: datetime) -> int:
        """Return the first free stamp of a moment."""
        number = ids.stamp_of(moment)
        taken = self._taken.setdefault(model, set())
        while number in taken:
            number += ids.STRIDE
        taken.add(number)
        app = model._meta.app_label
        self._highest[app] = max(self._highest.get(app, 0), number)
        return number

    def taken(self, model: type[models.Model]) -> set[int]:
        """Return the stamps given to a model so far."""
        return self._taken.get(model, set())

    def code(
        self, prefix: str, model: type[models.Model], *, length: int = 24, skip: int = 0
    ) -> str:
        """Return the next coded identifier; `skip` leaves a gap before it, as deletions do."""
        number = self._codes.get(model, 0) + 1 + skip
        self._codes[model] = number
        return prefix + ids.code_text(
            f"{self.seed}|{model._meta.label_lower}.code|{number}", length
        )

    def store(self, serials: Mapping[type[models.Model], int]) -> None:
        """Set the counters past every row; `serials` are the last numbers of numbered models."""
        rows = [
            IdSequence(name=f"{app}.stamp", last=last)
            for app, last in sorted(self._highest.items())
        ]
        rows += [
            IdSequence(name=f"{model._meta.label_lower}.code", last=last)
            for model, last in sorted(self._codes.items(), key=lambda item: item[0]._meta.label)
        ]
        rows += [
            IdSequence(name=f"{model._meta.label_lower}.serial", last=last)
            for model, last in sorted(serials.items(), key=lambda item: item[0]._meta.label)
        ]
        IdSequence.objects.bulk_create(rows)


def _same(value: Any) -> Any:
    return value


def _adapter(field: models.Field[Any, Any]) -> Callable[[Any], Any]:
    """Return what turns a Python value into what the database driver takes."""
    target = getattr(field, "target_field", field)
    if isinstance(target, models.DateTimeField):
        known: dict[datetime, Any] = {}

        def moment(value: datetime | None) -> Any:
            if value is None:
                return None
            found = known.get(value)
            if found is None:
                if len(known) > 50_000:
                    known.clear()
                found = known[value] = connection.ops.adapt_datetimefield_value(value)
            return found

        return moment
    if isinstance(target, models.JSONField):
        return lambda value: None if value is None else json.dumps(value, cls=DjangoJSONEncoder)
    if isinstance(target, models.DateField | models.DecimalField | models.BinaryField):
        return lambda value: target.get_db_prep_save(value, connection)
    return _same


def _default(field: models.Field[Any, Any]) -> Callable[[], Any]:
    """Return what gives the stored form of a field's default."""
    adapt = _adapter(field)
    if not field.has_default() and not field.null:
        label = f"{field.model._meta.label}.{field.name}"
        empty = "" if isinstance(field, models.CharField | models.TextField) else None

        def missing() -> Any:
            if empty is None:
                raise UnknownColumn(f"{label} needs a value")
            return empty

        return missing
    return lambda: adapt(field.get_default())
