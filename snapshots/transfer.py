"""A snapshot as one file that can be shared: rows only, for a schema made from our own models.

The file is gzip'd JSON lines:

    {"format": 1, "manifest": {...}, "tables": {name: row count, ...}, "acts": count}
    {"table": name, "columns": [name, ...]}        once per table that has rows, followed by
    [value, ...]                                   its rows, in key order
    {"acts": [[id, at, step, request, actor, cause, label], ...]}    who did what led to the rows
    {"end": sha256 of all lines before this one}

Numbers, text and null stand for themselves; {"f": hexadecimal} is a float, {"b": base64} bytes, and
where the engine has such {"l": true or false} a truth, {"t": ISO 8601} a time, {"y": ISO 8601} a
day, {"d": text} a decimal: so what comes back has the same bits. Nothing in the file is executed or
names a place to write to.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any, BinaryIO

from django.db import DatabaseError

from clones.core.journal import (
    TableLayout,
    content_digest,
    journal,
    layout,
    schema_version,
)
from clones.core.models import SandboxState
from clones.core.server import server
from clones.core.tenancy import unit_of_work
from snapshots.errors import CorruptSnapshot, SchemaMismatch
from snapshots.files import out_of_space, temporary
from snapshots.interface import engine
from snapshots.library import Library
from snapshots.manifest import Manifest, manifest_of

FORMAT = 1
ROWS_AT_MOST = 4 * 1024**3  # bytes of all lines
LINE_AT_MOST = 256 * 1024**2
BATCH = 500
WRONG_BYTES = (
    gzip.BadGzipFile,
    zlib.error,
    EOFError,
    ArithmeticError,
    AttributeError,
    LookupError,
    TypeError,
    ValueError,
)


def export_snapshot(library: Library, key: str, target: Path) -> Manifest:
    """Write a snapshot to `target`, replacing what is there, and return its manifest.

    Raises:
        UnknownSnapshot, SchemaMismatch, CorruptSnapshot: the snapshot is not to be had.
        NoSpace: the disk is full; nothing is left behind.
    """
    manifest = library.get(key)
    making = temporary(target)
    with library.workshop() as copy:
        engine().copy_sealed(library.store(manifest), copy)
        try:
            with out_of_space(target), server().stores.bind(copy), unit_of_work("read"):
                # No name and no time in the header: equal snapshots make equal files.
                with making.open("wb") as file, gzip.GzipFile("", "wb", 6, file, mtime=0) as out:
                    _write(out, manifest)
                making.replace(target)
        except BaseException:
            making.unlink(missing_ok=True)
            raise
    return manifest


def import_snapshot(
    library: Library, source: Path, name: str, *, at_most: int = ROWS_AT_MOST
) -> Manifest:
    """Take in a file that `export_snapshot` wrote, under a name, and return its manifest.

    Raises:
        NameTaken: the name is in use.
        SchemaMismatch: another schema or engine made it.
        CorruptSnapshot: it is cut off, changed, larger than `at_most` bytes, or no such file.
        NoSpace: the disk is full.
    In each case nothing is left behind.
    """
    library.require_free(name)
    with library.workshop() as store:
        with source.open("rb") as file:
            lines = _Lines(file, at_most)
            with _blaming(source):
                manifest, counts, acts = _read_header(lines)
            engine().new_store(store)
            with _blaming(source), out_of_space(store), server().stores.bind(store):
                _fill(lines, manifest, counts, acts)
        server().stores.discard(store)
        engine().seal(store)
        return library.add(
            store,
            world=manifest.world,
            size=manifest.size,
            seed=manifest.seed,
            parent=manifest.parent,
            name=name,
        )


# Writing


def _write(out: gzip.GzipFile, manifest: Manifest) -> None:
    digest = hashlib.sha256()

    def line(value: Any) -> None:
        text = json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"
        digest.update(text)
        out.write(text)

    counts = {table.name: count for table in layout().tables if (count := _count(table))}
    acts = journal().export_acts()
    line({"format": FORMAT, "manifest": asdict(manifest), "tables": counts, "acts": len(acts)})
    at_hand = None
    for name, row in journal().dump():
        if name != at_hand:
            at_hand = name
            line({"table": name, "columns": list(layout().by_name(name).columns)})
        line([_encode(value) for value in row])
    line({"acts": acts})
    out.write(json.dumps({"end": digest.hexdigest()}).encode() + b"\n")


def _count(table: TableLayout) -> int:
    return table.fields[0].model._base_manager.count()


def _encode(value: Any) -> Any:
    if isinstance(value, bool):
        return {"l": value}
    if isinstance(value, float):
        return {"f": value.hex()}
    if isinstance(value, bytes | memoryview):
        return {"b": base64.b64encode(value).decode()}
    if isinstance(value, datetime):
        return {"t": value.astimezone(UTC).isoformat()}
    if isinstance(value, date):
        return {"y": value.isoformat()}
    if isinstance(value, Decimal):
        return {"d": str(value)}
    return value


# Reading


class _Lines:
    """The lines of a file, hashed as they are read; it may not unpack to more than `at_most`."""

    def __init__(self, file: BinaryIO, at_most: int) -> None:
        self._file = gzip.GzipFile(fileobj=file, mode="rb")
        self._left = at_most
        self._digest = hashlib.sha256()

    def read(self, kind: type) -> Any:
        """Return the next line's value, which must be of a kind."""
        before = self._digest.copy()
        limit = min(self._left, LINE_AT_MOST) + 1
        text = self._file.readline(limit)
        self._left -= len(text)
        if len(text) == limit:
            raise CorruptSnapshot("it is larger than is allowed")
        if not text.endswith(b"\n"):
            raise CorruptSnapshot("it is cut off")
        self._digest.update(text)
        value = json.loads(text, object_pairs_hook=_without_twins, parse_constant=_no_constant)
        if not isinstance(value, kind):
            raise CorruptSnapshot(f"a line is no {kind.__name__}: {text[:60]!r}")
        if isinstance(value, dict) and "end" in value and value != {"end": before.hexdigest()}:
            raise CorruptSnapshot("its hash is wrong: it has been changed")
        return value

    def finish(self) -> None:
        """Read the last line, which has the hash, and make sure that it is the last."""
        if list(self.read(dict)) != ["end"]:
            raise CorruptSnapshot("it has no hash at its end")
        if self._file.read(1):
            raise CorruptSnapshot("something follows its end")


