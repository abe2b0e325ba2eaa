"""Gateways over episodes of which every answer is known."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import httpx
import pytest
from websockets.sync.client import ClientConnection, connect

from sandlot.cli.gateways import RunningGateways
from sandlot.cli.ports import free_port
from tests.gateways.scripted import ScriptedEpisodes

HOST = "127.0.0.1"
SECRET = "secret"


@dataclass(frozen=True, slots=True)
class ServedEpisodes:
    """Gateways that run, and the episodes behind them."""

    gateways: RunningGateways
    episodes: ScriptedEpisodes

    def ors(self, **headers: str) -> httpx.Client:
        """Return an HTTP client of the origin that speaks ORS."""
        url = self.gateways.ors_url
        return httpx.Client(base_url=url, headers=headers, trust_env=False, timeout=60.0)

    def openenv(self, **headers: str) -> httpx.Client:
        """Return an HTTP client of the address below which environments speak OpenEnv."""
        url = self.gateways.openenv_url
        return httpx.Client(base_url=url, headers=headers, trust_env=False, timeout=60.0)

    def socket(self, environment: str = "h05", query: str = "", **more: Any) -> ClientConnection:
        """Return a WebSocket to an environment."""
        url = f"{self.gateways.openenv_url}/{environment}/ws{query}"
        found: ClientConnection = connect(
            url.replace("http", "ws"), proxy=None, max_size=None, **more
        )
        return found


@contextmanager
def serving_gateways(
    *, keyed: bool = False, capacity: int = 8, idle_seconds: float = 600.0, starting: float = 1.0
) -> Iterator[ServedEpisodes]:
    """Serve for the length of a block."""
    episodes = ScriptedEpisodes(starting=starting)
    running = RunningGateways(
        episodes, host=HOST, port=free_port(HOST), secret=SECRET, keyed=keyed, capacity=capacity,
        idle_seconds=idle_seconds,
    ).start()  # fmt: skip
    try:
        yield ServedEpisodes(running, episodes)
    finally:
        running.close()


@pytest.fixture
def served() -> Iterator[ServedEpisodes]:
    """Gateways of a test's own."""
    with serving_gateways() as found:
        yield found


@pytest.fixture
def ors(served: ServedEpisodes) -> Iterator[httpx.Client]:
    """An HTTP client of the origin that speaks ORS."""
    with served.ors() as client:
        yield client
