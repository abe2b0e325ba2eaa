"""Ends a request that works too long, or that works in a sandbox which somebody wants to reset.

One thread of a worker answers all requests, so one that does not end holds up every sandbox of the
worker, and its write lock its own sandbox's resets. Beside that thread another looks at what it is
doing. Past a bound of the processor's seconds it raises `OutOfTime` inside the request, between two
steps of the interpreter, after it has interrupted the statement that the store is at: the request's
transaction is rolled back and its sender is told in the vendor's words. What is counted is what the
thread itself has used, so a busy machine ends nobody's request; of a server's work for PostgreSQL,
which is done elsewhere, the wall's seconds are counted, and far more of them.

A sandbox whose request was ended so may use less for a while, till it is reset: what it asks again
is what all others of the worker would wait for again.
"""

from __future__ import annotations

import ctypes
import logging
import math
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Final

from django.conf import settings

from clones.core.tenancy.wrapper import StoreWrapper

logger = logging.getLogger(__name__)

PAUSE: Final = 0.2
# Seconds of the wall for which a request is left alone, whatever it does.
LEFT_ALONE: Final = 1.0
# Seconds of the wall for each of the processor's, where an engine works for a request.
WAITING: Final = 6.0
# After a request has run out of time: the seconds of the processor that the sandbox's next ones may
# use, for how long that holds, and of how many sandboxes it is known.
AFTERWARDS: Final = 2.0
FOR_A_WHILE: Final = 600.0
KNOWN: Final = 1_024
# Seconds of the processor after which it is what a request asks for that takes so long, and no
# machine that is busy with others.
WORKED: Final = 2.0
# Beside a store, one of each process that answers for it: a request is under way there that is no
# longer left alone. It says which, after `LONG` once that has worked for so long. Its time is that
# of the last look; one that is older is left of a process that died.
WORKING: Final = "working"
WORKING_FOR: Final = 10.0
LONG: Final = "long "
# Beside a store: its sandbox is to be reset. One that is older is left of a process that died.
WANTED: Final = "reset-wanted"
WANTED_FOR: Final = 120.0


class CutOff(BaseException):
    """Raised inside a request that must end now; no handler of errors may keep it."""


class OutOfTime(CutOff):
    """Raised inside a request that has used the seconds that a request may."""


class ResetWanted(CutOff):
    """Raised inside a request whose sandbox is to be reset."""


@dataclass(slots=True)
class Watched:
    """What the thread that answers is doing."""

    thread: int
    began: float
    used: float
    store: Path | None = None
    generation: int = 0
    wrapper: StoreWrapper | None = None
    asked: str = ""
    told: Path | None = None


class RequestWatch:
    """Watches the one thread that answers requests; made in that thread.

    `seconds` of the processor are what a request may use.
    """

    of_process: ClassVar[RequestWatch | None] = None

    def __init__(self, seconds: float) -> None:
        RequestWatch.of_process = self
        self._seconds = seconds
        self._thread = threading.get_ident()
        self._lock = threading.Lock()
        self._at: Watched | None = None
        # When a request of a sandbox, in a generation of it, ran out of time.
        self._ended: dict[tuple[Path, int], float] = {}
        self._began = threading.Event()
        threading.Thread(target=self._look, name="watch", daemon=True).start()

    @contextmanager
    def over_request(self) -> Iterator[None]:
        """Watch the block, which answers one request.

        Nothing is raised in it once `let_be` was called.
        """
        self._at = Watched(self._thread, time.monotonic(), self._processor())
        self._began.set()
        try:
            yield
        finally:
            self.let_be()

    def note_store(self, store: Path, generation: int, wrapper: StoreWrapper, asked: str) -> None:
        """Say which store the request at hand works in, and what it asks."""
        at = self._at
        if at is not None:
            at.store, at.generation, at.wrapper, at.asked = store, generation, wrapper, asked

    def has_worked_long(self) -> bool:
        """Tell whether the request at hand has taken long because of what it asks for."""
        at = self._at
        return at is not None and self._worked(at) > WORKED

    def _worked(self, at: Watched) -> float:
        """Return the seconds of the processor that a request has used, here or in its engine."""
        used = self._processor() - at.used
        if at.wrapper is not None and at.wrapper.vendor == "postgresql":
            return max(used, (time.monotonic() - at.began) / WAITING)
        return used

    def _tell(self, at: Watched) -> None:
        """Leave word beside the store that a request is under way in it, and whether for long."""
        if at.store is None or time.monotonic() - at.began < LEFT_ALONE:
            return
        at.told = at.store.parent / f"{WORKING}.{settings.PROCESS_NAME}.{os.getpid()}"
        try:
            at.told.write_text((LONG if self._worked(at) > WORKED else "") + at.asked)
        except OSError:  # a full disk, or the sandbox is gone: nobody is told
            at.told = None

    def _bound(self, at: Watched) -> float:
        """Return the seconds of the processor that a request may use."""
        if at.store is None:
            return self._seconds
        ended = self._ended.get((at.store, at.generation), -math.inf)
        fresh = time.monotonic() - ended < FOR_A_WHILE
        return min(self._seconds, AFTERWARDS) if fresh else self._seconds

    def _note_ended(self, at: Watched) -> None:
        """Keep that a request of a sandbox has run out of time."""
        if at.store is None:
            return
        if len(self._ended) >= KNOWN:
            del self._ended[next(iter(self._ended))]
        self._ended[at.store, at.generation] = time.monotonic()

    def let_be(self) -> None:
        """Watch the request at hand no more: it is over, or has been ended."""
        while True:
            try:
                with self._lock:
                    if self._at is not None and self._at.told is not None:
                        with suppress(OSError):
                            self._at.told.unlink(missing_ok=True)
                    self._at = None
                    self._began.clear()
                    _raise_in(self._thread, None)
            except CutOff:  # raised just before: once more, so that nothing is left half done
                continue
            else:
                return

    def _processor(self) -> float:
        """Return the processor's seconds that the answering thread has used."""
        if not hasattr(time, "pthread_getcpuclockid"):
            return time.monotonic()
        return time.clock_gettime(time.pthread_getcpuclockid(self._thread))

    def _look(self) -> None:
        while True:
            self._began.wait()
            time.sleep(PAUSE)
            try:
                with self._lock:
                    at = self._at
                    reason = None if at is None else self._reason(at)
                    if at is not None:
                        self._tell(at)
                    if at is not None and reason is not None:
                        _raise_in(at.thread, reason)
                        if reason is OutOfTime:
                            self._note_ended(at)
                        if at.wrapper is not None:
                            at.wrapper.interrupt()
            except Exception:  # the boundary of a thread: the next look may do better
                logger.exception("a request could not be looked at")

    def _reason(self, at: Watched) -> type[CutOff] | None:
        """Return why the request must end, None if it need not."""
        waited = time.monotonic() - at.began
        if waited < LEFT_ALONE:
            return None
        if self._worked(at) > self._bound(at):
            return OutOfTime
        if at.store is not None and is_reset_wanted(at.store):
            return ResetWanted
        return None


