"""Parts of a build made side by side, in processes of their own where there are cores for them.

A part is a function that yields what it makes, which depends on nothing but the part: whoever makes
it, and when, it is the same. Where no process can be made the parts are made here, and the log says
so; the part of a process that is lost is made here from where it was.
"""

from __future__ import annotations

import logging
import os
import pickle
import select
import signal
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import islice
from typing import IO, Any, Generic, NoReturn, TypeVar

T = TypeVar("T")
Part = Callable[[], Iterator[T]]

PATIENCE = 180_000  # milliseconds that a process may take for one item
SIZE = 8  # bytes that say how long an item is; the greatest number says that there are no more
END = 2 ** (8 * SIZE) - 1
FAILED = END - 1

logger = logging.getLogger(__name__)


class Lost(Exception):
    """Raised when a process made less than its part."""


def cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextmanager
def side_by_side(parts: Sequence[Part[T]], *, apart: bool) -> Iterator[list[Iterator[T]]]:
    """Give an iterator over what each part makes; with `apart` each has a process of its own.

    A process begins when the block does and is gone at its end. What it makes waits in a file until
    it is asked for, so no process waits for another. It can be pickled; the process has copies of
    all there was when it began and must leave the database alone.
    """
    made: list[_Process[T]] = []
    found: list[Iterator[T]] = []
    try:
        for part in parts:
            process = _forked(part) if apart else None
            if process is None:
                found.append(part())
            else:
                made.append(process)
                found.append(process.items())
        yield found
    finally:
        for process in made:
            process.end()


def _forked(part: Part[T]) -> _Process[T] | None:
    """Return a process that makes a part, None where there can be none."""
    if sys.platform != "linux":  # elsewhere system libraries do not survive a fork
        logger.warning("%s cannot share out the work: it is done in one process", sys.platform)
        return None
    try:
        return _Process(part)
    except OSError as error:
        logger.warning("no process to share the work with (%s): it is done in this one", error)
        return None


class _Process(Generic[T]):
    """A process that makes a part: items go to `file`, their lengths through a pipe."""

    def __init__(self, part: Part[T]) -> None:
        self.part = part
        self.file: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - end() closes it
        self.notices, told = os.pipe()
        try:
            self.pid = os.fork()
        except OSError:
            self.file.close()
            os.close(self.notices)
            raise
        else:
            if self.pid == 0:
                _make(part, self.file, told)
        finally:
            os.close(told)

    def items(self) -> Iterator[T]:
        """Yield what the process makes."""
        done = 0
        try:
            for item in self._items():
                yield item
                done += 1
        except Lost as lost:
            logger.warning("a process that shared the work is lost (%s): this one goes on", lost)
        else:
            return
        yield from islice(self.part(), done, None)

    def _items(self) -> Iterator[T]:
        place = 0
        while (length := self._notice()) != END:
            if length == FAILED:
                written = os.fstat(self.file.fileno()).st_size
                raise Lost(f"it failed: {self._read(place, written - place).decode()}")
            yield pickle.loads(self._read(place, length))  # noqa: S301 - a copy of this process wrote it
            place += length

    def _notice(self) -> int:
        """Wait for the length of the next item."""
        waiting = select.poll()
        waiting.register(self.notices, select.POLLIN)
        if not waiting.poll(PATIENCE):
            raise Lost(f"it made nothing in {PATIENCE // 1000} seconds")
        told = os.read(self.notices, SIZE)
        if len(told) < SIZE:  # so little is written at once or not at all
            raise Lost("it ended early")
        return int.from_bytes(told)

    def _read(self, place: int, length: int) -> bytes:
        # The place in the file is the other one's: both have it.
        found = os.pread(self.file.fileno(), length, place)
        if len(found) < length:
            raise Lost("what it made is not there")
        return found

    def end(self) -> None:
        """End the process, whether it is done or not."""
        with suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)
        with suppress(ChildProcessError):
            os.waitpid(self.pid, 0)
        os.close(self.notices)
        self.file.close()


def _make(part: Part[Any], file: IO[bytes], told: int) -> NoReturn:
    """Make a part in the process that this is; nothing that was there before is tidied away."""
    try:
        # Signals mean this process, not who began it.
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        try:
            for item in part():
                data = pickle.dumps(item, protocol=pickle.HIGHEST_PROTOCOL)
                file.write(data)
                file.flush()
                os.write(told, len(data).to_bytes(SIZE))
            os.write(told, END.to_bytes(SIZE))
        except Exception:  # noqa: BLE001 - the boundary of a process: the other one logs it
            file.write(traceback.format_exc().encode())
            file.flush()
            os.write(told, FAILED.to_bytes(SIZE))
    finally:
        os._exit(0)
