"""A pytest plugin: what takes long begins early, so that no process ends a run alone.

Each of a run's two processes begins with a half of the list and takes from the end of the other's
when its own is done: what is marked `slow` comes first in both halves. `slow(shares="a fixture")`
says that what takes long is the fixture: tests that have it with the same parameter, or in the same
module, stay together, so that one process makes it for all.
"""

from __future__ import annotations

from collections.abc import Hashable

import pytest


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the slow tests where they begin early; the order among them stays."""
    slow = dict[Hashable, list[pytest.Item]]()
    quick = []
    for item in items:
        mark = item.get_closest_marker("slow")
        if mark is None:
            quick.append(item)
        else:
            slow.setdefault(_shared(item, mark.kwargs.get("shares")), []).append(item)
    halves = list(slow.values())
    first = [item for together in halves[::2] for item in together]
    second = [item for together in halves[1::2] for item in together]
    middle = max(len(items) // 2 - len(first), 0)
    items[:] = [*first, *quick[:middle], *second, *quick[middle:]]


def _shared(item: pytest.Item, fixture: str | None) -> Hashable:
    """Return what a slow test has in common with those it stays with; with none, its own id."""
    if fixture is None:
        return item.nodeid
    called = getattr(item, "callspec", None)
    return fixture, called.params.get(fixture, item.path) if called is not None else item.path
