"""The gateways of a server: one thread, one event loop, and a port for each origin."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Callable
from contextlib import ExitStack, suppress
from functools import partial
from typing import TYPE_CHECKING, Self

import uvicorn
from starlette.applications import Starlette
from starlette.routing import Mount
from starlette.types import ASGIApp

from sandlot.cli.asgi_server import asgi_server
from sandlot.cli.workers import reachable
from sandlot.gateways.bodies import LONGEST
from sandlot.gateways.guard import KeyGuard
from sandlot.gateways.serving import Gateways

if TYPE_CHECKING:
    from sandlot.service import EpisodeService

# Seconds for which answers that are under way are waited for at the end.
LAST_ANSWERS = 10
ENDING = 60.0
LOOK = 0.2  # seconds between two looks whether they have begun


class CannotBegin(Exception):
    """Raised when gateways end as they begin; what they died of is in the log."""


class RunningGateways:
    """The gateways of a service on `host`, at a port and the one after it, until closed.

    `secret` signs addresses of episodes; who asks ORS or OpenEnv has to send it, if it is `keyed`.
    The rest is as of `Gateways`.

    Raises:
        OSError: a port cannot be had.
    """

    def __init__(
        self,
        service: EpisodeService,
        *,
        host: str,
        port: int,
        secret: str,
        keyed: bool,
        capacity: int,
        idle_seconds: float,
    ) -> None:
        self._service = service
        self._host = reachable(host)
        self._port = port
        self._secret = secret
        self._keyed = keyed
        self._capacity = capacity
        self._idle_seconds = idle_seconds
        self._servers = list[uvicorn.Server]()
        self._ready = threading.Event()
        self._stop: Callable[[], object] | None = None
        with ExitStack() as undo:
            self._sockets = [
                undo.enter_context(socket.create_server((host, each), reuse_port=False))
                for each in ports_of_gateways(port)
            ]
            for listening in self._sockets:
                # Connections inherit it; without it answers wait 40 ms for an acknowledgement.
                listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._thread = threading.Thread(target=self._run, name="gateways", daemon=True)
            undo.pop_all()

    @property
    def ors_url(self) -> str:
        """The origin that speaks Open Reward Standard."""
        return f"http://{self._host}:{self._port + 1}"

    @property
    def mcp_origin(self) -> str:
        """The origin below which each episode has its address by MCP."""
        return f"http://{self._host}:{self._port}"

    @property
    def openenv_url(self) -> str:
        """The address below which each environment speaks OpenEnv."""
        return f"http://{self._host}:{self._port}/openenv"

    def told(self) -> list[str]:
        """Return what is served where, in lines for people."""
        first = f"{self.mcp_origin}/mcp/... (MCP), {self.openenv_url}/... (OpenEnv)"
        return [f"gateways      {self.ors_url} (ORS), {first}"]

    def start(self) -> Self:
        """Begin to answer.

        Raises:
            CannotBegin: they end at once.
        """
        self._thread.start()
        while not self._ready.wait(LOOK):
            if not self._thread.is_alive():
                raise CannotBegin("the gateways ended as they began")
        return self

    def _run(self) -> None:
        asyncio.run(self._serve())

    async def _serve(self) -> None:
        gateways = Gateways(
            self._service,
            secret=self._secret,
            capacity=self._capacity,
            idle_seconds=self._idle_seconds,
        )
        key = self._secret if self._keyed else ""
        # An episode's address is its key.
        first = Starlette(
            routes=[
                Mount("/openenv", KeyGuard(gateways.openenv, key)),
                Mount("/", gateways.mcp),
            ]
        )
        self._servers = [_server(first), _server(KeyGuard(gateways.ors, key))]
        stopping = asyncio.Event()
        self._stop = partial(asyncio.get_running_loop().call_soon_threadsafe, stopping.set)
        async with gateways:
            self._ready.set()
            stopped = asyncio.create_task(self._stop_servers(gateways, stopping))
            try:
                await asyncio.gather(
                    *(
                        server.serve(sockets=[listening])
                        for server, listening in zip(self._servers, self._sockets, strict=True)
                    )
                )
            finally:
                stopped.cancel()

    async def _stop_servers(self, gateways: Gateways, stopping: asyncio.Event) -> None:
        """Stop the servers once it is asked for: WebSockets are cut off as they do."""
        await stopping.wait()
        await gateways.sessions.settle()
        for server in self._servers:
            server.should_exit = True

    def close(self) -> None:
        """Wait for acts that are under way, end every session, and stop."""
        if self._thread.is_alive():
            if self._stop is not None:
                with suppress(RuntimeError):  # they end by themselves just now
                    self._stop()
            self._thread.join(timeout=ENDING)
        for listening in self._sockets:
            listening.close()


def _server(app: ASGIApp) -> uvicorn.Server:
    return asgi_server(
        app,
        ws="websockets-sansio",
        ws_max_size=LONGEST,
        ws_per_message_deflate=False,  # most clients are on this machine
        timeout_graceful_shutdown=LAST_ANSWERS,
    )


def ports_of_gateways(port: int) -> tuple[int, ...]:
    """Return the ports of the gateways that are told one: ORS has an origin of its own."""
    return (port, port + 1)
