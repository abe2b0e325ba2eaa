"""Tables made from the models at once are those that all migrations make."""

from __future__ import annotations

from pathlib import Path

from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from clones.core.server import server
from clones.core.tables import last_migrations
from snapshots.interface import engine
from tests import tiers


@tiers.in_turn_on_postgres
def test_tables_made_at_once_are_those_of_the_migrations(tmp_path: Path) -> None:
    found = []
    for at in (None, last_migrations()):
        store = tmp_path / f"{at is None}{engine().suffix}"
        engine().new_store(store, at=at)
        with server().stores.bind(store):
            found.append(engine().structure())
            executor = MigrationExecutor(connection)
            assert executor.migration_plan(executor.loader.graph.leaf_nodes()) == []
        server().stores.discard(store)
        engine().remove(store)
    assert found[0] == found[1]
    assert len(found[0]) > 200
