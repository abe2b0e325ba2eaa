"""Nobody without its token gets anything of the control plane, by whichever address or method."""

from __future__ import annotations

import contextlib
import re
import socket
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from clones.core.accounts.authentication import basic_header
from episodes.control.admission import LONGEST_BODY
from sandlot.cli.serving import RunningServer
from sandlot.client import ControlClient, http_client
from tests.live.conftest import account

OPEN = {("get", "/healthz")}  # which says how many sandboxes there are, and nothing else
BODY = {"size": "tiny", "world": "kestrel", "name": "x", "task": "H01", "seed": 0, "seconds": 60}


@pytest.fixture
def http() -> Iterator[httpx.Client]:
    with http_client() as client:
        yield client


def routes_of(control: ControlClient) -> list[tuple[str, str]]:
    described: dict[str, Any] = control.get("/openapi.json")
    found = [(method, path) for path, methods in described["paths"].items() for method in methods]
    return [*found, ("get", "/openapi.json")]


def strangers(
    running: RunningServer, sandbox: dict[str, Any]
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield what is sent in place of the token: nothing, parts of it, what agents hold."""
    token, desk = running.token, account(sandbox, "helpdesk", "admin")
    key = account(sandbox, "billing", "admin")["secret_key"]
    for name, text in {
        "nothing": None,
        "an empty one": "Bearer",
        "a part": f"Bearer {token[:-1]}",
        "more": f"Bearer {token}x",
        "another case": f"Bearer {token.swapcase()}",
        "another scheme": f"Token {token}",
        "no scheme": token,
        "two": f"Bearer {token}, Bearer {token}",
        "no text": "Bearer \xff\xfe",
        "a key of billing": f"Bearer {key}",
        "a token of the helpdesk": f"Bearer {desk['oauth_token']}",
    }.items():
        yield name, {} if text is None else {"headers": {"Authorization": text.encode("latin-1")}}
    yield "basic", {"headers": basic_header("", token)}
    yield "an agent's", {"headers": basic_header(f"{desk['email']}/token", desk["api_token"])}
    yield "a cookie", {"headers": {"Cookie": f"token={token}; Authorization=Bearer {token}"}}
    yield "a query", {"params": {"token": token, "authorization": f"Bearer {token}"}}
    yield "another header", {"headers": {"X-Authorization": f"Bearer {token}"}}
    yield "who it is from", {"headers": {"X-Forwarded-For": "127.0.0.1", "Origin": "null"}}


def test_each_route_asks_for_the_token(
    control: ControlClient, running: RunningServer, sandbox: dict[str, Any], http: httpx.Client
) -> None:
    routes = routes_of(control)
    assert len(routes) > 40
    before = control.get(f"/v1/sandboxes/{sandbox['id']}")
    for method, path in routes:
        if (method, path) in OPEN:
            continue
        address = re.sub(r"\{\w+\}", sandbox["id"], path)
        for name, sent in strangers(running, sandbox):
            body = BODY if method in ("post", "put", "patch") else None
            answer = http.request(method, running.control_url + address, json=body, **sent)
            assert answer.status_code == 401, (method, path, name, answer.text)
            assert answer.headers["content-type"] == "application/problem+json", (path, name)
            assert sandbox["id"] not in answer.text.replace(address, "")
    assert control.get(f"/v1/sandboxes/{sandbox['id']}") == before


@pytest.mark.parametrize(
    "path",
    [
        "/v1//sandboxes", "//v1/sandboxes", "/v1/sandboxes/", "/V1/sandboxes", "/v1/./sandboxes",
        "/healthz/../v1/sandboxes", "/healthz/..%2fv1/sandboxes", "/healthz;/v1/sandboxes",
        "/v1/sandboxes%00", "/v1/sandboxes;x", "/%76%31/sandboxes", "/docs", "/redoc", "/static/x",
    ],
)  # fmt: skip
def test_no_way_round_leads_in(
    path: str, running: RunningServer, sandbox: dict[str, Any], http: httpx.Client
) -> None:
    for method in ("GET", "POST", "HEAD", "OPTIONS", "TRACE", "PUT"):
        answer = http.request(method, running.control_url + path, follow_redirects=True)
        assert answer.status_code in (400, 401, 404, 405), (method, answer.text)
        assert sandbox["id"] not in answer.text
    headers = {"X-HTTP-Method-Override": "DELETE", "X-Original-URL": "/v1/sandboxes"}
    open_one = http.post(f"{running.control_url}/healthz", headers=headers)
    assert open_one.status_code == 405


# Of each route, what is of the right type and beyond all that it can be.
BEYOND: dict[tuple[str, str], tuple[str, ...]] = {
    ("post", "/v1/sandboxes"): ('{"seed": HUGE}', '{"seed": -HUGE}'),
    ("post", "/v1/sandboxes/{sandbox}/advance"): (
        '{"seconds": NaN}', '{"seconds": 1e999}', '{"seconds": 1e300}', '{"seconds": -1e300}',
    ),
    ("post", "/v1/sandboxes/{sandbox}/clock"): (
        '{"mode": "stepped", "speed": NaN}', '{"mode": "live", "speed": 1e999}',
        '{"mode": "frozen", "speed": Infinity}', '{"mode": "live", "speed": 1e300}',
        '{"mode": "live", "speed": -1}',
    ),
    ("post", "/v1/sandboxes/{sandbox}/limits"): ('{"rate_limit": HUGE}',),
    ("post", "/v1/sandboxes/{sandbox}/marks"): ('{"name": "\\ud800"}', "[" * 100_000),
    ("post", "/v1/episodes"): (
        '{"task": "H05", "seed": HUGE}', '{"task": "H05", "fault_seed": HUGE}',
        '{"task": "H05", "max_steps": HUGE}', '{"task": "H05", "idle_seconds": NaN}',
        '{"task": "H05@1/kestrel-tiny/HUGE/0000"}', '{"task": "H05@1/kestrel-tiny/1/HUGE"}',
    ),
    ("get", "/v1/sandboxes/{sandbox}/journal?after=HUGE"): ("",),
    ("get", "/v1/sandboxes/{sandbox}/journal?limit=-1"): ("",),
    ("get", "/v1/sandboxes/{sandbox}/journal?limit=HUGE"): ("",),
}  # fmt: skip


def test_numbers_beyond_all_are_refused_at_once(
    running: RunningServer, sandbox: dict[str, Any], http: httpx.Client
) -> None:
    """In one line that says which, and nothing has been built or moved by then."""
    headers = {"Authorization": f"Bearer {running.token}", "Content-Type": "application/json"}
    snapshots = http.get(f"{running.control_url}/v1/snapshots", headers=headers).json()
    for (method, path), bodies in BEYOND.items():
        address = running.control_url + path.format(sandbox=sandbox["id"])
        for body in bodies:
            sent = body.replace("HUGE", "9" * 30)
            answer = http.request(
                method, address.replace("HUGE", "9" * 30), content=sent, headers=headers
            )
            assert answer.status_code in (400, 422), (path, body[:40], answer.text)
            assert "Python int" not in answer.text
    assert http.get(f"{running.control_url}/v1/snapshots", headers=headers).json() == snapshots
    slow = '{"mode": "live", "speed": 1e-300}'
    address = f"{running.control_url}/v1/sandboxes/{sandbox['id']}/clock"
    assert http.post(address, content=slow, headers=headers).status_code == 200


def answered(running: RunningServer, text: str) -> bytes:
    """Send the beginning of a request; return what comes till the server ends the connection."""
    with socket.create_connection(("127.0.0.1", running.options.control_port), 20) as line:
        line.sendall(text.encode())
        found = b""
        while piece := line.recv(65_536):
            found += piece
    return found


def test_a_body_without_the_token_is_not_read(running: RunningServer) -> None:
    """It is answered before one that is on its way has come, and its connection ends."""
    for path, length in (
        ("POST /v1/sandboxes", "Content-Length: 100000\r\n\r\n{"),
        ("POST /v1/sandboxes", "Transfer-Encoding: chunked\r\n\r\n1\r\n{"),
        ("PUT /v1/snapshots/a/file", "Transfer-Encoding: chunked\r\n\r\n1\r\n{"),
    ):
        found = answered(running, f"{path} HTTP/1.1\r\nHost: x\r\n{length}")
        assert found.startswith(b"HTTP/1.1 401"), (path, found)


def test_a_body_that_is_too_long_is_refused_before_it_is_all_there(
    running: RunningServer, http: httpx.Client
) -> None:
    address = f"{running.control_url}/v1/sandboxes"
    headers = {"Authorization": f"Bearer {running.token}", "Content-Type": "application/json"}
    lines = [f"Authorization: Bearer {running.token}", f"Content-Length: {LONGEST_BODY + 1}"]
    head = "\r\n".join(["POST /v1/sandboxes HTTP/1.1", "Host: x", *lines, "", "{"])
    assert answered(running, head).startswith(b"HTTP/1.1 413")
    sent, most = 0, 2 * LONGEST_BODY // 2**20

    def pieces() -> Iterator[bytes]:
        nonlocal sent
        for _ in range(most):
            sent += 1
            yield b" " * 2**20

    with contextlib.suppress(httpx.WriteError):
        answer = http.post(address, headers=headers, content=pieces())
        assert (answer.status_code, answer.json()["code"]) == (413, "http_error")
    assert sent < most


def test_what_is_open_tells_nothing(
    running: RunningServer, sandbox: dict[str, Any], http: httpx.Client
) -> None:
    answer = http.get(f"{running.control_url}/healthz")
    assert sorted(answer.json()) == ["sandboxes", "status"]
