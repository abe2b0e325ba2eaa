"""Finding issues by JQL.

Issues come in the order of the query, and where it does not tell two of them apart, the newest
first: so pages can go on from the last issue that was shown, whatever was written meanwhile.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any, Final

from django.db.models import Q, QuerySet

from clones.core.lookups import key_list
from clones.core.prepared import Prepared
from clones.tracker.domain.errors import Invalid
from clones.tracker.models import Issue
from clones.tracker.queries.jql.compiling import Compiled, compile_plan
from clones.tracker.queries.jql.visibility import NOTHING, VisibilityScope
from clones.tracker.queries.jql_site import DatabaseSite
from clones.tracker.queries.rights import Rights
from clones.tracker.rules.jql import Plan, plan_text

BAD_TOKEN: Final = "The provided next page token is invalid."  # noqa: S105 - a sentence
_ROWS: Final[Prepared[Issue]] = Prepared(
    lambda keys: Issue.objects.filter(id__in_csv=keys).order_by("id"), str
)
Json = dict[str, Any]


def site_of(rights: Rights | None) -> DatabaseSite:
    """Return the site as somebody sees it, as queries are read against it; None: all of it."""
    return DatabaseSite(VisibilityScope(rights))


@dataclass(frozen=True)
class RunnableQuery:
    """A query that was read for somebody, and can be run.

    `within` narrows it beyond what the query says: to the issues of a board.
    """

    text: str
    sight: VisibilityScope
    compiled: Compiled
    within: Q = field(default_factory=Q)

    @property
    def found(self) -> QuerySet[Issue]:
        """The issues, in no order."""
        return self.sight.issues.filter(self.compiled.where).filter(self.within)

    @property
    def issues(self) -> QuerySet[Issue]:
        """The issues in order."""
        keys = {f"sort_{place}": key for place, key in enumerate(self.compiled.keys)}
        rows = self.found.annotate(**{name: key.expression for name, key in keys.items()})
        return rows.order_by(*(key.order(name) for name, key in keys.items()), "-id")

    def page(self, token: Json | None, size: int) -> tuple[list[Issue], Json | None]:
        """Return the issues that follow a place, and the place after them; None: there are none.

        Args:
            token: the place, as a former page told it; None for the beginning.
            size: how many issues there may be.

        Raises:
            Invalid: the place is none of this query's.
        """
        rows = self.issues
        if token is not None:
            rows = rows.filter(self._after(token))
        names = [f"sort_{at}" for at in range(len(self.compiled.keys))]
        found = list(rows.values_list("pk", *names)[: size + 1])
        shown = _in_order([id for id, *_ in found[:size]])
        if len(found) <= size:
            return shown, None
        return shown, self._place(*found[size - 1]) if shown else token

    def some(self, most: int, start: int = 0) -> list[Issue]:
        """Return up to so many issues in order, from a place on."""
        return _in_order(list(self.issues.values_list("pk", flat=True)[start : start + most]))

    @property
    def _mark(self) -> str:
        return hashlib.sha256(self.text.encode()).hexdigest()[:8]

    def _place(self, id: int, *values: Any) -> Json:
        return {"q": self._mark, "k": [_written(value) for value in values], "i": id}

    def _after(self, token: Json) -> Q:
        """Return the condition of the issues that come after a place."""
        values, id = token.get("k"), token.get("i")
        keys = self.compiled.keys
        if token.get("q") != self._mark or not isinstance(values, list) or len(values) != len(keys):
            raise Invalid(BAD_TOKEN)
        if not isinstance(id, int):
            raise Invalid(BAD_TOKEN)
        same, found = Q(), NOTHING
        for at, (key, written) in enumerate(zip(keys, values, strict=True)):
            name, value = f"sort_{at}", _read(written)
            if value is None:
                # Nothing comes after no value but what has none either.
                same &= Q(**{f"{name}__isnull": True})
                continue
            beyond = "lt" if key.descending else "gt"
            after = Q(**{f"{name}__{beyond}": value}) | Q(**{f"{name}__isnull": True})
            found |= same & after
            same &= Q(**{name: value})
        return found | (same & Q(id__lt=id))


def _in_order(ids: list[int]) -> list[Issue]:
    """Return issues in the order of their keys.

    They are read once they are found: engines sort keys in a fraction of the time that they take to
    carry whole rows along, descriptions and all.
    """
    rows = {issue.id: issue for issue in _ROWS.all(key_list(ids))}
    return [rows[id] for id in ids]


def _written(value: Any) -> Any:
    if isinstance(value, datetime):
        return {"t": value.isoformat()}
    if isinstance(value, date):
        return {"d": value.isoformat()}
    return value


def _read(written: Any) -> Any:
    try:
        if isinstance(written, dict):
            if "t" in written:
                return datetime.fromisoformat(written["t"])
            return date.fromisoformat(written["d"])
    except (KeyError, TypeError, ValueError) as error:
        raise Invalid(BAD_TOKEN) from error
    if written is None or isinstance(written, int | float | str):
        return written
    raise Invalid(BAD_TOKEN)


def read_search(
    text: str, rights: Rights | None, *, bounded: bool = False, within: Q | None = None
) -> RunnableQuery:
    """Read a query for somebody; without rights, for the site itself, which sees everything.

    Args:
        text: JQL.
        rights: what the viewer may.
        bounded: whether it must narrow the search (`require_bounds`).
        within: a further condition of the issues.

    Raises:
        JqlError: it cannot be run.
    """
    return planned_search(text, site_of(rights), bounded=bounded, within=within)


def planned_search(
    text: str, site: DatabaseSite, *, bounded: bool = False, within: Q | None = None
) -> RunnableQuery:
    """Read a query against a site that is at hand; otherwise as `read_search`."""
    plan = plan_text(text, site, bounded=bounded)
    return search_of(plan, text, site, within=within)


def search_of(
    plan: Plan, text: str, site: DatabaseSite, *, within: Q | None = None
) -> RunnableQuery:
    """Return the search of a plan."""
    return RunnableQuery(text, site.sight, compile_plan(plan, site), within or Q())


def search(text: str, rights: Rights | None, *, bounded: bool = False) -> QuerySet[Issue]:
    """Return the issues that a query finds among those that somebody sees, in its order.

    Raises:
        JqlError: it cannot be run.
    """
    return read_search(text, rights, bounded=bounded).issues


def count(text: str, rights: Rights | None, *, bounded: bool = False) -> int:
    """Return how many issues a query finds.

    Raises:
        JqlError: it cannot be run.
    """
    return read_search(text, rights, bounded=bounded).found.count()


def matching_ids(text: str, rights: Rights | None, ids: Collection[int]) -> set[int]:
    """Return which of some issues a query finds.

    Raises:
        JqlError: it cannot be run.
    """
    rows = read_search(text, rights).found.filter(pk__in=list(ids))
    return set(rows.values_list("pk", flat=True))


def matches(issue: Issue, text: str, rights: Rights | None = None) -> bool:
    """Tell whether a query finds an issue, for the site itself unless somebody asks.

    Raises:
        JqlError: it cannot be run.
    """
    return not text.strip() or bool(matching_ids(text, rights, [issue.id]))