def note_store(store: Path, generation: int, wrapper: StoreWrapper, asked: str) -> None:
    """Say which store the request at hand works in and what it asks, if somebody watches."""
    if RequestWatch.of_process is not None:
        RequestWatch.of_process.note_store(store, generation, wrapper, asked)


def has_worked_long() -> bool:
    """Tell whether the request at hand has taken long because of what it asks for."""
    return RequestWatch.of_process is not None and RequestWatch.of_process.has_worked_long()


def is_working(store: Path, *, long: bool = False) -> bool:
    """Tell whether a request has been under way for a while in a store's sandbox, and still is.

    If it is to be `long`, it has taken that while because of what it asks for.
    """
    return any(said.startswith(LONG) or not long for said in _working(store))


def requests_at_work(store: Path) -> list[str]:
    """Return what is asked by the requests that have been under way for a while in a sandbox."""
    return sorted(said.removeprefix(LONG) for said in _working(store))


def _working(store: Path) -> Iterator[str]:
    """Yield what processes say of the requests that they work at."""
    for place in store.parent.glob(f"{WORKING}.*"):
        try:
            if time.time() - place.stat().st_mtime < WORKING_FOR:
                yield place.read_text()
            else:
                place.unlink()
        except (OSError, UnicodeError):  # it is over just now, or half written
            continue


def forget_words(folder: Path) -> list[Path]:
    """Remove what processes said beside the store in a sandbox's folder; return what went.

    Called when none can be at work there: a process that was killed has taken nothing back.
    """
    found = sorted([*folder.glob(f"{WORKING}.*"), *folder.glob(WANTED)])
    for place in found:
        place.unlink(missing_ok=True)
    return found


def wait_while_working(store: Path, *, most: float) -> bool:
    """Wait, so many seconds at most, till no request is under way for long in a store's sandbox.

    Returns whether none is.
    """
    began = time.monotonic()
    while is_working(store):
        if time.monotonic() - began >= most:
            return False
        time.sleep(PAUSE / 2)
    return True


def let_be() -> None:
    """Have the request at hand watched no more, if somebody does."""
    if RequestWatch.of_process is not None:
        RequestWatch.of_process.let_be()


@contextmanager
def reset_wanted(store: Path) -> Iterator[None]:
    """Have requests in a store's sandbox end soon, so that the block gets its write lock."""
    place = store.parent / WANTED
    try:
        place.touch()
    except OSError:  # a full disk: the block waits for as long as it may
        yield
        return
    try:
        yield
    finally:
        place.unlink(missing_ok=True)


def is_reset_wanted(store: Path) -> bool:
    """Tell whether somebody waits to reset a store's sandbox."""
    try:
        return time.time() - (store.parent / WANTED).stat().st_mtime < WANTED_FOR
    except OSError:
        return False


def _raise_in(thread: int, what: type[CutOff] | None) -> None:
    """Have an exception raised in a thread at its next step; None takes back one that waits."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(
        ctypes.c_ulong(thread), ctypes.py_object(what) if what is not None else None
    )
