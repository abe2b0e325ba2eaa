"""Open connections to stores, kept warm and bounded."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings
from django.db.utils import load_backend

from clones.core.tenancy.context import Binding, bound
from clones.core.tenancy.wrapper import StoreWrapper


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

    A connection is never used by two threads at once: `bind` takes one out and puts it back.
    """

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._idle: OrderedDict[Path, list[StoreWrapper]] = OrderedDict()
        self._count = 0
        self._lock = threading.Lock()

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

    def close(self) -> None:
        """Close every idle connection."""
        for path in list(self._idle):
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
        surplus: list[StoreWrapper] = []
        with self._lock:
            self._idle.setdefault(path, []).append(wrapper)
            self._idle.move_to_end(path)
            self._count += 1
            while self._count > self.limit:
                oldest, wrappers = next(iter(self._idle.items()))
                surplus.append(wrappers.pop(0))
                self._count -= 1
                if not wrappers:
                    del self._idle[oldest]
        for old in surplus:
            old.close()
