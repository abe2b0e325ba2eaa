"""What a client says before the worker's end is open is not lost."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from clones.config.relay import Relay

Heard = list[bytes]


async def _said_early(pieces: list[bytes]) -> Heard:
    """Relay a client's words to a worker over sockets; they speak before they are let through."""
    heard: Heard = []
    done, ended = asyncio.Event(), asyncio.Event()

    class Worker(asyncio.Protocol):
        def data_received(self, data: bytes) -> None:
            heard.append(data)
            if sum(map(len, heard)) >= sum(map(len, pieces)):
                done.set()

        def connection_lost(self, exc: Exception | None) -> None:
            ended.set()

    loop = asyncio.get_running_loop()
    worker = await loop.create_server(Worker, "127.0.0.1", 0)
    port = worker.sockets[0].getsockname()[1]
    relays: list[Relay] = []

    async def connect(end: Callable[[], asyncio.Protocol]) -> asyncio.BaseTransport:
        # A transport that does not pause hands these over now, whatever it was told.
        for piece in pieces[:-1]:
            relays[0].data_received(piece)
        transport, _ = await loop.create_connection(end, "127.0.0.1", port)
        return transport

    def relay() -> Relay:
        relays.append(Relay(connect, set()))
        return relays[0]

    front = await loop.create_server(relay, "127.0.0.1", 0)
    _, client = await asyncio.open_connection(*front.sockets[0].getsockname()[:2])
    client.write(pieces[-1])
    await asyncio.wait_for(done.wait(), 10)
    client.close()
    await client.wait_closed()
    await asyncio.wait_for(ended.wait(), 10)
    for server in (front, worker):
        server.close()
        await server.wait_closed()
    return heard


def test_what_is_said_early_is_carried_in_order() -> None:
    heard = asyncio.run(_said_early([b"GET / HTTP/1.1\r\n", b"Host: a\r\n", b"\r\n"]))
    assert b"".join(heard) == b"GET / HTTP/1.1\r\nHost: a\r\n\r\n"
