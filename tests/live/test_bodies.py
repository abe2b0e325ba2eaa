"""Requests whose body comes late, in pieces or by half."""

from __future__ import annotations

import base64
import contextlib
import json
import os
import socket
import threading
import time
from collections.abc import Iterator
from http.client import HTTPResponse
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from django.conf import settings

from clones.config import connection_guard
from clones.config.connection_guard import OF_ONE_NAME
from sandlot.client import ControlClient, http_client
from tests.live.conftest import resetting
from tests.live.test_tenancy import auth_of

TICKETS = "/api/v2/tickets.json"
LATE = 0.3


class Wire:
    """One kept connection to a sandbox's helpdesk, written to by hand."""

    def __init__(self, sandbox: dict[str, Any], *, known: bool = True) -> None:
        address = urlsplit(sandbox["apps"]["helpdesk"]["url"])
        self._host = f"{address.hostname}:{address.port}"
        user = auth_of(sandbox) if known else ("nobody@example.com/token", "wrong")
        self._known = base64.b64encode(":".join(user).encode()).decode()
        self.socket = socket.create_connection(("127.0.0.1", address.port or 80), timeout=20)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def head(self, method: str, path: str, *lines: str) -> None:
        """Send a request's head."""
        head = (f"{method} {path} HTTP/1.1", f"Host: {self._host}", *lines)
        about = ("Content-Type: application/json", f"Authorization: Basic {self._known}")
        self.socket.sendall("\r\n".join((*head, *about, "", "")).encode())

    def post_apart(self, body: bytes) -> tuple[HTTPResponse, bytes]:
        """Send a write whose body comes late."""
        self.head("POST", TICKETS, f"Content-Length: {len(body)}")
        time.sleep(LATE)
        self.socket.sendall(body)
        return self.answer()

    def answer(self) -> tuple[HTTPResponse, bytes]:
        """Read one answer."""
        with HTTPResponse(self.socket) as response:
            response.begin()
            return response, response.read()

    def ask(self) -> int:
        """Ask who this is on the same connection, and return the status."""
        self.head("GET", "/api/v2/users/me.json")
        return self.answer()[0].status


@pytest.fixture
def wire(sandbox: dict[str, Any]) -> Iterator[Wire]:
    found = Wire(sandbox)
    with found.socket:
        yield found


@pytest.fixture
def stranger(sandbox: dict[str, Any]) -> Iterator[Wire]:
    """A connection with no right to anything."""
    found = Wire(sandbox, known=False)
    with found.socket:
        yield found


@pytest.fixture
def ticket() -> bytes:
    return json.dumps({"ticket": {"subject": "apart", "comment": {"body": "x"}}}).encode()


def test_a_write_refused_before_its_body_came_leaves_the_connection_good(
    stranger: Wire, ticket: bytes
) -> None:
    for _ in range(3):
        response, body = stranger.post_apart(ticket)
        assert response.status == 401
        assert json.loads(body) == {"error": "Couldn't authenticate you"}
        assert response.getheader("connection") is None


def test_so_does_one_that_meets_a_reset(sandbox: dict[str, Any], wire: Wire, ticket: bytes) -> None:
    for _ in range(3):
        with resetting(sandbox):
            assert wire.post_apart(ticket)[0].status == 503
    assert wire.ask() == 200


@pytest.mark.parametrize("silent", ["wire", "stranger"])
def test_a_body_that_does_not_come_keeps_nobody_else_waiting(
    request: pytest.FixtureRequest, sandbox: dict[str, Any], ticket: bytes, silent: str
) -> None:
    waiting: Wire = request.getfixturevalue(silent)
    waiting.head("POST", TICKETS, f"Content-Length: {len(ticket)}")
    time.sleep(LATE)
    other = Wire(sandbox)
    with other.socket:
        assert other.ask() == 200
    waiting.socket.sendall(ticket)
    assert waiting.answer()[0].status == (201 if silent == "wire" else 401)
    assert waiting.ask() == (200 if silent == "wire" else 401)


