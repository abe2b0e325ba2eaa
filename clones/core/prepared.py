"""Querysets compiled once: most of what a small read costs is compiling its SQL.

A prepared query is made from a function that builds the queryset. It is called once per process,
with a stand-in for each parameter; after that only the statement is run, with the values of the
call. Rows become the same objects as the queryset's own.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Generic, TypeVar, cast

from django.core.exceptions import EmptyResultSet
from django.db import connection, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import JSONField
from django.db.models.expressions import Col
from django.db.models.query import (
    FlatValuesListIterable,
    ModelIterable,
    RelatedPopulator,
    ValuesListIterable,
    get_related_populators,
)
from django.db.models.sql.compiler import SQLCompiler

Row = TypeVar("Row")
Value = int | str | datetime
BIGGEST = 2**63 - 1
FAR = datetime(9876, 5, 4, tzinfo=UTC)
# How far from the first a second moment is: none of its parts is the same.
ANOTHER = timedelta(days=-500, hours=1, minutes=1, seconds=1)
# The stubs do not know it.
_SCAN: Callable[[str, int], tuple[Any, int]] = json.JSONDecoder().scan_once  # type: ignore[attr-defined]


class NotPreparable(Exception):
    """Raised when a queryset does more than one statement, or hides a parameter from it."""


@dataclass(frozen=True, slots=True)
class _Place:
    """Where in a statement a value of the call stands, or a moment reckoned from it."""

    position: int
    number: int
    later: timedelta | None = None

    def of(self, values: Sequence[Value]) -> Any:
        """Return what stands there."""
        value = values[self.number]
        if self.later is not None and isinstance(value, datetime):
            value += self.later
        return _as_parameter(value)


@dataclass(frozen=True, slots=True)
class _Compiled:
    """One statement of one engine, and how its rows are read."""

    sql: str
    params: tuple[Any, ...]
    places: tuple[_Place, ...]
    converters: tuple[tuple[int, Any, Any], ...]  # (position, step, expression), in order
    make: Callable[[Sequence[Any]], Any]

    def filled(self, values: Sequence[Value]) -> list[Any]:
        """Return the parameters with the values of a call in their places."""
        params = list(self.params)
        for place in self.places:
            params[place.position] = place.of(values)
        return params


class Prepared(Generic[Row]):
    """A queryset whose SQL is compiled at its first use.

    `build` takes as many arguments as there are `kinds` and returns a queryset of models, with
    `select_related` or without, or of `values_list` rows. An argument may be compared with columns
    only: what changes the statement itself (None, a list) cannot be one, nor text that the
    queryset would put into a longer text.

    Raises:
        NotPreparable: at the first use, for any other queryset.
    """

    def __init__(self, build: Callable[..., Any], *kinds: type[Value]) -> None:
        self._build = build
        self._kinds = kinds
        self._compiled: dict[str, _Compiled] = {}

    def all(self, *values: Value) -> list[Row]:
        """Run the statement and return its rows."""
        if any(type(value) is int and abs(value) > BIGGEST for value in values):
            # No column holds it, no engine takes it: the queryset knows what that means.
            return list(self._build(*values))
        at_hand = connections["default"]
        compiled = self._compiled.get(at_hand.vendor) or self._compile()
        with at_hand.cursor() as cursor:
            cursor.execute(compiled.sql, compiled.filled(values))
            found: Iterable[Sequence[Any]] = cursor.fetchall()
        if compiled.converters:
            found = _converted(found, compiled.converters, at_hand)
        return [compiled.make(row) for row in found]

    def count(self, *values: Value) -> int:
        """Run the statement for the number of its rows alone."""
        if any(type(value) is int and abs(value) > BIGGEST for value in values):
            return int(self._build(*values).count())
        at_hand = connections["default"]
        compiled = self._compiled.get(at_hand.vendor) or self._compile()
        with at_hand.cursor() as cursor:
            cursor.execute(
                f"SELECT COUNT(*) FROM ({compiled.sql}) AS counted",  # noqa: S608 - of the ORM
                compiled.filled(values),
            )
            (found,) = cursor.fetchone()
        return int(found)

    def first(self, *values: Value) -> Row | None:
        """Run the statement and return its first row, or None. The queryset bounds itself."""
        found = self.all(*values)
        return found[0] if found else None

    def _places(self, sql: str, params: Sequence[Any], values: Sequence[Value]) -> Iterable[_Place]:
        """Return where the stand-ins of a statement are."""
        stand_ins = [_as_parameter(value) for value in values]
        places = [
            _Place(position, stand_ins.index(value))
            for position, value in enumerate(params)
            if value in stand_ins
        ]
        rest = "\n".join(str(value) for value in params if value not in stand_ins)
        if {place.number for place in places} != set(range(len(stand_ins))) or any(
            str(value) in rest for value in stand_ins
        ):
            raise NotPreparable(f"a parameter does not stand by itself in the statement: {sql}")
        return places

    def _compile(self) -> _Compiled:
        values = [_stand_in(kind, number) for number, kind in enumerate(self._kinds)]
        queryset = self._build(*values)
        compiler = queryset.query.get_compiler(connection=connection)
        sql, params = compiler.as_sql()
        compiled = _Compiled(
            sql,
            tuple(params),
            tuple(self._places(sql, params, values)),
            tuple(
                (position, _quick(step, expression), expression)
                for position, (steps, expression) in compiler.get_converters(
                    [column for column, _, _ in compiler.select]
                ).items()
                for step in steps
            ),
            _maker(queryset, compiler),
        )
        self._compiled[connection.vendor] = compiled
        return compiled


class PreparedAt(Prepared[Row]):
    """A queryset made for a moment: every moment in its statement is so long before or after it.

    What can be found at no moment is nothing. A moment too far from the others to be compiled with
    is asked for by the queryset itself.
    """

    def __init__(self, build: Callable[[datetime], Any]) -> None:
        super().__init__(build, datetime)

    def all(self, *values: Value) -> list[Row]:
        """Run the statement for a moment and return its rows."""
        try:
            return super().all(*values)
        except EmptyResultSet:
            return []
        except OverflowError:
            return list(self._build(*values))

    def _places(self, sql: str, params: Sequence[Any], values: Sequence[Value]) -> Iterable[_Place]:
        moment = cast("datetime", values[0])
        another = self._build(moment + ANOTHER).query.get_compiler(connection=connection)
        other_sql, others = another.as_sql()
        if other_sql != sql:
            raise NotPreparable(f"the statement is another at another moment: {sql}")
        for position, (value, other) in enumerate(zip(params, others, strict=True)):
            if value == other:
                continue
            later = _as_moment(value) - moment
            if _as_moment(other) - moment != later + ANOTHER:
                raise NotPreparable(f"a value is not reckoned from the moment alone: {sql}")
            yield _Place(position, 0, later)


def _as_moment(parameter: Any) -> datetime:
    """Return the moment that a parameter says."""
    moment = datetime.fromisoformat(parameter) if isinstance(parameter, str) else parameter
    if not isinstance(moment, datetime):
        raise NotPreparable(f"{parameter!r} changes with the moment and is none")
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)


def _stand_in(kind: type[Value], number: int) -> Value:
    if kind is int:
        return 9_223_372_036_854_000_000 + number
    return f"\ue000{number}\ue000" if kind is str else FAR + timedelta(seconds=number)


def _as_parameter(value: Value) -> Any:
    if isinstance(value, datetime):
        return connection.ops.adapt_datetimefield_value(value)
    return value


def _converted(
    rows: Iterable[Sequence[Any]],
    converters: tuple[tuple[int, Any, Any], ...],
    at_hand: BaseDatabaseWrapper,
) -> Iterable[list[Any]]:
    for found in rows:
        row = list(found)
        for position, convert, expression in converters:
            row[position] = convert(row[position], expression, at_hand)
        yield row


def _quick(step: Any, expression: Any) -> Any:
    """Return a shorter way to the same value where there is one, else the step itself."""
    field = getattr(step, "__self__", None)
    if type(field) is JSONField and field.decoder is None and type(expression) is Col:
        return _json
    return step


def _json(value: Any, expression: Any, at_hand: Any) -> Any:
    """Return what the JSON text of a column says."""
    if value == "[]":  # what most columns of lists hold
        return []
    if type(value) is str:
        # What `json.loads` comes to, unless there is something around the document.
        try:
            found, end = _SCAN(value, 0)
        except (StopIteration, json.JSONDecodeError):
            end = -1
        if end == len(value):
            return found
    try:
        return None if value is None else json.loads(value)
    except json.JSONDecodeError:
        return value  # as the field itself has it


def _maker(queryset: Any, compiler: SQLCompiler) -> Callable[[Sequence[Any]], Any]:
    """Return what makes one row's object, as the queryset's own iterable does."""
    kind = queryset._iterable_class  # noqa: SLF001 - nothing public tells models from values
    if queryset._prefetch_related_lookups:  # noqa: SLF001 - the same
        raise NotPreparable("a prefetch is a statement of its own")
    if kind is FlatValuesListIterable:
        return lambda row: row[0]
    if kind is ValuesListIterable:
        return tuple
    if kind is not ModelIterable or compiler.annotation_col_map:
        raise NotPreparable(f"rows of {kind.__name__} with annotations are not known here")
    info = cast("dict[str, Any]", compiler.klass_info)
    columns, model = info["select_fields"], info["model"]
    start, end = columns[0], columns[-1] + 1
    names = [column.target.attname for column, _, _ in compiler.select[start:end]]
    related: Callable[..., list[RelatedPopulator]] = get_related_populators
    populators = related(info, compiler.select, "default")

    def make(row: Sequence[Any]) -> Any:
        found = model.from_db("default", names, row[start:end])
        for populator in populators:
            populator.populate(row, found)
        return found

    return make
