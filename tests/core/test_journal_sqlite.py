"""What only the journal on SQLite has to do: REPLACE, places of rows, values of any kind."""

from __future__ import annotations

import sqlite3

import pytest
from django.db import connection

from clones.core.journal import act, journal, store_digest
from clones.core.models import Blob, RandomStream
from clones.core.server import server
from clones.core.tenancy import SandboxRow, unit_of_work
from snapshots.errors import RewindFailed
from snapshots.sandboxes import Sandboxes
from tests.conftest import bind
from tests.core.ground import account, digest_of
from tests.core.journal_writes import raw

# A session of an account that is not there.
ORPHAN = (
    "INSERT INTO core_session (id, account_id, created_at, authenticated_at, ended_at)"
    " VALUES (1, 99, 'x', 'x', NULL)"
)


def test_a_write_transaction_holds_the_lock_from_its_beginning(empty_sandbox: SandboxRow) -> None:
    """Also the first of a connection: else two could both think that theirs is the generation."""
    server().stores.discard(empty_sandbox.store)
    other = sqlite3.connect(empty_sandbox.store, isolation_level=None, timeout=0)
    for _ in range(2):
        with bind(empty_sandbox):
            with unit_of_work("write"), pytest.raises(sqlite3.OperationalError, match="locked"):
                other.execute("BEGIN IMMEDIATE")
            with unit_of_work("read"):
                other.execute("BEGIN IMMEDIATE")
                other.execute("ROLLBACK")
    other.close()


def test_replaced_rows_are_journaled(writing: SandboxRow) -> None:
    account()
    account(id=2, subject="2", login="b")
    start = journal().position()
    before = store_digest()
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT OR REPLACE INTO core_account"
            " (id, clone, subject, login, role, listed, active) VALUES"
            " (3, 'helpdesk', '1', 'b', 'agent', 0, 1)"
        )
    assert [(change.key, change.operation) for change in journal().changes(start)] == [
        (1, "delete"),
        (2, "delete"),
        (3, "insert"),
    ]
    assert journal().rewind(start).mismatches == ()
    assert store_digest() == before


def test_rows_keep_their_place_in_scans(writing: SandboxRow) -> None:
    """A query that forgot to order gives the same after a rewind as before it."""
    for name in "abcde":
        Blob.objects.create(sha256=name, data=b"")
    start = journal().position()
    Blob.objects.filter(sha256__in="bd").delete()
    Blob.objects.create(sha256="b", data=b"again")
    Blob.objects.create(sha256="f", data=b"")
    journal().rewind(start)
    assert [row.sha256 for row in Blob.objects.all()] == list("abcde")
    Blob.objects.create(sha256="A", data=b"")
    assert [row.sha256 for row in Blob.objects.all()] == [*"abcde", "A"]


def test_text_with_nul_is_kept_whole(writing: SandboxRow) -> None:
    """Interfaces refuse NUL (one engine cannot store it); a bare write of one is still undone."""
    stream = RandomStream.objects.create(name="a\0b", drawn=1)
    start = journal().position()
    RandomStream.objects.update(drawn=2)
    stream.delete()
    assert journal().rewind(start).mismatches == ()
    assert RandomStream.objects.get().name == "a\0b"


def test_equal_values_of_other_bits_come_back(writing: SandboxRow) -> None:
    """SQLite finds them equal; a column of bytes keeps them as they were given."""
    for number, pair in enumerate([(0.0, -0.0), (1, 1.0), (-0.0, 0), ("1", b"1")]):
        raw("DELETE FROM core_blob")
        raw("INSERT INTO core_blob VALUES ('a', ?)", pair[0])
        start, before = journal().position(), store_digest()
        raw("UPDATE core_blob SET data = ?", pair[1])
        assert store_digest() != before, number
        assert len(journal().changes(start)) == 1
        assert journal().rewind(start).mismatches == ()
        assert store_digest() == before, number


def test_rows_are_journaled_without_a_context(writing: SandboxRow) -> None:
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM core_context")
        cursor.execute("INSERT INTO core_blob VALUES ('aa', x'00ff')")
    (row,) = journal().rows(0)
    assert (row.key, row.act) == ("aa", None)
    with act(actor="a", label="heals") as healed:
        Blob.objects.create(sha256="b", data=b"")
    assert next(row for row in journal().rows(0) if row.key == "b").act == healed.id


