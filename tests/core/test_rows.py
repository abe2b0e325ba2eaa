"""Records are written as Django would have written them, by fewer and shorter statements."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from clones.core.journal import journal, layout
from clones.core.models import Blob, DirtyFieldsRecord, Job
from clones.core.tenancy import SandboxRow, unit_of_work
from clones.core.tenancy.errors import RowGone
from clones.helpdesk.models import Ticket, User
from tests.conftest import PRESENT, bind
from tests.core.journal_writes import raw, stored_columns_of


@pytest.fixture(autouse=True)
def bound(empty_sandbox: SandboxRow) -> Iterator[SandboxRow]:
    """A bound sandbox in a write transaction."""
    with bind(empty_sandbox), unit_of_work("write"):
        yield empty_sandbox


def job(number: int, **values: Any) -> Job:
    return Job(
        id=number,
        kind="test",
        payload={"a": [1, None, 0.1, "ü"]},
        due=PRESENT + timedelta(microseconds=number),
        **values,
    )


def stored(table: str, key: int) -> tuple[Any, ...]:
    columns = stored_columns_of(layout().by_name(table))
    (row,) = raw(f'SELECT {columns} FROM "{table}" WHERE id = ?', key)
    return row


def ticket() -> Ticket:
    user = User.objects.create(
        id=5, name="Ana", role="end-user", created_at=PRESENT, updated_at=PRESENT
    )
    return Ticket.objects.create(
        id=1,
        subject="It stopped",
        status="open",
        requester=user,
        submitter=user,
        via={},
        created_at=PRESENT,
        updated_at=PRESENT,
    )


@contextmanager
def written_now() -> Iterator[None]:
    """Have what the block writes on the server at its end: an engine may wait for a statement."""
    yield
    journal().position()


def test_rows_are_stored_as_save_stores_them() -> None:
    Job.objects.bulk_create([job(1, key="x"), job(2)])
    job(3, key="x").save_base(force_insert=True)
    first, second = stored("core_job", 1), stored("core_job", 2)
    assert first[1:3] == stored("core_job", 3)[1:3]
    assert [type(value) for value in first] == [type(value) for value in stored("core_job", 3)]
    assert "x" in first
    assert "x" not in second
    made = Job.objects.get(id=1)
    assert made.payload == {"a": [1, None, 0.1, "ü"]}
    assert made.due == PRESENT + timedelta(microseconds=1)


def test_a_written_row_counts_as_saved() -> None:
    row = Blob.objects.create(sha256="k", data=b"\x00\xff")
    assert not row._state.adding
    row.data = b"new"
    row.save()
    assert bytes(Blob.objects.get(sha256="k").data) == b"new"
    with pytest.raises(IntegrityError), transaction.atomic(), written_now():
        Blob.objects.create(sha256="k", data=b"")


def test_an_update_writes_the_columns_it_names() -> None:
    row = job(1)
    row.save(force_insert=True)
    row.kind, row.key = "other", "new"
    row.save(update_fields=("key",))
    found = Job.objects.get(id=1)
    assert (found.kind, found.key) == ("test", "new")
    row.save()
    assert Job.objects.get(id=1).kind == "other"


def test_an_update_of_a_row_that_is_gone_is_refused() -> None:
    row = job(9)
    row.save(force_insert=True)
    Job.objects.filter(id=9).delete()
    with pytest.raises(RowGone), written_now():
        row.save()


def test_only_what_changed_is_written() -> None:
    ticket()
    row = Ticket.objects.get(id=1)
    assert isinstance(row, DirtyFieldsRecord)
    row.status = "solved"
    row.tags.append("late")
    with CaptureQueriesContext(connection) as captured:
        row.save()
    (statement,) = [query["sql"] for query in captured.captured_queries]
    assert '"status" =' in statement
    assert '"subject" =' not in statement
    found = Ticket.objects.get(id=1)
    assert (found.status, found.tags) == ("solved", ["late"])
    assert [
        change.operation for change in journal().rows(0) if change.table.name == "helpdesk_ticket"
    ]


def test_a_value_that_was_changed_and_changed_back_is_written_back() -> None:
    ticket()
    for write in ("all", "named", "refresh"):
        row = Ticket.objects.get(id=1)
        row.status = "pending"
        if write == "all":
            row.save()
        elif write == "named":
            row.save(update_fields=["status"])
        else:
            Ticket.objects.filter(id=1).update(status="pending")
            row.refresh_from_db()
        row.status = "open"
        row.save()
        assert Ticket.objects.get(id=1).status == "open", write


def test_what_others_wrote_meanwhile_stays() -> None:
    ticket()
    row = Ticket.objects.get(id=1)
    Ticket.objects.filter(id=1).update(subject="Other")
    row.priority = "high"
    row.save()
    found = Ticket.objects.get(id=1)
    assert (found.subject, found.priority) == ("Other", "high")
