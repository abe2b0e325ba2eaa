"""How the cost of reading a text grows with its length: as a line does, or as a square."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable

TIMES = 8


def stays_a_line(short: Callable[[], object], long: Callable[[], object], *, bound: int) -> bool:
    """Return whether work on eight times the text costs less than `bound` times as much.

    A square would cost 64 times the processor time. A busy machine may spoil a measurement, never
    a square: what grows as one fails each time.
    """
    for _ in range(4):
        quickest = max(min(_took(short) for _ in range(3)), 0.002)
        if any(_took(long) < bound * quickest for _ in range(3)):
            return True
    return False


def _took(work: Callable[[], object]) -> float:
    """Return the processor's time of one run, in seconds.

    Without the collector, as `timeit` measures: what it costs depends on all that the process has.
    """
    gc.disable()
    try:
        begun = time.process_time()
        work()
        return time.process_time() - begun
    finally:
        gc.enable()
