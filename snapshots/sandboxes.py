"""Live sandboxes: create, reset, mark, rewind, fork, capture, diff, verify, delete.

One process (the control process) owns these operations; those on one sandbox wait for each other.
The data plane needs no lock of ours: the store's write lock and the generation keep it apart.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.db import DatabaseError, IntegrityError, OperationalError

from clones.core import jobs
from clones.core.journal import RewindReport, canonical_changes, fingerprint, journal, store_digest
from clones.core.pending_work import announce_pending_work
from clones.core.server import server
from clones.core.tenancy import SandboxRow, unit_of_work
from clones.core.tenancy.watching import reset_wanted
from snapshots.errors import (
    CorruptSnapshot,
    RewindFailed,
    UnknownMark,
)
from snapshots.files import out_of_space
from snapshots.holds import Holds
from snapshots.interface import engine, remove_stores
from snapshots.library import Library
from snapshots.making import making, register
from snapshots.manifest import Manifest
from snapshots.pool import ClonePool
from snapshots.upkeep import Upkeep

logger = logging.getLogger(__name__)

BASE = "base"
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


@dataclass(frozen=True, slots=True)
class StateAside:
    """A sandbox's state in a sealed store that is no sandbox's: of which image, with its marks."""

    store: Path
    template: str
    marks: Mapping[str, int]


class Sandboxes:
    """The sandboxes of one server, over its library of images; `pool_size` ready clones at most.

    `on_rewind` is told of each rewind and the seconds that it took.
    """

    def __init__(
        self,
        library: Library,
        *,
        pool_size: int = POOL_SIZE,
        on_rewind: Callable[[RewindReport, float], None] | None = None,
    ) -> None:
        self.library = library
        self._on_rewind = on_rewind
        self.pool = ClonePool(library, size=pool_size)
        self.folder = server().data / "sandboxes"
        self._holds = Holds(library)
        self._upkeep = Upkeep(self, self._holds)

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
        with making(self.folder) as (name, store):
            if not self.pool.take(manifest, store):
                engine().copy_sealed(self.library.store(manifest), store)
            marks = {BASE: manifest.position}
            return register(self.library, name, store, manifest, worker=worker, marks=marks)

    def fork(self, sandbox: str, *, worker: int = 0) -> SandboxRow:
        """Make another sandbox with the same present, past and marks.

        Raises:
            RewindFailed: the sandbox was found damaged, and has a fresh store now.
            NoSpace: the disk is full; nothing is left behind.
        """
        with self._holds.hold(sandbox) as row, making(self.folder) as (name, store):
            manifest = self.library.get(row.template)
            marks = server().registry.marks(sandbox)
            engine().copy_live(row.store, store)
            fork = register(self.library, name, store, manifest, worker=worker, marks=marks)
        _announce(fork)
        return fork

    def set_aside(self, sandbox: str, store: Path) -> StateAside:
        """Copy the sandbox's present, past and marks to a store that the caller removes.

        Raises:
            RewindFailed: the sandbox was found damaged, and has a fresh store now.
            NoSpace: the disk is full; nothing is left behind.
        """
        with self._holds.hold(sandbox) as row:
            marks = server().registry.marks(sandbox)
            with out_of_space(store):
                engine().copy_live(row.store, store)
        return StateAside(store, row.template, marks)

    def create_from(self, state: StateAside, *, worker: int = 0) -> SandboxRow:
        """Make a sandbox of a state that was set aside: as a fork, then, would have been.

        Raises:
            UnknownSnapshot, CorruptSnapshot: its image is gone, or the store.
            NoSpace: the disk is full; nothing is left behind.
        """
        manifest = self.library.get(state.template)
        with making(self.folder) as (name, store):
            engine().copy_sealed(state.store, store)
            made = register(self.library, name, store, manifest, worker=worker, marks=state.marks)
        _announce(made)
        return made

    def capture(self, sandbox: str, name: str) -> Manifest:
        """Keep the sandbox's present as a named snapshot.

        Raises:
            NameTaken: the name is in use.
            RewindFailed: the sandbox was found damaged, and has a fresh store now.
            NoSpace: the disk is full; nothing is left behind.
        """
        self.library.require_free(name)
        with self.library.workshop() as making:
            with self._holds.hold(sandbox) as row:
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
        """Forget a sandbox, then remove its files; the next start does if that fails.

        Raises:
            UnknownSandbox: there is none of that id.
        """
        server().registry.get(sandbox)
        with self._holds.lock(sandbox):
            row = server().registry.remove(sandbox)
            server().stores.discard(row.store)
            try:
                remove_stores(row.store.parent)
            except OperationalError:
                logger.exception("the store of %s is away, and removed at the next start", sandbox)

    def replace(self, sandbox: str) -> None:
        """Give a sandbox a fresh store of its image: its marks but `base` are gone.

        Raises:
            UnknownSandbox: there is none of that id.
            NoSpace, UnknownSnapshot, CorruptSnapshot: it stays in quarantine.
        """
        with self._holds.lock(sandbox):
            self._holds.replace(server().registry.get(sandbox))

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
        with self._holds.hold(sandbox) as row, server().stores.bind(row.store, sandbox):
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
        started = time.perf_counter()
        with self._holds.hold(sandbox) as row:
            position = self._position(sandbox, mark)
            try:
                with out_of_space(row.store), server().stores.bind(row.store, sandbox):
                    with reset_wanted(row.store), engine().undoing():
                        report = _undo(sandbox, position)
                    engine().tidy(limit=LOG_AT_MOST)
            except (RewindFailed, DatabaseError) as error:
                if not _is_mismatch(error):
                    raise
                logger.exception("sandbox %s did not come back whole", sandbox)
                self._holds.replace(row)
                raise RewindFailed(f"sandbox {sandbox} has a fresh store: {error}") from error
        if self._on_rewind is not None:
            self._on_rewind(report, time.perf_counter() - started)
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
            with self._holds.hold(sandbox) as row:
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
            with self._holds.lock(sandbox):
                self._holds.replace(row)
        return Verdict(sandbox, intact, manifest.rows_digest, found, replaced=not intact)

    # Keeping house

    def verify_due(self) -> list[str]:
        """Return the sandboxes whose resets call for a full verification in idle time."""
        return self._upkeep.verify_due()

    def idle(self) -> bool:
        """Do one piece of work that can wait, and tell whether there was any.

        The control process calls it while nobody waits: it finishes what a failure cut off, fills
        the pool, folds grown logs and verifies sandboxes that have been reset often.
        """
        return self._upkeep.idle()

    def recover(self) -> list[Path]:
        """Put things right after a crash: finish or forget what was under way. Return what went.

        Call it at the start, before anything else works with the sandboxes.
        """
        return self._upkeep.recover()

    def _position(self, sandbox: str, mark: str) -> int:
        position = server().registry.mark(sandbox, mark)
        if position is None:
            raise UnknownMark(f"sandbox {sandbox} has no mark {mark}")
        return position


def _announce(made: SandboxRow) -> None:
    """Announce what waits in a copy of a sandbox: it has the other's timers and outbox."""
    with server().stores.bind(made.store, made.id), unit_of_work("read"):
        announce_pending_work(made.id, made.generation)


def _undo(sandbox: str, position: int) -> RewindReport:
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
            announce_pending_work(sandbox, generation)
        undone_to = position
    finally:
        if generation is not None:
            registry.end_reset(sandbox, generation, undone_to=undone_to)
    return report


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
