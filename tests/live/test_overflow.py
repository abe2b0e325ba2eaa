"""Who has used up their share of a worker is answered by its second process, and nobody waits."""

from __future__ import annotations

import base64
import io
import json
import os
import signal
import socket
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from granian.wsgi import ResponseIterWrap

from clones.config.fair_queue import WAITING
from clones.config.overflow import SUFFIX, SecondProcess
from clones.core.faults import Wire
from clones.core.server import server
from clones.core.tenancy.middleware import OUT_OF_TIME
from clones.core.tenancy.overfull import TOO_MANY
from clones.core.tenancy.watching import is_working
from sandlot.client import ControlClient, http_client
from tests.live.conftest import account
from tests.live.test_out_of_time import long_ticket
from tests.live.test_publishing import eventually
from tests.serving import serving

TRIES = 5


class Answer(list[bytes]):
    """What an application returns, with a remark on its way."""

    wire = Wire(seconds=0.5)

    def close(self) -> None:
        """End the answer."""


def run(protocol: Any, scope: dict[str, Any]) -> None:
    """Answer as a test asks in its query."""
    asked = scope["QUERY_STRING"]
    if asked == "die":
        os.kill(os.getpid(), signal.SIGKILL)
    if asked == "fail":
        raise ValueError("as it was asked")
    body = scope["wsgi.input"].read()
    if asked == "late":
        wrap: Any = ResponseIterWrap
        protocol.response_iter(202, [("x-a", "b")], wrap(Answer([b"la", b"te"])))
    else:
        protocol.response_bytes(200, [], b"%d %d" % (os.getpid(), len(body)))


def scope(asked: str = "", body: Any = None) -> dict[str, Any]:
    """A request, as granian tells of it."""
    return {"QUERY_STRING": asked, "wsgi.input": body}


@pytest.fixture
def second() -> Iterator[SecondProcess]:
    found = SecondProcess(run)
    yield found
    found.close()


def test_requests_are_answered_by_one_other_process(second: SecondProcess) -> None:
    first, again = (
        second.answer(scope(body=io.BytesIO(b"x" * 30_000_000))).content.split() for _ in range(2)
    )
    assert first == again
    assert int(first[0]) != os.getpid()
    assert first[1] == b"30000000"


def test_an_answer_is_what_the_application_said(second: SecondProcess) -> None:
    found = second.answer(scope("late"))
    assert (found.status, found.headers, found.content) == (202, [("x-a", "b")], b"late")
    assert found.wire == Wire(seconds=0.5)


def test_a_failure_is_answered_and_the_process_goes_on(second: SecondProcess) -> None:
    before = second.answer(scope()).content
    assert second.answer(scope("fail")).status == 500
    assert second.answer(scope()).content == before


def test_one_that_ended_is_followed_by_another(second: SecondProcess) -> None:
    before = second.answer(scope()).content
    with pytest.raises((EOFError, OSError)):
        second.answer(scope("die"))
    after = second.answer(scope()).content
    assert after != before


@pytest.mark.in_turn
def test_who_has_used_up_their_share_is_answered_all_the_same(
    control: ControlClient, sandbox: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SANDLOT_REQUEST_SECONDS", "3")
    others = [control.post("/v1/sandboxes", {"size": "tiny"}) for _ in range(2)]
    with serving() as address, http_client(timeout=120) as http:
        port = address.rpartition(":")[2]

        def ask(of: dict[str, Any], path: str, body: Any = None) -> Any:
            by = account(of, "helpdesk", "admin")
            url = f"http://helpdesk.{of['id']}.localhost:{port}/api/v2{path}"
            auth = (f"{by['email']}/token", by["api_token"])
            return http.request("POST" if body else "GET", url, json=body, auth=auth)

        def ask_second(path: str, body: Any = None) -> Any:
            """Ask of the sandbox until its second process answers: shares come back by and by.

            There are shares while several ask, and on a busy machine that was long ago by the time
            that a long request has ended. The more long ones, the longer a share is overdrawn.
            """
            for tries in range(1, TRIES + 1):
                for _ in range(tries):
                    assert ask(sandbox, "/tickets.json", long_ticket()).status_code == 503
                for other in others:
                    assert ask(other, "/users/me.json").status_code == 200
                answer = ask(sandbox, path, body)
                if requests_of(sandbox)[-1].id.startswith(f"served{port}0{SUFFIX}"):
                    return answer
            raise AssertionError(f"no second process answered in {TRIES} tries")

        short = {"ticket": {"subject": "short", "comment": {"body": "short"}}}
        made = ask_second("/tickets.json", short)
        assert made.status_code == 201
        number = made.json()["ticket"]["id"]
        shown = ask(sandbox, f"/tickets/{number}.json")
        assert shown.json()["ticket"]["subject"] == "short"
        # Nothing that the second process read or wrote outlives a reset.
        control.post(f"/v1/sandboxes/{sandbox['id']}/reset", {})
        assert ask_second(f"/tickets/{number}.json").status_code == 404
        again = ask(sandbox, "/tickets.json", short).json()["ticket"]
        assert again["id"] <= number  # less where it took more than one try to be answered so
    first = requests_of(sandbox)[0]
    assert first.status == 503
    assert not first.id.startswith(f"served{port}0{SUFFIX}")
    assert not [entry for entry in requests_of(others[0]) if f"0{SUFFIX}" in entry.id]
    for other in others:
        control.delete(f"/v1/sandboxes/{other['id']}")


def requests_of(sandbox: dict[str, Any]) -> list[Any]:
    return server().requests.read(sandbox["id"])


@pytest.mark.in_turn
def test_who_has_as_many_waiting_as_may_is_refused_and_it_is_said_so(
    control: ControlClient, sandbox: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is sent meanwhile to the same worker for another sandbox waits its turn."""
    monkeypatch.setenv("SANDLOT_REQUEST_SECONDS", "3")
    with serving() as address:
        port = int(address.rpartition(":")[2])
        host = f"helpdesk.{sandbox['id']}.localhost:{port}"
        head = f"GET /api/v2/users/me.json HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"
        body = json.dumps(long_ticket()).encode()
        by = account(sandbox, "helpdesk", "admin")
        token = base64.b64encode(f"{by['email']}/token:{by['api_token']}".encode()).decode()
        long = (
            f"POST /api/v2/tickets.json HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n"
            f"Authorization: Basic {token}\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\n\r\n"
        )
        with ExitStack() as open_:
            lines = [open_.enter_context(connected(port)) for _ in range(WAITING + 12)]
            first = open_.enter_context(connected(port))
            first.sendall(long.encode() + body)
            assert eventually(lambda: is_working(server().registry.get(sandbox["id"]).store))
            for line in lines:
                line.sendall(head.encode())
            statuses = Counter(status_of(line) for line in lines)
    assert set(statuses) == {200, 503}, statuses
    assert statuses[503] >= 12
    faults = Counter(entry.fault for entry in requests_of(sandbox) if entry.status == 503)
    assert faults == {TOO_MANY: statuses[503], OUT_OF_TIME: 1}


def connected(port: int) -> socket.socket:
    """Open a connection to a server here."""
    return socket.create_connection(("127.0.0.1", port), timeout=60)


def status_of(line: socket.socket) -> int:
    """Read an answer to its end; return its status."""
    found = b""
    while piece := line.recv(65536):
        found += piece
    return int(found.split(b" ", 2)[1])
