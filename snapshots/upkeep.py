"""What is done for sandboxes while nobody waits, and at the start."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from django.db import DatabaseError

from clones.core.journal import schema_version
from clones.core.server import server
from clones.core.serverfiles import OtherSchema
from clones.core.tenancy import TenancyError
from clones.core.tenancy.watching import forget_words
from snapshots.errors import SnapshotError
from snapshots.files import out_of_space
from snapshots.holds import Holds
from snapshots.interface import engine, remove_stores

if TYPE_CHECKING:
    from snapshots.sandboxes import Sandboxes

logger = logging.getLogger(__name__)

VERIFY_EVERY = 500  # resets


class Upkeep:
    """The work that can wait, one piece at a time."""

    def __init__(self, sandboxes: Sandboxes, holds: Holds) -> None:
        self.sandboxes = sandboxes
        self.holds = holds

    def idle(self) -> bool:
        """Do one piece of work, and tell whether there was any."""
        return any(
            self._try(work)
            for work in (
                self._finish_a_reset,
                self._replace_a_store,
                self._fold_a_log,
                self.sandboxes.pool.refill,
                self._verify_one,
            )
        )

    def recover(self) -> list[Path]:
        """Remove what a crash left, finish what it cut off, and return what went.

        Raises:
            OtherSchema: a build with other tables made some of the sandboxes; nothing is touched.
        """
        self._check_schema()
        folder = self.sandboxes.folder
        removed = self.sandboxes.library.sweep() + self.sandboxes.pool.sweep()
        if folder.exists():
            removed += engine().sweep(folder) + self._sweep_folders(folder)
        for row in self.sandboxes.all():
            if not row.store.exists():
                server().registry.remove(row.id)
        while self._try(self._finish_a_reset) or self._try(self._replace_a_store):
            pass
        return removed

    def _check_schema(self) -> None:
        for row in self.sandboxes.all():
            if row.engine != engine().name:
                raise OtherSchema(
                    f"sandbox {row.id} in {server().data} lives on engine {row.engine}: serve this"
                    f" data directory with it, or name another one with --data"
                )
            schema = self.sandboxes.library.schema_of(row.template)
            if schema not in {None, schema_version()}:
                raise OtherSchema(
                    f"sandbox {row.id} in {server().data} was made by another build of Sandlot:"
                    " serve this data directory with that build, or name another one with --data"
                )

    def verify_due(self) -> list[str]:
        """Return the sandboxes that have been reset often since they were verified."""
        return [row.id for row in self.sandboxes.all() if row.resets - row.verified >= VERIFY_EVERY]

    def _try(self, work: Callable[[], bool]) -> bool:
        """Do it; what cannot be done now waits on, and keeps nothing else waiting."""
        try:
            return work()
        except (SnapshotError, TenancyError, DatabaseError):
            logger.exception("work that could wait has failed, and waits on")
            return False

    def _sweep_folders(self, folder: Path) -> list[Path]:
        removed = []
        known = {row.store for row in self.sandboxes.all()}
        homes = {store.parent for store in known}
        for home in sorted(folder.iterdir()):
            for orphan in sorted(set(home.glob(f"*{engine().suffix}")) - known):
                engine().remove(orphan)
                removed.append(orphan)
            if home not in homes:
                remove_stores(home)
                removed.append(home)
            else:
                removed += forget_words(home)
        return removed

    def _finish_a_reset(self) -> bool:
        for sandbox in server().registry.interrupted():
            with self.holds.lock(sandbox):
                if self.holds.finish(sandbox):
                    return True
        return False

    def _replace_a_store(self) -> bool:
        """Replace the store of a sandbox that was taken out of service."""
        for row in self.sandboxes.all():
            if row.state == "quarantined":
                try:
                    with self.holds.lock(row.id):
                        self.holds.replace(row)
                except SnapshotError:
                    logger.exception("sandbox %s cannot have a fresh store", row.id)
                else:
                    return True
        return False

    def _fold_a_log(self) -> bool:
        live = {
            row.store: row.id
            for row in self.sandboxes.all()
            if row.state == "live" and not row.resetting
        }
        for store in engine().untidy(list(live)):
            with out_of_space(store), server().stores.bind(store, live[store]):
                if engine().tidy():
                    return True
        return False

    def _verify_one(self) -> bool:
        for sandbox in self.verify_due():
            try:
                self.sandboxes.verify(sandbox)
            except (SnapshotError, TenancyError):
                logger.exception("sandbox %s cannot be verified", sandbox)
            else:
                return True
        return False
