"""What a compiled query is made of: conditions of issues, and what those who make them know.

Every condition is true or false of an issue, never unknown: so NOT means all the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import reduce
from math import ceil, floor
from operator import or_
from typing import Any, Final, Protocol

from django.db.models import Model, Q, QuerySet

from clones.tracker.models import Group, User
from clones.tracker.queries.jql.visibility import NOTHING, VisibilityScope
from clones.tracker.rules.jql.dates import Days, Stretch
from clones.tracker.rules.jql.plan import Amount, Call, Item, Ordering, Ref, Test
from clones.tracker.rules.jql.site import ResolvedField

EVERYTHING: Final = ~NOTHING
LOOKUPS: Final[dict[Ordering, str]] = {
    "=": "exact",
    "<": "lt",
    "<=": "lte",
    ">": "gt",
    ">=": "gte",
}
# What one value less another must be: the order of things is told by comparing their places.
REVERSED: Final[dict[Ordering, Ordering]] = {"=": "=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}


class Answers(Protocol):
    """What functions of queries answer."""

    def __call__(self, call: Call, asking: PredicateContext) -> QuerySet[Any]:
        """Return the rows that a call names."""
        ...


@dataclass(frozen=True)
class PredicateContext:
    """What conditions are made with.

    Args:
        sight: what the viewer sees.
        types: the type of each custom field, by number.
        answers: what functions answer.
        inner: makes the condition of a text inside the query, that of a filter.
    """

    sight: VisibilityScope
    types: dict[int, str]
    answers: Answers
    inner: Callable[[str, VisibilityScope], Q]

    def among(self, column: str, kind: str, items: Iterable[Item]) -> Q:
        """Return the condition that a column is one of some things of a kind."""
        items = tuple(items)
        refs = [item.id for item in items if isinstance(item, Ref)]
        found = [Q(**{f"{column}__in": rows_of(kind, refs)})] if refs else []
        calls = [item for item in items if isinstance(item, Call)]
        found += [Q(**{f"{column}__in": keys(self.answers(call, self))}) for call in calls]
        return reduce(or_, found, NOTHING)


def rows_of(kind: str, ids: list[str]) -> QuerySet[Any] | list[int]:
    """Return the keys of things by their ids in the API: rows, or numbers where they are keys."""
    if kind == "user":
        return User.objects.filter(account_id__in=ids).values("pk")
    if kind == "group":
        return Group.objects.filter(uuid__in=ids).values("pk")
    return [int(id) for id in ids]


def keys(rows: QuerySet[Any]) -> QuerySet[Any]:
    """Return the keys of rows, as a part of another query."""
    return rows.order_by().values("pk")


def issues_of(rows: QuerySet[Any], path: str = "issue") -> Q:
    """Return the condition that an issue is one of those that rows belong to."""
    return Q(pk__in=rows.order_by().values(path))


class FieldPredicates(Protocol):
    """How a field is looked for."""

    def present(self, field: ResolvedField, asking: PredicateContext) -> Q:
        """Return the condition that an issue has a value."""
        ...

    def meets(self, field: ResolvedField, test: Test, asking: PredicateContext) -> Q:
        """Return the condition that a value of an issue meets a test."""
        ...


class Unasked(Exception):
    """Raised when a plan has a test that its field knows nothing of: a bug of ours."""

    def __init__(self, field: ResolvedField, test: Test) -> None:
        super().__init__(f"{field.key} cannot be tested with {test}")


def within(column: str, test: Stretch | Days) -> Q:
    """Return the condition that a time or a day lies in a stretch; an empty column never does."""
    found = Q(**{f"{column}__isnull": False})
    if test.start is not None:
        found &= Q(**{f"{column}__gte": test.start})
    if test.end is not None:
        found &= Q(**{f"{column}__lt": test.end})
    return found


def whole(column: str, test: Amount) -> Q:
    """Return the condition that a column of whole numbers compares so with an amount."""
    value, operator = test.value, test.operator
    if operator == "=":
        return Q(**{column: int(value)}) if value == int(value) else NOTHING
    bound = ceil(value) if operator in {"<", ">="} else floor(value)
    return Q(**{f"{column}__{LOOKUPS[operator]}": bound})


def holds(operator: Ordering, left: Any, right: Any) -> bool:
    """Tell whether two values compare so."""
    return bool(
        {
            "=": left == right,
            "<": left < right,
            "<=": left <= right,
            ">": left > right,
            ">=": left >= right,
        }[operator]
    )


def table(rows: QuerySet[Any] | type[Model]) -> QuerySet[Any]:
    """Return all rows of a model, or the rows themselves."""
    return rows if isinstance(rows, QuerySet) else rows._default_manager.all()
