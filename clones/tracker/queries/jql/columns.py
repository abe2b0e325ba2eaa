"""Fields that are columns of an issue, or of what its columns lead to."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, time
from functools import reduce
from operator import or_
from typing import Any, Final

from django.db.models import BigIntegerField, F, Model, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce
from django.db.models.lookups import GreaterThanOrEqual, LessThan

from clones.tracker.models import Issue, IssueType, Priority, Resolution, Status
from clones.tracker.queries.jql.asking import (
    EVERYTHING,
    LOOKUPS,
    REVERSED,
    PredicateContext,
    Unasked,
    holds,
    whole,
    within,
)
from clones.tracker.queries.jql.visibility import NOTHING
from clones.tracker.rules.jql.dates import Days, Stretch
from clones.tracker.rules.jql.plan import Amount, Call, Item, OneOf, Ordered, Ordering, Ref, Test
from clones.tracker.rules.jql.site import ResolvedField

CATEGORIES: Final = {"1": "undefined", "2": "new", "3": "done", "4": "indeterminate"}
FAR: Final = 10**12  # beyond any share of work, in hundredths


def in_order(model: type[Model], column: str, operator: Ordering, key: int) -> QuerySet[Any]:
    """Return the rows of a model whose column compares so with that of one row."""
    place = model._default_manager.filter(pk=key).values(column)[:1]
    return model._default_manager.filter(**{f"{column}__{LOOKUPS[operator]}": Subquery(place)})


@dataclass(frozen=True)
class ReferenceColumn:
    """A column that leads to a thing. Of ordered things `places` are the rows and their column.

    With `falling` the first place is the greatest: that of the highest priority.
    """

    column: str
    kind: str
    nullable: bool = True
    places: tuple[type[Model], str] | None = None
    falling: bool = False

    def present(self, field: ResolvedField, asking: PredicateContext) -> Q:
        """Return the condition that there is a thing."""
        return Q(**{f"{self.column}__isnull": False}) if self.nullable else EVERYTHING

    def meets(self, field: ResolvedField, test: Test, asking: PredicateContext) -> Q:
        """Return the condition that it is one of some, or before or after another."""
        if isinstance(test, OneOf):
            return asking.among(self.column, self.kind, test.items)
        if isinstance(test, Ordered) and self.places is not None and isinstance(test.item, Ref):
            model, column = self.places
            operator = REVERSED[test.operator] if self.falling else test.operator
            rows = in_order(model, column, operator, int(test.item.id))
            return Q(**{f"{self.column}__in": rows.values("pk")})
        raise Unasked(field, test)


@dataclass(frozen=True)
class MomentColumn:
    """A column of times."""

    column: str

    def present(self, field: ResolvedField, asking: PredicateContext) -> Q:
        """Return the condition that there is a time."""
        return Q(**{f"{self.column}__isnull": False})

    def meets(self, field: ResolvedField, test: Test, asking: PredicateContext) -> Q:
        """Return the condition that it lies in a stretch."""
        if isinstance(test, OneOf):
            return NOTHING  # a moment that never was
        if not isinstance(test, Stretch | Days):
            raise Unasked(field, test)
        return within(self.column, test)


@dataclass(frozen=True)
class NumberColumn:
    """A column of whole numbers: seconds of work."""

    column: str

    def present(self, field: ResolvedField, asking: PredicateContext) -> Q:
        """Return the condition that there is a number."""
        return Q(**{f"{self.column}__isnull": False})

    def meets(self, field: ResolvedField, test: Test, asking: PredicateContext) -> Q:
        """Return the condition that it compares so with an amount."""
        if not isinstance(test, Amount):
            raise Unasked(field, test)
        return self.present(field, asking) & whole(self.column, test)


@dataclass(frozen=True)
class ShareColumn:
    """How much of a whole is done, in hundredths without what is left over.

    `part` and `of` are columns that are added; issues whose whole is nothing have no value.
    """

    part: str
    of: tuple[str, ...]

    def _whole(self) -> Any:
        return reduce(lambda left, right: left + right, map(_seconds, self.of))

    def present(self, field: ResolvedField, asking: PredicateContext) -> Q:
        """Return the condition that there is a whole."""
        return reduce(or_, (Q(**{f"{name}__gt": 0}) for name in self.of))

    def meets(self, field: ResolvedField, test: Test, asking: PredicateContext) -> Q:
        """Return the condition that the share compares so with an amount."""
        if not isinstance(test, Amount):
            raise Unasked(field, test)
        value, there = test.value, self.present(field, asking)
        if abs(value) > FAR:
            return there if holds(test.operator, 0, value) else NOTHING
        if test.operator == "=" and value != int(value):
            return NOTHING
        # A share of `n` is at least n and less than n + 1 hundredths.
        least = int(value // 1) + (1 if value % 1 else 0)
        bounds: dict[Ordering, tuple[int | None, int | None]] = {
            "=": (int(value), int(value) + 1),
            "<": (None, least),
            "<=": (None, int(value // 1) + 1),
            ">": (int(value // 1) + 1, None),
            ">=": (least, None),
        }
        start, end = bounds[test.operator]
        done = _seconds(self.part) * 100
        if start is not None:
            there &= Q(GreaterThanOrEqual(done, self._whole() * start))
        if end is not None:
            there &= Q(LessThan(done, self._whole() * end))
        return there


def _seconds(column: str) -> Any:
    return Coalesce(F(column), Value(0), output_field=BigIntegerField())


class CategoryColumn:
    """The category of an issue's status."""

    def present(self, field: ResolvedField, asking: PredicateContext) -> Q:
        """Return the condition of all issues: each status has one."""
        return EVERYTHING

    def meets(self, field: ResolvedField, test: Test, asking: PredicateContext) -> Q:
        """Return the condition that the category is one of some."""
        if not isinstance(test, OneOf):
            raise Unasked(field, test)
        wanted = [CATEGORIES[item.id] for item in test.items if isinstance(item, Ref)]
        return Q(status__in=Status.objects.filter(category__in=wanted).values("pk"))