def test_a_body_beyond_the_limit_is_not_waited_for_and_the_answer_is_the_last(wire: Wire) -> None:
    wire.head("POST", TICKETS, f"Content-Length: {settings.DATA_UPLOAD_MAX_MEMORY_SIZE + 1}")
    response, _ = wire.answer()
    assert (response.status, response.getheader("connection")) == (413, "close")
    assert wire.socket.recv(1) == b""


@pytest.mark.parametrize(
    "framing", ["Content-Length: 20", "Transfer-Encoding: chunked"], ids=["length", "chunks"]
)
def test_half_a_file_is_no_file(
    control: ControlClient, sandbox: dict[str, Any], wire: Wire, framing: str
) -> None:
    wire.head("POST", "/api/v2/uploads.json?filename=half.txt", framing)
    wire.socket.sendall(b"8\r\nhalf of " if "chunked" in framing else b"half of ")
    time.sleep(LATE)
    wire.socket.shutdown(socket.SHUT_WR)
    assert b" 201 " not in wire.socket.recv(100)
    assert control.get(f"/v1/sandboxes/{sandbox['id']}/diff")["changes"] == []


def test_a_body_in_chunks_is_read_as_one_with_a_length(
    sandbox: dict[str, Any], ticket: bytes
) -> None:
    with http_client(auth=auth_of(sandbox)) as http:
        answer = http.post(
            f"{sandbox['apps']['helpdesk']['url']}{TICKETS}",
            content=iter([ticket[:7], ticket[7:]]),
            headers={"Content-Type": "application/json"},
        )
        assert "content-length" not in answer.request.headers
        uploaded = http.post(
            f"{sandbox['apps']['helpdesk']['url']}/api/v2/uploads.json",
            params={"filename": "notes.txt"},
            content=iter([b"in ", b"pieces"]),
            headers={"Content-Type": "text/plain"},
        )
    assert answer.status_code == 201
    assert answer.json()["ticket"]["subject"] == "apart"
    assert uploaded.status_code == 201
    assert uploaded.json()["upload"]["attachment"]["size"] == len(b"in pieces")


def test_chunks_without_end_are_not_read_to_their_end(sandbox: dict[str, Any]) -> None:
    """Whoever sends them: nobody has asked who it is by then."""
    stranger = Wire(sandbox, known=False)
    piece = b"100000\r\n" + b"x" * 0x100000 + b"\r\n"
    sent = 0
    with stranger.socket:
        stranger.head("POST", TICKETS, "Transfer-Encoding: chunked")
        with contextlib.suppress(OSError):  # of whichever kind: the line was ended
            while sent < 1_000:
                stranger.socket.sendall(piece)
                sent += 1
    assert 50 < sent < 1_000
    other = Wire(sandbox)
    with other.socket:
        assert other.ask() == 200


def test_one_peer_has_so_many_bodies_under_way_and_keeps_others_from_nothing(
    control: ControlClient, sandbox: dict[str, Any]
) -> None:
    waiting = [Wire(sandbox) for _ in range(OF_ONE_NAME)]
    for wire in waiting:
        wire.head("POST", TICKETS, "Content-Length: 20")
    time.sleep(2 * LATE)
    one_more = Wire(sandbox)
    with one_more.socket:
        one_more.head("POST", TICKETS, "Content-Length: 20")
        response, _ = one_more.answer()
        assert (response.status, response.getheader("connection")) == (503, "close")
    # Who sends no body is answered, and so is whoever sends one to another sandbox.
    reading = Wire(sandbox)
    with reading.socket:
        assert reading.ask() == 200
    another = control.post(f"/v1/sandboxes/{sandbox['id']}/fork")
    body = json.dumps({"ticket": {"comment": {"body": "x"}}}).encode()
    writing = Wire(another)
    with writing.socket:
        assert writing.post_apart(body)[0].status == 201
    for wire in waiting:
        wire.socket.close()
    control.delete(f"/v1/sandboxes/{another['id']}")


