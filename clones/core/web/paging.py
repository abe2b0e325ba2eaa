"""Pages of lists that people look at, by their number or by the place of their first row."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from django.db.models import Model, QuerySet
from django.http import HttpRequest, QueryDict

from clones.core.digits import is_digits
from clones.core.shapes import counted_keys
from clones.core.tenancy.middleware import SandboxRequest

PER_PAGE = 30
DEEPEST = 10_000
BY_PLACE = 50

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
    """A part of a list, which addresses name by its number or by the place of its first row.

    Args:
        rows: those shown.
        start: the place of the first of them, counted from 0.
        count: how many the list has.
        size: how many a page has.
        query: the address's query without what names the page, "&" at its end.
    """

    rows: Sequence[Item]
    start: int
    count: int
    size: int = PER_PAGE
    query: str = ""

    @property
    def number(self) -> int:
        """The number of the page, counted from 1."""
        return self.start // self.size + 1

    @property
    def last(self) -> int:
        """The number of the last page."""
        return max(1, -(-self.count // self.size))

    @property
    def first_row(self) -> int:
        """The place of the first row shown, counted from 1; 0 without rows."""
        return self.start + 1 if self.count else 0

    @property
    def last_row(self) -> int:
        """The place of the last row shown, counted from 1."""
        return self.start + len(self.rows)

    @property
    def previous(self) -> int | None:
        """The number of the page before, or None."""
        return self.number - 1 if self.number > 1 else None

    @property
    def next(self) -> int | None:
        """The number of the page after, or None."""
        return self.number + 1 if self.number < self.last else None

    @property
    def before(self) -> int | None:
        """The place of the first row of the page before, counted from 0, or None."""
        return max(self.start - self.size, 0) if self.start else None

    @property
    def after(self) -> int | None:
        """The place of the first row of the page after, counted from 0, or None."""
        return self.start + self.size if self.start + self.size < self.count else None


def page_number(request: SandboxRequest) -> int:
    """Return the page asked for; what is no page number is the first."""
    text = request.GET.get("page", "1")
    number = int(text) if is_digits(text, 5) else 1
    return min(max(number, 1), DEEPEST)


def start_of(given: QueryDict, name: str, count: int) -> int:
    """Return the place at which the page asked for starts: of none, and beyond the end, the first.

    `name` is what the address calls it, `count` how many rows there are.
    """
    text = given.get(name, "")
    start = int(text) if is_digits(text, 8) else 0
    return start if start < count else 0


def query_without(given: QueryDict, name: str) -> str:
    """Return the query of an address without what names the page, ready for it to be added."""
    rest = given.copy()
    rest.pop(name, None)
    text = rest.urlencode()
    return f"{text}&" if text else ""


def page_of(
    request: SandboxRequest,
    rows: QuerySet[Row],
    *,
    count: int | None = None,
    size: int = PER_PAGE,
) -> Page[Row]:
    """Return the page of an ordered list that a request asks for, the last one at most.

    `count` is how many rows there are, where that is known already.
    """
    count = rows.count() if count is None else count
    start = _numbered_start(request, count, size)
    return _page(request, list(rows[start : start + size]), start, count, size)


def page_from(
    request: HttpRequest, rows: QuerySet[Row], *, name: str = "startAt", size: int = BY_PLACE
) -> Page[Row]:
    """Return the page of an ordered list that a request asks for by the place of its first row.

    `name` is what the address calls that place.
    """
    count = rows.count()
    start = start_of(request.GET, name, count)
    query = query_without(request.GET, name)
    return Page(list(rows[start : start + size]), start, count, size, query)


def keyed_page_of(
    request: SandboxRequest,
    rows: QuerySet[Row] | Keys,
    read: Callable[[Sequence[int]], list[Row]],
) -> Page[Row]:
    """Return the page of an ordered list that a request asks for.

    Rows are counted and sorted by their keys alone; `read` returns those shown, in the keys' order.
    """
    start = (page_number(request) - 1) * PER_PAGE
    keys = _KeysOf(rows) if isinstance(rows, QuerySet) else rows
    found = keys.part(start, start + PER_PAGE)
    if not found and start:
        start = _numbered_start(request, keys.count(), PER_PAGE)
        found = keys.part(start, start + PER_PAGE)
    shown = read([key for key, _ in found]) if found else []
    return _page(request, shown, start, found[0][1] if found else 0)


def page_of_items(request: SandboxRequest, items: Sequence[Item]) -> Page[Item]:
    """Return the page that a request asks for of what is at hand as a whole."""
    start = _numbered_start(request, len(items), PER_PAGE)
    return _page(request, items[start : start + PER_PAGE], start, len(items))


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


def _numbered_start(request: SandboxRequest, count: int, size: int) -> int:
    """Return how many rows come before the page to show, the last one at most."""
    return (min(page_number(request), max(1, -(-count // size))) - 1) * size


def _page(
    request: SandboxRequest, rows: Sequence[Item], start: int, count: int, size: int = PER_PAGE
) -> Page[Item]:
    return Page(rows, start, count, size, query_without(request.GET, "page"))
