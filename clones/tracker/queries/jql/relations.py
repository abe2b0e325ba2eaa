"""Fields that are rows beside an issue: labels, components, versions, people, texts, files."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import reduce
from operator import or_
from typing import Any, Final

from django.db.models import Count, Exists, Model, OuterRef, Q, QuerySet
from django.db.models.functions import Lower
from django.db.models.lookups import In

from clones.tracker.models import (
    Attachment,
    Comment,
    Issue,
    IssueComponent,
    IssueLabel,
    IssueText,
    IssueVersion,
    IssueView,
    Version,
    Vote,
    Watcher,
    Worklog,
)
from clones.tracker.queries.jql.asking import (
    EVERYTHING,
    LOOKUPS,
    PredicateContext,
    Unasked,
    holds,
    issues_of,
    within,
)
from clones.tracker.queries.jql.columns import day_bounds
from clones.tracker.queries.jql.visibility import NOTHING
from clones.tracker.queries.jql.words import having, reads
from clones.tracker.rules.jql.dates import Days, Stretch
from clones.tracker.rules.jql.plan import Amount, Item, Like, OneOf, Ordered, Ref, Test
from clones.tracker.rules.jql.site import ResolvedField

WORKLOG: Final = "worklog"


def same_text(column: str, items: tuple[Item, ...]) -> Q:
    """Return the condition that a column is one of some texts, in any case."""
    texts = [item.id for item in items if isinstance(item, Ref)]
    # The engines' own lower case knows ASCII alone.
    plain = sorted({text.lower() for text in texts if text.isascii()})
    found = Q(In(Lower(column), plain)) if plain else NOTHING
    others = (text for text in texts if not text.isascii())
    return reduce(or_, (Q(**{f"{column}__iexact": text}) for text in others), found)


def versions(test: Test, asking: PredicateContext, field: ResolvedField) -> Q:
    """Return the condition of the versions that meet a test.

    One is before another of its space by its place there; of other spaces' versions it is neither
    before nor after.
    """
    if isinstance(test, OneOf):
        return asking.among("pk", "version", test.items)
    if isinstance(test, Like):
        return reads("name", test.query)
    if not isinstance(test, Ordered):
        raise Unasked(field, test)
    given = (
        Version.objects.filter(pk=int(test.item.id))
        if isinstance(test.item, Ref)
        else asking.answers(test.item, asking)
    )
    turned = {"<": "gt", "<=": "gte", ">": "lt", ">=": "lte", "=": "exact"}[test.operator]
    places = given.filter(
        project=OuterRef("project"), **{f"position__{turned}": OuterRef("position")}
    )
    return Q(Exists(places))


@dataclass(frozen=True)
class Rows:
    """Values that are rows of a table beside issues, each with a column that leads to a thing.

    `kind` is what the things are: of versions and labels tests are others than of the rest.
    """

    model: type[Model]
    column: str
    kind: str
    fixed: Q = field(default_factory=Q)

    def _rows(self) -> QuerySet[Any]:
        return self.model._default_manager.filter(self.fixed)

    def present(self, field: ResolvedField, asking: PredicateContext) -> Q:
        """Return the condition that there is a row."""
        return issues_of(self._rows())

    def meets(self, field: ResolvedField, test: Test, asking: PredicateContext) -> Q:
        """Return the condition that the thing of a row meets a test."""
        return issues_of(self._rows().filter(self.condition(field, test, asking)))

    def condition(self, field: ResolvedField, test: Test, asking: PredicateContext) -> Q:
        """Return the condition of the rows whose thing meets a test."""
        if self.kind == "version":
            meeting = Version.objects.filter(versions(test, asking, field))
            return Q(**{f"{self.column}__in": meeting.values("pk")})
        if not isinstance(test, OneOf):
            raise Unasked(field, test)
        if self.kind == "label":
            return same_text(self.column, test.items)
        return asking.among(self.column, self.kind, test.items)


@dataclass(frozen=True)
class Followers(Rows):
    """People who voted for issues, or watch them: oneself, others only where one may see them."""

    def present(self, field: ResolvedField, asking: PredicateContext) -> Q:
        """Return the condition that there is a row that one may see."""
        return issues_of(self._rows().filter(self._seen(asking)))

    def condition(self, field: ResolvedField, test: Test, asking: PredicateContext) -> Q:
        """Return the condition of the rows that one may see whose person meets a test."""
        return super().condition(field, test, asking) & self._seen(asking)

    def _seen(self, asking: PredicateContext) -> Q:
        rights = asking.sight.rights
        if rights is None:
            return Q()
        told = Issue.objects.filter(rights.issues_with("VIEW_VOTERS_AND_WATCHERS"))
        others = Q(Exists(told.filter(pk=OuterRef("issue"))))
        return others if rights.user is None else others | Q(user=rights.user)


@dataclass(frozen=True)
class Number:
    """How many rows of a table an issue has: none is a number, too."""

    model: type[Model]

    def present(self, field: ResolvedField, asking: PredicateContext) -> Q:
        """Return the condition of all issues."""
        return EVERYTHING

    def meets(self, field: ResolvedField, test: Test, asking: PredicateContext) -> Q:
        """Return the condition that the number compares so with an amount."""
        if not isinstance(test, Amount):
            raise Unasked(field, test)
        value = int(test.value)
        # Issues without rows are in no group: if they are meant, the others are looked for.
        none = holds(test.operator, 0, value)
        counted = self.model._default_manager.order_by().values("issue").annotate(n=Count("pk"))
        same = Q(**{f"n__{LOOKUPS[test.operator]}": value})
        found = Q(pk__in=counted.filter(~same if none else same).values("issue"))
        return ~found if none else found


@dataclass(frozen=True)
class TextSearch:
    """Texts in which words are looked for. `names` are the fields they are of; None: all of them.

    `filled` is the condition that there is a text, None where that is not asked.
    """

    names: tuple[str, ...] | None
    filled: Callable[[], Q] | None = None

    def present(self, field: ResolvedField, asking: PredicateContext) -> Q:
        """Return the condition that there is a text."""
        return EVERYTHING if self.filled is None else self.filled()

    def meets(self, field: ResolvedField, test: Test, asking: PredicateContext) -> Q:
        """Return the condition that a text has what is looked for."""
        if not isinstance(test, Like):
            raise Unasked(field, test)
        return issues_of(having(self._texts(asking), test.query))

    def _texts(self, asking: PredicateContext) -> QuerySet[IssueText]:
        rows = IssueText.objects.all()
        if self.names is None:
            rows = rows.exclude(field=WORKLOG)
        else:
            rows = rows.filter(field__in=self.names)
        if asking.sight.rights is None or (self.names is not None and "comment" not in self.names):
            return rows
        # Asked of each text that is found: they are few, and most comments are for all.
        said = Comment.objects.filter(pk=OuterRef("source"), visibility__isnull=False)
        hidden = said.exclude(asking.sight.seen_texts)
        return rows.filter(~(Q(field="comment") & Exists(hidden)))


class WorkAuthor:
    """Who logged work that is seen."""

    def present(self, field: ResolvedField, asking: PredicateContext) -> Q:
        """Return the condition that work was logged."""
        return issues_of(Worklog.objects.filter(asking.sight.seen_texts))

    def meets(self, field: ResolvedField, test: Test, asking: PredicateContext) -> Q:
        """Return the condition that one of some logged work."""
        if not isinstance(test, OneOf):
            raise Unasked(field, test)
        rows = Worklog.objects.filter(asking.sight.seen_texts)
        return issues_of(rows.filter(asking.among("author", "user", test.items)))


class WorkDate:
    """The days, by the viewer's calendar, on which work that is seen was begun."""

    def present(self, field: ResolvedField, asking: PredicateContext) -> Q:
        """Return the condition that work was logged."""
        return WorkAuthor().present(field, asking)

    def meets(self, field: ResolvedField, test: Test, asking: PredicateContext) -> Q:
        """Return the condition that work was begun on some days."""
        if isinstance(test, OneOf):
            return NOTHING
        if not isinstance(test, Days):
            raise Unasked(field, test)
        rows = Worklog.objects.filter(asking.sight.seen_texts)
        return issues_of(rows.filter(within("started", day_bounds(test, asking))))


