"""Connections by which nothing comes: they end by themselves, and keep nobody from an answer."""

from __future__ import annotations

import resource
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any
from urllib.parse import urlsplit

import pytest

from clones.config.serve import BACKLOG, CONNECTIONS, connections_at_most
from sandlot.client import http_client
from tests.live.conftest import account
from tests.live.test_sudden_ends import auth

# More than granian takes, and lets wait, unless it is told otherwise.
IDLE = 2_500
PATIENCE = 45.0


@contextmanager
def opened(port: int, count: int, begin: bytes = b"") -> Iterator[list[socket.socket]]:
    """Keep connections open for the length of a block, by each of which the same was sent."""
    with ExitStack() as stack:
        lines = []
        for _ in range(count):
            line = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
            lines.append(stack.enter_context(line))
            if begin:
                line.sendall(begin)
        yield lines


def port_of(sandbox: dict[str, Any]) -> int:
    """Return the port of the worker that owns a sandbox."""
    found: int | None = urlsplit(sandbox["apps"]["helpdesk"]["url"]).port
    assert found is not None
    return found


@pytest.fixture
def many_files() -> Iterator[None]:
    """Let this process open as many files as it may."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < 2 * IDLE:
        pytest.fail(f"this machine lets a process open {hard} files: raise its hard limit")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, 2 * IDLE), hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.mark.parametrize("begin", [b"", b"GET /api/v2/users/me.json HTTP/1.1\r\nX-A:"], ids=str)
@pytest.mark.usefixtures("many_files")
def test_thousands_of_idle_connections_keep_nobody_waiting(
    sandbox: dict[str, Any], begin: bytes
) -> None:
    url = sandbox["apps"]["helpdesk"]["url"]
    with opened(port_of(sandbox), IDLE, begin), http_client(auth=auth(sandbox)) as http:
        answer = http.get(f"{url}/api/v2/users/me.json", timeout=PATIENCE / 2)
    assert answer.json()["user"]["email"] == account(sandbox, "helpdesk", "admin")["email"]


@pytest.mark.everything
def test_a_connection_by_which_nothing_comes_ends(sandbox: dict[str, Any]) -> None:
    port = port_of(sandbox)
    # The last one is how HTTP/2 begins, which is not spoken: by it a connection would stay.
    for begin in (b"", b"GET / HT", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"):
        with opened(port, 1, begin) as (line,):
            said = b""
            while piece := line.recv(65_536):
                said += piece
        assert not said.startswith(b"HTTP/1.1 2"), begin


@pytest.mark.parametrize(
    ("descriptors", "connections"),
    [(resource.RLIM_INFINITY, CONNECTIONS), (10**6, CONNECTIONS), (12_000, 4_000), (256, 256)],
)
def test_a_worker_takes_as_many_as_it_may_open(descriptors: int, connections: int) -> None:
    assert connections_at_most(descriptors) == connections
    assert BACKLOG < CONNECTIONS
