"""Live sandboxes: create, reset, mark, rewind, fork, capture, diff, verify, delete.

One process (the control process) owns these operations; those on one sandbox wait for each other.
The data plane needs no lock of ours: the store's write lock and the generation keep it apart.
"""

from __future__ import annotations

import logging
import secrets
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.db import DatabaseError, IntegrityError

from clones.core import jobs
from clones.core.journal import RewindReport, canonical_changes, fingerprint, journal, store_digest
from clones.core.server import server
from clones.core.tenancy import SandboxRow, unit_of_work
from snapshots.errors import (
    CorruptSnapshot,
    RewindFailed,
    SnapshotError,
    UnknownMark,
    UnknownSnapshot,
)
from snapshots.files import out_of_space, remove_folder
from snapshots.interface import engine
from snapshots.library import Library
from snapshots.manifest import Manifest
from snapshots.pool import ClonePool

logger = logging.getLogger(__name__)

BASE = "base"
LETTERS = "abcdefghijklmnopqrstuvwxyz234567"
VERIFY_EVERY = 500  # resets
POOL_SIZE = 8
# A rewind folds the store's log itself only when it has grown past this; else idle time does.
LOG_AT_MOST = 32 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a full verification found: the rewound copy's digest against the image's."""

    sandbox: str
    intact: bool
    expected: str
    found: str
    replaced: bool


class Sandboxes:
    """The sandboxes of one server, over its library of images; `pool_size` ready clones at most."""

    def __init__(self, library: Library, *, pool_size: int = POOL_SIZE) -> None:
        self.library = library
        self.pool = ClonePool(library, size=pool_size)
        self.folder = server().data / "sandboxes"
        self._locks: dict[str, threading.RLock] = {}
        self._locking = threading.Lock()

    def get(self, sandbox: str) -> SandboxRow:
        """Return a sandbox.

        Raises:
            UnknownSandbox: there is none of that id.
        """
        return server().registry.get(sandbox)

    def all(self) -> list[SandboxRow]:
        """Return every sandbox, oldest first."""
        return server().registry.all()

    # Making and removing

    def create(self, manifest: Manifest, *, worker: int = 0) -> SandboxRow:
        """Make a live sandbox of an image.

        Raises:
            UnknownSnapshot, SchemaMismatch, CorruptSnapshot: the image is not to be had.
            NoSpace: the disk is full; nothing is left behind.
        """
        manifest = self.library.get(manifest.digest)
        with self._making() as (name, store):
            if not self.pool.take(manifest, store):
                engine().copy_sealed(self.library.store(manifest), store)
            marks = {BASE: manifest.position}
            return self._register(name, store, manifest, worker=worker, marks=marks)

    def fork(self, sandbox: str, *, worker: int = 0) -> SandboxRow:
        """Make another sandbox with the same present, past and marks.

        Raises:
            RewindFailed: the sandbox was found damaged, and has a fresh store now.
            NoSpace: the disk is full; nothing is left behind.
        """
        with self._exclusively(sandbox) as row, self._making() as (name, store):
            manifest = self.library.get(row.template)
            marks = server().registry.marks(sandbox)
            engine().copy_live(row.store, store)
            return self._register(name, store, manifest, worker=worker, marks=marks)

    @contextmanager
    def _making(self) -> Iterator[tuple[str, Path]]:
        """Give a new sandbox's id and store; if the block fails nothing of it is left."""
        name = "sb-" + "".join(secrets.choice(LETTERS) for _ in range(10))
        store = self.folder / name / "1.sqlite"
        try:
            with out_of_space(store):
                store.parent.mkdir(parents=True)
                yield name, store
        except BaseException:
            remove_folder(store.parent)
            raise

    def _register(
        self,
        name: str,
        store: Path,
        manifest: Manifest,
        *,
        worker: int,
        marks: Mapping[str, int],
    ) -> SandboxRow:
        with self.library.lock:
            if not self.library.holds(manifest.digest):
                raise UnknownSnapshot(f"snapshot {manifest.digest} has just been deleted")
            return server().registry.add(
                id=name,
                store=store,
                engine=manifest.engine,
                world=manifest.world,
                size=manifest.size,
                seed=manifest.seed,
                template=manifest.digest,
                worker=worker,
                marks=marks,
            )

    def capture(self, sandbox: str, name: str) -> Manifest:
        """Keep the sandbox's present as a named snapshot.

        Raises:
            NameTaken: the name is in use.
            RewindFailed: the sandbox was found damaged, and has a fresh store now.
            NoSpace: the disk is full; nothing is left behind.
        """
        self.library.require_free(name)
        with self.library.workshop() as making:
            with self._exclusively(sandbox) as row:
                engine().copy_live(row.store, making)
            return self.library.add(
                making,
                world=row.world,
                size=row.size,
                seed=row.seed,
                parent=row.template,
                name=name,
            )

    def delete(self, sandbox: str) -> None:
        """Forget a sandbox, then remove its files.

        Raises:
            UnknownSandbox: there is none of that id.
        """
        server().registry.get(sandbox)
        with self._lock(sandbox):
            row = server().registry.remove(sandbox)
            server().stores.discard(row.store)
            remove_folder(row.store.parent)
        self._locks.pop(sandbox, None)

    def delete_snapshot(self, name: str) -> None:
        """Forget a snapshot's name, and its image unless a sandbox or another name needs it.

        Raises:
            UnknownSnapshot: there is none of that name.
        """
        with self.library.lock:
            digest = self.library.named().get(name)
            self.library.delete(name, in_use={row.template for row in self.all()})
        if digest is not None and not self.library.holds(digest):
            self.pool.discard(digest)

    # Time

    def mark(self, sandbox: str, name: str) -> int:
        """Name the sandbox's present and return its journal position.

        Raises:
            ValueError: `base` is the mark of the beginning.
            RewindFailed: the sandbox was found damaged, and has a fresh store now.
        """
        if name == BASE:
            raise ValueError("`base` is the mark of the sandbox's beginning: choose another name")
        with self._exclusively(sandbox) as row, server().stores.bind(row.store, sandbox):
            with unit_of_work("write"):
                jobs.observe()
                journal().settle()
            # A transaction of its own, which writes nothing and so cannot fail at its end.
            with unit_of_work("write"):
                position = journal().position()
                server().registry.set_mark(sandbox, name, position)
        return position

    def reset(self, sandbox: str, *, rotate: bool = False) -> RewindReport:
        """Rewind to the beginning; with `rotate` every credential ends too."""
        report = self.rewind(sandbox, BASE)
        if rotate:
            server().registry.rotate_credentials(sandbox)
        return report

    def rewind(self, sandbox: str, mark: str) -> RewindReport:
        """Undo everything after a mark; marks after it vanish.

        Raises:
            UnknownMark: the sandbox has no such mark.
            RewindFailed: rows did not come back; the sandbox has a fresh store now.
            NoSpace: the disk is full; the sandbox is wholly as it was, or (with requests refused
                until idle work can note it) as it was at the mark.
        """
        with self._exclusively(sandbox) as row:
            position = self._position(sandbox, mark)
            try:
                with out_of_space(row.store), server().stores.bind(row.store, sandbox):
                    with engine().undoing():
                        report = self._undo(sandbox, position)
                    engine().tidy(limit=LOG_AT_MOST)
            except (RewindFailed, DatabaseError) as error:
                if not _is_mismatch(error):
                    raise
                logger.exception("sandbox %s did not come back whole", sandbox)
                self._replace(row)
                raise RewindFailed(f"sandbox {sandbox} has a fresh store: {error}") from error
            return report

    def _undo(self, sandbox: str, position: int) -> RewindReport:
        """Rewind the bound store.

        The write lock comes first and the generation is raised under it: writers who waited find
        it raised, readers who began before find it moved when they answer, and those who come
        before the end are refused. Whatever becomes of the transaction, requests are let in again.
        """
        registry = server().registry
        generation: int | None = None
        undone_to: int | None = None
        try:
            with unit_of_work("write"):
                generation = registry.begin_reset(sandbox, position)
                report = journal().rewind(position)
                if report.mismatches:
                    raise RewindFailed("; ".join(report.mismatches))
            undone_to = position
        finally:
            if generation is not None:
                registry.end_reset(sandbox, generation, undone_to=undone_to)
        return report

    # Looking

    def diff(self, sandbox: str, since: str = BASE) -> list[dict[str, Any]]:
        """Return the net change since a mark, canonical, in (table, key) order.

        Raises:
            UnknownMark: the sandbox has no such mark.
        """
        row = server().registry.get(sandbox)
        with server().stores.bind(row.store, sandbox), unit_of_work("read"):
            return canonical_changes(journal().changes(self._position(sandbox, since)))

    def fingerprint(self, sandbox: str, since: str = BASE) -> str:
        """Return the hash of the net change since a mark.

        Raises:
            UnknownMark: the sandbox has no such mark.
        """
        row = server().registry.get(sandbox)
        with server().stores.bind(row.store, sandbox), unit_of_work("read"):
            return fingerprint(self._position(sandbox, since))

    def verify(self, sandbox: str) -> Verdict:
        """Rewind a copy to the beginning and compare every row with the image.

        The sandbox works on meanwhile. If it does not match it is quarantined and gets a fresh
        store.
        """
        with self.library.workshop() as copy:
            with self._exclusively(sandbox) as row:
                manifest = self.library.get(row.template)
                position = self._position(sandbox, BASE)
                try:
                    engine().copy_live(row.store, copy)
                    found = ""
                except CorruptSnapshot as error:
                    found = f"unreadable: {error}"
            found = found or _digest_at(copy, position)
        intact = found == manifest.rows_digest
        if intact:
            server().registry.note_verified(sandbox)
        else:
            logger.error("sandbox %s does not match its image: %s", sandbox, found)
            with self._lock(sandbox):
                self._replace(row)
        return Verdict(sandbox, intact, manifest.rows_digest, found, replaced=not intact)

    def verify_due(self) -> list[str]:
        """Return the sandboxes whose resets call for a full verification in idle time."""
        return [row.id for row in self.all() if row.resets - row.verified >= VERIFY_EVERY]

    # Keeping house

    def idle(self) -> bool:
        """Do one piece of work that can wait, and tell whether there was any.

        The control process calls it while nobody waits: it finishes what a failure cut off, fills
        the pool, folds grown logs and verifies sandboxes that have been reset often.
        """
        return (
            self._finish_interrupted()
            or self._refill_quarantined()
            or self.pool.refill()
            or self._fold_a_log()
            or self._verify_one()
        )

    def recover(self) -> list[Path]:
        """Put things right after a crash: finish or forget what was under way. Return what went.

        Call it at the start, before anything else works with the sandboxes.
        """
        removed = self.library.sweep() + self.pool.sweep()
        if self.folder.exists():
            removed += engine().sweep(self.folder)
            removed += self._sweep_folders()
        for row in self.all():
            if not row.store.exists():
                server().registry.remove(row.id)
        while self._finish_interrupted() or self._refill_quarantined():
            pass
        return removed

    def _sweep_folders(self) -> list[Path]:
        removed = []
        known = {row.store for row in self.all()}
        for folder in sorted(self.folder.iterdir()):
            for orphan in sorted(set(folder.glob("*.sqlite")) - known):
                engine().remove(orphan)
                removed.append(orphan)
            if not any(store.parent == folder for store in known):
                remove_folder(folder)
                removed.append(folder)
        return removed

    def _finish_interrupted(self) -> bool:
        """Let requests in where a reset was cut off; its marks go if it had been done."""
        done = False
        for sandbox, position in server().registry.interrupted().items():
            with self._lock(sandbox):
                row = server().registry.find(sandbox)
                if row is None or not row.resetting:
                    continue
                with server().stores.bind(row.store, sandbox), unit_of_work("write"):
                    undone = next(journal().rows(position), None) is None
                    server().registry.end_reset(
                        sandbox, row.generation, undone_to=position if undone else None
                    )
                done = True
        return done

    def _refill_quarantined(self) -> bool:
        """Give a fresh store to a sandbox that was taken out of service but not replaced."""
        for row in self.all():
            if row.state == "quarantined":
                with self._lock(row.id):
                    try:
                        self._replace(row)
                    except SnapshotError:
                        logger.exception("sandbox %s cannot have a fresh store", row.id)
                        continue
                return True
        return False

    def _fold_a_log(self) -> bool:
        for row in self.all():
            if row.state == "live" and not row.resetting:
                with server().stores.bind(row.store, row.id):
                    if engine().tidy():
                        return True
        return False

    def _verify_one(self) -> bool:
        due = self.verify_due()
        if due:
            self.verify(due[0])
        return bool(due)

    def _position(self, sandbox: str, mark: str) -> int:
        position = server().registry.mark(sandbox, mark)
        if position is None:
            raise UnknownMark(f"sandbox {sandbox} has no mark {mark}")
        return position

    def _lock(self, sandbox: str) -> threading.RLock:
        with self._locking:
            return self._locks.setdefault(sandbox, threading.RLock())

    @contextmanager
    def _exclusively(self, sandbox: str) -> Iterator[SandboxRow]:
        """Hold a sandbox against this process's other operations on it.

        Raises:
            UnknownSandbox: there is none of that id.
            RewindFailed: it was in quarantine, and has a fresh store now.
        """
        server().registry.get(sandbox)
        with self._lock(sandbox):
            row = server().registry.get(sandbox)
            if row.state == "quarantined":
                self._replace(row)
                raise RewindFailed(f"sandbox {sandbox} had been damaged and has a fresh store")
            yield row

    def _replace(self, row: SandboxRow) -> None:
        """Give a sandbox a fresh store, unless it has been given one since `row` was read."""
        registry = server().registry
        if registry.get(row.id).store != row.store:
            return
        registry.quarantine(row.id)
        manifest = self.library.get(row.template)
        store = row.store.with_name(f"{int(row.store.stem) + 1}.sqlite")
        engine().copy_sealed(self.library.store(manifest), store)
        registry.replace_store(row.id, store, manifest.position)
        server().stores.discard(row.store)
        engine().remove(row.store)


def _digest_at(store: Path, position: int) -> str:
    """Return the digest of a store's rows after a rewind, or what is wrong with it."""
    try:
        engine().check(store)
        with server().stores.bind(store), unit_of_work("write"):
            journal().rewind(position)
            return store_digest()
    except CorruptSnapshot as error:
        return f"unreadable: {error}"
    except DatabaseError as error:
        if not _is_mismatch(error):
            raise
        return f"cannot be rewound: {error}"


def _is_mismatch(error: Exception) -> bool:
    """Tell whether an error means that the store is not what it should be."""
    return isinstance(error, RewindFailed | IntegrityError) or engine().is_damage(error)
