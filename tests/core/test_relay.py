"""What a client says before the worker's end is open is not lost; half a request ends some time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import cast

import pytest

from clones.config import relay
from clones.config.relay import SILENCE, Relay

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

    def made() -> Relay:
        relays.append(Relay(connect, set()))
        return relays[0]

    front = await loop.create_server(made, "127.0.0.1", 0)
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


class Worker(asyncio.Protocol):
    """A worker that answers a whole request and waits for the rest of any other."""

    def __init__(self) -> None:
        self.heard = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.line = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        self.heard += len(data)
        if data.endswith(b"whole"):
            self.line.write(b"answered")
        if data.startswith(b"full"):
            self.line.pause_reading()


@asynccontextmanager
async def _relayed() -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter, Relay]]:
    """Relay one client's connection to a worker."""
    loop = asyncio.get_running_loop()
    workers: list[Worker] = []
    relays: list[Relay] = []

    def begun() -> Worker:
        workers.append(Worker())
        return workers[-1]

    def made() -> Relay:
        relays.append(Relay(connect, set()))
        return relays[-1]

    async def connect(end: Callable[[], asyncio.Protocol]) -> asyncio.BaseTransport:
        transport, _ = await loop.create_connection(end, *worker.sockets[0].getsockname()[:2])
        return transport

    worker = await loop.create_server(begun, "127.0.0.1", 0)
    front = await loop.create_server(made, "127.0.0.1", 0)
    reader, writer = await asyncio.open_connection(*front.sockets[0].getsockname()[:2])
    await asyncio.sleep(0.1)
    try:
        yield reader, writer, relays[0]
    finally:
        for line in (writer.transport, *(one.line for one in workers)):
            line.abort()
        await asyncio.sleep(0.1)
        for server in (front, worker):
            server.close()
            await server.wait_closed()


async def _is_ended(words: list[bytes], seconds: float) -> bool:
    """Say some words to a relay's worker; tell whether the line ends after some silence."""
    async with _relayed() as (reader, writer, found):
        for word in words:
            writer.write(word)
            if word.endswith(b"whole"):
                assert await reader.readexactly(len("answered")) == b"answered"
            await asyncio.sleep(0.2)
        found.end_if_silent(asyncio.get_running_loop().time() + seconds)
        await asyncio.sleep(0.1)
        return reader.at_eof() or writer.is_closing() or reader.exception() is not None


FULL = b"full" + b"x" * 30_000_000


@pytest.mark.parametrize(
    ("words", "seconds", "ended"),
    [
        ([b"half"], SILENCE + 1, True),
        ([b"half"], SILENCE - 10, False),
        ([], SILENCE * 9, False),
        ([b"whole"], SILENCE * 9, False),  # answered, and kept
        ([b"whole", b"half"], SILENCE + 1, True),
        ([FULL], SILENCE + 1, False),  # it may not speak on: the worker does not hear
    ],
    ids=["half", "not yet", "nothing", "answered", "half of the next", "not heard"],
)
def test_half_a_request_is_not_waited_for(
    words: list[bytes], seconds: float, *, ended: bool
) -> None:
    assert asyncio.run(_is_ended(words, seconds)) is ended


def test_a_request_without_end_is_refused_and_its_worker_let_go(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(relay, "LONGEST", 1_000)

    async def said() -> bytes:
        async with _relayed() as (reader, writer, _):
            for _ in range(3):
                writer.write(b"x" * 400 + b"whole")  # each is answered: they are no one request
                await reader.readexactly(len("answered"))
            writer.write(b"x" * 1_001)
            return await reader.read()

    assert asyncio.run(said()).startswith(b"HTTP/1.1 413")
