"""The control plane of the shared server, and a sandbox of the tiny world."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from clones.core.server import server
from clones.core.tenancy import unit_of_work
from sandlot.cli.serving import RunningServer
from sandlot.client import ControlClient
from sandlot.spaces import RemoteSpace
from tests.conftest import bind


@pytest.fixture(scope="session")
def control(running: RunningServer) -> Iterator[ControlClient]:
    """The server's control plane."""
    with ControlClient(running.control_url, running.token) as client:
        yield client


@pytest.fixture
def sandbox(control: ControlClient) -> Iterator[dict[str, Any]]:
    """A sandbox of the tiny world, as the control plane shows it."""
    found = control.post("/v1/sandboxes", {"size": "tiny"})
    yield found
    control.delete(f"/v1/sandboxes/{found['id']}")


@contextmanager
def resetting(sandbox: dict[str, Any]) -> Iterator[None]:
    """A reset that is under way for the length of a block.

    Like a real one it holds the store's write lock: without, the server's caretaker takes it for
    one that a crash cut off and ends it.
    """
    registry = server().registry
    row, position = registry.get(sandbox["id"]), registry.mark(sandbox["id"], "base")
    assert position is not None
    with bind(row), unit_of_work("write"):
        generation = registry.begin_reset(row.id, position)
        try:
            yield
        finally:
            registry.end_reset(row.id, generation, undone_to=None)


def account(sandbox: dict[str, Any], clone: str, role: str) -> dict[str, Any]:
    """Return a handed-out account of a clone by role."""
    accounts: list[dict[str, Any]] = sandbox["apps"][clone]["accounts"]
    return next(entry for entry in accounts if entry["role"] == role)


def play_script(
    control: ControlClient, script: Callable[[RemoteSpace], object], **body: Any
) -> dict[str, Any]:
    """Let a script play an episode over the control plane and return its record."""
    started = control.post("/v1/episodes", {"task": "H05", "seed": 0, "space": "api", **body})
    space = RemoteSpace(control, started)
    script(space)
    if not space.done:
        control.post(f"/v1/episodes/{space.id}/abandon")
    found: dict[str, Any] = control.get(f"/v1/episodes/{space.id}/trajectory")
    return found