class WorkWords:
    """What was said of work that is seen: work logs may move on, and their texts go with them."""

    def present(self, field: ResolvedField, asking: PredicateContext) -> Q:
        """Return the condition that something was said."""
        return self._saying(IssueText.objects.filter(field=WORKLOG), asking)

    def meets(self, field: ResolvedField, test: Test, asking: PredicateContext) -> Q:
        """Return the condition that something said has what is looked for."""
        if not isinstance(test, Like):
            raise Unasked(field, test)
        return self._saying(having(IssueText.objects.filter(field=WORKLOG), test.query), asking)

    def _saying(self, texts: QuerySet[IssueText], asking: PredicateContext) -> Q:
        rows = Worklog.objects.filter(asking.sight.seen_texts, pk__in=texts.values("source"))
        return issues_of(rows)


class Files:
    """The files of an issue: all that is asked is whether there are any."""

    def present(self, field: ResolvedField, asking: PredicateContext) -> Q:
        """Return the condition that there are files."""
        return issues_of(Attachment.objects.all())

    def meets(self, field: ResolvedField, test: Test, asking: PredicateContext) -> Q:
        """Refuse the test.

        Raises:
            Unasked: always.
        """
        raise Unasked(field, test)


class LastViewed:
    """When the viewer last looked at an issue."""

    def _rows(self, asking: PredicateContext) -> QuerySet[IssueView]:
        return IssueView.objects.filter(user=asking.sight.user)

    def present(self, field: ResolvedField, asking: PredicateContext) -> Q:
        """Return the condition that they ever did."""
        return issues_of(self._rows(asking))

    def meets(self, field: ResolvedField, test: Test, asking: PredicateContext) -> Q:
        """Return the condition that the time lies in a stretch."""
        if isinstance(test, OneOf):
            return NOTHING
        if not isinstance(test, Stretch):
            raise Unasked(field, test)
        return issues_of(self._rows(asking).filter(within("at", test)))


