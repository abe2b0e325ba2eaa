"""What the control plane does in idle moments: refill the pool, verify, tidy."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic

from clones.core.execution import drain_quietly, executor, sweep
from snapshots.sandboxes import Sandboxes

logger = logging.getLogger(__name__)

PAUSE = 1.0
QUIET = 0.25
# Upkeep that callers have kept waiting for so long is done among their calls.
OVERDUE = 20.0
# Seconds for which what is due is left to the process that noted it.
LEFT = 0.5


class Caretaker:
    """One background thread that does one small piece of upkeep at a time, while nobody calls.

    What it does `also`, it does after each pause, whoever calls.
    """

    def __init__(
        self,
        sandboxes: Sandboxes,
        *,
        also: Callable[[], None] = lambda: None,
        pause: float = PAUSE,
    ) -> None:
        self._sandboxes = sandboxes
        self._also = also
        self._looked = 0.0
        self._pause = pause
        self._called = 0.0
        self._done = monotonic()
        self._swept = 0.0
        self._stop = threading.Event()
        self._piece = threading.RLock()
        self._thread = threading.Thread(target=self._run, name="caretaker", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def note_call(self) -> None:
        """Put off what can wait: somebody calls just now."""
        self._called = monotonic()

    def is_due(self, now: float) -> bool:
        """Tell whether nobody has called for a while, or upkeep has waited too long for that."""
        return now >= self._called + QUIET or now >= self._done + OVERDUE

    @contextmanager
    def resting(self) -> Iterator[None]:
        """Do nothing while the block runs: its caller wants the stores for themselves."""
        with self._piece:
            yield

    def close(self) -> None:
        """Stop after the piece at hand."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(timeout=30)

    def _sweep(self, now: float) -> None:
        """Run the timers of live clocks, and what a process that died left due."""
        if now < self._swept + self._pause or executor().sweeps:
            return
        self._swept = now
        try:
            sweep(drain_quietly, older_than=LEFT)
        except Exception:  # the boundary of a thread, as below
            logger.exception("what is due could not be looked up")

    def _look(self, now: float) -> None:
        """Do what is done besides."""
        if now < self._looked + self._pause:
            return
        self._looked = now
        try:
            self._also()
        except Exception:  # the boundary of a thread, as below
            logger.exception("idle episodes could not be ended")

    def _run(self) -> None:
        while not self._stop.is_set():
            with self._piece:
                wait = self._turn()
            if wait:
                self._stop.wait(wait)

    def _turn(self) -> float:
        """Do what there is to do just now; return for how many seconds there is nothing more."""
        now = monotonic()
        self._sweep(now)
        self._look(now)
        if not self.is_due(now):
            return QUIET
        self._done = now
        try:
            busy = self._sandboxes.idle()
        except Exception:  # the boundary of a thread: upkeep must go on, and the log tells
            logger.exception("upkeep failed")
            busy = False
        return 0.0 if busy else self._pause
