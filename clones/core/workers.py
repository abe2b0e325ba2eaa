"""Work done side by side, in processes of their own where there are cores for them.

It comes as parts, functions that yield what they make, or as items that somebody is to work on.
What is made depends on nothing but the part or the item: whoever makes it, and when, it is the
same. Where no process can be made it is made here, and the log says so; what a process leaves
undone that is lost is made here too.

A process has copies of all there was when it began, connections included. It must leave every
database alone, and it ends without tidying anything away.

The standard library was weighed. Its pools send the function too, end or hang when a process is
lost, and took a third (`ProcessPoolExecutor`) or two thirds (`Pool.imap`) more processor time for
400 runs of 1,000 rows, of which these processes take a fifth more than one does alone. Its
`Process` with pipes is no shorter, and leaves four descriptors open when there can be no process.
"""

from __future__ import annotations

import gc
import logging
import os
import pickle
import select
import signal
import sys
import tempfile
import traceback
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from itertools import cycle, islice
from typing import IO, Any, Generic, NoReturn, TypeVar

T = TypeVar("T")
R = TypeVar("R")
P = TypeVar("P")
Part = Callable[[], Iterator[T]]

PATIENCE = 180_000  # milliseconds that a process may take for one item
SIZE = 8  # bytes that say how long an item is; the greatest number says that there are no more
END = 2 ** (8 * SIZE) - 1
FAILED = END - 1
AHEAD = 2  # items on their way to a process, so that it need not wait for the next one

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
    it is asked for, so no process waits for another. It can be pickled.
    """
    made: list[_Process[T]] = []
    found: list[Iterator[T]] = []
    try:
        for part in parts:
            process = _begun(partial(_Process, part)) if apart else None
            if process is None:
                found.append(part())
            else:
                made.append(process)
                found.append(process.items())
        yield found
    finally:
        for process in made:
            process.end()


def spread(work: Callable[[T], R], items: Iterable[T], *, helpers: int) -> list[R]:
    """Return `work(item)` of each item, in their order; so many processes work beside this one.

    They begin at the first item and are gone at the end. Items are taken one after the other, here
    alone, as there is somebody to work on them; they and what is made of them can be pickled.
    """
    made: dict[int, R] = {}
    team: list[_Helper[T, R]] = []
    try:
        for number, item in enumerate(items):
            if number == 0:
                team = _team(work, helpers)
            for helper in team:
                made.update(helper.answers(wait=False))
            if not any(helper.takes(number, item) for helper in team):
                made[number] = work(item)
        for helper in team:
            made.update(helper.answers(wait=True))
    finally:
        for helper in team:
            helper.end()
    return [made[number] for number in range(len(made))]


def _team(work: Callable[[T], R], size: int) -> list[_Helper[T, R]]:
    """Return up to so many processes that work on items."""
    team: list[_Helper[T, R]] = []
    while len(team) < size and (helper := _begun(partial(_Helper[T, R], work))):
        team.append(helper)
    return team


def _begun(process: Callable[[], P]) -> P | None:
    """Return a process, None where there can be none."""
    if sys.platform != "linux":  # elsewhere system libraries do not survive a fork
        logger.warning("%s cannot share out the work: it is done in one process", sys.platform)
        return None
    try:
        return process()
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
        """Yield what the process makes, and what it left undone."""
        done = 0
        try:
            for item in self.made():
                yield item
                done += 1
        except Lost as lost:
            _tell_of(lost)
        else:
            return
        yield from islice(self.part(), done, None)

    def made(self) -> Iterator[T]:
        """Yield what the process makes.

        Raises:
            Lost: it makes no more, though it should.
        """
        place = 0
        while (length := self._notice()) != END:
            if length == FAILED:
                written = os.fstat(self.file.fileno()).st_size
                raise Lost(f"it failed: {self._read(place, written - place).decode()}")
            yield pickle.loads(self._read(place, length))  # noqa: S301 - a copy of this process wrote it
            place += length

    def has_news(self, patience: int = 0) -> bool:
        """Tell whether it has made an item or ended, in so many milliseconds."""
        waiting = select.poll()
        waiting.register(self.notices, select.POLLIN)
        return bool(waiting.poll(patience))

    def _notice(self) -> int:
        """Wait for the length of the next item."""
        if not self.has_news(PATIENCE):
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


class _Helper(Generic[T, R]):
    """A process that works on items: each lies in one of a few files, a pipe says how long it is.

    An item is written over the one before the last, which has been answered.
    """

    def __init__(self, work: Callable[[T], R]) -> None:
        self.work = work
        self.given: deque[tuple[int, T]] = deque()
        self.is_fit = True
        with ExitStack() as opened:
            files = [
                opened.enter_context(tempfile.TemporaryFile(buffering=0)) for _ in range(AHEAD)
            ]
            self.files = cycle(files)
            self.told, self.tells = os.pipe()
            opened.callback(os.close, self.told)
            opened.callback(os.close, self.tells)
            self.process = _Process(self._answers)
            opened.callback(self.process.end)
            self.opened = opened.pop_all()
        self.made = self.process.made()

    def _answers(self) -> Iterator[R]:
        """Yield what is made of each item that comes: the part of the process."""
        os.close(self.tells)  # so that the end of who gives items is the end of this one
        for file in self.files:
            told = os.read(self.told, SIZE)
            if len(told) < SIZE:
                return
            item = os.pread(file.fileno(), int.from_bytes(told), 0)
            yield self.work(pickle.loads(item))  # noqa: S301 - who began this process wrote it

    def takes(self, number: int, item: T) -> bool:
        """Give it an item, unless it has enough or is not fit; return whether it has it."""
        if not self.is_fit or len(self.given) == AHEAD:
            return False
        data = pickle.dumps(item, protocol=pickle.HIGHEST_PROTOCOL)
        try:
            self.is_fit = os.pwrite(next(self.files).fileno(), data, 0) == len(data)
        except OSError:
            self.is_fit = False
        if not self.is_fit:
            logger.warning("no room for what a process is to work on: this one does it")
            return False
        os.write(self.tells, len(data).to_bytes(SIZE))
        self.given.append((number, item))
        return True

    def answers(self, *, wait: bool) -> Iterator[tuple[int, R]]:
        """Yield what was made of items, by their numbers; with `wait` of all it was given."""
        while self.given and (wait or self.process.has_news()):
            try:
                answer = next(self.made)
            except Lost as lost:
                _tell_of(lost)
                self.is_fit = False
                while self.given:
                    number, item = self.given.popleft()
                    yield number, self.work(item)
            else:
                yield self.given.popleft()[0], answer

    def end(self) -> None:
        """End the process."""
        self.opened.close()


def _tell_of(lost: Lost) -> None:
    logger.warning("a process that shared the work is lost (%s): this one goes on", lost)


def _make(part: Part[Any], file: IO[bytes], told: int) -> NoReturn:
    """Make a part in the process that this is; nothing that was there before is tidied away."""
    try:
        gc.freeze()  # a connection that is garbage would be closed, under the feet of who has it
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