class LevelColumn:
    """How high in the hierarchy an issue's type stands: 1 for epics, 0, -1 for sub-tasks."""

    def present(self, field: ResolvedField, asking: PredicateContext) -> Q:
        """Return the condition of all issues."""
        return EVERYTHING

    def meets(self, field: ResolvedField, test: Test, asking: PredicateContext) -> Q:
        """Return the condition that the level is one of some, or above or below one."""
        if isinstance(test, OneOf):
            wanted = [int(item.id) for item in test.items if isinstance(item, Ref)]
            found = Q(hierarchy_level__in=wanted)
        elif isinstance(test, Ordered) and isinstance(test.item, Ref):
            found = Q(**{f"hierarchy_level__{LOOKUPS[test.operator]}": int(test.item.id)})
        else:
            raise Unasked(field, test)
        return Q(issue_type__in=IssueType.objects.filter(found).values("pk"))


class KeyColumn:
    """The issue itself. One is before another of its space by its number, of no other space's."""

    def present(self, field: ResolvedField, asking: PredicateContext) -> Q:
        """Return the condition of all issues."""
        return EVERYTHING

    def meets(self, field: ResolvedField, test: Test, asking: PredicateContext) -> Q:
        """Return the condition that the issue is one of some, or before or after one."""
        if isinstance(test, OneOf):
            return asking.among("pk", "issue", test.items)
        if not isinstance(test, Ordered):
            raise Unasked(field, test)
        one = _one(test.item, asking)
        there = one.filter(project=OuterRef("project")).values("number")[:1]
        return Q(project__in=one.values("project")) & Q(
            **{f"number__{LOOKUPS[test.operator]}": Subquery(there)}
        )


class RankColumn:
    """The place of an issue among all that are ranked."""

    def present(self, field: ResolvedField, asking: PredicateContext) -> Q:
        """Return the condition of all issues."""
        return EVERYTHING

    def meets(self, field: ResolvedField, test: Test, asking: PredicateContext) -> Q:
        """Return the condition that the place is an issue's, or before or after it."""
        if isinstance(test, OneOf):
            return asking.among("pk", "issue", test.items)
        if not isinstance(test, Ordered):
            raise Unasked(field, test)
        there = _one(test.item, asking).values("rank")[:1]
        return Q(**{f"rank__{LOOKUPS[test.operator]}": Subquery(there)})


def _one(item: Item, asking: PredicateContext) -> QuerySet[Issue]:
    """Return the one issue that is compared with: the first of a function's."""
    if isinstance(item, Call):
        return Issue.objects.filter(pk__in=asking.answers(item, asking).order_by().values("pk")[:1])
    return Issue.objects.filter(pk=int(item.id))


def day_bounds(days: Days, asking: PredicateContext) -> Stretch:
    """Return the times of days of the viewer's calendar."""

    def start(day: date | None) -> datetime | None:
        if day is None:
            return None
        try:
            return datetime.combine(day, time(), asking.sight.viewer.zone)
        except OverflowError:
            return None

    return Stretch(start(days.start), start(days.end))


PRIORITY: Final = ReferenceColumn(
    "priority", "priority", places=(Priority, "position"), falling=True
)
RESOLUTION: Final = ReferenceColumn("resolution", "resolution", places=(Resolution, "position"))
