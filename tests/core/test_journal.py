"""The journal records every change and undoes it exactly, whoever made it."""

from __future__ import annotations

import sqlite3
from datetime import UTC, datetime

import pytest

from clones.core.journal import act, journal, layout, store_digest
from clones.core.models import Blob, Job, Message
from clones.core.server import server
from clones.core.tenancy import NoSandbox, SandboxRow, unit_of_work
from snapshots.sandboxes import Sandboxes
from tests.conftest import bind

NOON = datetime(2026, 6, 16, 12, 0, tzinfo=UTC)


def digest_of(row: SandboxRow) -> str:
    with bind(row), unit_of_work("read"):
        return store_digest()


def test_every_table_has_its_triggers(empty_sandbox: SandboxRow) -> None:
    with bind(empty_sandbox):
        assert journal().missing_triggers() == []


def test_a_query_outside_a_sandbox_is_refused() -> None:
    with pytest.raises(NoSandbox):
        Blob.objects.count()


def test_bare_sqlite_writes_are_journaled_and_undone(
    empty_sandbox: SandboxRow, sandboxes: Sandboxes
) -> None:
    before = digest_of(empty_sandbox)
    raw = sqlite3.connect(empty_sandbox.store, isolation_level=None)
    raw.execute("INSERT INTO core_blob VALUES ('aa', x'00ff')")
    raw.execute("INSERT INTO core_blob VALUES ('bb', x'01')")
    raw.execute("UPDATE core_blob SET data = x'02' WHERE sha256 = 'bb'")
    raw.execute("UPDATE core_blob SET sha256 = 'cc' WHERE sha256 = 'bb'")
    raw.execute("DELETE FROM core_blob WHERE sha256 = 'aa'")
    raw.close()
    assert [change["key"] for change in sandboxes.diff(empty_sandbox.id)] == ["cc"]
    sandboxes.reset(empty_sandbox.id)
    assert digest_of(empty_sandbox) == before
    assert sandboxes.diff(empty_sandbox.id) == []


def test_acts_say_who_wrote(empty_sandbox: SandboxRow) -> None:
    with bind(empty_sandbox), unit_of_work("write"):
        with act(actor="helpdesk.account:7", label="PUT /x", request="r-1") as outer:
            Blob.objects.create(sha256="a", data=b"1")
            with act(actor="trigger", label="rule 3"):
                Blob.objects.create(sha256="b", data=b"2")
            Blob.objects.create(sha256="c", data=b"3")
        rows = [row for row in journal().rows(0) if row.table.name == "core_blob"]
        acts = journal().acts()
        assert [acts[row.act or 0].label for row in rows] == ["PUT /x", "rule 3", "PUT /x"]
        assert acts[rows[1].act or 0].cause == outer.id
        assert acts[rows[1].act or 0].request == "r-1"


def test_rewind_restores_clock_counters_and_rows(
    empty_sandbox: SandboxRow, sandboxes: Sandboxes
) -> None:
    before = digest_of(empty_sandbox)
    with bind(empty_sandbox), unit_of_work("write"), act(actor="system", label="x"):
        Message.objects.create(
            id=1, direction="out", clone="helpdesk", sent_at=NOON, sender="a@b.example",
            recipients=["c@d.example"],
        )
        Job.objects.create(id=9, kind="k", due=NOON)
    assert digest_of(empty_sandbox) != before
    report = sandboxes.reset(empty_sandbox.id)
    assert report.mismatches == () and report.changes > 0
    assert digest_of(empty_sandbox) == before
    assert server().registry.get(empty_sandbox.id).generation == 2
    assert sandboxes.verify(empty_sandbox.id).intact


def test_layout_numbers_are_dense() -> None:
    assert [table.number for table in layout().tables] == list(range(1, len(layout().tables) + 1))
