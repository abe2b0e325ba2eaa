"""Idle-time work on PostgreSQL: databases in which many rows died, found without opening them."""

from __future__ import annotations

import pytest
from django.db import connection

from clones.core.models import Blob
from clones.core.tenancy import SandboxRow, unit_of_work
from clones.core.tenancy.postgres.marker import database_of
from snapshots import postgres
from snapshots.interface import engine
from snapshots.postgres_databases import administering, prefix
from snapshots.sandboxes import Sandboxes
from tests.conftest import bind


def sessions() -> dict[str, int]:
    """Return how often each of this server's databases was opened; others use the machine too."""
    with administering() as raw:
        rows = raw.execute(
            "SELECT datname, sessions FROM pg_stat_database WHERE starts_with(datname, %s)",
            [prefix()],
        ).fetchall()
    return {str(name): int(count) for name, count in rows}


def test_where_many_rows_died_is_vacuumed_and_nothing_else_is_opened(
    empty_sandbox: SandboxRow, sandboxes: Sandboxes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres, "DEAD_ROWS", 500)
    stores = [row.store for row in sandboxes.all()]
    while sandboxes.idle():
        pass
    assert engine().untidy(stores) == []
    with bind(empty_sandbox):
        with unit_of_work("write"):
            Blob.objects.bulk_create(Blob(sha256=str(n), data=b"") for n in range(300))
            for text in (b"a", b"b"):
                Blob.objects.update(data=text)
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_stat_force_next_flush()")
    assert engine().untidy(stores) == [empty_sandbox.store]
    before = sessions()
    while sandboxes.idle():
        pass
    assert engine().untidy(stores) == []
    with bind(empty_sandbox), connection.cursor() as cursor:
        cursor.execute("SELECT max(last_vacuum) FROM pg_stat_user_tables")
        ((vacuumed,),) = cursor.fetchall()
    assert vacuumed is not None
    opened = {name for name, count in sessions().items() if count > before.get(name, 0)}
    assert opened <= {database_of(empty_sandbox.store)}
