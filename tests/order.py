"""A pytest plugin: what takes long begins early, so that no process ends a run alone.

Each of a run's two processes begins with a half of the list and takes from the end of the other's
when its own is done: what is marked `slow` comes first in both halves.
"""

from __future__ import annotations

import pytest


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the slow tests where they begin early; the order among them stays."""
    slow = [item for item in items if item.get_closest_marker("slow") is not None]
    quick = [item for item in items if item.get_closest_marker("slow") is None]
    middle = max(len(items) // 2 - len(slow[::2]), 0)
    items[:] = [*slow[::2], *quick[:middle], *slow[1::2], *quick[middle:]]
