"""A pytest plugin: which of the tests run, by the tier (`tests.tiers`)."""

from __future__ import annotations

import pytest

from tests.tiers import EVERYTHING, SEED


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Draw the examples of property tests by the run's seed, unless they are always the same."""
    if EVERYTHING and config.option.hypothesis_seed is None:
        config.option.hypothesis_seed = str(SEED)


def pytest_report_header() -> str:
    """Say which tests run and how their draws are repeated."""
    tier = "everything" if EVERYTHING else "what a merge needs"
    return f"tier: {tier}; draws: SANDLOT_SEED={SEED}"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what only `make test-everything` runs."""
    if EVERYTHING:
        return
    left = [item for item in items if item.get_closest_marker("everything")]
    if left:
        config.hook.pytest_deselected(items=left)
        items[:] = [item for item in items if item not in set(left)]
