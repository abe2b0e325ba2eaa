"""Processes that end with the one that started them: nobody would stop them later."""

from __future__ import annotations

import os
import signal
import threading
import time

PAUSE = 1.0


def end_with(parent: int) -> None:
    """Have this process told to stop, from now on, when its parent is another than `parent`."""
    threading.Thread(target=_watch, args=(parent,), name="parent", daemon=True).start()


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(PAUSE)
    os.kill(os.getpid(), signal.SIGTERM)