def _read_header(lines: _Lines) -> tuple[Manifest, dict[str, int], int]:
    header = lines.read(dict)
    if header.get("format") != FORMAT:
        raise CorruptSnapshot(f"it has format {header.get('format')}, this build reads {FORMAT}")
    manifest = manifest_of(header["manifest"])
    if manifest.schema != schema_version():
        raise SchemaMismatch(
            f"it was made by schema {manifest.schema}, this build has {schema_version()}:"
            " use the build that made it"
        )
    if manifest.engine != engine().name:
        raise SchemaMismatch(f"it was made by engine {manifest.engine}, this is {engine().name}")
    counts, acts = header["tables"], header["acts"]
    known = {table.name for table in layout().tables}
    for name, count in counts.items():
        if name not in known or type(count) is not int or count < 1:
            raise CorruptSnapshot(f"it cannot have {count!r} rows in a table {name}")
    return manifest, counts, acts


def _fill(lines: _Lines, manifest: Manifest, counts: dict[str, int], acts: int) -> None:
    """Put what follows the header into the bound store, if it is what the manifest names."""
    with unit_of_work("write"):
        _read_tables(lines, counts)
        _read_acts(lines, acts)
        lines.finish()
        # Positions of the journal it came from mean nothing here.
        SandboxState.objects.update(observed=0)
        if content_digest() != manifest.digest:
            raise CorruptSnapshot("its rows are not those that its manifest names")


def _read_tables(lines: _Lines, counts: dict[str, int]) -> None:
    """Read the rows of each table that the header names, in its order."""
    for name, count in counts.items():
        table = layout().by_name(name)
        expected = {"table": name, "columns": list(table.columns)}
        if lines.read(dict) != expected:
            raise CorruptSnapshot(f"{name} is not where it should be, or has other columns")
        rows = []
        for _ in range(count):
            row = lines.read(list)
            if len(row) != len(table.columns):
                raise CorruptSnapshot(f"a row of {name} has {len(row)} values")
            rows.append([_decode(value) for value in row])
            if len(rows) == BATCH:
                journal().load(table, rows)
                rows = []
        journal().load(table, rows)


def _read_acts(lines: _Lines, count: int) -> None:
    acts = lines.read(dict).get("acts")
    if not isinstance(acts, list) or len(acts) != count:
        raise CorruptSnapshot("its acts are not where they should be")
    for id_, at, step, request, actor, cause, label in acts:
        datetime.fromisoformat(at)
        numbers, texts = (id_, step, cause or 0), (at, request or "", actor, label)
        if not all(type(number) is int for number in numbers) or not all(
            type(text) is str for text in texts
        ):
            raise CorruptSnapshot("one of its acts is none")
    journal().import_acts(acts)


def _decode(value: Any) -> Any:
    if type(value) in {int, str, type(None)}:
        return value
    if isinstance(value, dict) and len(value) == 1:
        if isinstance(value.get("f"), str):
            return float.fromhex(value["f"])
        if isinstance(value.get("b"), str):
            return base64.b64decode(value["b"], validate=True)
        if isinstance(value.get("l"), bool):
            return value["l"]
        if isinstance(value.get("t"), str):
            return datetime.fromisoformat(value["t"])
        if isinstance(value.get("y"), str):
            return date.fromisoformat(value["y"])
        if isinstance(value.get("d"), str):
            return Decimal(value["d"])
    raise CorruptSnapshot(f"{str(value)[:60]!r} is no stored value")


def _without_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise CorruptSnapshot(f"a name stands twice in {list(found)[:5]}")
    return found


def _no_constant(name: str) -> Any:
    raise CorruptSnapshot(f"{name} is no stored value")


@contextmanager
def _blaming(source: Path) -> Iterator[None]:
    """Say of which file an error speaks, and turn what wrong bytes cause into `CorruptSnapshot`."""
    try:
        yield
    except (CorruptSnapshot, SchemaMismatch) as error:
        raise type(error)(f"{source} cannot be imported: {error}") from error
    except (gzip.BadGzipFile, UnicodeDecodeError, json.JSONDecodeError) as error:
        raise CorruptSnapshot(
            f"{source} cannot be imported: it is no file that `sandlot snapshot export` wrote"
        ) from error
    except (*WRONG_BYTES, DatabaseError) as error:
        raise CorruptSnapshot(f"{source} cannot be imported: {error!r}") from error
    except RecursionError as error:
        raise CorruptSnapshot(f"{source} cannot be imported: it nests too deeply") from error