class Parent:
    """The issue that an issue is a part of."""

    def present(self, field: ResolvedField, asking: PredicateContext) -> Q:
        """Return the condition that there is one."""
        return Q(parent__isnull=False)

    def meets(self, field: ResolvedField, test: Test, asking: PredicateContext) -> Q:
        """Return the condition that it is one of some."""
        if not isinstance(test, OneOf):
            raise Unasked(field, test)
        return asking.among("parent", "issue", test.items)


class EpicOfIssue:
    """The epic that an issue is in, be it through the issue that it is a part of."""

    def present(self, field: ResolvedField, asking: PredicateContext) -> Q:
        """Return the condition that there is one."""
        return self._below(self._epics())

    def meets(self, field: ResolvedField, test: Test, asking: PredicateContext) -> Q:
        """Return the condition that it is one of some."""
        if not isinstance(test, OneOf):
            raise Unasked(field, test)
        return self._below(self._epics().filter(asking.among("pk", "issue", test.items)))

    def _epics(self) -> QuerySet[Issue]:
        return Issue.objects.filter(issue_type__hierarchy_level__gte=1)

    def _below(self, epics: QuerySet[Issue]) -> Q:
        keys = epics.values("pk")
        children = Issue.objects.filter(parent__in=keys).values("pk")
        return Q(parent__in=keys) | Q(parent__in=children)


class Subtasks:
    """The sub-tasks of an issue."""

    def present(self, field: ResolvedField, asking: PredicateContext) -> Q:
        """Return the condition that there are some."""
        return issues_of(self._rows(), "parent")

    def meets(self, field: ResolvedField, test: Test, asking: PredicateContext) -> Q:
        """Return the condition that one of some is among them."""
        if not isinstance(test, OneOf):
            raise Unasked(field, test)
        return issues_of(self._rows().filter(asking.among("pk", "issue", test.items)), "parent")

    def _rows(self) -> QuerySet[Issue]:
        return Issue.objects.filter(parent__isnull=False, issue_type__hierarchy_level__lt=0)


class ParentSpace:
    """The space of the issue that an issue is a part of."""

    def present(self, field: ResolvedField, asking: PredicateContext) -> Q:
        """Return the condition that there is one."""
        return Q(parent__isnull=False)

    def meets(self, field: ResolvedField, test: Test, asking: PredicateContext) -> Q:
        """Return the condition that it is one of some."""
        if not isinstance(test, OneOf):
            raise Unasked(field, test)
        there = Issue.objects.filter(asking.among("project", "project", test.items))
        return Q(parent__in=there.values("pk"))


COMPONENTS: Final = Rows(IssueComponent, "component", "component")
LABELS: Final = Rows(IssueLabel, "label", "label")
FIXED: Final = Rows(IssueVersion, "version", "version", Q(kind="fix"))
AFFECTED: Final = Rows(IssueVersion, "version", "version", Q(kind="affects"))
VOTERS: Final = Followers(Vote, "user", "user")
WATCHERS: Final = Followers(Watcher, "user", "user")
