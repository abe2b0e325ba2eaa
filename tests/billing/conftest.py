"""Fixtures of the billing tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from snapshots.manifest import Manifest
from tests.billing.calls import CALLS, named
from tests.billing.shop import Api, open_account
from tests.sandbox_pool import SandboxPool


@pytest.fixture
def api(sandbox_pool: SandboxPool, empty_image: Manifest) -> Iterator[Api]:
    """A client with the secret key of an empty sandbox's merchant."""
    with sandbox_pool.borrow(empty_image) as row:
        yield Api(row, open_account(row))


@pytest.fixture(autouse=True)
def vouched(request: pytest.FixtureRequest) -> Iterator[None]:
    """Hold a test to what `witnesses.json` says that it sees."""
    CALLS.seen.clear()
    yield
    missed = CALLS.broken_promises(named(request.node.nodeid))
    assert not missed, (
        f"{missed}: no longer seen here. `make coverage-report CLONE=billing` finds other tests."
    )
