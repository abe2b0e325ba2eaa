"""Resets on PostgreSQL cost the hundredth time what they cost the first."""

from __future__ import annotations

import time

from django.db import connection

from clones.core.models import Blob
from clones.core.tenancy import SandboxRow, unit_of_work
from snapshots.sandboxes import Sandboxes
from tests.conftest import bind

ROWS = 20
PATIENCE = 300.0  # seconds: others build worlds meanwhile, in one transaction
PAGES = (
    "SELECT heap_blks_hit + heap_blks_read + idx_blks_hit + idx_blks_read"
    " FROM pg_statio_user_tables WHERE relname = 'core_journal'"
)


def pages_visited(sandbox: SandboxRow) -> int:
    """Return how many pages of the journal and its index were looked at so far."""
    with bind(sandbox), connection.cursor() as cursor:
        cursor.execute("SELECT pg_stat_force_next_flush()")
        cursor.execute(PAGES)
        return int(cursor.fetchone()[0])


def who_holds_back() -> list[tuple[object, ...]]:
    """Return the transactions for whose sake rows that died since are still visited: age, query.

    Those of every database count.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT now() - xact_start, application_name, state, left(query, 200)"
            " FROM pg_stat_activity WHERE backend_xmin IS NOT NULL AND pid <> pg_backend_pid()"
        )
        return list(cursor.fetchall())


def test_what_earlier_resets_dropped_is_not_visited_for_ever(
    empty_sandbox: SandboxRow, sandboxes: Sandboxes
) -> None:
    held: list[tuple[object, ...]] = []

    def reset() -> int:
        with bind(empty_sandbox), unit_of_work("write"):
            Blob.objects.bulk_create(
                Blob(sha256=str(n), data=n.to_bytes(2, "big") * 500) for n in range(ROWS)
            )
            Blob.objects.update(data=b"")
        before = pages_visited(empty_sandbox)
        assert sandboxes.reset(empty_sandbox.id).changes >= 2 * ROWS
        with bind(empty_sandbox):
            held.extend(who_holds_back())
        return pages_visited(empty_sandbox) - before

    # Rows that die while anybody's transaction lasts keep their room: then nothing is shown by
    # what is visited, and what they took is tidied away before another try.
    until = time.monotonic() + PATIENCE
    unexplained = 0
    while True:
        held.clear()
        with bind(empty_sandbox), connection.cursor() as cursor:
            cursor.execute("VACUUM core_journal")
        first = reset()
        for _ in range(60):
            reset()
        if (visited := reset()) <= 1.4 * first:
            break
        unexplained += not held  # an analysis of the server's own is not shown to us
        assert unexplained < 3, (first, visited)
        assert time.monotonic() < until, (first, visited, held[-3:])
