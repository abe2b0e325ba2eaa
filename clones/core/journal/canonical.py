"""One form of a row for every engine, and the fingerprint made of it."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable
from datetime import UTC, date, datetime
from decimal import Decimal
from functools import cache
from typing import Any

from django.db import models

from clones.core.journal.engine import RowChange, journal
from clones.core.journal.layout import TableLayout

# A time as Django stores it, in UTC.
USUAL = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{6})?", re.ASCII)

encode = json.JSONEncoder(
    sort_keys=True, separators=(",", ":"), ensure_ascii=False, check_circular=False
).encode


def canonical_value(field: models.Field[Any, Any], stored: Any) -> Any:
    """Return a stored value in the form that is the same on every engine.

    Booleans are true or false, times UTC with six digits, decimals text at the field's scale, JSON
    parsed (its keys are sorted on output), bytes their SHA-256.
    """
    return None if stored is None else form_of(field)(stored)


@cache
def form_of(field: models.Field[Any, Any]) -> Callable[[Any], Any]:
    """Return what makes a field's stored values canonical."""
    while isinstance(field, models.ForeignKey):
        field = field.target_field
    if isinstance(field, models.BooleanField):
        return bool
    if isinstance(field, models.DateTimeField):
        return moment_text
    if isinstance(field, models.DateField):
        return lambda stored: stored.isoformat() if isinstance(stored, date) else str(stored)
    if isinstance(field, models.DecimalField):
        scale = Decimal(1).scaleb(-field.decimal_places)
        return lambda stored: str(Decimal(str(stored)).quantize(scale))
    if isinstance(field, models.JSONField):
        return parsed
    return plain


def parsed(stored: Any) -> Any:
    """Return the value of stored JSON."""
    return json.loads(stored) if isinstance(stored, str) else stored


def moment_text(stored: Any) -> str:
    """Return a stored time in UTC, with six digits."""
    moment = datetime.fromisoformat(stored) if isinstance(stored, str) else stored
    if moment.tzinfo is None and isinstance(stored, str) and USUAL.fullmatch(stored):
        return f"{stored[:10]}T{stored[11:]}{'' if len(stored) > 19 else '.000000'}Z"
    moment = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    return f"{moment.replace(tzinfo=None).isoformat(timespec='microseconds')}Z"


def plain(stored: Any) -> Any:
    """Return a number or text as it is, of bytes their SHA-256."""
    if isinstance(stored, bytes | bytearray | memoryview):
        return {"sha256": hashlib.sha256(bytes(stored)).hexdigest()}
    return stored


def canonical_row(table: TableLayout, stored: tuple[Any, ...] | None) -> dict[str, Any] | None:
    """Return a stored row as {column: canonical value}, or None."""
    if stored is None:
        return None
    return {
        str(field.column): canonical_value(field, value)
        for field, value in zip(table.fields, stored, strict=True)
    }


def canonical_changes(changes: Iterable[RowChange]) -> list[dict[str, Any]]:
    """Return net changes of `record` tables as plain data, in (table, key) order."""
    return [
        {
            "table": change.table.name,
            "key": change.key,
            "operation": change.operation,
            "before": canonical_row(change.table, change.before),
            "after": canonical_row(change.table, change.after),
        }
        for change in changes
        if change.table.kind == "record"
    ]


def canonical_json(value: Any) -> bytes:
    """Return the one JSON text of a value (which may hold halves of surrogate pairs: JSON may)."""
    return encode(value).encode(errors="surrogatepass")


def fingerprint(after: int, until: int | None = None) -> str:
    """Return the SHA-256 of the net change since a journal position.

    Equal actions from equal snapshots give equal fingerprints, in every sandbox and engine.
    """
    changes = canonical_changes(journal().changes(after, until))
    return hashlib.sha256(canonical_json(changes)).hexdigest()
