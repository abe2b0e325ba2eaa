"""The line to a store's server: what waits, in which order it goes, and what becomes of errors."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
from django.db import (
    DataError,
    IntegrityError,
    InternalError,
    OperationalError,
    connection,
    connections,
    transaction,
)
from psycopg.pq import PipelineStatus, TransactionStatus

from clones.core.journal import act
from clones.core.tenancy import SandboxRow, current, unit_of_work
from clones.core.tenancy.errors import RowGone
from clones.core.tenancy.postgres import pipeline as subject
from clones.core.tenancy.postgres.pipeline import PipelinedConnection
from snapshots.postgres_databases import administering
from tests.conftest import bind

INSERT = "INSERT INTO core_blob (sha256, data) VALUES (%s, %s)"


@pytest.fixture(autouse=True)
def _bound(empty_sandbox: SandboxRow) -> Iterator[None]:
    with bind(empty_sandbox):
        connection.ensure_connection()
        yield


def the_pipeline() -> PipelinedConnection:
    wrapper: Any = connections["default"]
    found: PipelinedConnection = wrapper.pipeline
    return found


def is_waiting() -> bool:
    status = the_pipeline().connection.pgconn.pipeline_status
    return bool(status != PipelineStatus.OFF)


def fetch(statement: str, *params: Any) -> list[Any]:
    with connection.cursor() as cursor:
        cursor.execute(statement, params)
        return list(cursor.fetchall()) if cursor.description else []


def enqueue(statement: str, *params: Any, rows: int | None = None) -> None:
    current().wrapper.enqueue(statement, params, rows)


def keep(statement: str, *params: Any) -> None:
    """Use a statement until the server keeps its plan: only then it may wait."""
    for _ in range(subject.THRESHOLD):
        fetch(statement, *params)


def test_writes_wait_for_the_next_statement_and_keep_their_order() -> None:
    with unit_of_work("write"):
        keep("UPDATE core_blob SET data = %s WHERE sha256 = %s", b"", "none")
        keep(INSERT, "first", b"")
        enqueue(INSERT, "a", b"1")
        enqueue("UPDATE core_blob SET data = %s WHERE sha256 = %s", b"2", "a", rows=1)
        assert is_waiting()
        assert fetch("SELECT data FROM core_blob WHERE sha256 = %s", "a") == [(b"2",)]
        assert not is_waiting()
        enqueue("UPDATE core_blob SET data = %s WHERE sha256 = %s", b"3", "a")
        assert is_waiting()
    assert not is_waiting()
    assert fetch("SELECT data FROM core_blob WHERE sha256 = 'a'") == [(b"3",)]


def test_many_that_wait_go_by_themselves() -> None:
    with unit_of_work("write"):
        keep(INSERT, "first", b"")
        for number in range(subject.OWED):
            enqueue(INSERT, str(number), b"")
        assert not is_waiting()
        assert fetch("SELECT count(*) FROM core_blob") == [(subject.OWED + 1,)]


def refused_later() -> None:
    with unit_of_work("write"):
        keep(INSERT, "first", b"")
        enqueue(INSERT, "a", b"")
        enqueue(INSERT, "a", b"")
        enqueue(INSERT, "b", b"")


def test_what_was_wrong_is_raised_by_the_end_of_the_transaction() -> None:
    with pytest.raises(IntegrityError):
        refused_later()
    assert fetch("SELECT count(*) FROM core_blob") == [(0,)]
    assert not is_waiting()


def test_what_was_wrong_is_raised_by_the_next_statement_and_nothing_after_it_is_done() -> None:
    with unit_of_work("write"):
        keep(INSERT, "first", b"")
        enqueue(INSERT, "a", b"")
        enqueue(INSERT, "a", b"")
        with pytest.raises(IntegrityError):
            fetch("SELECT count(*) FROM core_blob")
        transaction.set_rollback(True)
    assert fetch("SELECT count(*) FROM core_blob") == [(0,)]


def test_rows_that_are_not_there_are_missed() -> None:
    statement = "UPDATE core_blob SET data = %s WHERE sha256 = %s"
    with unit_of_work("write"):
        with pytest.raises(RowGone):
            enqueue(statement, b"", "none", rows=1)  # not kept yet, so it is run at once
        enqueue(statement, b"", "none", rows=1)
        with pytest.raises(RowGone):
            fetch("SELECT 1")
    assert the_pipeline().connection.info.transaction_status == TransactionStatus.IDLE


def test_a_block_that_fails_is_undone_with_what_waited() -> None:
    with unit_of_work("write"):
        keep(INSERT, "first", b"")
        enqueue(INSERT, "a", b"")
        enqueue(INSERT, "a", b"")
        transaction.set_rollback(True)
    assert fetch("SELECT count(*) FROM core_blob") == [(0,)]
    assert not is_waiting()


def fail_in_an_act(key: str) -> None:
    with transaction.atomic(), act(actor="tester", label="outer"), act(actor="x", label="inner"):
        fetch(INSERT, key, b"")
        fetch("SELECT 1 / %s", 0)


def test_an_act_that_ends_by_an_error_hinders_no_savepoint() -> None:
    with unit_of_work("write"):
        for turn in range(3):  # what an act tells waits once the server keeps its plan
            with pytest.raises(DataError):
                fail_in_an_act(f"lost {turn}")
            fetch(INSERT, f"kept {turn}", b"")
    found = fetch("SELECT sha256 FROM core_blob ORDER BY sha256")
    assert found == [("kept 0",), ("kept 1",), ("kept 2",)]


def test_what_is_told_beside_an_error_hinders_no_savepoint() -> None:
    with unit_of_work("write"):
        keep(INSERT, "first", b"")
        with pytest.raises(DataError), transaction.atomic():  # noqa: PT012 - both are one failure
            enqueue(INSERT, "first", b"")
            raise DataError
        fetch(INSERT, "second", b"")
    assert fetch("SELECT sha256 FROM core_blob ORDER BY sha256") == [("first",), ("second",)]


def write_after_an_error() -> None:
    with unit_of_work("write"):
        fetch(INSERT, "lost", b"")
        with suppress(DataError):
            fetch("SELECT 1 / %s", 0)


def test_a_transaction_that_failed_is_not_said_to_be_kept() -> None:
    with pytest.raises(InternalError, match="nothing is kept"):
        write_after_an_error()
    assert fetch("SELECT count(*) FROM core_blob") == [(0,)]
    assert the_pipeline().connection.info.transaction_status == TransactionStatus.IDLE


def test_several_commands_and_many_rows_come_after_what_waits() -> None:
    with unit_of_work("write"):
        keep(INSERT, "first", b"")
        enqueue(INSERT, "a", b"")
        assert fetch("SELECT 1; SELECT count(*) FROM core_blob") == [(2,)]
        enqueue(INSERT, "b", b"")
        with connection.cursor() as cursor:
            cursor.executemany(INSERT, [(f"m{number}", b"") for number in range(100)])
        assert fetch("SELECT count(*) FROM core_blob") == [(103,)]
        assert fetch("SELECT count(*) FROM core_journal WHERE o = 'i'") == [(103,)]


def cut_off() -> None:
    with unit_of_work("write"):
        keep(INSERT, "first", b"")
        ((pid,),) = fetch("SELECT pg_backend_pid()")
        enqueue(INSERT, "a", b"")
        with administering() as raw:
            raw.execute("SELECT pg_terminate_backend(%s, 5000)", [pid])
        with pytest.raises(OperationalError):
            fetch("SELECT 1")


def test_a_connection_that_ends_while_something_waits_is_an_error_of_the_server() -> None:
    with pytest.raises(OperationalError):
        cut_off()
    with unit_of_work("read"):
        assert fetch("SELECT count(*) FROM core_blob") == [(0,)]


def test_the_server_keeps_a_bounded_number_of_plans(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subject, "KEPT", 3)
    with unit_of_work("read"):
        for number in range(6):
            for _ in range(subject.THRESHOLD + 1):
                assert fetch(f"SELECT {number} + %s", 1) == [(number + 1,)]
        assert fetch("SELECT count(*) FROM pg_prepared_statements") == [(3,)]
        assert fetch("SELECT 0 + %s", 1) == [(1,)]


def test_plans_are_forgotten_when_tables_change() -> None:
    with unit_of_work("write"):
        keep("SELECT * FROM core_blob WHERE sha256 = %s", "a")
        assert len(fetch("SELECT * FROM core_blob WHERE sha256 = %s", "a")) == 0
        with connection.cursor() as cursor:
            cursor.execute("ALTER TABLE core_blob ADD COLUMN more text")
        assert fetch("SELECT count(*) FROM pg_prepared_statements") == [(0,)]
        fetch(INSERT, "a", b"")
        (row,) = fetch("SELECT * FROM core_blob WHERE sha256 = %s", "a")
        assert len(row) == 3


def test_one_statement_with_values_of_other_types_is_another_plan() -> None:
    for value in (1, None, 2**40, 1, None):
        assert fetch("SELECT %s::bigint", value) == [(value,)]


def test_percent_signs_are_doubled_where_there_are_parameters_and_not_else() -> None:
    assert fetch("SELECT '%%' || %s::text", "%s") == [("%%s",)]
    with connection.cursor() as cursor:
        cursor.execute("SELECT '%'")
        assert cursor.fetchall() == [("%",)]


def test_a_statement_that_the_server_refuses_leaves_the_connection_usable() -> None:
    with pytest.raises(DataError):
        fetch("SELECT %s::text::bigint", "no number")
    assert fetch("SELECT 1") == [(1,)]
