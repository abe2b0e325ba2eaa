"""Pages of lists, in the vendor's ways.

P1 page beans, P2 named lists, P3 tokens, P4 pages of service desks, P5 bare windows. (P6, of audit
records, and P7, of changed worklogs, are where they are used.)
"""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Callable, Sequence
from typing import Any, Final, TypeVar
from urllib.parse import urlencode

from django.db.models import Model, QuerySet

from clones.core.operations import Call
from clones.tracker.domain.errors import Invalid

Row = TypeVar("Row")
Rows = QuerySet[Any] | Sequence[Any]
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
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 18):
        raise Invalid(f"The value '{text}' is not a valid number for the parameter '{name}'.")
    found = int(text)
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


def count_of(rows: Rows) -> int:
    """Return how many rows there are."""
    return rows.count() if isinstance(rows, QuerySet) else len(rows)


def _address(call: Call, **values: int | str) -> str:
    query = {name: call.request.GET.getlist(name) for name in call.request.GET}
    query |= {name: [str(value)] for name, value in values.items()}
    request = call.request
    root = f"{request.scheme}://{request.get_host()}{request.path}"
    return f"{root}?{urlencode(query, doseq=True)}"


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
    total = count_of(rows)
    shown = list(rows[start : start + most]) if start < total else []
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
    total = count_of(rows)
    shown = list(rows[start : start + most]) if start < total else []
    return {"startAt": start, "maxResults": most, "total": total, name: present(shown)}


def token_of(state: Json) -> str:
    """Return the token of a place in a list: opaque to clients."""
    text = json.dumps(state, separators=(",", ":"), sort_keys=True)
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def state_of(token: str) -> Json:
    """Return the place that a token names.

    Raises:
        Invalid: it is no token of ours.
    """
    try:
        padded = token.encode() + b"=" * (-len(token) % 4)
        found = json.loads(base64.b64decode(padded, b"-_", validate=True))
    except (binascii.Error, ValueError, UnicodeError) as error:
        raise Invalid("The provided next page token is invalid.") from error
    if not isinstance(found, dict):
        raise Invalid("The provided next page token is invalid.")
    return found


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
    found = list(rows[start : start + wanted + 1])
    shown, last = found[:wanted], len(found) <= wanted
    request = call.request
    links: Json = {
        "self": f"{request.scheme}://{request.get_host()}{request.get_full_path()}",
        "base": f"{request.scheme}://{request.get_host()}",
        "context": "",
    }
    if not last:
        links["next"] = _address(call, start=start + wanted, limit=wanted)
    if start > 0:
        links["prev"] = _address(call, start=max(0, start - wanted), limit=wanted)
    return {
        "_expands": [],
        "size": len(shown),
        "start": start,
        "limit": wanted,
        "isLastPage": last,
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
