"""Requests whose body comes late, in pieces or by half."""

from __future__ import annotations

import base64
import json
import socket
import time
from collections.abc import Iterator
from http.client import HTTPResponse
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from django.conf import settings

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


def test_chunks_beyond_the_limit_are_refused(sandbox: dict[str, Any]) -> None:
    piece = b"x" * (1024 * 1024)
    with http_client(auth=auth_of(sandbox)) as http:
        answer: httpx.Response = http.post(
            f"{sandbox['apps']['helpdesk']['url']}{TICKETS}", content=iter([piece] * 52)
        )
    assert answer.status_code == 413
    assert answer.json()["error"] == "RequestEntityTooLarge"
