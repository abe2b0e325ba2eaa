"""Whatever is written, by whatever way: a rewind gives back what was, to the bit and the place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from random import Random
from typing import Any

import django.conf
import pytest
from django.db import IntegrityError
from hypothesis import HealthCheck, Phase, example, given, settings
from hypothesis import strategies as st

from clones.core.journal import RowChange, TableLayout, journal, layout
from clones.core.models import SandboxState
from clones.core.server import server
from clones.core.tenancy import SandboxRow, unit_of_work
from snapshots.interface import engine
from snapshots.library import Library
from snapshots.sandboxes import Sandboxes
from tests import tiers
from tests.conftest import PRESENT, bind
from tests.core.dialects import DIALECT, Row
from tests.core.journal_writes import (
    NAMES,
    WRITES,
    populate,
    raw,
    stored_columns_of,
    write,
    write_bare,
)
from tests.tiers import in_turn_on_postgres

Key = tuple[str, str]
Span = dict[Key, tuple[str, str]]
ABSENT = "absent"
# Each has two sequences. A check before a merge draws the same cases each time; a database server
# takes three times as long to say all that it has, so it has a third of them there.
CASES = 1000 if tiers.EVERYTHING else 40 if tiers.ON_POSTGRES else 120
SHRUNK = 150 if tiers.EVERYTHING else 30 if tiers.ON_POSTGRES else 90


@dataclass(frozen=True, slots=True)
class Content:
    """What a table has: `text` is every row with its place in scans, storage classes told apart."""

    text: str
    rows: list[Row] = field(compare=False)  # the place first
    words: str | bytes = field(compare=False)  # equal where all of the above is

    def by_key(self, table: TableLayout) -> dict[str, str]:
        """Return its rows without their places, by key."""
        return {repr(row[1 + table.key_index]): repr(row[1:]) for row in self.rows}


Dump = dict[str, Content]


@dataclass(frozen=True, slots=True)
class Batch:
    """What one transaction writes: (way, table, seed) each; `bare` goes past all of our code."""

    bare: bool
    writes: list[tuple[str, str, int]]


batches = st.lists(
    st.builds(
        Batch,
        bare=st.sampled_from([False] * 7 + [True]),
        writes=st.lists(
            st.tuples(
                st.sampled_from(list(WRITES)),
                st.sampled_from(NAMES),
                st.integers(0, 2**32 - 1),
            ),
            min_size=1,
            max_size=12,
        ),
    ),
    max_size=3,
)


@pytest.fixture(scope="module")
def populated(library: Library, sandboxes: Sandboxes) -> Iterator[SandboxRow]:
    """A sandbox of an image with rows in every table."""
    with library.workshop() as store:
        engine().new_store(store)
        with server().stores.bind(store), unit_of_work("write"):
            SandboxState.objects.create(id=1, now=PRESENT, seed="test")
            populate(Random(5), rows=5)
        server().stores.discard(store)
        engine().seal(store)
        manifest = library.add(store, world="random", size="tiny", seed=5, parent=None)
    row, how = sandboxes.create(manifest), django.conf.settings.DATABASES["default"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(how, "OPTIONS", {**how.get("OPTIONS", {}), **DIALECT.options})
        yield row
    sandboxes.delete(row.id)


def dump(like: Dump | None = None) -> Dump:
    """Return what each table has, by name; tables that are as in `like` are taken from there."""
    tables = layout().tables
    return {
        table.name: content(table, said, like[table.name] if like else None)
        for table, said in zip(tables, DIALECT.words(tables), strict=True)
    }


def content(table: TableLayout, words: str | bytes, like: Content | None) -> Content:
    if like is not None and like.words == words:
        return like
    rows = raw(_whole(table.name))
    return Content("\n".join(sorted(map(repr, rows))), rows, words)


@cache
def _whole(name: str) -> str:
    table = layout().by_name(name)
    return f'SELECT {DIALECT.place(table)}, {stored_columns_of(table)} FROM "{name}"'


@cache
def beginning(row: SandboxRow) -> Dump:
    """Return what a bound sandbox had before anything was written to it."""
    del row
    return dump()


def span(changes: list[RowChange]) -> Span:
    return {
        (change.table.name, repr(change.key)): (
            ABSENT if change.before is None else repr(change.before),
            ABSENT if change.after is None else repr(change.after),
        )
        for change in changes
    }


def between(before: Dump, after: Dump) -> Span:
    """Return what changed between two dumps."""
    found: Span = {}
    for table in layout().tables:
        if before[table.name] != after[table.name]:
            old, new = (whole[table.name].by_key(table) for whole in (before, after))
            for key in old.keys() | new.keys():
                found[table.name, key] = (old.get(key, ABSENT), new.get(key, ABSENT))
    return {key: change for key, change in found.items() if change[0] != change[1]}


def composed(first: Span, second: Span) -> Span:
    """Return the change that two changes, one after the other, come to."""
    whole = {
        key: (
            (first.get(key) or second[key])[0],
            (second.get(key) or first[key])[1],
        )
        for key in first.keys() | second.keys()
    }
    return {key: change for key, change in whole.items() if change[0] != change[1]}


def run(row: SandboxRow, planned: list[Batch], *, checked: bool) -> None:
    """Write each batch in a transaction of its own; one that breaks a foreign key is refused.

    Unless `checked`, bare connections may break them. (A mark over rows that break them cannot be
    gone back to, since a rewind's own commit is checked.)
    """
    for batch in planned:
        if batch.bare:
            with DIALECT.stranger(row.store, checked=checked) as bare:
                for _, name, seed in batch.writes:
                    write_bare(bare, layout().by_name(name), Random(seed), checked=checked)
            continue
        try:
            with unit_of_work("write"):
                for way, name, seed in batch.writes:
                    write(way, layout().by_name(name), Random(seed))
        except IntegrityError:
            continue


def rewind(position: int) -> None:
    with unit_of_work("write"):
        report = journal().rewind(position)
    assert report.mismatches == ()


def check_sequence(row: SandboxRow, first: list[Batch], second: list[Batch]) -> None:
    base = server().registry.mark(row.id, "base") or 0
    with bind(row):
        start = beginning(row)
        rewind(base)  # whatever an earlier sequence that failed has left
        run(row, first, checked=True)
        middle, marked = dump(start), journal().position()
        # REPLACE and rotated keys, by raw SQL in one transaction, can lead SQLite's count of broken
        # foreign keys astray: it commits them, and the commit of a rewind back to them may not.
        sound = not DIALECT.broken_foreign_keys()
        upto = span(journal().changes(base))
        assert upto == between(start, middle)
        run(row, second, checked=False)
        end = dump(middle)
        whole, after = span(journal().changes(base)), span(journal().changes(marked))
        assert whole == between(start, end)
        assert after == between(middle, end)
        assert span(journal().changes(base, marked)) == upto
        assert composed(upto, after) == whole
        if sound:
            rewind(marked)
            assert dump(middle) == middle
            assert span(journal().changes(base)) == upto
        run(row, second[:1], checked=False)
        rewind(base)
        assert dump(start) == start
        assert journal().changes(base) == []
        assert list(journal().rows(base)) == []


common: dict[str, Any] = {
    "deadline": None,
    "suppress_health_check": list(HealthCheck),
}


LED_ASTRAY = [
    Batch(
        bare=False,
        writes=[
            ("replace_by_update", "helpdesk_customstatus", 876),
            ("rotate_keys", "helpdesk_ticket", 17),
        ],
    )
]


@settings(max_examples=SHRUNK, **common)
@example(first=LED_ASTRAY, second=[])
@given(first=batches, second=batches)
def test_a_rewind_undoes_any_sequence_of_writes(
    populated: SandboxRow, first: list[Batch], second: list[Batch]
) -> None:
    check_sequence(populated, first, second)


@in_turn_on_postgres
@pytest.mark.slow
@pytest.mark.timeout(1800)
@settings(max_examples=CASES, phases=[Phase.explicit, Phase.reuse, Phase.generate], **common)
@given(first=batches, second=batches)
def test_a_rewind_undoes_many_sequences(
    populated: SandboxRow, first: list[Batch], second: list[Batch]
) -> None:
    """Two sequences in each case. (What fails is not made smaller: the test above does that.)"""
    check_sequence(populated, first, second)
