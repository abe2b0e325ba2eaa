"""Paging as the vendor does it: by offset unless a `page[...]` parameter asks for a cursor.

Knows nothing of the helpdesk's records: it takes querysets or lists and the request's parameters.

A cursor page's links are never null while the page has rows, even when there are no more; past
the end everything is null. Offset pages end with null and carry the total count.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from django.db.models import Model, Q, QuerySet
from django.http import QueryDict

from clones.core.digits import whole_number
from clones.core.operations.paging import address_of, count_of, cut, read_state, write_token
from clones.helpdesk.queries.list_shapes import count_of_shape, keys_of_shape

PAGE_LIMIT = 100
OFFSET_DEPTH = 10_000

# Reads whole rows by their keys, in that order: what is sorted then are the keys alone.
Read = Callable[[Sequence[Any]], list[Any]]


class PagingError(Exception):
    """Raised when the paging parameters cannot be met.

    `kind` is `integer` (a value is no number: `name` says which), `depth` (an offset page lies too
    deep), `size` (a cursor page is too large) or `cursor` (a cursor that was not given out).
    """

    def __init__(self, kind: Literal["integer", "depth", "size", "cursor"], name: str) -> None:
        super().__init__(f"{kind}: {name}")
        self.kind = kind
        self.name = name


@dataclass(frozen=True, slots=True)
class ListRequest:
    """What a request asks for: its address and parameters as given."""

    url: str
    params: QueryDict

    def link(self, **changes: str | int | None) -> str:
        """Return the request's address with parameters changed, or left out where None."""
        return address_of(self.url, self.params, changes, in_order=True)

    def number(self, name: str, default: int) -> int:
        """Return a parameter as a whole number.

        Raises:
            PagingError: it is none.
        """
        text = self.params.get(name)
        if text is None or text == "":
            return default
        found = whole_number(text, digits=9)
        if found is None:
            raise PagingError("integer", name)
        return found

    @property
    def by_cursor(self) -> bool:
        """Whether a cursor page is asked for."""
        return any(name.startswith("page[") for name in self.params)


@dataclass(frozen=True, slots=True)
class Page:
    """The rows of a page, and what goes beside them in the answer."""

    rows: list[Any]
    around: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Order:
    """A total order: fields, each with `-` in front for descending; the last is unique."""

    fields: tuple[str, ...]

    @property
    def name(self) -> str:
        """The order's name inside cursors."""
        return ",".join(self.fields)

    def reversed(self) -> Order:
        """Return the order the other way round."""
        return Order(
            tuple(item[1:] if item.startswith("-") else f"-{item}" for item in self.fields)
        )


def paginate(
    rows: QuerySet[Any],
    asked: ListRequest,
    order: Order,
    *,
    cursor: bool = True,
    offset: bool = True,
    limit: int = PAGE_LIMIT,
    read: Read | None = None,
    shape: Hashable = None,
) -> Page:
    """Return the page of a queryset that a request asks for, its rows read by `read` if given.

    All querysets of one `shape` are the same: who passes one, and `read`, has them compiled once.

    Raises:
        PagingError: its parameters cannot be met.
    """
    if cursor and (asked.by_cursor or not offset):
        return _cursor_page(rows, asked, order, limit=limit, read=read, shape=shape)
    rows, total = rows.order_by(*order.fields), None
    if shape is not None:
        total = count_of_shape(shape, rows)
        shape = (shape, order)
    return offset_page(rows, asked, total=total, limit=limit, read=read, shape=shape)


def offset_page(
    rows: QuerySet[Any] | Sequence[Any],
    asked: ListRequest,
    *,
    total: int | None = None,
    depth: int = OFFSET_DEPTH,
    limit: int = PAGE_LIMIT,
    read: Read | None = None,
    shape: Hashable = None,
) -> Page:
    """Return an offset page; `total` saves counting when it is known.

    Raises:
        PagingError: it lies too deep, or its parameters are no numbers.
    """
    number = max(1, asked.number("page", 1))
    size = min(limit, max(1, asked.number("per_page", limit)))
    if number * size > depth and number > 1:
        raise PagingError("depth", "page")
    if total is None:
        total = count_of(rows)
    start = (number - 1) * size
    found = _part(rows, start, start + size, read, shape) if start < total else []
    return Page(
        found,
        {
            "next_page": asked.link(page=number + 1) if start + size < total else None,
            "previous_page": asked.link(page=number - 1) if number > 1 else None,
            "count": total,
        },
    )


def last_page(rows: QuerySet[Any], asked: ListRequest, order: Order, *, limit: int) -> Page:
    """Return the last cursor page of a queryset, for lists that can be asked for it.

    Raises:
        PagingError: its parameters cannot be met.
    """
    size = _size(asked, limit)
    found = list(rows.order_by(*order.reversed().fields)[:size])
    if not found:
        return _past_the_end()
    found.reverse()
    ends = [
        _write_cursor(order.name, [_value(row, item) for item in order.fields])
        for row in (found[0], found[-1])
    ]
    return _cursor_answer(found, asked, more=False, first=ends[0], last=ends[1])


