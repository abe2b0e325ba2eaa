"""In which order rules, macros and views are listed: as the vendor's parameters ask for it."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet

from clones.core.operations import Call
from clones.helpdesk.api.operations import list_request
from clones.helpdesk.api.paging import Order, Page, offset_page, paginate
from clones.helpdesk.api.rule_sideloads import SPANS, Kind, uses

COLUMNS = {
    "alphabetical": "title",
    "created_at": "created_at",
    "updated_at": "updated_at",
}
# What is in rising order unless said; times and uses have the largest first.
RISING = ("alphabetical", "position")


def rule_page(
    call: Call,
    rows: QuerySet[Any],
    usual: Order,
    *,
    kind: Kind | None = None,
    by_cursor: Order | None = None,
    cursor: bool = True,
) -> Page:
    """Return a page of rules, in their usual order or as `sort_by` or `sort` asks.

    `usual` is the order by position or, of macros, by title; `by_cursor` that of pages by cursor,
    where it is another. Rules of a `kind` can be sorted by how often they were used.

    Raises:
        PagingError: the paging parameters cannot be met.
    """
    wanted, said = list_request(call), call.query
    if cursor and wanted.by_cursor:
        name = wanted.params.get("sort", "")
        order = _by(name.lstrip("-"), usual, falling=name.startswith("-"))
        return paginate(rows, wanted, order if name else by_cursor or usual)
    name = said.sort_by or ""
    falling = said.sort_order == "desc"
    if said.sort_order is None:
        falling = bool(name) and name not in RISING
    if kind is not None and name in SPANS:
        counts = uses(kind, SPANS[name])
        found = sorted(
            rows.order_by(*usual.fields), key=lambda row: counts[row.pk], reverse=falling
        )
        return offset_page(found, wanted)
    return paginate(rows, wanted, _by(name, usual, falling=falling), cursor=cursor)


def _by(name: str, usual: Order, *, falling: bool) -> Order:
    if name not in COLUMNS:
        return usual.reversed() if falling else usual
    order = Order((COLUMNS[name], "id"))
    return order.reversed() if falling else order
