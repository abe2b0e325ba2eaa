"""Pages of lists, in the vendor's ways.

P1 page beans, P2 named lists, P3 tokens, P4 pages of service desks, P5 bare windows. (P6, of audit
records, and P7, of changed worklogs, are where they are used.)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from django.db.models import Model

from clones.core.digits import whole_number
from clones.core.operations import Call
from clones.core.operations.paging import (
    Rows,
    address_of,
    counted_part,
    location_of,
    origin_of,
    part,
    read_state,
    write_state,
)
from clones.tracker.domain.errors import Invalid

Json = dict[str, Any]
DEEPEST: Final = 10**9


def number_of(call: Call, name: str, default: int, *, least: int = 0) -> int:
    """Return a number of the query.

    Raises:
        Invalid: it is none, or below `least`.
    """
    text = call.request.GET.get(name)
    if text is None or text == "":
        return default
    found = whole_number(text, signed=True)
    if found is None:
        raise Invalid(f"The value '{text}' is not a valid number for the parameter '{name}'.")
    if found < least:
        raise Invalid(f"The parameter '{name}' must be {least} or greater.")
    return min(found, DEEPEST)


def place(call: Call, max_results: int, limit: int, *, floored: bool = False) -> tuple[int, int]:
    """Return where a page begins and how many rows it may have.

    Raises:
        Invalid: a number is none, or below 0 unless it is `floored`: to 0 and to one row.
    """
    least = -(10**18) if floored else 0
    start = number_of(call, "startAt", 0, least=least)
    most = min(number_of(call, "maxResults", max_results, least=least), limit)
    return (max(start, 0), max(most, 1)) if floored else (start, most)


def _address(call: Call, **changes: int | str) -> str:
    return address_of(location_of(call.request), call.request.GET, changes)


def page_bean(
    call: Call,
    rows: Rows,
    present: Callable[[list[Any]], list[Any]],
    *,
    max_results: int = 50,
    limit: int = 100,
    with_self: bool = True,
) -> Json:
    """Return a page bean (P1).

    Args:
        call: whose `startAt` and `maxResults` count.
        rows: all of them, in a total order.
        present: shows the rows of the page, all at once.
        max_results: how many there are on a page unless the call says so.
        limit: how many there may be at most.
        with_self: whether the page tells its own address.

    Raises:
        Invalid: a parameter is no number.
    """
    start, most = place(call, max_results, limit)
    shown, total = counted_part(rows, start, most)
    last = start + len(shown) >= total
    found: Json = {}
    if with_self:
        found["self"] = _address(call, maxResults=most, startAt=start)
    if not last and shown:
        found["nextPage"] = _address(call, maxResults=most, startAt=start + most)
    return found | {
        "maxResults": most,
        "startAt": start,
        "total": total,
        "isLast": last,
        "values": present(shown),
    }


def named_list(
    call: Call,
    rows: Rows,
    present: Callable[[list[Any]], list[Any]],
    name: str,
    *,
    max_results: int = 50,
    limit: int = 100,
    floored: bool = False,
) -> Json:
    """Return a list under its own name (P2); the arguments are those of `page_bean` and `place`."""
    start, most = place(call, max_results, limit, floored=floored)
    shown, total = counted_part(rows, start, most)
    return {"startAt": start, "maxResults": most, "total": total, name: present(shown)}


def token_of(state: Json) -> str:
    """Return the token of a place in a list: opaque to clients."""
    return write_state(state)


def state_of(token: str) -> Json:
    """Return the place that a token names.

    Raises:
        Invalid: it is no token of ours.
    """
    try:
        found = read_state(token)
    except ValueError as error:
        raise Invalid("The provided next page token is invalid.") from error
    if not isinstance(found, dict):
        raise Invalid("The provided next page token is invalid.")
    return found


def ids_page(call: Call, ids: Rows, most: int) -> Json:
    """Return a page of ids, and the token of the next page where there is one (P3).

    Raises:
        Invalid: the token is not ours.
    """
    start = 0
    if call.query.token:
        try:
            start = int(state_of(call.query.token)["o"])
        except (Invalid, KeyError, TypeError, ValueError) as error:
            raise Invalid("Invalid format of nextPageToken") from error
    shown, more = part(ids, start, most)
    found: Json = {"values": [{"id": str(key)} for key in shown]}
    return found | {"nextPageToken": token_of({"o": start + most})} if more else found


def desk_page(
    call: Call,
    rows: Rows,
    present: Callable[[list[Any]], list[Any]],
    *,
    limit: int = 50,
    most: int = 100,
) -> Json:
    """Return a page of a service desk's list (P4), whose parameters are `start` and `limit`."""
    start = number_of(call, "start", 0)
    wanted = min(number_of(call, "limit", limit), most)
    shown, more = part(rows, start, wanted)
    origin = origin_of(call.request)
    links: Json = {
        "self": f"{origin}{call.request.get_full_path()}",
        "base": origin,
        "context": "",
    }
    if more:
        links["next"] = _address(call, start=start + wanted, limit=wanted)
    if start > 0:
        links["prev"] = _address(call, start=max(0, start - wanted), limit=wanted)
    return {
        "_expands": [],
        "size": len(shown),
        "start": start,
        "limit": wanted,
        "isLastPage": not more,
        "_links": links,
        "values": present(shown),
    }


def window(call: Call, rows: Rows, *, max_results: int = 50, limit: int = 1000) -> list[Any]:
    """Return the part of a list that a call asks for (P5): a bare list."""
    start, most = place(call, max_results, limit)
    return list(rows[start : start + most])


def each(present: Callable[..., Any], *beside: Any) -> Callable[[list[Any]], list[Any]]:
    """Return what shows many rows from what shows one."""
    return lambda rows: [present(row, *beside) for row in rows]


def keys_of(rows: Sequence[Model]) -> list[int]:
    """Return the keys of rows."""
    return [int(row.pk) for row in rows]