def test_columns_that_lie_in_another_order_are_journaled_by_name(writing: SandboxRow) -> None:
    """What migrations add lies behind columns that models have after it."""
    journal().uninstall()
    raw("DROP TABLE core_blob")
    raw("CREATE TABLE core_blob (data BLOB NOT NULL, sha256 varchar(64) NOT NULL PRIMARY KEY)")
    journal().install()
    Blob.objects.create(sha256="a", data=b"one")
    start, before = journal().position(), store_digest()
    Blob.objects.update(data=b"two")
    Blob.objects.filter(sha256="a").delete()
    assert [row.before for row in journal().rows(start)] == [("a", b"one"), ("a", b"two")]
    assert journal().rewind(start).mismatches == ()
    assert store_digest() == before


def test_a_row_that_an_update_replaces_comes_back(writing: SandboxRow) -> None:
    """The new key is noted after the row that it replaces, whose first image is then that row."""
    for key, data in (("a", b"one"), ("b", b"two")):
        Blob.objects.create(sha256=key, data=data)
    start, before = journal().position(), store_digest()
    raw("UPDATE OR REPLACE core_blob SET sha256 = 'b' WHERE sha256 = 'a'")
    told = [(row.key, row.operation) for row in journal().rows(start)]
    assert told == [("a", "update"), ("b", "delete"), ("b", "insert")]
    assert journal().rewind(start).mismatches == ()
    assert store_digest() == before


def test_an_update_that_conflicts_and_is_ignored_changes_nothing(writing: SandboxRow) -> None:
    """The row is copied before it is known that it stays."""
    for key in "ab":
        Blob.objects.create(sha256=key, data=b"")
    start, before = journal().position(), store_digest()
    raw("UPDATE OR IGNORE core_blob SET sha256 = 'b' WHERE sha256 = 'a'")
    assert journal().changes(start) == []
    assert journal().rewind(start).mismatches == ()
    assert store_digest() == before


def test_rows_are_of_the_act_at_hand_when_they_were_written(writing: SandboxRow) -> None:
    """What acts say lies beside the rows: it ends with them, and goes back with them."""
    start = journal().position()
    with act(actor="a", label="outer") as outer:
        Blob.objects.create(sha256="a", data=b"")
        with act(actor="a", label="inner") as inner:
            Blob.objects.create(sha256="b", data=b"")
        Blob.objects.create(sha256="c", data=b"")
    raw("INSERT INTO core_blob VALUES ('d', x'00')")
    told = {row.key: row.act for row in journal().rows(start) if row.table.name == "core_blob"}
    assert told == {"a": outer.id, "b": inner.id, "c": outer.id, "d": None}
    journal().rewind(start)
    raw("INSERT INTO core_blob VALUES ('e', x'00')")
    (row,) = journal().rows(start)
    assert (row.key, row.act) == ("e", None)
    journal().forget()
    assert raw("SELECT count(*) FROM core_context") == [(1,)]


def test_rows_that_break_foreign_keys_are_undone(
    empty_sandbox: SandboxRow, sandboxes: Sandboxes
) -> None:
    before = digest_of(empty_sandbox)
    write_bare(empty_sandbox, ORPHAN)
    assert sandboxes.reset(empty_sandbox.id).mismatches == ()
    assert digest_of(empty_sandbox) == before


def test_a_mark_over_broken_foreign_keys_cannot_be_gone_back_to(
    empty_sandbox: SandboxRow, sandboxes: Sandboxes
) -> None:
    """A rewind is checked at its end; a sandbox that fails it is replaced."""
    before = digest_of(empty_sandbox)
    write_bare(empty_sandbox, ORPHAN)
    sandboxes.mark(empty_sandbox.id, "broken")
    write_bare(empty_sandbox, "DELETE FROM core_session")
    with pytest.raises(RewindFailed, match="fresh store"):
        sandboxes.rewind(empty_sandbox.id, "broken")
    fresh = sandboxes.get(empty_sandbox.id)
    assert digest_of(fresh) == before
    assert (fresh.state, fresh.resetting) == ("live", False)
    assert sandboxes.reset(fresh.id).changes == 0


def write_bare(row: SandboxRow, statement: str) -> None:
    """Write as a stranger who does not check foreign keys."""
    raw = sqlite3.connect(row.store, isolation_level=None)
    raw.execute(statement)
    raw.close()
