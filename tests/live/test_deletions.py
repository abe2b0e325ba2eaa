"""A sandbox that is deleted while others use it: no worker suffers, nothing of it is answered."""

from __future__ import annotations

import threading
import time
from contextlib import suppress
from typing import Any

import httpx
import psutil
import pytest
from django.db import DatabaseError

from clones.core.server import server
from clones.core.tenancy import unit_of_work
from episodes.meters import Requests
from sandlot.cli.serving import RunningServer
from sandlot.client import ControlClient, ControlError, http_client
from tests.conftest import bind
from tests.live.conftest import account

READERS = 3


@pytest.fixture
def doomed(control: ControlClient) -> dict[str, Any]:
    """A sandbox that the test deletes."""
    made: dict[str, Any] = control.post("/v1/sandboxes", {"size": "tiny"})
    return made


def client_of(sandbox: dict[str, Any]) -> httpx.Client:
    found = account(sandbox, "helpdesk", "admin")
    url = sandbox["apps"]["helpdesk"]["url"]
    auth = (f"{found['email']}/token", found["api_token"])
    return http_client(auth=auth, base_url=f"{url}/api/v2/", timeout=60)


def family(running: RunningServer) -> set[int]:
    """Return the ids of the workers' processes."""
    return {
        process.pid
        for pid in running.workers.pids()
        for process in (psutil.Process(pid), *psutil.Process(pid).children())
    }


def test_a_write_under_way_comes_to_nothing(
    running: RunningServer, control: ControlClient, doomed: dict[str, Any]
) -> None:
    before, row = family(running), server().registry.get(doomed["id"])
    answers: list[httpx.Response] = []
    body = {"ticket": {"comment": {"body": "Too late."}}}
    with client_of(doomed) as http:
        assert http.get("tickets/1.json").status_code == 200
        writing = threading.Thread(
            target=lambda: answers.append(http.put("tickets/1.json", json=body))
        )
        # On PostgreSQL the connection of this block ends with the database.
        with suppress(DatabaseError), bind(row), unit_of_work("write"):
            writing.start()
            time.sleep(0.5)  # it waits for this block's lock
            control.delete(f"/v1/sandboxes/{row.id}")
        writing.join(timeout=60)
        later = http.get("tickets/1.json")
    assert [answer.status_code for answer in answers] == [503]
    assert later.status_code == 404
    assert "ticket" not in later.json()
    assert {entry.fault for entry in server().requests.read(row.id)} <= {None, "reset"}
    assert family(running) == before


def test_readers_of_a_sandbox_that_is_deleted_are_refused(
    running: RunningServer, control: ControlClient, doomed: dict[str, Any]
) -> None:
    before, stop = family(running), threading.Event()
    seen: list[list[int]] = [[] for _ in range(READERS)]

    def ask(codes: list[int]) -> None:
        with client_of(doomed) as http:
            while not stop.is_set():
                codes.append(http.get("tickets.json?per_page=3").status_code)

    threads = [threading.Thread(target=ask, args=[codes]) for codes in seen]
    for thread in threads:
        thread.start()
    time.sleep(0.5)
    control.delete(f"/v1/sandboxes/{doomed['id']}")
    told = [len(codes) for codes in seen]
    time.sleep(0.5)
    stop.set()
    for thread in threads:
        thread.join(timeout=60)
    for codes, when in zip(seen, told, strict=True):
        assert set(codes) <= {200, 503, 404}
        # One more may have been on its way as the deletion was told.
        assert set(codes[when + 1 :]) <= {404}
    faults = {entry.fault for entry in server().requests.read(doomed["id"])}
    assert faults <= {None, "reset"}
    assert family(running) == before


def test_positions_and_locks_go_with_their_sandbox(
    running: RunningServer, control: ControlClient, doomed: dict[str, Any]
) -> None:
    requests, holds = Requests(), running.host.sandboxes._holds
    with client_of(doomed) as http:
        assert http.get("tickets/1.json").status_code == 200
    requests.look()
    assert doomed["id"] in requests._positions
    control.post(f"/v1/sandboxes/{doomed['id']}/reset", {})
    assert doomed["id"] not in holds._locks
    with holds.lock(doomed["id"]):
        assert doomed["id"] in holds._locks
        assert holds.lock(doomed["id"]) is holds.lock(doomed["id"])
    control.delete(f"/v1/sandboxes/{doomed['id']}")
    with pytest.raises(ControlError, match="no sandbox"):
        control.post(f"/v1/sandboxes/{doomed['id']}/reset", {})
    assert doomed["id"] not in holds._locks
    requests.look()
    assert doomed["id"] not in requests._positions
