"""How the cost of reading a text grows with its length: as a line does, or as a square."""

from __future__ import annotations

import time
from collections.abc import Callable

TIMES = 16
BOUND = 64
"""What 16 times the text may cost: a line needs 16 times as much, a square 256 times."""


def stays_a_line(short: Callable[[], object], long: Callable[[], object]) -> bool:
    """Return whether work on 16 times the text costs less than 64 times as much processor time.

    A busy machine may spoil a measurement, never a square: what grows as one fails each time.
    """
    return any(_took(long) < BOUND * max(_took(short), 0.001) for _ in range(4))


def _took(work: Callable[[], object]) -> float:
    """Return the processor's time of the faster of two runs, in seconds."""
    times = []
    for _ in range(2):
        begun = time.process_time()
        work()
        times.append(time.process_time() - begun)
    return min(times)
