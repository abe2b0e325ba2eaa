"""How much memory SQLite has allocated in this process: what it keeps of stores that are open.

The library counts it, and Python's module has no way to ask; the module's own file, or the program
that it is built into, knows the library.
"""

from __future__ import annotations

import ctypes
import sqlite3
from collections.abc import Callable
from contextlib import closing
from functools import cache


def bytes_in_use() -> int | None:
    """Return the bytes, None where the library cannot be asked or does not count."""
    bytes_used = _memory_used()
    return None if bytes_used is None else bytes_used()


@cache
def _memory_used() -> Callable[[], int] | None:
    import _sqlite3  # noqa: PLC0415 - its file is all that is wanted of it

    try:
        found = ctypes.CDLL(getattr(_sqlite3, "__file__", None)).sqlite3_memory_used
    except (AttributeError, OSError):
        return None
    found.argtypes, found.restype = [], ctypes.c_int64

    def bytes_used() -> int:
        return int(found())

    before = bytes_used()
    with closing(sqlite3.connect(":memory:")):
        return bytes_used if bytes_used() > before else None
