"""The PostgreSQL engine keeps the promises of `snapshots`."""

from __future__ import annotations

from pathlib import Path

import pytest

from clones.core.tenancy import SandboxRow
from clones.core.tenancy.postgres.marker import database_of
from snapshots.conformance import House, SnapshotConformance, build_image
from snapshots.library import Library
from snapshots.manifest import Manifest
from snapshots.postgres_databases import administering, drop
from snapshots.sandboxes import Sandboxes
from tests.core.dialects import DIALECT


class PostgresSabotage:
    """Harm done to databases."""

    def write_round_journal(self, row: SandboxRow) -> None:
        """Write while the trigger is away."""
        with DIALECT.stranger(row.store) as bare:
            bare.run("BEGIN")
            bare.run("ALTER TABLE core_message DISABLE TRIGGER USER")
            bare.run("UPDATE core_message SET sender = 'mallory@x.example' WHERE id = 17")
            bare.run("ALTER TABLE core_message ENABLE TRIGGER USER")
            bare.run("COMMIT")

    def damage(self, store: Path) -> None:
        """Drop the database behind everybody's back."""
        with administering() as raw:
            drop(raw, database_of(store))


@pytest.fixture(scope="session")
def conformance_image(library: Library) -> Manifest:
    return build_image(library)


class TestPostgres(SnapshotConformance):
    @pytest.fixture
    def house(self, library: Library, sandboxes: Sandboxes, conformance_image: Manifest) -> House:
        return House(library, sandboxes, conformance_image, PostgresSabotage())
