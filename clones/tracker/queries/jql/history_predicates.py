"""What a field was: spells of values, between one change and the next.

Before its first change a field had the value that this change replaced; without changes, the one
that it has. A field with several values has a spell for each of them. Nobody is known to have set
what an issue had from its beginning, so BY finds changes only.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from django.db.models import CharField, Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Cast

from clones.tracker.models import ChangeItem, IssueVersion, User
from clones.tracker.queries.jql.asking import FieldPredicates as Present
from clones.tracker.queries.jql.asking import PredicateContext, within
from clones.tracker.queries.jql.visibility import NOTHING
from clones.tracker.rules.jql.dates import Stretch
from clones.tracker.rules.jql.plan import Call, Changed, Item, OneOf, Ref, Side, Was
from clones.tracker.rules.jql.site import ResolvedField

# Fields whose values are a set: a change brings one value or takes one away.
_SETS: Final = frozenset({"fixVersions"})


@dataclass(frozen=True)
class Past:
    """What is asked of one field's past; `now` is how its present value is looked for."""

    field: ResolvedField
    now: Present
    asking: PredicateContext

    def was(self, test: Was) -> Q:
        """Return the condition that the field had one of some values, or none, in a stretch."""
        found = NOTHING
        if test.items:
            side = Side(test.items, blank=False)
            found |= self._spells(side, test, alone=self.field.key not in _SETS)
        if test.blank:
            found |= self._spells(Side((), blank=True), test, alone=True)
        return found

    def changed(self, test: Changed) -> Q:
        """Return the condition that the field was changed, from and to what is wanted."""
        items = self._items().filter(within("created", test.during), issue=OuterRef("pk"))
        for column, side in (("old", test.before), ("new", test.after)):
            if side is not None:
                items = items.filter(self._is(column, side))
        return Q(Exists(self._by(items, test.by)))

    def _items(self) -> QuerySet[ChangeItem]:
        return ChangeItem.objects.filter(field_id=self.field.key)

    def _spells(self, side: Side, test: Was, *, alone: bool) -> Q:
        """Return the condition that a spell of a value meets the stretch.

        `alone` says that the next change ends a spell, whatever it is of; else the next that takes
        this very value away does.
        """
        started = self._items().filter(self._is("new", side), issue=OuterRef("pk"))
        if test.during.end is not None:
            started = started.filter(created__lt=test.during.end)
        if test.during.start is not None:
            ends = _later(self._items())
            if not alone:
                ends = ends.filter(old=OuterRef("new"))
            started = started.filter(~Exists(ends.filter(created__lt=test.during.start)))
        found = Q(Exists(self._by(started, test.by)))
        return found if test.by else found | self._first_spell(side, test.during, alone=alone)

    def _first_spell(self, side: Side, during: Stretch, *, alone: bool) -> Q:
        """Return the condition that the field had a value from the beginning, in the stretch."""
        first = self._items().filter(self._is("old", side), issue=OuterRef("pk"))
        before = _earlier(self._items())
        if not alone:
            touched = Q(new=OuterRef("old")) | Q(old=OuterRef("old"))
            before = before.filter(touched)
        first = first.filter(~Exists(before))
        if during.start is not None:
            first = first.filter(created__gte=during.start)
        always = self._never_changed(side, alone=alone)
        found = Q(Exists(first)) | always
        return found if during.end is None else found & Q(created__lt=during.end)

    def _never_changed(self, side: Side, *, alone: bool) -> Q:
        """Return the condition that the field has a value, and no change has to do with it."""
        if alone:
            return self._has(side) & ~Q(Exists(self._items().filter(issue=OuterRef("pk"))))
        # Each of the values by itself: one may have been there always, and another not.
        key = Cast(OuterRef("version"), CharField())
        touched = self._items().filter(Q(new=key) | Q(old=key), issue=OuterRef("issue"))
        links = IssueVersion.objects.filter(
            self.asking.among("version", "version", side.items), ~Exists(touched), kind="fix"
        )
        return Q(pk__in=links.values("issue"))

    def _has(self, side: Side) -> Q:
        if side.blank:
            return ~self.now.present(self.field, self.asking)
        return self.now.meets(self.field, OneOf(side.items), self.asking)

    def _is(self, column: str, side: Side) -> Q:
        found = Q(**{f"{column}__isnull": True}) if side.blank else NOTHING
        if ids := [item.id for item in side.items if isinstance(item, Ref)]:
            found |= Q(**{f"{column}__in": ids})
        for call in (item for item in side.items if isinstance(item, Call)):
            found |= Q(**{f"{column}__in": texts_of(self.asking.answers(call, self.asking))})
        return found

    def _by(
        self, items: QuerySet[ChangeItem], groups: tuple[tuple[Item, ...], ...]
    ) -> QuerySet[ChangeItem]:
        for people in groups:
            items = items.filter(self.asking.among("group__author", "user", people))
        return items


def texts_of(rows: QuerySet[Any]) -> QuerySet[Any]:
    """Return the ids of rows as histories have them: account ids of people, else keys as texts."""
    rows = rows.order_by()
    if rows.model is User:
        return rows.values("account_id")
    found: QuerySet[Any] = rows.annotate(key_text=Cast("pk", CharField())).values("key_text")
    return found


def _later(items: QuerySet[ChangeItem]) -> QuerySet[ChangeItem]:
    """Return the changes of the same issue that came after one."""
    after = Q(created__gt=OuterRef("created")) | Q(
        created=OuterRef("created"), id__gt=OuterRef("id")
    )
    return items.filter(after, issue=OuterRef("issue"))


def _earlier(items: QuerySet[ChangeItem]) -> QuerySet[ChangeItem]:
    """Return the changes of the same issue that came before one."""
    before = Q(created__lt=OuterRef("created")) | Q(
        created=OuterRef("created"), id__lt=OuterRef("id")
    )
    return items.filter(before, issue=OuterRef("issue"))
