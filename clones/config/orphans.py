"""Processes that end with the one that started them: nobody would stop them later."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import threading
import time

PAUSE = 1.0
PR_SET_PDEATHSIG = 1


def end_with(parent: int, *, at_once: bool = False) -> None:
    """Have this process told to stop, from now on, when its parent is another than `parent`.

    `at_once`: the kernel ends it in the same moment. That is for a process that would go on with
    its parent's work, and which the parent's main thread has started: with that thread it ends.
    """
    if at_once and sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        if os.getppid() != parent:  # it was gone before anybody had asked
            os.kill(os.getpid(), signal.SIGKILL)
    threading.Thread(target=_watch, args=(parent,), name="parent", daemon=True).start()


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(PAUSE)
    os.kill(os.getpid(), signal.SIGTERM)
