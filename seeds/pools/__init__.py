"""Committed pools of names, places and words, in two halves that share no value.

Worlds of the test split (seeds from 20,000) read the `test` half, all others the `train` half.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Literal

FOLDER = Path(__file__).parent
Half = Literal["train", "test"]
FIRST_TEST_SEED = 20_000


def half_of(seed: int) -> Half:
    """Return the half of the pools that a world seed reads."""
    return "test" if seed >= FIRST_TEST_SEED else "train"


@cache
def pool(half: Half, name: str) -> tuple[str, ...]:
    """Return the values of a pool, in file order.

    Raises:
        FileNotFoundError: there is no such pool.
    """
    text = (FOLDER / half / f"{name}.txt").read_text(encoding="utf-8")
    return tuple(line for line in text.splitlines() if line)
