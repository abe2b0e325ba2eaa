"""What only the journal on PostgreSQL has to do: forms of text, TRUNCATE, roles, locks."""

from __future__ import annotations

import math
from datetime import timedelta

import psycopg
import pytest
from django.db import InternalError, OperationalError, connection, transaction

from clones.core.journal import RowChange, act, journal, store_digest
from clones.core.models import Blob, Job, SandboxState
from clones.core.server import server
from clones.core.tenancy import SandboxRow, unit_of_work
from clones.core.tenancy.postgres.base import WRITE_LOCK
from snapshots.sandboxes import Sandboxes
from tests.conftest import bind
from tests.core.dialects import DIALECT
from tests.core.ground import NOON, account, digest_of
from tests.core.journal_writes import raw


def test_truncate_is_refused(writing: SandboxRow) -> None:
    account()
    with pytest.raises(psycopg.errors.RaiseException, match="the journal"), transaction.atomic():
        raw("TRUNCATE core_account CASCADE")
    assert journal().changes(0)[0].after is not None


@pytest.mark.parametrize(
    "form",
    ["datestyle TO 'SQL, DMY'", "intervalstyle TO 'iso_8601'", "extra_float_digits TO -3"],
)
def test_strangers_who_write_in_other_forms_are_refused(
    empty_sandbox: SandboxRow, sandboxes: Sandboxes, form: str
) -> None:
    """An image written so could not be read back; what needs no image is journaled."""
    before = digest_of(empty_sandbox)
    with DIALECT.stranger(empty_sandbox.store) as bare:
        bare.run(f"SET {form}")
        bare.run("INSERT INTO core_blob VALUES ('aa', ?)", b"x")
        for statement in ("UPDATE core_state SET speed = 0.3", "DELETE FROM core_state"):
            with pytest.raises(psycopg.errors.RaiseException, match="cannot be journaled"):
                bare.run(statement)
    assert [change["key"] for change in sandboxes.diff(empty_sandbox.id)] == ["aa"]
    sandboxes.reset(empty_sandbox.id)
    assert digest_of(empty_sandbox) == before


@pytest.mark.parametrize("speed", [-0.0, 0.1 + 0.2, 5e-324, 1e308, math.inf, -math.inf, math.nan])
def test_floats_come_back_to_the_bit(writing: SandboxRow, speed: float) -> None:
    SandboxState.objects.update(speed=speed)
    start, before = journal().position(), store_digest()
    SandboxState.objects.update(speed=1.0, now=NOON + timedelta(microseconds=1))
    assert store_digest() != before
    assert journal().rewind(start).mismatches == ()
    assert store_digest() == before


def test_readers_cannot_write(empty_sandbox: SandboxRow) -> None:
    with (
        bind(empty_sandbox),
        pytest.raises(InternalError, match="read-only transaction"),
        unit_of_work("read"),
    ):
        Blob.objects.create(sha256="a", data=b"")
    with bind(empty_sandbox), unit_of_work("write"):
        Blob.objects.create(sha256="a", data=b"")


def test_readers_see_one_moment(empty_sandbox: SandboxRow) -> None:
    with bind(empty_sandbox), DIALECT.stranger(empty_sandbox.store) as bare, unit_of_work("read"):
        assert Blob.objects.count() == 0
        bare.run("INSERT INTO core_blob VALUES ('aa', ?)", b"x")
        assert Blob.objects.count() == 0
        assert journal().position() == 0 or not list(journal().rows(0))


def test_a_write_transaction_holds_the_lock_from_its_beginning(empty_sandbox: SandboxRow) -> None:
    """Also the first of a connection: else two could both think that theirs is the generation."""
    server().stores.discard(empty_sandbox.store)
    with DIALECT.stranger(empty_sandbox.store) as other:
        for _ in range(2):
            with bind(empty_sandbox):
                with unit_of_work("write"):
                    assert other.run("SELECT pg_try_advisory_lock(?)", WRITE_LOCK) == [(False,)]
                with unit_of_work("read"):
                    assert other.run("SELECT pg_try_advisory_lock(?)", WRITE_LOCK) == [(True,)]
                    other.run("SELECT pg_advisory_unlock(?)", WRITE_LOCK)


def test_a_trigger_that_is_switched_off_is_missing(writing: SandboxRow) -> None:
    raw(f"ALTER TABLE core_blob DISABLE TRIGGER j{_change().table.number}")
    assert journal().missing_triggers() == ["core_blob"]


def _change() -> RowChange:
    Blob.objects.create(sha256="a", data=b"")
    return journal().changes(0)[0]


def test_nothing_here_needs_a_superuser(writing: SandboxRow) -> None:
    """The whole suite runs as a role that may make databases: rewinds check foreign keys too."""
    (rights,) = raw("SELECT rolsuper, rolreplication, rolbypassrls FROM pg_roles"
                    " WHERE rolname = current_user")  # fmt: skip
    assert rights == (False, False, False)
    start, before = journal().position(), store_digest()
    with act(actor="a", label="x"):
        account()
        Job.objects.create(id=9, kind="k", due=NOON)
    assert journal().rewind(start).mismatches == ()
    assert store_digest() == before


def test_a_connection_that_the_server_ended_is_opened_anew(empty_sandbox: SandboxRow) -> None:
    with bind(empty_sandbox), unit_of_work("read"):
        ((ended,),) = raw("SELECT pg_backend_pid()")
    with DIALECT.stranger(empty_sandbox.store) as bare:
        assert bare.run("SELECT pg_terminate_backend(?)", ended) == [(True,)]
        while bare.run("SELECT 1 FROM pg_stat_activity WHERE pid = ?", ended):
            pass
    with bind(empty_sandbox), unit_of_work("write"):
        assert raw("SELECT pg_backend_pid()") != [(ended,)]
        account()


def test_a_store_that_is_gone_is_no_empty_one(
    empty_sandbox: SandboxRow, sandboxes: Sandboxes
) -> None:
    twin = sandboxes.fork(empty_sandbox.id)
    server().stores.discard(twin.store)
    text = twin.store.read_text()
    twin.store.write_text('{"database": "postgres"}')
    with bind(twin), pytest.raises(OperationalError, match="no database of ours"):
        connection.ensure_connection()
    twin.store.write_text(text)
    sandboxes.delete(twin.id)
    with bind(twin), pytest.raises(OperationalError, match="names no database"):
        connection.ensure_connection()
