"""Fixtures of the billing tests."""

from __future__ import annotations

import pytest

from clones.core.tenancy import SandboxRow
from tests.billing.shop import Api, open_account


@pytest.fixture
def api(empty_sandbox: SandboxRow) -> Api:
    """A client with the secret key of an empty sandbox's merchant."""
    return Api(empty_sandbox, open_account(empty_sandbox))
