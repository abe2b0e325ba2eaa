"""A pytest plugin: nobody looks for garbage in what was collected.

What a process imports and lists stays for good: it is some hundred thousand objects, a third of a
second of each full collection. All processes of a run import in one order: operations, and so what
tests are made of, stand in the order in which they were registered.
"""

from __future__ import annotations

import gc
from collections.abc import Generator

import pytest

from clones.core.garbage import uncollected


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Look for no garbage among what is imported, now and later."""
    with uncollected():
        found = yield
        gc.freeze()
    return found
