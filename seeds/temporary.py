"""Build a world into a store of its own, for reading and measuring."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from clones.core.tenancy.stores import StorePool
    from seeds.worlds import BuildReport


@dataclass(frozen=True, slots=True)
class TemporaryWorld:
    """A world in a store of its own, not bound yet."""

    report: BuildReport
    pool: StorePool
    store: Path

    @contextmanager
    def bound(self) -> Iterator[BuildReport]:
        """Bind the world's store for the length of the block; writes in it are undone."""
        from django.db import transaction

        from clones.core.tenancy import unit_of_work

        with self.pool.bind(self.store), unit_of_work("write"):
            yield self.report
            transaction.set_rollback(True)


@contextmanager
def temporary_store(name: str, size: str, seed: int) -> Iterator[TemporaryWorld]:
    """Build a world into a temporary store, which goes at the end of the block.

    Starts Django with the embedded settings if nobody has.
    """
    with tempfile.TemporaryDirectory(prefix="sandlot-seeds-") as folder:
        _start_django(folder)
        from clones.core.tables import make_tables
        from clones.core.tenancy import unit_of_work
        from clones.core.tenancy.stores import StorePool
        from seeds.worlds import build_world

        store, pool = Path(folder) / "world.sqlite", StorePool(1)
        try:
            with pool.bind(store):
                make_tables()
                with unit_of_work("write"):
                    report = build_world(name, size, seed)
            yield TemporaryWorld(report, pool, store)
        finally:
            pool.close()


@contextmanager
def temporary_world(name: str, size: str, seed: int) -> Iterator[BuildReport]:
    """Build a world into a temporary store, bound for the length of the block."""
    with temporary_store(name, size, seed) as world, world.bound() as report:
        yield report


def _start_django(folder: str) -> None:
    import django
    from django.apps import apps

    if apps.ready:
        return
    os.environ.setdefault("SANDLOT_DATA", folder)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "clones.config.settings.embedded")
    django.setup()
