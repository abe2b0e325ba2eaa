"""What tests of the ground floor stand on."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from clones.core.tenancy import SandboxRow, unit_of_work
from tests.conftest import bind


@pytest.fixture
def writing(empty_sandbox: SandboxRow) -> Iterator[SandboxRow]:
    """A sandbox bound, with a write transaction open."""
    with bind(empty_sandbox), unit_of_work("write"):
        yield empty_sandbox
