"""Links between issues: which issues they tie to one, and of which types they are.

A type of links is named from its ends: `10003>` is said of the end that its outward words are said
of ("blocks"), `10003<` of the other ("is blocked by"), `10003` of both.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from django.db.models import Exists, OuterRef, Q, QuerySet

from clones.tracker.models import IssueLink, IssueLinkType
from clones.tracker.queries.jql.asking import PredicateContext, Unasked
from clones.tracker.rules.jql.plan import OneOf, Ref, Test
from clones.tracker.rules.jql.site import ResolvedField

End = Literal[">", "<"]


def _of(types: Iterable[str], end: End) -> Q:
    other = "<" if end == ">" else ">"
    return Q(type__in=[int(type.rstrip("<>")) for type in types if not type.endswith(other)])


def outward_of(types: Iterable[str]) -> Q:
    """Return the condition of the links of some types, looked at from their sources."""
    return _of(types, ">")


def inward_of(types: Iterable[str]) -> Q:
    """Return the condition of the links of some types, looked at from their destinations."""
    return _of(types, "<")


def seen_at(end: str, asking: PredicateContext) -> Exists:
    """Return the condition that the issue at an end of a link is seen.

    Links are fewer than issues, so each asks for its own: a list of all that is seen would be made
    anew for each condition.
    """
    return Exists(asking.sight.issues.filter(pk=OuterRef(end)))


@dataclass(frozen=True)
class LinkedIssues:
    """That an issue is tied to another, whatever the type of the link, or by the words of one.

    `outward` are the outward words of the type that counts; `end` says which end the issue is.
    """

    outward: str | None = None
    end: End | None = None

    def _links(self) -> QuerySet[IssueLink]:
        if self.outward is None:
            return IssueLink.objects.all()
        types = IssueLinkType.objects.filter(outward__iexact=self.outward)
        return IssueLink.objects.filter(type__in=types.values("pk"))

    def _tied(self, asking: PredicateContext, sources: Q, destinations: Q) -> Q:
        links, found = self._links(), Q(pk__in=[])
        if self.end != "<":
            found |= Q(pk__in=links.filter(destinations).values("source"))
        if self.end != ">":
            found |= Q(pk__in=links.filter(sources).values("destination"))
        return found

    def present(self, field: ResolvedField, asking: PredicateContext) -> Q:
        """Return the condition that an issue is tied to any that is seen."""
        sources, destinations = seen_at("source", asking), seen_at("destination", asking)
        return self._tied(asking, Q(sources), Q(destinations))

    def meets(self, field: ResolvedField, test: Test, asking: PredicateContext) -> Q:
        """Return the condition that an issue is tied to one of some that are seen."""
        if not isinstance(test, OneOf):
            raise Unasked(field, test)
        return self._tied(
            asking,
            asking.among("source", "issue", test.items) & Q(seen_at("source", asking)),
            asking.among("destination", "issue", test.items) & Q(seen_at("destination", asking)),
        )


class LinkType:
    """The types of the links of an issue, said from its end; to issues that are seen."""

    def present(self, field: ResolvedField, asking: PredicateContext) -> Q:
        """Return the condition that an issue has links."""
        return LinkedIssues().present(field, asking)

    def meets(self, field: ResolvedField, test: Test, asking: PredicateContext) -> Q:
        """Return the condition that an issue has links of some types."""
        if not isinstance(test, OneOf):
            raise Unasked(field, test)
        types = [item.id for item in test.items if isinstance(item, Ref)]
        outward = IssueLink.objects.filter(outward_of(types), seen_at("destination", asking))
        inward = IssueLink.objects.filter(inward_of(types), seen_at("source", asking))
        return Q(pk__in=outward.values("source")) | Q(pk__in=inward.values("destination"))
