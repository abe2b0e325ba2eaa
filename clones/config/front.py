"""The process before the workers: published ports, and the server's end of TLS.

It carries bytes and reads none of them: the Host header names the port that a client came to, so a
worker knows what is published there. What should be open is read from the registry, again and
again; what is, and what hinders, stands in `DIR/front.json`.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import os
import resource
import signal
import sqlite3
import ssl
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import psutil

from clones.config.relay import Relay
from clones.core.tenancy.origins import STATUS, Origin
from clones.core.tenancy.registry import Registry

logger = logging.getLogger(__name__)

PAUSE = 0.05
TRY_AGAIN = 1.0
BACKLOG = 1024
ANYWHERE = "0.0.0.0"  # noqa: S104 - compared with, not listened on


@dataclass(frozen=True, slots=True)
class Upstream:
    """Where a worker listens: a path, or a host and port."""

    path: str | None = None
    host: str = ""
    port: int = 0

    @classmethod
    def parse(cls, text: str) -> Upstream:
        """Return what `unix:PATH` or `HOST:PORT` names."""
        if text.startswith("unix:"):
            return cls(path=text.removeprefix("unix:"))
        host, _, port = text.rpartition(":")
        return cls(host=host, port=int(port))

    async def connect(self, protocol: Callable[[], asyncio.Protocol]) -> asyncio.BaseTransport:
        """Open a connection.

        Raises:
            OSError: nobody listens.
        """
        loop = asyncio.get_running_loop()
        transport: asyncio.BaseTransport
        if self.path is not None:
            transport, _ = await loop.create_unix_connection(protocol, self.path)
        else:
            transport, _ = await loop.create_connection(protocol, self.host, self.port)
        return transport


class Listener:
    """A port that is open, and the connections that came in by it."""

    def __init__(self, upstream: Upstream) -> None:
        self._upstream = upstream
        self._ends: set[Relay] = set()
        self._server: asyncio.Server | None = None

    async def open(self, host: str, port: int, tls: ssl.SSLContext | None) -> None:
        """Listen.

        Raises:
            OSError: the port cannot be had.
        """
        self._server = await asyncio.get_running_loop().create_server(
            lambda: Relay(self._upstream.connect, self._ends),
            host,
            port,
            ssl=tls,
            backlog=BACKLOG,
        )

    def end_silent(self, now: float) -> None:
        """End connections by which half a request came long ago, and nothing since."""
        for end in list(self._ends):
            end.end_if_silent(now)

    def close(self) -> None:
        """Listen no more, and end what came in."""
        if self._server is not None:
            self._server.close()
        for end in list(self._ends):
            end.abort()


@dataclass(slots=True)
class Published:
    """What became of a published port: its listener, or what hinders it and when to try again."""

    origin: Origin
    listener: Listener | None = None
    problem: str | None = None
    again: float = 0.0


class Front:
    """The listeners of one server."""

    def __init__(
        self,
        data: Path,
        host: str,
        workers: dict[int, Upstream],
        tls: ssl.SSLContext | None,
    ) -> None:
        self._data = data
        self._host = host
        self._workers = workers
        self._tls = tls
        self._registry = Registry(data / "registry.sqlite")
        self._published: dict[int, Published] = {}
        self._seen: int | None = None

    async def run(self, stopping: asyncio.Event) -> None:
        """Serve until stopped, or until the process that started this one is gone."""
        parent = os.getppid()
        own: list[Listener] = []
        looked = 0.0
        if self._tls is not None:
            for port, upstream in self._workers.items():
                await _answers(upstream, stopping)
                listener = Listener(upstream)
                await listener.open(self._host, port, self._tls)
                own.append(listener)
        self._tell()
        try:
            while not stopping.is_set() and os.getppid() == parent:
                try:
                    await self._look()
                except (sqlite3.Error, OSError):  # a full disk, a lock held for long: both may end
                    self._seen = None
                    logger.exception("published ports could not be looked up")
                now = asyncio.get_running_loop().time()
                if now - looked > TRY_AGAIN:
                    looked = now
                    for listener in (*own, *self._listeners()):
                        listener.end_silent(now)
                try:
                    await asyncio.wait_for(stopping.wait(), PAUSE)
                except TimeoutError:
                    continue
        finally:
            (self._data / STATUS).unlink(missing_ok=True)
            for listener in (*own, *self._listeners()):
                listener.close()

    def _listeners(self) -> list[Listener]:
        """Return those of published ports."""
        return [one.listener for one in self._published.values() if one.listener is not None]

    async def _look(self) -> None:
        """Open and close what the registry says, if it says anything new."""
        now = asyncio.get_running_loop().time()
        waiting = [one for one in self._published.values() if one.problem and now >= one.again]
        seen = self._registry.change_count()
        if seen == self._seen and not waiting:
            return
        self._seen = seen
        wanted = {origin.port: origin for origin in self._registry.all_origins()}
        changed = False
        for port, found in list(self._published.items()):
            if wanted.get(port) != found.origin:
                if found.listener is not None:
                    found.listener.close()
                del self._published[port]
                changed = True
        for port, origin in wanted.items():
            if port not in self._published or self._published[port] in waiting:
                self._published[port] = await self._open(origin, now)
                changed = True
        if changed:
            self._tell()

    async def _open(self, origin: Origin, now: float) -> Published:
        if origin.port in self._workers:
            return Published(origin)  # the data plane's own port: open already
        upstreams = list(self._workers.values())
        listener = Listener(upstreams[origin.worker % len(upstreams)])
        try:
            await listener.open(self._host, origin.port, self._tls)
        except OSError as error:
            problem = str(error) if error.errno is None else os.strerror(error.errno)
            return Published(origin, problem=problem, again=now + TRY_AGAIN)
        return Published(origin, listener)

    def _tell(self) -> None:
        """Write down what is open."""
        status = {
            str(port): {"sandbox": found.origin.sandbox, "problem": found.problem}
            for port, found in self._published.items()
        }
        making = self._data / f"{STATUS}.making"
        making.write_text(json.dumps(status))
        making.replace(self._data / STATUS)


async def _answers(upstream: Upstream, stopping: asyncio.Event) -> None:
    """Wait until a worker takes connections."""
    while not stopping.is_set():
        try:
            found = await upstream.connect(asyncio.Protocol)
        except OSError:
            await asyncio.sleep(PAUSE)
        else:
            found.close()
            return


def own_names(host: str, domain: str) -> list[str]:
    """Return the names and addresses by which the bare host is reached."""
    names = ["localhost", "127.0.0.1", domain]
    if host == ANYWHERE:
        for addresses in psutil.net_if_addrs().values():
            names += [one.address for one in addresses if one.family.name == "AF_INET"]
    else:
        names.append(host)
    return list(dict.fromkeys(names))


async def _serve(options: argparse.Namespace) -> None:
    stopping = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopping.set)
    tls = None
    if options.tls:
        from clones.config.authority import Certificates  # noqa: PLC0415 - an extra

        names = own_names(options.host, options.domain)
        tls = Certificates(options.data / "tls", options.domain, names).context
    workers = {}
    for pair in options.worker:
        port, _, upstream = pair.partition("=")
        workers[int(port)] = Upstream.parse(upstream)
    front = Front(options.data, options.host, workers, tls)
    await front.run(stopping)


def main() -> None:
    """Serve until told to stop."""
    parser = argparse.ArgumentParser(description="Open published ports, and end TLS.")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--host", required=True)
    parser.add_argument("--domain", required=True)
    parser.add_argument(
        "--worker", action="append", required=True, help="PORT=HOST:PORT or PORT=unix:PATH"
    )
    parser.add_argument("--tls", action="store_true")
    options = parser.parse_args()
    # Two descriptors for each connection.
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    asyncio.run(_serve(options))


if __name__ == "__main__":
    main()
