"""What a search finds, in one order over all kinds of records."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import Case, Count, IntegerField, Value, When, Window

from clones.helpdesk.models import PRIORITIES, STATUSES
from clones.helpdesk.queries.search import KINDS, ParsedQuery, rows_of

RESULT_LIMIT = 1000
BY_TIME = (None, "created_at", "updated_at")
SORTS = ("created_at", "updated_at", "priority", "status", "ticket_type")


@dataclass(frozen=True, slots=True)
class Found:
    """One result, before it is read whole."""

    kind: str
    key: int
    rank: tuple[Any, ...]


def results(
    search: ParsedQuery, *, sort_by: str | None, descending: bool, limit: int
) -> tuple[list[Found], int]:
    """Return the first `limit` results over all kinds, in one total order, and how many are."""
    sort_by = sort_by if sort_by in SORTS else None
    found: list[Found] = []
    total = 0
    for kind in search.kinds:
        rows = rows_of(search, kind)
        column = sort_column(kind, sort_by)
        if column == "rank":
            rows = rows.annotate(rank=_rank(str(sort_by)))
        sign = "-" if descending else ""
        rows = rows.annotate(found=Window(Count("*"))).order_by(f"{sign}{column}", f"{sign}id")
        first = list(rows.values_list("id", column, "found")[:limit])
        sorted_so = sort_by in BY_TIME or kind == "ticket"
        found += [Found(kind, key, _place(value, sorted_so=sorted_so)) for key, value, _ in first]
        total += first[0][2] if first else 0
    order = list(KINDS)
    found.sort(key=lambda item: (order.index(item.kind), item.key), reverse=descending)
    found.sort(key=lambda item: item.rank, reverse=descending)
    return found[:limit], total


def _place(value: Any, *, sorted_so: bool) -> tuple[Any, ...]:
    """Return where a result stands among all kinds.

    Those that have no such column come first, by their age, then those with nothing in it.
    """
    if not sorted_so:
        return (0, value)
    return (1,) if value is None else (2, value)


def sort_column(kind: str, sort_by: str | None) -> str:
    """Return the column that a sort key means for a kind of record."""
    if sort_by in ("created_at", "updated_at"):
        return str(sort_by)
    if kind == "ticket" and sort_by in ("priority", "status"):
        return "rank"
    if kind == "ticket" and sort_by == "ticket_type":
        return "type"
    return "created_at"


def _rank(name: str) -> Case:
    names: Iterable[str] = PRIORITIES if name == "priority" else STATUSES
    cases = [When(**{name: item}, then=Value(index)) for index, item in enumerate(names)]
    return Case(*cases, default=Value(-1), output_field=IntegerField())
