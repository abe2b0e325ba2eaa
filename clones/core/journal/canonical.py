"""One form of a row for every engine, and the hashes made of it."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from functools import cache, lru_cache
from itertools import groupby
from operator import itemgetter
from typing import Any

from django.db import models

from clones.core.journal.engine import RowChange, journal
from clones.core.journal.layout import TableLayout, layout

# A position in the journal, which is no content.
OBSERVED = ("core_state", "observed")
# A time as Django stores it, in UTC.
USUAL = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{6})?", re.ASCII)
KEPT = 4096  # values of a column whose text is remembered: many rows have the same

_encode = json.JSONEncoder(
    sort_keys=True, separators=(",", ":"), ensure_ascii=False, check_circular=False
).encode
_quoted = json.encoder.encode_basestring  # as `_encode` writes a text


def canonical_value(field: models.Field[Any, Any], stored: Any) -> Any:
    """Return a stored value in the form that is the same on every engine.

    Booleans are true or false, times UTC with six digits, decimals text at the field's scale, JSON
    parsed (its keys are sorted on output), bytes their SHA-256.
    """
    return None if stored is None else _form(field)(stored)


@cache
def _form(field: models.Field[Any, Any]) -> Callable[[Any], Any]:
    """Return what makes a field's stored values canonical."""
    while isinstance(field, models.ForeignKey):
        field = field.target_field
    if isinstance(field, models.BooleanField):
        return bool
    if isinstance(field, models.DateTimeField):
        return _moment
    if isinstance(field, models.DateField):
        return lambda stored: stored.isoformat() if isinstance(stored, date) else str(stored)
    if isinstance(field, models.DecimalField):
        scale = Decimal(1).scaleb(-field.decimal_places)
        return lambda stored: str(Decimal(str(stored)).quantize(scale))
    if isinstance(field, models.JSONField):
        return _parsed
    return _plain


def _parsed(stored: Any) -> Any:
    return json.loads(stored) if isinstance(stored, str) else stored


def _moment(stored: Any) -> str:
    moment = datetime.fromisoformat(stored) if isinstance(stored, str) else stored
    if moment.tzinfo is None and isinstance(stored, str) and USUAL.fullmatch(stored):
        return f"{stored[:10]}T{stored[11:]}{'' if len(stored) > 19 else '.000000'}Z"
    moment = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    return f"{moment.replace(tzinfo=None).isoformat(timespec='microseconds')}Z"


def _plain(stored: Any) -> Any:
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
    return _encode(value).encode(errors="surrogatepass")


def fingerprint(after: int, until: int | None = None) -> str:
    """Return the SHA-256 of the net change since a journal position.

    Equal actions from equal snapshots give equal fingerprints, in every sandbox and engine.
    """
    changes = canonical_changes(journal().changes(after, until))
    return hashlib.sha256(canonical_json(changes)).hexdigest()


def content_digest() -> str:
    """Return the SHA-256 of every row of the bound store in canonical form: its identity.

    How far observers have read the journal is a position in it, not content. The canonical form
    gives JSON null and no value alike; the identity tells them apart.
    """
    digest = hashlib.sha256()
    for _, _, line in _lines():
        digest.update(line)
    return digest.hexdigest()


@dataclass(frozen=True, slots=True)
class _Texts:
    """Writes rows of one table as `canonical_json([canonical row, columns of JSON null])` would.

    It does so column by column, so that what many rows share is written once. `columns` are, in the
    order of their names, the name with its colon and what writes a value; `order` takes a row's
    values into that order. `nullable` are the columns of JSON by their place there and name, in the
    table's own order.
    """

    columns: tuple[tuple[str, Callable[[Any], str]], ...]
    order: Callable[[Sequence[Any]], tuple[Any, ...]]
    nullable: tuple[tuple[int, str], ...]

    def of(self, row: Sequence[Any]) -> str:
        """Return the text of a stored row."""
        values = self.order(row)
        pieces = [
            name + ("null" if stored is None else text(stored))
            for (name, text), stored in zip(self.columns, values, strict=True)
        ]
        nulls = [
            _encode(name)
            for place, name in self.nullable
            if values[place] is not None and pieces[place] == f"{_encode(name)}:null"
        ]
        return f"[{{{','.join(pieces)}}},[{','.join(nulls)}]]"


@cache
def _texts(table: TableLayout) -> _Texts:
    """Return what writes the rows of a table for their identity."""
    named = sorted(
        (str(field.column), place, _form(field))
        for place, field in enumerate(table.fields)
        if (table.name, field.column) != OBSERVED
    )
    after = {place: number for number, (_, place, _) in enumerate(named)}
    places = [place for _, place, _ in named]
    return _Texts(
        tuple((f"{_encode(column)}:", _text(form)) for column, _, form in named),
        itemgetter(*places) if len(places) > 1 else lambda row: (row[places[0]],),
        tuple(
            (after[place], column)
            for column, place, form in sorted(named, key=itemgetter(1))
            if form is _parsed
        ),
    )


def _text(form: Callable[[Any], Any]) -> Callable[[Any], str]:
    """Return what writes stored values of a form as JSON; that of equal texts is written once."""

    def write(stored: Any) -> str:
        return _encode(form(stored))

    def write_plain(stored: Any) -> str:
        if type(stored) is str:
            return _quoted(stored)
        return str(stored) if type(stored) is int else _encode(form(stored))

    def write_moment(stored: Any) -> str:
        return f'"{_moment(stored)}"'

    if form in (_parsed, _moment):
        return lru_cache(maxsize=KEPT, typed=True)(write if form is _parsed else write_moment)
    return write_plain if form is _plain else write


def digests() -> tuple[str, str]:
    """Return `content_digest()` and `store_digest()`: each row is read once for both."""
    content, stored = hashlib.sha256(), hashlib.sha256()
    for name, row, line in _lines():
        content.update(line)
        stored.update(_stored_line(name, row))
    return content.hexdigest(), stored.hexdigest()


def _lines() -> Iterator[tuple[str, Sequence[Any], bytes]]:
    """Yield every row of the bound store: the table, stored values, and its canonical text."""
    for name, rows in groupby(journal().dump(), key=itemgetter(0)):
        texts = _texts(layout().by_name(name))
        for _, row in rows:
            yield name, row, f"{name}{texts.of(row)}\n".encode(errors="surrogatepass")


def store_digest() -> str:
    """Return the SHA-256 of every row of the bound store, storage classes included."""
    digest = hashlib.sha256()
    for table, row in journal().dump():
        digest.update(_stored_line(table, row))
    return digest.hexdigest()


def _stored_line(table: str, row: Sequence[Any]) -> bytes:
    return f"{table}{tuple(row)!r}\n".encode()
