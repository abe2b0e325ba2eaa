"""Make of a snapshot of an older schema one of this build's: by the migrations, in a copy.

It is known for certain where to begin: the copy's tables have to be, to the letter but for the
order of their columns, those that its recorded migrations make in an empty store. And it is known
where it ends: they have to become those of a new store. A snapshot for which either fails is
refused and nothing is left behind; the old one stays as it is in any case.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.core.management import call_command
from django.db import DatabaseError, connection, transaction
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from clones.core.journal import journal, schema_version
from clones.core.models import SandboxState
from clones.core.server import server
from clones.core.store_objects import install_objects, remove_objects
from clones.core.tenancy import unit_of_work
from snapshots.errors import SchemaMismatch
from snapshots.files import out_of_space
from snapshots.interface import engine
from snapshots.library import Library
from snapshots.manifest import Manifest


def migrate_snapshot(library: Library, key: str, name: str) -> Manifest:
    """Make a snapshot of this build's schema under a name and return its manifest.

    Raises:
        UnknownSnapshot, CorruptSnapshot: the snapshot is not to be had.
        SchemaMismatch: no migrations of this build lead from its schema to the present one.
        NameTaken: the name is in use.
        ValueError: it has this build's schema already.
        NoSpace: the disk is full.
    In each case nothing is left behind.
    """
    old = library.get(key, any_schema=True)
    if old.schema == schema_version():
        raise ValueError(f"snapshot {key} has this build's schema: there is nothing to migrate")
    library.require_free(name)
    with library.workshop() as copy:
        engine().copy_sealed(library.store(old), copy)
        with _refusing(key, old), out_of_space(copy):
            with server().stores.bind(copy):
                applied = _applied()
                found = engine().structure()
            if found != _structure(library, applied):
                raise SchemaMismatch("its tables are not those that this build's migrations made")
            with server().stores.bind(copy):
                _migrate()
                found = engine().structure()
            if found != _structure(library, None):
                raise SchemaMismatch("its tables did not become those of a new store")
        server().stores.discard(copy)
        engine().seal(copy)
        return library.add(
            copy, world=old.world, size=old.size, seed=old.seed, parent=old.digest, name=name
        )


def _applied() -> tuple[tuple[str, str], ...]:
    """Return the migrations that the bound store records, all of which this build must have."""
    applied = sorted(MigrationRecorder(connection).applied_migrations())
    known = MigrationLoader(None).graph.nodes
    unknown = [f"{app}.{name}" for app, name in applied if (app, name) not in known]
    if unknown:
        raise SchemaMismatch(f"this build has no migration {unknown[0]}")
    return tuple(applied)


def _structure(library: Library, at: tuple[tuple[str, str], ...] | None) -> list[str]:
    """Return the structure of an empty store after some migrations, or of a new one."""
    with library.workshop() as empty:
        engine().new_store(empty, at=at)
        with server().stores.bind(empty):
            return engine().structure()


def _migrate() -> None:
    """Migrate the bound store: its past goes, what led to its rows stays."""
    with unit_of_work("write"):
        acts = journal().export_acts()
        remove_objects()
    call_command("migrate", verbosity=0, interactive=False)
    connection.check_constraints()
    with transaction.atomic():
        # Positions of the journal before mean nothing any more.
        SandboxState.objects.update(observed=0)
        install_objects()
        journal().import_acts(acts)


@contextmanager
def _refusing(key: str, old: Manifest) -> Iterator[None]:
    """Say why a snapshot cannot be migrated, and what else can be done."""
    try:
        yield
    except (SchemaMismatch, DatabaseError) as error:
        raise SchemaMismatch(
            f"snapshot {key} of schema {old.schema} cannot be migrated: {error}; build the world"
            " again, or use the build that made it"
        ) from error
