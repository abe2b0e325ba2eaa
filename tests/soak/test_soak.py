"""A hundred sandboxes under load for some minutes: nothing fails, nothing leaks, nothing grows.

`SANDLOT_SOAK` says for how many minutes. Memory is compared from the third minute on, or from the
middle of a shorter run, which says less.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator

import psutil
import pytest

from clones.core.server import server
from sandlot.cli.ports import free_port
from sandlot.cli.serving import RunningServer, ServeOptions
from sandlot.client import ControlClient, http_client
from tests.soak.driving import Driver, Tally, Target

MINUTES = float(os.environ.get("SANDLOT_SOAK", "1"))
RATE = float(os.environ.get("SANDLOT_SOAK_RATE", "200"))  # requests a second
SANDBOXES = 100
DRIVERS = 8
STEADY = min(3.0, MINUTES / 2)  # minutes after which memory may grow no more
# Of a process's memory. Short runs are still filling caches when they begin to count.
GROWTH = 0.02 if MINUTES >= 10 else 0.25


@pytest.fixture
def queue() -> Iterator[list[subprocess.Popen[bytes]]]:
    """A worker and beat of the queue, where there is a broker."""
    if "SANDLOT_REDIS" not in os.environ:
        yield []
        return
    environment = {
        **os.environ,
        "SANDLOT_DATA": str(server().data),
        "SANDLOT_OPEN_STORES": "50",  # as compose/compose.yaml gives its workers
    }
    command = [sys.executable, "-m", "celery", "-A", "clones.config.queue"]
    schedule = str(server().data / "beat")
    started = [
        subprocess.Popen([*command, *arguments], env={**environment, "SANDLOT_PROCESS": name})
        for name, arguments in (
            ("q0", ["worker", "--pool", "solo", "--without-gossip", "--without-mingle"]),
            ("q1", ["beat", "--schedule", schedule]),
        )
    ]
    yield started
    for process in started:
        process.terminate()
    for process in started:
        process.wait(timeout=30)


def targets_of(control: ControlClient) -> list[Target]:
    found = []
    with http_client() as http:
        for number in range(SANDBOXES):
            made = control.post("/v1/sandboxes", {"size": "tiny"})
            app = made["apps"]["helpdesk"]
            admin = next(entry for entry in app["accounts"] if entry["role"] == "admin")
            auth = (f"{admin['email']}/token", admin["api_token"])
            answer = http.get(f"{app['url']}/api/v2/tickets.json?per_page=100", auth=auth)
            host = app["url"].removeprefix("http://")
            tickets = [row["id"] for row in answer.json()["tickets"] if row["status"] != "closed"]
            found.append(Target(number, made["id"], host, auth, tickets[:10]))
            # Some live by the wall's clock, so that the queue has work all along.
            if number % 4 == 0:
                control.post(f"/v1/sandboxes/{made['id']}/clock", {"mode": "live", "speed": 600})
    return found


@pytest.mark.timeout(MINUTES * 60 + 600)
def test_a_hundred_sandboxes_under_load(queue: list[subprocess.Popen[bytes]]) -> None:
    ports = [free_port("127.0.0.1"), free_port("127.0.0.1")]
    options = ServeOptions(data=server().data, port=ports[0], control_port=ports[1], workers=2)
    with (
        RunningServer(options) as running,
        ControlClient(running.control_url, running.token) as control,
    ):
        tally, targets = Tally(), targets_of(control)
        drivers = [
            Driver(targets[place::DRIVERS], RATE / DRIVERS, tally, control)
            for place in range(DRIVERS)
        ]
        threads = [threading.Thread(target=driver.run) for driver in drivers]
        watched = {}
        for number, pid in enumerate(running.workers.pids()):
            watched[f"web {number}"] = psutil.Process(pid)
        for number, process in enumerate(queue):
            watched[f"queue {number}"] = psutil.Process(process.pid)
        began = time.monotonic()
        for thread in threads:
            thread.start()
        try:
            early = watch(watched, tally, until=began + STEADY * 60)
            late = watch(watched, tally, until=began + MINUTES * 60)
        finally:
            for driver in drivers:
                driver.stop.set()
            for thread in threads:
                thread.join(timeout=60)
    seconds = time.monotonic() - began
    print(
        f"{tally.requests} requests in {seconds:.0f} s ({tally.requests / seconds:.0f}/s),"
        f" {tally.writes} writes read back, {tally.resets} resets, slowest {tally.slowest:.2f} s,"
        f" {tally.late} times far behind"
    )
    for name, memory in late.items():
        print(f"{name:10} {early[name] / 2**20:8.1f} MB, at the end {memory / 2**20:8.1f} MB")
    assert not tally.failures, tally.failures
    assert tally.resets > 0
    assert tally.writes > 0
    grown = {name: late[name] / early[name] - 1 for name in late}
    assert max(grown.values()) < GROWTH, grown
    assert tally.requests > RATE * MINUTES * 60 * 0.9, "the machine could not keep the rate"


def watch(watched: dict[str, psutil.Process], tally: Tally, *, until: float) -> dict[str, int]:
    """Wait, unless something fails; return each process's memory at the end."""
    while time.monotonic() < until and not tally.failures:
        time.sleep(0.5)
    found = {"control": psutil.Process().memory_info().rss}
    for name, process in watched.items():
        family = (process, *process.children(recursive=True))
        found[name] = sum(part.memory_info().rss for part in family)
    return found
