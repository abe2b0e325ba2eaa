"""Links between issues: which issues they tie to one, and of which types they are.

A type of links is named from its ends: `10003>` is said of the end that its outward words are said
of ("blocks"), `10003<` of the other ("is blocked by"), `10003` of both.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from django.db.models import Q, QuerySet

from clones.tracker.models import IssueLink, IssueLinkType
from clones.tracker.queries.jql.asking import Asking, Unasked
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


@dataclass(frozen=True)
class Linked:
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

    def _tied(self, asking: Asking, sources: Q, destinations: Q) -> Q:
        links, found = self._links(), Q(pk__in=[])
        if self.end != "<":
            found |= Q(pk__in=links.filter(destinations).values("source"))
        if self.end != ">":
            found |= Q(pk__in=links.filter(sources).values("destination"))
        return found

    def present(self, field: ResolvedField, asking: Asking) -> Q:
        """Return the condition that an issue is tied to any that is seen."""
        seen = asking.sight.issues.values("pk")
        return self._tied(asking, Q(source__in=seen), Q(destination__in=seen))

    def meets(self, field: ResolvedField, test: Test, asking: Asking) -> Q:
        """Return the condition that an issue is tied to one of some that are seen."""
        if not isinstance(test, OneOf):
            raise Unasked(field, test)
        seen = asking.sight.issues.values("pk")
        return self._tied(
            asking,
            asking.among("source", "issue", test.items) & Q(source__in=seen),
            asking.among("destination", "issue", test.items) & Q(destination__in=seen),
        )


class LinkType:
    """The types of the links of an issue, said from its end; to issues that are seen."""

    def present(self, field: ResolvedField, asking: Asking) -> Q:
        """Return the condition that an issue has links."""
        return Linked().present(field, asking)

    def meets(self, field: ResolvedField, test: Test, asking: Asking) -> Q:
        """Return the condition that an issue has links of some types."""
        if not isinstance(test, OneOf):
            raise Unasked(field, test)
        types = [item.id for item in test.items if isinstance(item, Ref)]
        seen = asking.sight.issues.values("pk")
        outward = IssueLink.objects.filter(outward_of(types), destination__in=seen)
        inward = IssueLink.objects.filter(inward_of(types), source__in=seen)
        return Q(pk__in=outward.values("source")) | Q(pk__in=inward.values("destination"))
