"""Parts of the stack are killed under load: it says so, recovers by itself and loses nothing."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest

from sandlot.client import ControlClient, http_client
from tests.stack.outage import Stack, stack, until


@dataclass
class Writer:
    """Writes notes to a ticket one after the other, and keeps what was answered."""

    url: str
    auth: tuple[str, str]
    ticket: int
    kept: list[str] = field(default_factory=list)
    refused: list[int] = field(default_factory=list)
    cut: int = 0
    wrong: list[str] = field(default_factory=list)
    stopped: threading.Event = field(default_factory=threading.Event)

    def run(self) -> None:
        """Write until stopped."""
        number = 0
        with http_client(timeout=30.0) as http:
            while not self.stopped.is_set():
                number += 1
                self._write(http, f"zebra-{number:06d}-quartz")
                self.stopped.wait(0.02)

    def _write(self, http: httpx.Client, text: str) -> None:
        body = {"ticket": {"comment": {"body": text, "public": False}}}
        try:
            answer = http.put(
                f"{self.url}/api/v2/tickets/{self.ticket}.json", json=body, auth=self.auth
            )
        except httpx.TransportError:
            self.cut += 1
            return
        if answer.status_code == 200:
            self.kept.append(text)
        elif answer.status_code == 503 and answer.headers.get("Retry-After"):
            self.refused.append(answer.status_code)
        else:
            self.wrong.append(f"{answer.status_code} {answer.text[:200]}")

    def works_again(self) -> None:
        """Wait until writes are answered with success."""
        before = len(self.kept)
        until(lambda: len(self.kept) > before + 3, "writes")

    def shown(self) -> set[str]:
        """Return every note that the ticket shows."""
        found: set[str] = set()
        path = f"{self.url}/api/v2/tickets/{self.ticket}/comments.json?per_page=100"
        with http_client(auth=self.auth) as http:
            while path:
                body = http.get(path).raise_for_status().json()
                found.update(comment["body"] for comment in body["comments"])
                path = body["next_page"]
        return found


def writer_of(control: ControlClient) -> tuple[str, Writer]:
    made = control.post("/v1/sandboxes", {"size": "tiny"})
    app = made["apps"]["helpdesk"]
    admin = next(entry for entry in app["accounts"] if entry["role"] == "admin")
    auth = (f"{admin['email']}/token", admin["api_token"])
    with http_client(auth=auth) as http:
        rows = http.get(f"{app['url']}/api/v2/tickets.json?per_page=100").json()["tickets"]
    return made["id"], Writer(
        app["url"], auth, next(row["id"] for row in rows if row["status"] == "open")
    )


def kill_each(running: Stack, writer: Writer) -> dict[str, int]:
    """Kill each part, and wait until writes succeed again; return what was refused meanwhile."""
    met = {}
    running.postgres.kill()
    until(lambda: len(writer.refused) > 2, "refusals")
    running.postgres.start()
    writer.works_again()
    met["postgres"] = len(writer.refused)
    running.redis.kill()
    writer.works_again()  # nobody waits for the broker
    running.redis.start()
    writer.works_again()
    met["redis"] = len(writer.refused) - met["postgres"]
    for part in (running.working_child, running.web):
        killed = part()
        assert killed is not None
        for process in [*killed.children(recursive=True), killed]:
            process.kill()
        until(lambda part=part, killed=killed: part() not in {None, killed}, "another process")  # type: ignore[misc]
        writer.works_again()
    return met


@pytest.mark.slow
@pytest.mark.timeout(400)
def test_the_stack_outlives_its_parts(tmp_path: Path) -> None:
    with stack(tmp_path) as running:
        sandbox, writer = writer_of(running.control)
        episode = running.control.post("/v1/episodes", {"task": "H05", "seed": 0, "space": "api"})
        thread = threading.Thread(target=writer.run)
        thread.start()
        try:
            writer.works_again()
            met = kill_each(running, writer)
        finally:
            writer.stopped.set()
            thread.join(timeout=60)
        assert writer.wrong == []
        assert met["postgres"] > 0
        assert met["redis"] == 0
        assert set(writer.kept) <= writer.shown(), "a committed write was lost"
        assert running.control.post(f"/v1/sandboxes/{sandbox}/verify", {})["intact"]
        # Timers run again: the queue has found its broker.
        running.control.post(f"/v1/sandboxes/{sandbox}/clock", {"mode": "live", "speed": 3600})
        until(lambda: ran(running.control, sandbox), "timers")
        assert unscored(running, episode["id"])


def ran(control: ControlClient, sandbox: str) -> list[Any]:
    found: list[Any] = control.get(f"/v1/sandboxes/{sandbox}/jobs?state=done")["jobs"]
    return found


def unscored(running: Stack, episode: str) -> bool:
    """Tell whether an episode that is played while the store is away ends without numbers."""
    running.postgres.kill()
    act = {"tool": "ListTickets", "arguments": {}}
    result: dict[str, Any] = {}
    try:
        result = running.control.post(f"/v1/episodes/{episode}/act?for=trainer", act)
    finally:
        running.postgres.start()
    view = running.control.get(f"/v1/episodes/{episode}")
    return result.get("reward") is None and view["status"] == "harness_error" and not view["reward"]
