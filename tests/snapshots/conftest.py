"""Tests of stores look at every file of the server: nobody else may make any meanwhile."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.test import override_settings

from tests.resting import resting


@pytest.fixture(autouse=True)
def unshared() -> Iterator[None]:
    """Keep the worlds of these tests, which are of a few rows, from those who share them."""
    with override_settings(WORLDS_DIR=None):
        yield


@pytest.fixture(autouse=True)
def alone() -> Iterator[None]:
    """Keep servers that run in this process from their upkeep."""
    with resting():
        yield
