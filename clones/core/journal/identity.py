"""A store's identity: hashes over all its rows, which are made by runs of rows.

A run are up to `RUN` rows of one table that follow each other by key; of a table that holds files,
which may be large, it is one row. An identity is the SHA-256 of the SHA-256s of all runs, in the
order of tables and keys. So runs can be hashed apart, and whoever hashes them the identity is the
same.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache, lru_cache
from itertools import chain, groupby, islice, repeat
from operator import itemgetter
from types import NoneType
from typing import Any, TypeVar

from django.db import models

from clones.core.journal.canonical import USUAL, encode, form_of, moment_text, parsed, plain
from clones.core.journal.engine import journal
from clones.core.journal.layout import TableLayout, layout
from clones.core.workers import cores, spread

R = TypeVar("R")
# Writes values of a column, which are of these types and not None, as JSON.
Writer = Callable[[Sequence[Any], set[type]], list[str]]

# A position in the journal, which is no content.
OBSERVED = ("core_state", "observed")
RUN = 1_000  # rows; another number makes other identities (`layout.IDENTITY`)
KEPT = 16_384  # values of a column whose text is remembered: many rows have the same
# After how many rows processes help with those that follow, and how many work then at most.
SHARED_FROM = 50_000
SHARES = 4

# Times as `USUAL` has them, one to a line.
USUAL_LINES = re.compile(rf"(?:{USUAL.pattern}\n)*", re.ASCII)

_quoted = json.encoder.encode_basestring  # as `encode` writes a text


def content_digest() -> str:
    """Return the SHA-256 of every row of the bound store in canonical form: its identity.

    How far observers have read the journal is a position in it, not content. The canonical form
    gives JSON null and no value alike; the identity tells them apart.
    """
    return _whole(_of_runs(_content))


def digests() -> tuple[str, str]:
    """Return `content_digest()` and `store_digest()`: each row is read once for both."""
    made = _of_runs(_content_and_stored)
    return _whole(content for content, _ in made), _whole(stored for _, stored in made)


def store_digest() -> str:
    """Return the SHA-256 of every row of the bound store, storage classes included.

    One process makes it: many who ask for it are at work side by side.
    """
    return _whole(map(_stored, _runs()))


@dataclass(frozen=True, slots=True)
class Run:
    """Stored rows of a table that follow each other."""

    table: str
    rows: Sequence[Sequence[Any]]


def _runs() -> Iterator[Run]:
    """Yield every row of the bound store, by runs."""
    for name, rows in groupby(journal().dump(), key=itemgetter(0)):
        stored = map(itemgetter(1), rows)
        length = 1 if _holds_files(layout().by_name(name)) else RUN
        while found := list(islice(stored, length)):
            yield Run(name, found)


@cache
def _holds_files(table: TableLayout) -> bool:
    return any(isinstance(field, models.BinaryField) for field in table.fields)


def _of_runs(work: Callable[[Run], R]) -> list[R]:
    """Return what is made of each run; the first ones are worked on here, then processes help."""
    runs, made, rows = _runs(), list[R](), 0
    for run in runs:
        made.append(work(run))
        rows += len(run.rows)
        if rows >= SHARED_FROM:
            break
    return made + spread(work, runs, helpers=min(cores(), SHARES) - 1)


def _whole(runs: Iterable[bytes]) -> str:
    return hashlib.sha256(b"".join(runs)).hexdigest()


def _content_and_stored(run: Run) -> tuple[bytes, bytes]:
    return _content(run), _stored(run)


def _content(run: Run) -> bytes:
    return hashlib.sha256(_texts(layout().by_name(run.table)).of(run.rows)).digest()


def _stored(run: Run) -> bytes:
    rows = [tuple(row) for row in run.rows]
    return hashlib.sha256(f"{run.table}{rows!r}\n".encode()).digest()


@dataclass(frozen=True, slots=True)
class _Texts:
    """Writes each row of a table as `canonical_json([canonical row, columns of JSON null])` would.

    It does so column by column, so that what values have in common is found out once. `between` is
    what a row's text has before and after the texts of its values, which come in the order of the
    columns' names, and the names of columns of JSON null. `columns` are, in that order, each one's
    place in the stored row and what writes its values. `nullable` are the columns of JSON in the
    table's own order: place in the stored row, place in `columns`, name as text.
    """

    between: tuple[str, ...]
    columns: tuple[tuple[int, Callable[[Sequence[Any]], list[str]]], ...]
    nullable: tuple[tuple[int, int, str], ...]

    def of(self, rows: Sequence[Sequence[Any]]) -> bytes:
        """Return the text of stored rows."""
        stored = list(zip(*rows, strict=True))
        texts = [written(stored[place]) for place, written in self.columns]
        first, *others = map(repeat, self.between)
        values = chain.from_iterable(zip((*texts, self._nulls(stored, texts)), others, strict=True))
        # All pieces of all rows are joined at once: it takes half as long as row by row.
        pieces = chain.from_iterable(zip(first, *values, strict=False))
        return "".join(pieces).encode(errors="surrogatepass")

    def _nulls(
        self, stored: Sequence[Sequence[Any]], texts: Sequence[Sequence[str]]
    ) -> Iterable[str]:
        """Return, for each row, the names of the columns in which it has JSON null."""
        found = [
            [
                name if text == "null" and value is not None else ""
                for value, text in zip(stored[place], texts[number], strict=True)
            ]
            for place, number, name in self.nullable
            if "null" in texts[number]
        ]
        if not found:
            return repeat("")
        return [",".join(filter(None, names)) for names in zip(*found, strict=True)]


@cache
def _texts(table: TableLayout) -> _Texts:
    """Return what writes the rows of a table for their identity."""
    named = sorted(
        (str(field.column), place, form_of(field))
        for place, field in enumerate(table.fields)
        if (table.name, field.column) != OBSERVED
    )
    names = [f"{encode(name)}:" for name, _, _ in named]
    return _Texts(
        (f"{table.name}[{{{names[0]}", *(f",{name}" for name in names[1:]), "},[", "]]\n"),
        tuple((place, _column(form)) for _, place, form in named),
        tuple(
            (place, number, encode(name))
            for place, number, name, form in sorted(
                (place, number, name, form) for number, (name, place, form) in enumerate(named)
            )
            if form is parsed
        ),
    )


def _column(form: Callable[[Any], Any]) -> Callable[[Sequence[Any]], list[str]]:
    """Return what writes stored values of a form, a run of a column, as JSON."""
    write = _writer(form)

    def written(values: Sequence[Any]) -> list[str]:
        kinds = set(map(type, values))
        if NoneType not in kinds:
            return write(values, kinds)
        kinds.discard(NoneType)
        texts = iter(write([value for value in values if value is not None], kinds))
        return ["null" if value is None else next(texts) for value in values]

    return written


def _writer(form: Callable[[Any], Any]) -> Writer:
    """Return what writes stored values of a form; equal JSON is written once."""

    def text(stored: Any) -> str:
        return encode(form(stored))

    def write_moments(values: Sequence[Any], kinds: set[type]) -> list[str]:
        if kinds == {str} and (texts := _usual_moments(values)) is not None:
            return texts
        return [f'"{moment_text(value)}"' for value in values]

    # Values that are their own canonical form: what has those alone is written without ours.
    own: dict[type, Callable[[Any], str]] = {int: str, str: _quoted}

    def write_plain(values: Sequence[Any], kinds: set[type]) -> list[str]:
        writes = own.get(next(iter(kinds)), text) if len(kinds) == 1 else text
        return list(map(writes, values))

    if form is bool:
        return lambda values, _: ["true" if value else "false" for value in values]
    if form is moment_text:
        return write_moments
    if form is plain:
        return write_plain
    known = lru_cache(maxsize=KEPT, typed=True)(text) if form is parsed else text
    return lambda values, _: list(map(known, values))


def _usual_moments(values: Sequence[str]) -> list[str] | None:
    """Return what `moment_text` makes of times, as JSON; None if any is not as Django stores it.

    Hardly two rows have the same, so there is nothing to remember; all at once they take less.
    """
    lines = "".join(f"{value}\n" for value in values)
    if lines.count("\n") > len(values) or not USUAL_LINES.fullmatch(lines):
        return None
    deque(map(datetime.fromisoformat, values), maxlen=0)  # raises where one is no time
    return [
        f'"{text}Z"' if len(text) > 19 else f'"{text}.000000Z"'
        for text in lines.replace(" ", "T").splitlines()
    ]
