"""Fields of an issue's space, and saved filters."""

from __future__ import annotations

from functools import reduce
from operator import or_

from django.db.models import Q

from clones.tracker.models import Project
from clones.tracker.queries.jql.asking import EVERYTHING, PredicateContext, Unasked
from clones.tracker.queries.jql.visibility import NOTHING
from clones.tracker.rules.jql import JqlError, Message, MessageKind
from clones.tracker.rules.jql.plan import OneOf, Ref, Test
from clones.tracker.rules.jql.site import ResolvedField


class SpaceCategory:
    """The category of an issue's space."""

    def present(self, field: ResolvedField, asking: PredicateContext) -> Q:
        """Return the condition that there is one."""
        rows = Project.objects.filter(category__isnull=False)
        return Q(project__in=rows.values("pk"))

    def meets(self, field: ResolvedField, test: Test, asking: PredicateContext) -> Q:
        """Return the condition that it is one of some."""
        if not isinstance(test, OneOf):
            raise Unasked(field, test)
        rows = Project.objects.filter(asking.among("category", "category", test.items))
        return Q(project__in=rows.values("pk"))


class SpaceType:
    """The type of an issue's space."""

    def present(self, field: ResolvedField, asking: PredicateContext) -> Q:
        """Return the condition of all issues."""
        return EVERYTHING

    def meets(self, field: ResolvedField, test: Test, asking: PredicateContext) -> Q:
        """Return the condition that it is one of some."""
        if not isinstance(test, OneOf):
            raise Unasked(field, test)
        types = [item.id for item in test.items if isinstance(item, Ref)]
        return Q(project__in=Project.objects.filter(type__in=types).values("pk"))


class Saved:
    """A saved filter: what its query finds for whoever asks now."""

    def present(self, field: ResolvedField, asking: PredicateContext) -> Q:
        """Return the condition of all issues."""
        return EVERYTHING

    def meets(self, field: ResolvedField, test: Test, asking: PredicateContext) -> Q:
        """Return the condition that one of some filters finds the issue.

        Raises:
            JqlError: a filter is looked through inside itself, or its query is none any more.
        """
        if not isinstance(test, OneOf):
            raise Unasked(field, test)
        ids = [int(item.id) for item in test.items if isinstance(item, Ref)]
        rows = asking.sight.filters.filter(pk__in=ids).order_by("id")
        found = []
        for row in rows:
            if row.id in asking.sight.inside:
                text = (
                    f"Field '{field.typed}' with value '{row.name}' matches filter '{row.name}' "
                    "and causes a cyclical reference, this query can not be executed and should "
                    "be edited."
                )
                raise JqlError((Message(MessageKind.VALUE, text),))
            found.append(asking.inner(row.jql, asking.sight.within(row.id)))
        return reduce(or_, found, NOTHING)