def list_page(
    rows: Sequence[Any] | QuerySet[Any],
    asked: ListRequest,
    *,
    name: str,
    limit: int = PAGE_LIMIT,
    offset: bool = True,
    read: Read | None = None,
) -> Page:
    """Return a page of an ordered list, whose cursors are positions in it.

    The first page has no link back, as the vendor's views and exports.

    Raises:
        PagingError: its parameters cannot be met.
    """
    if offset and not asked.by_cursor:
        return offset_page(rows, asked, limit=limit, read=read)
    size = _size(asked, limit)
    after, before = asked.params.get("page[after]"), asked.params.get("page[before]")
    start = 0
    if after:
        start = int(_read_cursor(after, name, 1)[0])
    elif before:
        start = max(0, int(_read_cursor(before, name, 1)[0]) - size)
    found, more = cut(_part(rows, start, start + size + 1, read), size)
    if not found:
        return _past_the_end()
    ends = _write_cursor(name, [start]), _write_cursor(name, [start + len(found)])
    page = _cursor_answer(found, asked, more=more, first=ends[0], last=ends[1])
    if start == 0:
        page.around["links"]["prev"] = None
    return page


def _part(
    rows: QuerySet[Any] | Sequence[Any],
    start: int,
    end: int,
    read: Read | None,
    shape: Hashable = None,
) -> list[Any]:
    if read is None or not isinstance(rows, QuerySet):
        return list(rows[start:end])
    if shape is not None:
        return read(keys_of_shape(shape, rows, start, end))
    return read(list(rows.values_list("pk", flat=True)[start:end]))


def _cursor_page(
    rows: QuerySet[Any],
    asked: ListRequest,
    order: Order,
    *,
    limit: int,
    read: Read | None,
    shape: Hashable,
) -> Page:
    size = _size(asked, limit)
    order = _sorted_as_asked(asked, order)
    after, before = asked.params.get("page[after]"), asked.params.get("page[before]")
    walk = order
    if after:
        values = _read_cursor(after, order.name, len(order.fields))
        rows = rows.filter(_beyond(rows.model, order, values))
    elif before:
        walk = order.reversed()
        values = _read_cursor(before, order.name, len(order.fields))
        rows = rows.filter(_beyond(rows.model, walk, values))
    shape = (shape, walk) if shape is not None and not after and not before else None
    found, beyond = cut(_part(rows.order_by(*walk.fields), 0, size + 1, read, shape), size)
    if before:
        found.reverse()
    if not found:
        return _past_the_end()
    ends = [
        _write_cursor(order.name, [_value(row, item) for item in order.fields])
        for row in (found[0], found[-1])
    ]
    more = bool(before) or beyond
    return _cursor_answer(found, asked, more=more, first=ends[0], last=ends[1])


def _size(asked: ListRequest, limit: int) -> int:
    size = asked.number("page[size]", min(limit, PAGE_LIMIT))
    if not 1 <= size <= limit:
        raise PagingError("size", str(limit))
    return size


def _sorted_as_asked(asked: ListRequest, order: Order) -> Order:
    """Return the order with `sort=field` or `sort=-field` in front, where the field is known."""
    wanted = asked.params.get("sort", "")
    plain = {item.lstrip("-") for item in order.fields}
    if wanted.lstrip("-") not in plain:
        return order
    rest = tuple(item for item in order.fields if item.lstrip("-") != wanted.lstrip("-"))
    return Order((wanted, *rest))


def _beyond(model: type[Model], order: Order, values: Sequence[Any]) -> Q:
    """Return the condition of rows that come after `values` in the order."""
    condition = Q()
    equal: dict[str, Any] = {}
    for item, value in zip(order.fields, values, strict=True):
        name = item.lstrip("-")
        side = "lt" if item.startswith("-") else "gt"
        condition |= Q(**equal, **{f"{name}__{side}": value})
        equal[name] = value
    return condition


def _value(row: Any, item: str) -> Any:
    value = row
    for part in item.lstrip("-").split("__"):
        value = getattr(value, part)
    return value


def _write_cursor(name: str, values: Sequence[Any]) -> str:
    plain = [value.isoformat() if isinstance(value, datetime) else value for value in values]
    packed = write_token(json.dumps(plain), url_safe=False)
    text = json.dumps({"o": name, "v": packed}, separators=(",", ":"))
    return write_token(text, url_safe=False)


def _read_cursor(text: str, name: str, length: int) -> list[Any]:
    try:
        outer = read_state(text)
        values = read_state(outer["v"])
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise PagingError("cursor", text[:80]) from error
    if outer["o"] != name or not isinstance(values, list) or len(values) != length:
        raise PagingError("cursor", text[:80])
    return values


def _cursor_answer(
    rows: list[Any], asked: ListRequest, *, more: bool, first: str, last: str
) -> Page:
    links = {
        "prev": asked.link(**{"page[before]": first, "page[after]": None}),
        "next": asked.link(**{"page[after]": last, "page[before]": None}),
    }
    meta = {"has_more": more, "after_cursor": last, "before_cursor": first}
    return Page(rows, {"meta": meta, "links": links})


def _past_the_end() -> Page:
    meta = {"has_more": False, "after_cursor": None, "before_cursor": None}
    return Page([], {"meta": meta, "links": {"prev": None, "next": None}})
