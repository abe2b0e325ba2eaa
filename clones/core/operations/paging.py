"""Pages of the lists that APIs give: their part of the rows, their addresses, their tokens.

What a page is wrapped in, its limits and what is said of wrong ones are each vendor's own
(`api/paging.py` of its clone). Pages that people look at are `clones.core.web.paging`.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar
from urllib.parse import urlencode

from django.db.models import QuerySet
from django.http import HttpRequest, QueryDict

from clones.core.strict_json import read_json

Item = TypeVar("Item")
Rows = QuerySet[Any] | Sequence[Any]


def origin_of(request: HttpRequest) -> str:
    """Return the scheme and host that a request came to."""
    return f"{request.scheme}://{request.get_host()}"


def location_of(request: HttpRequest) -> str:
    """Return the address that a request came to, without its query."""
    return f"{origin_of(request)}{request.path}"


def address_of(
    location: str,
    query: QueryDict,
    changes: Mapping[str, str | int | None],
    *,
    in_order: bool = False,
) -> str:
    """Return an address with parameters changed, added, or left out where None.

    Parameters stay where they are, new ones come last; or all are put `in_order`.
    """
    values: dict[str, list[str]] = dict(query.lists())
    values |= {name: [] if value is None else [str(value)] for name, value in changes.items()}
    pairs = [(name, value) for name, several in values.items() for value in several]
    return f"{location}?{urlencode(sorted(pairs) if in_order else pairs)}"


def count_of(rows: Rows) -> int:
    """Return how many rows there are."""
    return rows.count() if isinstance(rows, QuerySet) else len(rows)


def counted_part(rows: Rows, start: int, most: int) -> tuple[list[Any], int]:
    """Return the rows of a page, and how many there are on all pages."""
    total = count_of(rows)
    return (list(rows[start : start + most]) if start < total else []), total


def part(rows: Rows, start: int, most: int) -> tuple[list[Any], bool]:
    """Return the rows of a page, and whether there are more; nothing is counted."""
    return cut(list(rows[start : start + most + 1]), most)


def cut(rows: list[Item], most: int) -> tuple[list[Item], bool]:
    """Return the first rows, and whether there are more: of a page that was read with one more."""
    return rows[:most], len(rows) > most


def write_token(text: str, *, url_safe: bool = True) -> str:
    """Return a text as a token that says nothing to clients.

    One that is not `url_safe` has the plain alphabet of base64, and padding.
    """
    if not url_safe:
        return base64.b64encode(text.encode()).decode()
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def read_token(token: str) -> str:
    """Return the text of a token of either alphabet.

    Raises:
        ValueError: it is no token.
    """
    padded = token.encode() + b"=" * (-len(token) % 4)
    return base64.b64decode(padded, b"-_", validate=True).decode()


def write_state(state: Mapping[str, Any]) -> str:
    """Return a place in a list as a token."""
    return write_token(json.dumps(state, separators=(",", ":"), sort_keys=True))


def read_state(token: str) -> Any:
    """Return the JSON that a token holds; what it is of is for the caller to see.

    Raises:
        ValueError: it is no token of JSON.
    """
    return read_json(read_token(token))
