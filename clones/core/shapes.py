"""Querysets whose shape is data, as a view's conditions are: each shape is compiled once.

`clones.core.prepared` knows the querysets that code names. Here a queryset depends on its shape,
which may be anything, and beside it only on when it is asked, and by whom: a moment and a key. It
is built and compiled for two of each; what differs between the two statements' parameters are the
places of the moment, or of a moment some time away from it, and of the key. What is kept by shape
is the text of a statement and no row of any sandbox.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Literal, NamedTuple

from django.core.exceptions import EmptyResultSet
from django.db import connection, connections
from django.db.models import Count, QuerySet, Window


class QueryContext(NamedTuple):
    """When a queryset is asked, and by whom."""

    moment: datetime
    key: int


# Builds the queryset of a shape for a moment and a key.
Build = Callable[[datetime, int], QuerySet[Any]]
Form = Literal["count", "keys", "part"]

MOST = 512  # shapes that are kept: worlds bring their own, and agents make more
_FIRST = QueryContext(datetime(4321, 2, 3, 4, 5, 6, tzinfo=UTC), 9_111_222_333_444_555_001)
_SECOND = QueryContext(datetime(4567, 8, 9, 1, 2, 3, tzinfo=UTC), 9_111_222_333_444_777_002)
# For querysets that depend on neither.
EVER = QueryContext(datetime(2000, 1, 1, tzinfo=UTC), 0)


@dataclass(frozen=True, slots=True)
class _Statement:
    """One statement of one engine, and where its moments and keys are. No text finds nothing."""

    sql: str
    params: tuple[Any, ...] = ()
    moments: tuple[tuple[int, timedelta], ...] = ()
    keys: tuple[int, ...] = ()

    def run(self, asking: QueryContext, *more: int) -> list[tuple[Any, ...]]:
        """Return the rows; `more` are the parameters at the end."""
        params = [*self.params, *more]
        for position, away in self.moments:
            params[position] = connection.ops.adapt_datetimefield_value(asking.moment + away)
        for position in self.keys:
            params[position] = asking.key
        with connections["default"].cursor() as cursor:
            cursor.execute(self.sql, params)
            found: list[tuple[Any, ...]] = cursor.fetchall()
        return found


class Shapes:
    """The shapes of one kind of querysets.

    Two querysets of the same shape must be the same for the same moment and key. One that cannot
    be told so is asked as it is, each time.
    """

    def __init__(self) -> None:
        self._kept: dict[Hashable, _Statement | None] = {}

    def count(self, shape: Hashable, build: Build, asking: QueryContext) -> int:
        """Return how many rows there are."""
        statement = self._statement("count", shape, build)
        if statement is None:
            return build(*asking).count()
        return int(statement.run(asking)[0][0]) if statement.sql else 0

    def keys(
        self, shape: Hashable, build: Build, asking: QueryContext, start: int, end: int
    ) -> list[int]:
        """Return the keys of the rows from `start` to before `end`. The queryset is in order."""
        statement = self._statement("keys", shape, build)
        if statement is None:
            return list(build(*asking).values_list("pk", flat=True)[start:end])
        if not statement.sql:
            return []
        return [found for (found,) in statement.run(asking, end - start, start)]

    def part(
        self, shape: Hashable, build: Build, asking: QueryContext, start: int, end: int
    ) -> list[tuple[int, int]]:
        """Return the keys of the rows from `start` to before `end`, and how many rows there are.

        The queryset is in a total order. Where there are no rows so far, nothing is told.
        """
        statement = self._statement("part", shape, build)
        if statement is None:
            return list(counted_keys(build(*asking))[start:end])
        if not statement.sql:
            return []
        found = statement.run(asking, end - start, start)
        return [(row[0], row[1]) for row in found]

    def _statement(self, form: Form, shape: Hashable, build: Build) -> _Statement | None:
        place = (connection.vendor, form, shape)
        try:
            return self._kept[place]
        except KeyError:
            statement = _compiled(form, build)
        if len(self._kept) >= MOST:
            self._kept.clear()
        self._kept[place] = statement
        return statement


def counted_keys(rows: QuerySet[Any]) -> QuerySet[Any, tuple[int, int]]:
    """Return the keys of rows, each with how many rows there are in all."""
    found: QuerySet[Any, tuple[int, int]] = rows.annotate(among=Window(Count("*"))).values_list(
        "pk", "among"
    )
    return found


def _compiled(form: Form, build: Build) -> _Statement | None:
    """Return the statement of a shape, None if it cannot be told where its parameters are."""
    try:
        one, other = (_as_sql(form, build(*stand_ins)) for stand_ins in (_FIRST, _SECOND))
    except OverflowError:  # a moment beyond all time, for one that is far ahead
        return None
    if one is None and other is None:
        return _Statement("")
    if one is None or other is None or one[0] != other[0] or len(one[1]) != len(other[1]):
        return None
    moments, keys = [], []
    for position, (first, second) in enumerate(zip(one[1], other[1], strict=True)):
        if (type(first), first) == (type(second), second):
            continue
        if (first, second) == (_FIRST.key, _SECOND.key):
            keys.append(position)
            continue
        away = _away(first, _FIRST.moment)
        if away is None or away != _away(second, _SECOND.moment):
            return None
        moments.append((position, away))
    return _Statement(one[0], one[1], tuple(moments), tuple(keys))


def _as_sql(form: Form, rows: QuerySet[Any]) -> tuple[str, tuple[Any, ...]] | None:
    """Return statement and parameters of a queryset, None if it finds nothing whatever there is."""
    asked = counted_keys(rows) if form == "part" else rows.values_list("pk")
    if form == "count":
        asked = asked.order_by()
    try:
        sql, params = asked.query.get_compiler(connection=connection).as_sql()
    except EmptyResultSet:
        return None
    if form == "count":
        return f"SELECT COUNT(*) FROM ({sql}) AS counted", tuple(params)  # noqa: S608 - of the ORM
    return f"{sql} LIMIT %s OFFSET %s", tuple(params)


def _away(value: Any, moment: datetime) -> timedelta | None:
    """Return how far a parameter is from a moment, None if it is no moment."""
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value)
        except ValueError:
            return None
    if not isinstance(value, datetime):
        return None
    return (value if value.tzinfo is not None else value.replace(tzinfo=UTC)) - moment
