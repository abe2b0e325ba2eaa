"""A pytest plugin: what takes long begins early, so that no process ends a run alone.

Each of a run's processes begins with its share of the list and takes from the end of another's when
its own is done: what is marked `slow` comes first in all shares, dealt out evenly.
`slow(shares="a fixture")` says that what takes long is the fixture: tests that have it with the
same parameter, or in the same module, stay together, so that one process makes it for all. So do,
slow or not, all tests that need one of the servers which a process starts once; their modules stay
whole.
"""

from __future__ import annotations

import os
from collections.abc import Hashable
from itertools import islice

import pytest

# Fixtures of a session: each starts processes, which takes ten seconds of processor time and more.
SERVERS = ("running", "data_plane", "browser_host")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the slow tests where they begin early; the order among them stays."""
    slow = dict[Hashable, list[pytest.Item]]()
    quick = []
    for item in items:
        together = _together(item)
        if together is None:
            quick.append(item)
        else:
            slow.setdefault(together, []).append(item)
    groups = [_slow_modules_first(together) for together in slow.values()]
    shares = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    begun = _dealt(groups, shares)
    rest = iter(quick)
    size = len(items) // shares
    items[:] = [
        item for first in begun for item in (*first, *islice(rest, max(size - len(first), 0)))
    ] + list(rest)


def _dealt(groups: list[list[pytest.Item]], shares: int) -> list[list[pytest.Item]]:
    """Deal groups out, the largest first, each to the share that has the fewest tests so far.

    What one process makes for hundreds of tests is so made once: where two such groups were in one
    share, the others would take tests of it in the end, and start the same servers again.
    """
    dealt: list[list[pytest.Item]] = [[] for _ in range(shares)]
    for together in sorted(groups, key=len, reverse=True):
        min(dealt, key=len).extend(together)
    return dealt


def _slow_modules_first(items: list[pytest.Item]) -> list[pytest.Item]:
    """Put modules with slow tests first, each whole: what it makes, it makes once."""
    slow = {item.path for item in items if item.get_closest_marker("slow") is not None}
    return sorted(items, key=lambda item: item.path not in slow)


def _together(item: pytest.Item) -> Hashable:
    """Return what a test has in common with those it stays with, None if it stays where it is."""
    assert isinstance(item, pytest.Function)
    server = next((name for name in SERVERS if name in item.fixturenames), None)
    if server is not None:
        return server
    mark = item.get_closest_marker("slow")
    if mark is None:
        return None
    fixture = mark.kwargs.get("shares")
    if fixture is None:
        return item.nodeid
    called = getattr(item, "callspec", None)
    return fixture, called.params.get(fixture, item.path) if called is not None else item.path
