"""Pages of a list: thirty rows each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from django.db.models import Model, QuerySet

from clones.core.digits import is_digits
from clones.core.shapes import counted_keys
from clones.core.tenancy.middleware import SandboxRequest

PER_PAGE = 30
DEEPEST = 10_000

Row = TypeVar("Row", bound=Model)
Item = TypeVar("Item")


class Keys(Protocol):
    """An ordered list of records, asked for their keys alone."""

    def part(self, start: int, end: int) -> list[tuple[int, int]]:
        """Return the keys from `start` to before `end`, each with how many there are in all."""

    def count(self) -> int:
        """Return how many there are."""


@dataclass(frozen=True, slots=True)
class Page(Generic[Item]):
    """One page of a list. `query` is the address's query without the page, "&" at its end."""

    rows: Sequence[Item]
    number: int
    count: int
    query: str

    @property
    def last(self) -> int:
        """The number of the last page."""
        return max(1, -(-self.count // PER_PAGE))

    @property
    def first_row(self) -> int:
        """The place of the first row shown, counted from 1."""
        return (self.number - 1) * PER_PAGE + 1 if self.count else 0

    @property
    def last_row(self) -> int:
        """The place of the last row shown."""
        return self.first_row + len(self.rows) - 1 if self.count else 0

    @property
    def previous(self) -> int | None:
        """The number of the page before, or None."""
        return self.number - 1 if self.number > 1 else None

    @property
    def next(self) -> int | None:
        """The number of the page after, or None."""
        return self.number + 1 if self.number < self.last else None


def page_number(request: SandboxRequest) -> int:
    """Return the page asked for; what is no page number is the first."""
    text = request.GET.get("page", "1")
    number = int(text) if is_digits(text, 5) else 1
    return min(max(number, 1), DEEPEST)


def query_without_page(request: SandboxRequest) -> str:
    """Return the query of the address without its page, ready for one to be added."""
    rest = request.GET.copy()
    rest.pop("page", None)
    text = rest.urlencode()
    return f"{text}&" if text else ""


def page_of(request: SandboxRequest, rows: QuerySet[Row], *, count: int | None = None) -> Page[Row]:
    """Return the page of an ordered list that a request asks for, the last one at most.

    `count` is how many rows there are, where that is known already.
    """
    count = rows.count() if count is None else count
    number, start = _place(request, count)
    return Page(list(rows[start : start + PER_PAGE]), number, count, query_without_page(request))


def keyed_page_of(
    request: SandboxRequest,
    rows: QuerySet[Row] | Keys,
    read: Callable[[Sequence[int]], list[Row]],
) -> Page[Row]:
    """Return the page of an ordered list that a request asks for.

    Rows are counted and sorted by their keys alone; `read` returns those shown, in the keys' order.
    """
    number = page_number(request)
    keys = _KeysOf(rows) if isinstance(rows, QuerySet) else rows
    found = keys.part((number - 1) * PER_PAGE, number * PER_PAGE)
    if not found and number > 1:
        number, start = _place(request, keys.count())
        found = keys.part(start, start + PER_PAGE)
    shown = read([key for key, _ in found]) if found else []
    return Page(shown, number, found[0][1] if found else 0, query_without_page(request))


def page_of_items(request: SandboxRequest, items: Sequence[Item]) -> Page[Item]:
    """Return the page that a request asks for of what is at hand as a whole."""
    number, start = _place(request, len(items))
    rows = items[start : start + PER_PAGE]
    return Page(rows, number, len(items), query_without_page(request))


@dataclass(frozen=True, slots=True)
class _KeysOf:
    """The keys of a queryset."""

    rows: QuerySet[Any]

    def part(self, start: int, end: int) -> list[tuple[int, int]]:
        """Return a part of the keys."""
        return list(counted_keys(self.rows)[start:end])

    def count(self) -> int:
        """Return how many there are."""
        return self.rows.count()


def _place(request: SandboxRequest, count: int) -> tuple[int, int]:
    """Return the number of the page to show, and how many rows come before it."""
    number = min(page_number(request), max(1, -(-count // PER_PAGE)))
    return number, (number - 1) * PER_PAGE
