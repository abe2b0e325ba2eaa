"""A body that does not come: its client is told so, and nobody goes on waiting for it."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Iterator

import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from sandlot.cli.asgi_server import BodyDeadline, asgi_server

HEAD = b"POST / HTTP/1.1\r\nHost: here\r\nContent-Length: 6\r\n\r\n"


class Counting:
    """An application that answers with a body's length, and notes what became of each request."""

    def __init__(self) -> None:
        self.seen = list[str]()
        self.noted = threading.Event()
        self.app = Starlette(routes=[Route("/", self._count, methods=["POST"])])

    async def _count(self, request: Request) -> Response:
        try:
            body = await request.body()
        except ClientDisconnect:
            self.seen.append("went away")
            self.noted.set()
            return PlainTextResponse("never sent")
        self.seen.append("whole")
        # Who answers long after the body came is not held up by its deadline.
        await asyncio.sleep(0.6 if body == b"waits!" else 0)
        return PlainTextResponse(str(len(body)))


@pytest.fixture
def counting() -> Counting:
    return Counting()


@pytest.fixture
def port(counting: Counting) -> Iterator[int]:
    """The port of a server that waits half a second for a body."""
    listening = socket.create_server(("127.0.0.1", 0))
    server: uvicorn.Server = asgi_server(BodyDeadline(counting.app, 0.5))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    yield listening.getsockname()[1]
    server.should_exit = True
    thread.join(timeout=10)
    listening.close()


def asked(port: int, *parts: bytes) -> bytes:
    """Send parts of a request and return all that is answered until the server hangs up."""
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        for part in parts:
            connection.sendall(part)
        found = b""
        while b"\r\n\r\n" not in found or not found.rpartition(b"\r\n\r\n")[2]:
            more = connection.recv(4096)
            if not more:
                break
            found += more
    return found


@pytest.mark.parametrize("come", [b"", b"12345"])
def test_a_body_that_stops_is_answered_408(port: int, counting: Counting, come: bytes) -> None:
    answer = asked(port, HEAD + come)
    assert answer.startswith(b"HTTP/1.1 408 ")
    assert b"connection: close" in answer.lower()
    assert answer.endswith(b'{"detail":"the body did not come within 0.5 seconds: send it again"}')
    assert b"never sent" not in answer
    assert counting.noted.wait(10)  # the answer is sent before the application is told
    assert counting.seen == ["went away"]


def test_an_answer_may_take_longer_than_a_body(port: int, counting: Counting) -> None:
    assert asked(port, HEAD, b"wai", b"ts!").endswith(b"\r\n\r\n6")
    assert counting.seen == ["whole"]
