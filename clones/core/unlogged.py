"""How many requests of each sandbox could not be logged, kept where a full disk cannot lose it.

What keeps a request from being logged is mostly a full disk, so the counts lie in a file that has
its whole size from the start: writing into it takes no more room. A sandbox's count is one of a few
thousand, found by a hash of its id. Two sandboxes that share one are both said to have lost
something when one has: who asks would rather throw away a good episode than trust a bad one.
"""

from __future__ import annotations

import logging
import os
import threading
import zlib
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

logger = logging.getLogger(__name__)

PLACES: Final = 8192
WIDTH: Final = 8


class UnloggedRequests:
    """The counts of one server, in a file that its processes share."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._owed: Counter[int] = Counter()
        self._lock = threading.Lock()

    def open(self) -> None:
        """Make the file with its whole size, unless it is there.

        Raises:
            OSError: there is no room for it: a server must not start that cannot keep count.
        """
        if self._path.is_file() and self._path.stat().st_size == PLACES * WIDTH:
            return
        self._path.parent.mkdir(parents=True, exist_ok=True)
        draft = self._path.with_name(f".{self._path.name}.{os.getpid()}")
        try:
            with draft.open("wb") as file:
                file.write(b"\0" * (PLACES * WIDTH))
                file.flush()
                os.fsync(file.fileno())
            draft.replace(self._path)
        finally:
            draft.unlink(missing_ok=True)

    def add(self, sandbox: str) -> None:
        """Count one more; kept in memory until the file takes it."""
        with self._lock:
            self._owed[_place(sandbox)] += 1
            self._settle()

    def settle(self) -> None:
        """Write down what the file could not take before."""
        if self._owed:
            with self._lock:
                self._settle()

    def of(self, sandbox: str) -> int:
        """Return a sandbox's count: it only grows, so any change means requests were lost."""
        place = _place(sandbox)
        with self._lock:
            self._settle()
            owed = self._owed[place]
        try:
            return self._read(place) + owed
        except OSError:
            return owed

    def _settle(self) -> None:
        try:
            for place, times in list(self._owed.items()):
                # Of two processes that add at once one may be lost: the count has grown all the
                # same, and that is what is asked.
                grown = self._read(place) + times
                with _opened(self._path) as file:
                    os.pwrite(file, grown.to_bytes(WIDTH, "little"), place * WIDTH)
                del self._owed[place]
        except OSError:
            logger.exception("what was not logged could not be counted on disk")

    def _read(self, place: int) -> int:
        with _opened(self._path) as file:
            return int.from_bytes(os.pread(file, WIDTH, place * WIDTH), "little")


@contextmanager
def _opened(path: Path) -> Iterator[int]:
    """Give a descriptor of a file that is there; who forks finds nothing left open."""
    file = os.open(path, os.O_RDWR | os.O_CLOEXEC)
    try:
        yield file
    finally:
        os.close(file)


def _place(sandbox: str) -> int:
    return zlib.crc32(sandbox.encode()) % PLACES
