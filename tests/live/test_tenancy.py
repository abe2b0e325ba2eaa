"""Which sandbox a request meets, and that it happens wholly before a reset or wholly after it."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from typing import Any

import httpx
import pytest

from clones.core.server import server
from clones.helpdesk.models import Ticket
from sandlot.cli.serving import RunningServer
from sandlot.client import ControlClient, http_client
from tests.conftest import bind
from tests.live.conftest import account, resetting

RESETS = 25
WRITERS = 3


def auth_of(sandbox: dict[str, Any]) -> tuple[str, str]:
    found = account(sandbox, "helpdesk", "admin")
    return f"{found['email']}/token", found["api_token"]


def test_a_published_port_is_one_clone_of_one_sandbox(
    sandbox: dict[str, Any], running: RunningServer
) -> None:
    port = running.options.ports[1]
    server().registry.set_origin(port, sandbox["id"], "helpdesk")
    with http_client(auth=auth_of(sandbox)) as http:
        page = http.get(f"http://127.0.0.1:{port}/agent/dashboard", follow_redirects=False)
        api = http.get(f"http://127.0.0.1:{port}/api/v2/users/me.json")
    assert page.status_code in (200, 302)
    assert api.json()["user"]["email"] == auth_of(sandbox)[0].removesuffix("/token")


def test_any_worker_answers_for_any_sandbox(
    sandbox: dict[str, Any], running: RunningServer
) -> None:
    host = sandbox["apps"]["helpdesk"]["url"].removeprefix("http://").partition(":")[0]
    with http_client(auth=auth_of(sandbox)) as http:
        bodies = [
            http.get(f"http://{host}:{port}/api/v2/tickets/1.json").json()
            for port in running.options.ports
        ]
    titles = {body["ticket"]["subject"] for body in bodies}
    assert len(titles) == 1


@pytest.mark.parametrize("clone", ["helpdesk", "billing"])
def test_headers_beyond_the_limit_are_refused(sandbox: dict[str, Any], clone: str) -> None:
    with http_client() as http:
        answer = http.get(
            f"{sandbox['apps'][clone]['url']}/api/v2/tickets.json",
            headers={f"X-Filler-{number}": "x" * 4000 for number in range(10)},
        )
    assert answer.status_code in (400, 413, 431)


def test_a_body_beyond_the_limit_is_refused_before_it_is_read(sandbox: dict[str, Any]) -> None:
    with http_client(auth=auth_of(sandbox)) as http:
        request = http.build_request(
            "POST",
            f"{sandbox['apps']['helpdesk']['url']}/api/v2/tickets.json",
            content=b"x" * (51 * 1024 * 1024),
        )
        answer = http.send(request)
    assert answer.status_code == 413
    assert answer.json()["error"] == "RequestEntityTooLarge"


@dataclass
class Write:
    """One attempt to write, on the machine's clock."""

    subject: str
    began: float
    ended: float
    status: int


@pytest.mark.slow
def test_writes_never_straddle_a_reset(control: ControlClient, sandbox: dict[str, Any]) -> None:
    url = f"{sandbox['apps']['helpdesk']['url']}/api/v2/tickets.json"
    writes: list[Write] = []
    lock, stop = threading.Lock(), threading.Event()

    def write_on(number: int) -> None:
        with http_client(auth=auth_of(sandbox)) as http:
            turn = 0
            while not stop.is_set():
                turn += 1
                subject = f"writer {number} turn {turn}"
                body = {"ticket": {"subject": subject, "comment": {"body": "x"}}}
                began = time.monotonic()
                answer = http.post(url, json=body)
                with lock:
                    writes.append(Write(subject, began, time.monotonic(), answer.status_code))

    threads = [threading.Thread(target=write_on, args=(number,)) for number in range(WRITERS)]
    for thread in threads:
        thread.start()
    resets = []
    for turn in range(1, RESETS + 1):
        deadline = time.monotonic() + 60  # each reset comes among writes that are taken
        while sum(write.status == 201 for write in list(writes)) < turn * WRITERS:
            assert time.monotonic() < deadline, writes
            time.sleep(0.01)
        began = time.monotonic()
        control.post(f"/v1/sandboxes/{sandbox['id']}/reset")
        resets.append((began, time.monotonic()))
    stop.set()
    for thread in threads:
        thread.join()
    assert {write.status for write in writes} <= {201, 503}
    assert sum(write.status == 201 for write in writes) >= WRITERS
    began, ended = resets[-1]
    row = server().registry.get(sandbox["id"])
    with bind(row):
        present = set(
            Ticket.objects.filter(subject__startswith="writer").values_list("subject", flat=True)
        )
    survivors = {write.subject for write in writes if write.status == 201 and write.began > ended}
    gone = {write.subject for write in writes if write.ended < began}
    assert survivors <= present
    assert not gone & present
    assert not {write.subject for write in writes if write.status == 503} & present
    control.post(f"/v1/sandboxes/{sandbox['id']}/reset")
    assert control.get(f"/v1/sandboxes/{sandbox['id']}/diff")["changes"] == []
    assert control.post(f"/v1/sandboxes/{sandbox['id']}/verify")["intact"]


def test_the_vendor_says_when_to_try_again(sandbox: dict[str, Any]) -> None:
    with resetting(sandbox), http_client(auth=auth_of(sandbox)) as http:
        answer: httpx.Response = http.get(
            f"{sandbox['apps']['helpdesk']['url']}/api/v2/tickets/1.json"
        )
    assert answer.status_code == 503
    assert int(answer.headers["retry-after"]) >= 0
