"""Instances that were arranged of late: whoever asks for one again gets a copy of its store.

Trainers play one instance many times, in groups. Arranging it each time costs as much as a third of
its acts, and in a large world more than all of them. What was asked for twice is kept as it stood
when nobody had signed in, the newest `AT_MOST` of them and no more than `BYTES` on disk.
"""

from __future__ import annotations

import logging
import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from clones.core.server import server
from clones.core.tenancy import SandboxRow
from episodes.tasks.instances import InstanceId
from episodes.tasks.spec import Arranged, Family
from snapshots.errors import CorruptSnapshot, SnapshotError, UnknownSnapshot
from snapshots.interface import engine, remove_stores
from snapshots.sandboxes import Sandboxes, StateAside

logger = logging.getLogger(__name__)

AT_MOST = 16
BYTES = 2 * 2**30
# Instances whose first asking is remembered.
REMEMBERED = 1000

Key = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class KeptInstance:
    """An arranged instance, its state on disk, and the lock of whoever copies or removes that."""

    arranged: Arranged
    state: StateAside
    size: int
    lock: threading.Lock = field(default_factory=threading.Lock)


class ArrangedInstances:
    """The arranged instances that one server keeps, their stores in `folder`."""

    def __init__(self, sandboxes: Sandboxes, folder: Path | None = None) -> None:
        self.folder = server().data / "arranged" if folder is None else folder
        self._sandboxes = sandboxes
        self._kept: OrderedDict[Key, KeptInstance] = OrderedDict()  # the one asked for last is last
        self._asked: OrderedDict[Key, None] = OrderedDict()
        self._keeping: set[Key] = set()
        self._guard = threading.Lock()

    def make(
        self, family: Family, instance: InstanceId, *, worker: Callable[[], int]
    ) -> tuple[SandboxRow, Arranged] | None:
        """Make a sandbox in which an instance is arranged; None if it is not kept.

        `worker` says which one will own it, and is asked only then.

        Raises:
            NoSpace: the disk is full; nothing is left behind.
        """
        key = _key(family, instance)
        with self._guard:
            kept = self._kept.get(key)
            if kept is None:
                return None
            self._kept.move_to_end(key)
        with kept.lock:
            try:
                return self._sandboxes.create_from(kept.state, worker=worker()), kept.arranged
            except (UnknownSnapshot, CorruptSnapshot):  # its image was deleted, or it meanwhile
                with self._guard:
                    self._kept.pop(key, None)
                engine().remove(kept.state.store)
                return None

    def note(self, family: Family, instance: InstanceId, sandbox: str, arranged: Arranged) -> None:
        """Note that an instance was arranged in a sandbox; keep that if it was asked for before.

        Nobody has signed in there yet. What cannot be kept, for want of disk, is not.
        """
        key = _key(family, instance)
        with self._guard:
            if key not in self._asked:
                self._asked[key] = None
                while len(self._asked) > REMEMBERED:
                    self._asked.popitem(last=False)
                return
            if key in self._kept or key in self._keeping:
                return
            self._keeping.add(key)
        try:
            self._keep(key, sandbox, arranged)
        except SnapshotError as error:
            logger.warning("%s is not kept as it was arranged: %s", instance, error)
        finally:
            with self._guard:
                self._keeping.discard(key)

    def _keep(self, key: Key, sandbox: str, arranged: Arranged) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        store = self.folder / f"{secrets.token_hex(8)}{engine().suffix}"
        state = self._sandboxes.set_aside(sandbox, store)
        kept = KeptInstance(arranged, state, engine().size_of(store))
        with self._guard:
            self._kept[key] = kept
            going = list(self._over_bounds())
        for one in going:
            with one.lock:
                engine().remove(one.state.store)

    def _over_bounds(self) -> list[KeptInstance]:
        """Take out what is kept beyond the bounds, the longest unasked first."""
        going = []
        while len(self._kept) > AT_MOST or sum(one.size for one in self._kept.values()) > BYTES:
            _, one = self._kept.popitem(last=False)
            going.append(one)
        return going

    def clear(self) -> None:
        """Forget and remove everything, what a server before this one left among it."""
        with self._guard:
            self._kept.clear()
            self._asked.clear()
        if self.folder.exists():
            remove_stores(self.folder)


def _key(family: Family, instance: InstanceId) -> Key:
    return family.id, str(family.version), str(instance)
