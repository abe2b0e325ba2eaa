"""Tests of stores look at every file of the server: nobody else may make any meanwhile."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.resting import resting


@pytest.fixture(autouse=True)
def alone() -> Iterator[None]:
    """Keep servers that run in this process from their upkeep."""
    with resting():
        yield
