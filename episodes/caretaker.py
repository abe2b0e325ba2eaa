"""What the control plane does in idle moments: refill the pool, verify, tidy."""

from __future__ import annotations

import logging
import threading

from snapshots.sandboxes import Sandboxes

logger = logging.getLogger(__name__)

PAUSE = 1.0


class Caretaker:
    """One background thread that does one small piece of upkeep at a time."""

    def __init__(self, sandboxes: Sandboxes, *, pause: float = PAUSE) -> None:
        self._sandboxes = sandboxes
        self._pause = pause
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="caretaker", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def close(self) -> None:
        """Stop after the piece at hand."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(timeout=30)

    def _run(self) -> None:
        while not self._stop.is_set():
            try:
                busy = self._sandboxes.idle()
            except Exception:  # the boundary of a thread: upkeep must go on, and the log tells
                logger.exception("upkeep failed")
                busy = False
            if not busy:
                self._stop.wait(self._pause)
