"""Parts of the stack are killed under load: it says so, recovers by itself and loses nothing."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any

import httpx
import psycopg
import pytest

from clones.core.tenancy.postgres.marker import database_of
from sandlot.client import ControlClient, http_client
from tests.live.asking import Asking, check_answers, check_lost, check_tidy
from tests.stack.outage import Stack, kill, stack, until

pytestmark = [pytest.mark.slow(shares="running"), pytest.mark.timeout(400)]


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


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    with stack(tmp_path_factory.mktemp("outages")) as found:
        yield found


@contextmanager
def writing(writer: Writer) -> Iterator[None]:
    """Have notes written for the length of a block, from when the first was answered."""
    thread = threading.Thread(target=writer.run)
    thread.start()
    try:
        writer.works_again()
        yield
    finally:
        writer.stopped.set()
        thread.join(timeout=60)


def test_the_stack_outlives_its_parts(running: Stack) -> None:
    sandbox, writer = writer_of(running.control)
    episode = running.control.post("/v1/episodes", {"task": "H05", "seed": 0, "space": "api"})
    with writing(writer):
        met = kill_each(running, writer)
    assert writer.wrong == []
    assert met["postgres"] > 0
    assert met["redis"] == 0
    assert set(writer.kept) <= writer.shown(), "a committed write was lost"
    assert running.control.post(f"/v1/sandboxes/{sandbox}/verify", {})["intact"]
    # Timers run again: the queue has found its broker.
    running.control.post(f"/v1/sandboxes/{sandbox}/clock", {"mode": "live", "speed": 3600})
    until(lambda: ran(running.control, sandbox), "timers")
    assert unscored(running, episode["id"])


@pytest.mark.in_turn
def test_timers_of_live_clocks_outlive_beat(running: Stack) -> None:
    """None runs while nobody sweeps; then all do that fell due, each once and in their order."""
    control = running.control
    busy, writer = writer_of(control)
    idle = [control.post("/v1/sandboxes", {"size": "tiny"})["id"] for _ in range(2)]
    for sandbox, speed in zip([busy, *idle], (3_600, 7_200, 14_400), strict=True):
        control.post(f"/v1/sandboxes/{sandbox}/clock", {"mode": "live", "speed": speed})
    with writing(writer):
        until(lambda: all(len(hours(control, one)) > 1 for one in idle), "timers")
        kill(running.beat)
        time.sleep(2)  # for drains that were sent before
        before = {one: hours(control, one) for one in idle}
        time.sleep(3)
        assert {one: hours(control, one) for one in idle} == before
        running.start_beat()
        until(lambda: all(len(hours(control, one)) > len(before[one]) + 10 for one in idle), "them")
    assert writer.wrong == []
    for sandbox in (busy, *idle):
        control.post(f"/v1/sandboxes/{sandbox}/clock", {"mode": "frozen"})
        done = ran(control, sandbox)
        assert {job["attempts"] for job in done} == {1}
        assert is_hour_by_hour(hours(control, sandbox))
        # What comes later has waited for what comes first.
        waiting = control.get(f"/v1/sandboxes/{sandbox}/jobs")["jobs"]
        assert min(job["due"] for job in waiting) >= max(job["due"] for job in done)
        assert control.get(f"/v1/sandboxes/{sandbox}/jobs?state=failed")["jobs"] == []
        control.delete(f"/v1/sandboxes/{sandbox}")


def hours(control: ControlClient, sandbox: str) -> list[datetime]:
    """Return the times at which a sandbox's automations ran, which run each hour."""
    done = [job for job in ran(control, sandbox) if job["kind"] == "helpdesk.automations"]
    return [datetime.fromisoformat(job["due"]) for job in done]


def is_hour_by_hour(times: list[datetime]) -> bool:
    return len(times) > 1 and all(
        later - earlier == timedelta(hours=1) for earlier, later in pairwise(times)
    )


@pytest.mark.in_turn
def test_what_a_killed_control_process_was_asked_for_is_done_or_undone(running: Stack) -> None:
    asked = Asking(running.control.url, running.token)
    asked.start()
    try:
        asked.all_done()
        kill(running.server)
    finally:
        asked.stop()
    assert asked.refused == []
    running.start_server()
    check_lost(running.control, asked)
    check_answers(running.control, asked)
    check_tidy(running.data, running.control)
    until(lambda: databases_without_a_store(running) == set(), "databases of stores alone", 20)


def databases_without_a_store(running: Stack) -> set[str]:
    """Return the databases that no store names; shared images are of no server."""
    with psycopg.connect(running.postgres.url, dbname="postgres") as asked:
        rows = asked.execute("SELECT datname FROM pg_database").fetchall()
    there = {name for (name,) in rows if name.startswith("sandlot_")}
    named = {database_of(path) for path in running.data.rglob("*.postgres")}
    return {name for name in there - named if not name.startswith("sandlot_shared_")}


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
