"""A server that is ended amid writes and resets has what it acknowledged, and nothing torn."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest

from sandlot.client import ControlClient, ControlError, NoServer, http_client
from tests.live.apart import Apart, serve_apart, with_world
from tests.live.conftest import account

WRITERS = 4
SECONDS = 4.0  # of writes and resets before the end
ENDS = 2  # of a kind, one after the other on one folder


@dataclass
class Writer(threading.Thread):
    """Makes tickets in a sandbox till the server ends, and knows which were acknowledged."""

    sandbox: dict[str, Any]
    number: int
    acknowledged: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Be a thread that ends with the test."""
        super().__init__(daemon=True)

    def __hash__(self) -> int:
        return id(self)

    def run(self) -> None:
        """Write until nobody answers."""
        url = f"{self.sandbox['apps']['helpdesk']['url']}/api/v2/tickets.json"
        count = 0
        with http_client(auth=auth(self.sandbox), timeout=10) as http:
            while True:
                count += 1
                name = f"kept-{self.number}-{time.monotonic_ns()}-{count}"
                body = {"ticket": {"subject": name, "comment": {"body": "x"}}}
                try:
                    answer = http.post(url, json=body)
                except httpx.HTTPError:
                    return
                if answer.status_code == 201:
                    self.acknowledged.append(name)
                elif answer.status_code != 503:
                    self.refused.append(f"{answer.status_code} {answer.text[:200]}")


def auth(sandbox: dict[str, Any]) -> tuple[str, str]:
    admin = account(sandbox, "helpdesk", "admin")
    return (f"{admin['email']}/token", admin["api_token"])


def resetting(served: Apart, sandbox: dict[str, Any]) -> threading.Thread:
    """Reset a sandbox over and over till the server ends."""

    own = ControlClient(served.control.url, served.token())

    def run() -> None:
        with own, suppress(ControlError, NoServer, httpx.HTTPError):
            while True:
                own.post(f"/v1/sandboxes/{sandbox['id']}/reset", {})

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    return thread


def subjects_in(sandbox: dict[str, Any]) -> set[str]:
    """Return the subjects of a sandbox's tickets, asked page by page."""
    found: set[str] = set()
    url = f"{sandbox['apps']['helpdesk']['url']}/api/v2/tickets.json"
    with http_client(auth=auth(sandbox)) as http:
        after = f"{url}?page[size]=100&sort=-id"
        for _ in range(60):
            page = http.get(after).json()
            found |= {ticket["subject"] for ticket in page["tickets"]}
            if not page["meta"]["has_more"]:
                break
            after = page["links"]["next"]
    return found


def end(served: Apart, how: signal.Signals) -> None:
    """End a server: the first of its processes by a word, or all that there are at once."""
    root = psutil.Process(served.pid)
    family = [root, *root.children(recursive=True)]
    for process in family if how is signal.SIGKILL else [root]:
        with suppress(psutil.NoSuchProcess):
            os.kill(process.pid, how)
    psutil.wait_procs(family[1:], timeout=60)


@contextmanager
def underway(served: Apart, sandboxes: list[dict[str, Any]]) -> Iterator[list[Writer]]:
    """Have writers write in all sandboxes, and the last one reset over and over, for a while."""
    places = [sandboxes[number % len(sandboxes)] for number in range(WRITERS)]
    writers = [Writer(place, number) for number, place in enumerate(places)]
    resets = resetting(served, sandboxes[-1])
    for writer in writers:
        writer.start()
    until = time.monotonic() + 60
    kept = [writer for writer in writers if writer.sandbox is not sandboxes[-1]]
    time.sleep(SECONDS)
    while not all(writer.acknowledged for writer in kept) and time.monotonic() < until:
        time.sleep(0.1)
    yield writers
    for thread in (*writers, resets):
        thread.join(timeout=60)


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL], ids=["SIGTERM", "SIGKILL"])
def test_what_was_acknowledged_outlives_the_end(tmp_path: Path, how: signal.Signals) -> None:
    with_world(tmp_path)
    known: dict[str, set[str]] = {}
    ids: list[str] = []
    for turn in range(ENDS + 1):
        with serve_apart(tmp_path, "--workers", "2") as served:
            if not ids:
                ids = [
                    served.control.post("/v1/sandboxes", {"size": "tiny"})["id"] for _ in range(3)
                ]
                known = {id: set() for id in ids}
            found = [served.control.get(f"/v1/sandboxes/{id}") for id in ids]
            check(served, found, known, reset=ids[-1])
            if turn == ENDS:
                return
            with underway(served, found) as writers:
                end(served, how)
        for writer in writers:
            assert writer.refused == []
            if writer.sandbox["id"] != ids[-1]:
                assert writer.acknowledged
                known[writer.sandbox["id"]] |= set(writer.acknowledged)
        print(f"{how.name}: {sum(map(len, known.values()))} acknowledged writes")


def check(
    served: Apart, sandboxes: list[dict[str, Any]], known: dict[str, set[str]], *, reset: str
) -> None:
    """Look whether each sandbox has what it has to have, and is whole."""
    for sandbox in sandboxes:
        assert sandbox["id"] in known
        if sandbox["id"] == reset:
            # Whenever the end came: wholly before a reset or wholly after it.
            served.control.post(f"/v1/sandboxes/{reset}/reset", {})
            assert served.control.get(f"/v1/sandboxes/{reset}/diff")["changes"] == []
        else:
            assert known[sandbox["id"]] - subjects_in(sandbox) == set()
        assert served.control.post(f"/v1/sandboxes/{sandbox['id']}/verify")["intact"]
