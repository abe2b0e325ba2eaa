"""Cursors that name a row by its time and its id: of exports, and of the audits of all tickets."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from decimal import Decimal, InvalidOperation

from clones.core.digits import whole_number
from clones.core.operations.paging import read_token, write_token
from clones.helpdesk.domain.errors import InvalidAttribute

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
Place = tuple[datetime, int]


def write_cursor(moment: datetime, key: int) -> str:
    """Return the cursor of what comes after a row, as the vendor writes it: its time and its id."""
    return write_token(f"{_seconds(moment)}||{key}|", url_safe=False)


def write_cursor_back(moment: datetime, key: int) -> str:
    """Return the cursor of what came before a row."""
    return write_token(f"|{_seconds(moment)}||{key}", url_safe=False)


def _seconds(moment: datetime) -> str:
    seconds, micros = divmod((moment - EPOCH) // timedelta(microseconds=1), 1_000_000)
    fraction = f"{micros:06d}".rstrip("0") or "0"
    return f"{seconds}.{fraction}"


def read_cursor(text: str) -> Place:
    """Return the row of a cursor of what comes after it.

    Raises:
        InvalidAttribute: none was given out.
    """
    place, back = read_cursor_of_either(text)
    if back:
        raise InvalidAttribute("cursor", "one that an export gave")
    return place


def read_cursor_of_either(text: str) -> tuple[Place, bool]:
    """Return the row of a cursor, and whether it is of what came before it.

    Raises:
        InvalidAttribute: none was given out.
    """
    try:
        plain = read_token(text)
        back = plain.startswith("|")
        time, empty, key, end = (f"{plain[1:]}|" if back else plain).split("|")
        number = whole_number(key)
        if empty or end or number is None or len(time) > 18:
            raise ValueError(text)
        return (EPOCH + timedelta(microseconds=int(Decimal(time) * 1_000_000)), number), back
    except (ValueError, InvalidOperation, OverflowError) as error:
        raise InvalidAttribute("cursor", "one that an export gave") from error
