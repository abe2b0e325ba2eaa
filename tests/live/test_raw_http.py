"""Requests that no client sends: of two lengths, of two hosts, broken lines, others' requests."""

from __future__ import annotations

import re
import socket
from typing import Any
from urllib.parse import urlsplit

import pytest

from clones.core.server import server
from sandlot.client import ControlClient

# A request within another. The log has its path, which is of nobody else: it would be seen there.
HIDDEN_PATH = "/api/v2/hidden/{number}.json"
HIDDEN = f"GET {HIDDEN_PATH} HTTP/1.1\r\nHost: {{host}}\r\n\r\n"
STATUS = re.compile(rb"^HTTP/1\.[01] (\d{3})", re.MULTILINE)
CHUNKED = "Transfer-Encoding: chunked"

# Heads, and what follows them on the line: each is to be taken for one request, or for none.
TRIED = {
    "a length and chunks": (("Content-Length: 5", CHUNKED), "0\r\n\r\n" + HIDDEN),
    "chunks and a length": ((CHUNKED, "Content-Length: 300"), "0\r\n\r\n" + HIDDEN),
    "two lengths": (("Content-Length: 0", "Content-Length: 120"), HIDDEN),
    "two lengths in one": (("Content-Length: 0, 120",), HIDDEN),
    "a length with a sign": (("Content-Length: +0",), HIDDEN),
    "a length below zero": (("Content-Length: -1",), HIDDEN),
    "a length that is hexadecimal": (("Content-Length: 0x10",), HIDDEN),
    "a length before a space": (("Content-Length : 0",), HIDDEN),
    "chunks by another name": (("Transfer-Encoding: xchunked",), "0\r\n\r\n" + HIDDEN),
    "chunks twice": (("Transfer-Encoding: chunked, chunked",), "0\r\n\r\n" + HIDDEN),
    "chunks that are not the last": (("Transfer-Encoding: chunked, gzip",), "0\r\n\r\n" + HIDDEN),
    "chunks after a tab": (("Transfer-Encoding:\tchunked", "Content-Length: 4"), "0\r\n\r\n"),
    "chunks folded": (("Transfer-Encoding:\r\n chunked",), "0\r\n\r\n" + HIDDEN),
    "a chunk's length that is none": ((CHUNKED,), "zz\r\n\r\n" + HIDDEN),
    "a chunk's length beyond all": ((CHUNKED,), "fffffffffffffffff\r\n" + HIDDEN),
    "a chunk that goes on": ((CHUNKED,), "1\r\nab\r\n0\r\n\r\n" + HIDDEN),
    "a header without a name": ((": x",), ""),
    "a header with a NUL": (("X-A: \x00",), ""),
    "a header of no ASCII": (("X-\xe9: x",), ""),
    "a second host": (("Host: {other}",), ""),
    "a carriage return alone": (("X-A: b\rHost: {other}",), ""),
}
LINES = {
    "an absolute address of another": "GET http://{other}/api/v2/tickets.json HTTP/1.1",
    "no host": "GET /api/v2/tickets.json HTTP/1.1\r\nX-No",
    "another version": "GET /api/v2/tickets.json HTTP/9.9",
    "no version": "GET /api/v2/tickets.json",
    "another method": "TRACE /api/v2/tickets.json HTTP/1.1",
    "a tunnel": "CONNECT {other}:80 HTTP/1.1",
    "a line without an end": "GET " + "/" + "a" * 500_000 + " HTTP/1.1",
    "way up": "GET /../../../../etc/passwd HTTP/1.1",
    "a NUL in the path": "GET /api/v2/\x00 HTTP/1.1",
}


def netloc(sandbox: dict[str, Any]) -> str:
    return str(urlsplit(sandbox["apps"]["helpdesk"]["url"]).netloc)


def sent(host: str, text: str) -> bytes:
    """Send bytes on a connection of their own; return what comes till it ends, or is silent."""
    with socket.create_connection(("127.0.0.1", int(host.partition(":")[2])), timeout=10) as line:
        found = b""
        try:
            line.sendall(text.encode("latin-1"))
            line.settimeout(1.5)
            while piece := line.recv(65_536):
                found += piece
        except OSError:
            pass
        return found


@pytest.fixture
def other(control: ControlClient, sandbox: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = control.post(f"/v1/sandboxes/{sandbox['id']}/fork")
    return found


def statuses(answer: bytes) -> list[int]:
    """Return the status of each answer that came."""
    return [int(found) for found in STATUS.findall(answer)]


def wait_for_second(host: str, sandbox: str, number: int) -> None:
    """Send two requests on a line at once, and wait till the log has the second."""
    first = f"GET /api/v2/users/me.json HTTP/1.1\r\nHost: {host}\r\n\r\n"
    second = HIDDEN.format(host=host, number=number)
    with socket.create_connection(("127.0.0.1", int(host.partition(":")[2])), timeout=60) as line:
        line.sendall((first + second).encode())
        found = b""
        while len(statuses(found)) < 2:
            piece = line.recv(65_536)
            assert piece, found
            found += piece
    wanted = HIDDEN_PATH.format(number=number)
    assert wanted in {entry.path for entry in server().requests.read(sandbox)}


def test_nothing_on_the_line_is_taken_for_more_than_it_is(
    control: ControlClient, sandbox: dict[str, Any], other: dict[str, Any]
) -> None:
    own, foreign = netloc(sandbox), netloc(other)
    answers: dict[str, list[int]] = {}
    for number, (name, (lines, after)) in enumerate(TRIED.items()):
        hosts = {"host": own, "other": foreign, "number": number}
        head = ["POST /api/v2/tickets.json HTTP/1.1", f"Host: {own}", *lines, "", ""]
        answer = sent(own, "\r\n".join(head).format(**hosts) + after.format(**hosts))
        answers[name] = statuses(answer)
    for name, line in LINES.items():
        answer = sent(own, f"{line}\r\nHost: {own}\r\n\r\n".format(host=own, other=foreign))
        answers[name] = statuses(answer)
        assert b"root:" not in answer, name
    # Refused, or asked who it is: never carried out, and none is answered twice.
    for name, found in answers.items():
        assert len(found) <= 1, (name, found)
        assert not {200, 201, 500} & set(found), (name, found)
    # The sandbox's requests are answered in their order: once the log has this one, which stands
    # behind an honest one of the same line, it has all that were taken for requests.
    wait_for_second(own, sandbox["id"], len(TRIED))
    paths = {entry.path for entry in server().requests.read(sandbox["id"])}
    hidden = [
        name for number, name in enumerate(TRIED) if HIDDEN_PATH.format(number=number) in paths
    ]
    assert hidden == []
    # None of it came to the other sandbox, but what says whose it is in its own first line.
    came = {entry.path for entry in server().requests.read(other["id"])}
    assert came <= {"/api/v2/tickets.json"}
    for one in (sandbox, other):
        assert control.get(f"/v1/sandboxes/{one['id']}/diff")["changes"] == []
    control.delete(f"/v1/sandboxes/{other['id']}")
