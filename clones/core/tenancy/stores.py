"""Open connections to stores, kept warm, bounded, and closed when their stores are gone.

A store is deleted by one process and open in many. None of them is told: that nothing is at its
path any more is all there is to know, and each process that keeps connections looks for itself,
also when it has nothing else to do. A path is never used for a second store.
"""

from __future__ import annotations

import logging
import os
import threading
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings
from django.db.utils import load_backend

from clones.core.tenancy.context import Binding, bound
from clones.core.tenancy.wrapper import StoreWrapper

logger = logging.getLogger(__name__)

# Seconds between two looks. One costs three microseconds for each store.
LOOK_EVERY = 1.0


def open_store(path: Path) -> StoreWrapper:
    """Return an unconnected wrapper for the store at `path`."""
    options = {**settings.DATABASES["default"], "NAME": str(path)}
    backend = load_backend(str(options["ENGINE"]))
    wrapper: StoreWrapper = backend.DatabaseWrapper(_with_defaults(options), alias="default")
    wrapper.inc_thread_sharing()
    return wrapper


def _with_defaults(options: Mapping[str, object]) -> dict[str, object]:
    defaults: dict[str, object] = {
        "ATOMIC_REQUESTS": False,
        "AUTOCOMMIT": True,
        "CONN_MAX_AGE": None,
        "CONN_HEALTH_CHECKS": False,
        "OPTIONS": {},
        "TIME_ZONE": None,
        "USER": "",
        "PASSWORD": "",
        "HOST": "",
        "PORT": "",
        "TEST": {},
    }
    return {**defaults, **options}


class StorePool:
    """Idle connections by store path, the least recently used closed first.

    At most `limit` are kept, and no more than fit into `memory` bytes. A connection is never used
    by two threads at once: `bind` takes one out and puts it back. With `looks`, a thread closes
    those to stores that are gone; who keeps a pool for a moment needs none.
    """

    def __init__(self, limit: int, *, memory: int | None = None, looks: bool = False) -> None:
        self.limit = limit
        self.memory = memory
        self._idle: OrderedDict[Path, list[StoreWrapper]] = OrderedDict()
        self._count = 0
        self._lock = threading.Lock()
        self._looks = looks
        self._looking: threading.Thread | None = None
        self._closed = threading.Event()

    @contextmanager
    def bind(self, path: Path, sandbox: str | None = None) -> Iterator[Binding]:
        """Bind the store at `path` for the length of the block."""
        wrapper = self._take(path)
        try:
            with bound(Binding(sandbox, wrapper)) as binding:
                yield binding
        finally:
            self._give_back(path, wrapper)

    def discard(self, path: Path) -> None:
        """Close the idle connections of a store that is gone."""
        with self._lock:
            wrappers = self._idle.pop(path, [])
            self._count -= len(wrappers)
        for wrapper in wrappers:
            wrapper.close()

    def discard_gone(self) -> int:
        """Close the idle connections of stores that are gone; return of how many stores."""
        with self._lock:
            idle = list(self._idle)
        gone = [path for path in idle if not os.path.exists(path)]  # noqa: PTH110 - for speed
        for path in gone:
            self.discard(path)
        return len(gone)

    def close(self) -> None:
        """Close every idle connection and end the thread that looks for gone stores."""
        self._closed.set()
        with self._lock:
            looking, self._looking = self._looking, None
            idle = list(self._idle)
        if looking is not None:
            looking.join()  # whoever forks after this must find one thread only
        for path in idle:
            self.discard(path)

    def __len__(self) -> int:
        return self._count

    def _take(self, path: Path) -> StoreWrapper:
        with self._lock:
            wrappers = self._idle.get(path)
            if wrappers:
                wrapper = wrappers.pop()
                self._count -= 1
                if not wrappers:
                    del self._idle[path]
            else:
                wrapper = open_store(path)
        wrapper.wake()
        return wrapper

    def _give_back(self, path: Path, wrapper: StoreWrapper) -> None:
        if not wrapper.is_fit() or wrapper.in_atomic_block or wrapper.needs_rollback:
            # A connection left inside a transaction would answer its next reader from the past.
            wrapper.in_atomic_block = False
            wrapper.needs_rollback = False
            wrapper.close()
            return
        with self._lock:
            self._idle.setdefault(path, []).append(wrapper)
            self._idle.move_to_end(path)
            self._count += 1
            self._look_on()
        while (surplus := self._surplus(wrapper)) is not None:
            surplus.close()

    def _surplus(self, last: StoreWrapper) -> StoreWrapper | None:
        """Take out the connection that was used least recently, if there are too many."""
        with self._lock:
            if self._count <= self.limit and (
                self.memory is None
                or self._count <= 1
                or last.memory_of(self._count) <= self.memory
            ):
                return None
            oldest, wrappers = next(iter(self._idle.items()))
            surplus = wrappers.pop(0)
            self._count -= 1
            if not wrappers:
                del self._idle[oldest]
            return surplus

    def _look_on(self) -> None:
        """Have a thread look for stores that are gone; a fork of the process needs its own."""
        if not self._looks or (self._looking is not None and self._looking.is_alive()):
            return
        self._closed = threading.Event()
        self._looking = threading.Thread(
            target=self._look, args=[self._closed], name="stores", daemon=True
        )
        self._looking.start()

    def _look(self, closed: threading.Event) -> None:
        while not closed.wait(LOOK_EVERY):
            try:
                self.discard_gone()
            except Exception:  # the boundary of a thread: the next look may do better
                logger.exception("connections to stores that are gone could not be closed")
