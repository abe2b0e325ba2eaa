"""A pytest plugin: the processes of a run begin to collect at different places.

Each of them imports every file of tests, and writes it down compiled, with its assertions made to
tell what they saw. Where nothing is compiled yet, in a fresh clone, processes that go through the
files side by side would each compile all of them; so each finds compiled what the others began
with. Tests then stand in the order of their files, in every process the same.

What they imported stays for good, and nobody looks for garbage in it: it is some hundred thousand
objects, a third of a second of each full collection.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Generator

import pytest

from clones.core.garbage import uncollected


def _processes() -> int:
    return int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Look for no garbage among what is imported, now and later."""
    with uncollected():
        found = yield
        gc.freeze()
    return found


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Begin in each folder at this process's part of it."""
    report = yield
    if isinstance(collector, pytest.Directory) and report.result:
        number = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
        first = len(report.result) * number // _processes()
        report.result = [*report.result[first:], *report.result[:first]]
    return report


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the tests of all files into the order of the files, where processes share them."""
    if _processes() > 1:
        items.sort(key=lambda item: item.path.parts)
