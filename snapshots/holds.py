"""Holding a sandbox while something is done to it, and giving it another store if it is damaged."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from weakref import WeakValueDictionary

from clones.core.journal import journal
from clones.core.server import server
from clones.core.tenancy import SandboxRow, unit_of_work
from snapshots.errors import RewindFailed
from snapshots.files import out_of_space
from snapshots.interface import engine
from snapshots.library import Library


class Holds:
    """One lock per sandbox, for the operations of this process."""

    def __init__(self, library: Library) -> None:
        self.library = library
        # A lock is there as long as somebody has it.
        self._locks: WeakValueDictionary[str, threading.RLock] = WeakValueDictionary()
        self._guard = threading.Lock()

    def lock(self, sandbox: str) -> threading.RLock:
        """Return the sandbox's lock."""
        with self._guard:
            return self._locks.setdefault(sandbox, threading.RLock())

    @contextmanager
    def hold(self, sandbox: str) -> Iterator[SandboxRow]:
        """Hold a sandbox that is whole; what an earlier failure left undone is finished first.

        Raises:
            UnknownSandbox: there is none of that id.
            RewindFailed: it was in quarantine or its store gone: it has a fresh store now.
        """
        server().registry.get(sandbox)
        with self.lock(sandbox):
            self.finish(sandbox)
            row = server().registry.get(sandbox)
            if row.state == "quarantined" or not row.store.exists():
                self.replace(row)
                raise RewindFailed(f"sandbox {sandbox} had been damaged and has a fresh store")
            yield row

    def finish(self, sandbox: str) -> bool:
        """Finish a reset that was cut off, and tell whether there was one. Its lock is held.

        Requests are let in; marks go if the journal had been undone.

        Raises:
            NoSpace: the disk is full.
        """
        registry = server().registry
        position, row = registry.interrupted().get(sandbox), registry.find(sandbox)
        if row is None or position is None:
            return False
        with (
            out_of_space(row.store),
            server().stores.bind(row.store, sandbox),
            unit_of_work("write"),
        ):
            undone = next(journal().rows(position), None) is None
            registry.end_reset(sandbox, row.generation, undone_to=position if undone else None)
        return True

    def replace(self, row: SandboxRow) -> None:
        """Give a sandbox a fresh store, unless it has been given one since `row` was read.

        Its lock is held.

        Raises:
            NoSpace, UnknownSnapshot, CorruptSnapshot: it stays in quarantine.
        """
        registry = server().registry
        if registry.get(row.id).store != row.store:
            return
        registry.quarantine(row.id)
        manifest = self.library.get(row.template)
        store = row.store.with_name(f"{int(row.store.stem) + 1}{row.store.suffix}")
        with out_of_space(store):
            store.parent.mkdir(parents=True, exist_ok=True)
            engine().copy_sealed(self.library.store(manifest), store)
            registry.replace_store(row.id, store, manifest.position)
        server().stores.discard(row.store)
        engine().remove(row.store)