def test_names_that_send_much_leave_room_for_one_of_each_other() -> None:
    """Agents of many sandboxes may come from one address."""
    guard = connection_guard.ConnectionGuard()
    with contextlib.ExitStack() as under_way:

        def read(name: str) -> None:
            under_way.enter_context(held(guard, name))

        for number in range(connection_guard.OF_ONE_PEER):
            read(f"heavy-{number % 10}")
        for name in ("heavy-1", "heavy-2"):
            with pytest.raises(connection_guard.TooManyReads):
                read(name)
        read("light")
        with pytest.raises(connection_guard.TooManyReads):
            read("light")
        for number in range(connection_guard.AT_MOST - connection_guard.OF_ONE_PEER - 1):
            read(f"light-{number}")
        with pytest.raises(connection_guard.TooManyReads):
            read("the last")


@contextlib.contextmanager
def held(guard: connection_guard.ConnectionGuard, name: str) -> Iterator[None]:
    """Have a body of a name under way, on a thread of its own, as readers are."""
    begun, over = threading.Event(), threading.Event()
    refused: list[Exception] = []

    def run() -> None:
        try:
            with guard.reading("127.0.0.1", name, 0):
                begun.set()
                over.wait(60)
        except connection_guard.TooManyReads as error:
            refused.append(error)
            begun.set()

    thread = threading.Thread(target=run)
    thread.start()
    begun.wait(60)
    if refused:
        thread.join()
        raise refused[0]
    try:
        yield
    finally:
        over.set()
        thread.join()


def test_a_body_that_never_comes_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """What nothing has come by for long is ended, and nothing else."""
    monkeypatch.setattr(connection_guard, "SILENCE", 0.5)
    monkeypatch.setattr(connection_guard, "SLOW_PAUSE", 0.1)
    guard = connection_guard.ConnectionGuard()
    with socket.create_server(("127.0.0.1", 0)) as listening:
        elsewhere = socket.create_server(("127.0.0.1", 0))
        foreign = socket.create_connection(elsewhere.getsockname())
        accepted = elsewhere.accept()[0]
        silent, other = (socket.create_connection(listening.getsockname()) for _ in range(2))
        there, there_too = listening.accept()[0], listening.accept()[0]
        there.settimeout(20)
        stop = threading.Event()

        def talk() -> None:
            while not stop.wait(0.05):
                other.sendall(b"x")

        talking = threading.Thread(target=talk)
        talking.start()
        with guard.reading("127.0.0.1", "a", listening.getsockname()[1]):
            assert there.recv(1) == b""  # ended by us: the client has sent nothing, nor gone
        assert there_too.recv(1) == b"x"
        foreign.sendall(b"y")
        assert accepted.recv(1) == b"y"  # of another port, and as silent
        stop.set()
        talking.join()
        for one in (silent, other, there, there_too, foreign, accepted, elsewhere):
            one.close()


def test_chunks_beyond_the_limit_are_refused(sandbox: dict[str, Any]) -> None:
    piece = b"x" * (1024 * 1024)
    with http_client(auth=auth_of(sandbox)) as http:
        answer: httpx.Response = http.post(
            f"{sandbox['apps']['helpdesk']['url']}{TICKETS}", content=iter([piece] * 52)
        )
    assert answer.status_code == 413
    assert answer.json()["error"] == "RequestEntityTooLarge"


def test_a_look_at_connections_opens_nothing_for_good() -> None:
    """Descriptors of files and pipes stand among those of connections."""
    reading, writing = os.pipe()
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        with socket.create_connection(("127.0.0.1", port)), server.accept()[0] as ours:
            before = len(os.listdir("/proc/self/fd"))  # noqa: PTH208 - names alone
            for _ in range(5):
                looked = [number for number, _, _ in connection_guard._connections(port)]
            assert looked == [ours.fileno()]
            assert len(os.listdir("/proc/self/fd")) == before  # noqa: PTH208 - names alone
    os.close(reading)
    os.close(writing)
