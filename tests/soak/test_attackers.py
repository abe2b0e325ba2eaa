"""Ten of a hundred sandboxes attack: the others see no error, and wait at most twice as long.

The same load goes on over a calm phase and an attacked one, so that one run compares them.
`SANDLOT_SOAK` says for how many minutes both take, `SANDLOT_ATTACKERS` how many attack (unless it
is set, ten do, in `make test-everything` alone).
"""

from __future__ import annotations

import json
import os
import signal
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from clones.core.server import server
from sandlot.cli.ports import free_port
from sandlot.cli.serving import RunningServer, ServeOptions
from sandlot.client import ControlClient
from tests.soak.attackers import KINDS
from tests.soak.driving import Driver, Tally, Target
from tests.soak.test_soak import DRIVERS, MINUTES, RATE, SANDBOXES, targets_of

ATTACKERS = int(os.environ.get("SANDLOT_ATTACKERS", "10"))
WARM = min(1.0, MINUTES / 6)  # minutes of load before the calm phase is measured
QUOTA = 300 * 2**20  # bytes of a sandbox's store, so that one of a run's minutes fills it
BOUND = 2.0  # times the calm phase's 95th percentile
pytestmark = [] if "SANDLOT_ATTACKERS" in os.environ else [pytest.mark.everything]


@contextmanager
def attacked(targets: list[Target], folder: Path) -> Iterator[list[list[object]]]:
    """Have sandboxes attack for the length of a block; then the list has what they were told."""
    file = folder / "targets.json"
    file.write_text(json.dumps([{"host": one.host, "auth": one.auth} for one in targets]))
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.soak.attackers", str(file)], stdout=subprocess.PIPE, text=True
    )
    told: list[list[object]] = []
    try:
        yield told
        assert process.poll() is None, "the attackers have ended by themselves"
    finally:
        process.send_signal(signal.SIGTERM)
        said, _ = process.communicate(timeout=60)
        told.extend(json.loads(said or "[]"))


@contextmanager
def driven(targets: list[Target], control: ControlClient) -> Iterator[Tally]:
    """Have drivers ask all along the block."""
    tally = Tally()
    drivers = [
        Driver(targets[place::DRIVERS], RATE / DRIVERS, tally, control) for place in range(DRIVERS)
    ]
    threads = [threading.Thread(target=driver.run) for driver in drivers]
    for thread in threads:
        thread.start()
    try:
        yield tally
    finally:
        for driver in drivers:
            driver.stop.set()
        for thread in threads:
            thread.join(timeout=90)


def phase(tally: Tally, minutes: float) -> list[float]:
    """Wait, unless something fails; return how long each request of the phase took."""
    with tally.lock:
        tally.seconds.clear()
    until = time.monotonic() + minutes * 60
    while time.monotonic() < until and not tally.failures:
        time.sleep(0.2)
    with tally.lock:
        return list(tally.seconds)


def percentiles_text(seconds: list[float]) -> str:
    cut = statistics.quantiles(seconds, n=100)
    return (
        f"{len(seconds)} requests, p50 {cut[49] * 1000:.0f} ms, p95 {cut[94] * 1000:.0f} ms,"
        f" p99 {cut[98] * 1000:.0f} ms, slowest {max(seconds):.2f} s"
    )


@pytest.mark.timeout(MINUTES * 60 + 1200)
def test_the_others_notice_little_of_attackers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SANDLOT_SANDBOX_QUOTA", str(QUOTA))
    ports = [free_port("127.0.0.1"), free_port("127.0.0.1")]
    options = ServeOptions(data=server().data, port=ports[0], control_port=ports[1], workers=2)
    with (
        RunningServer(options) as running,
        ControlClient(running.control_url, running.token) as control,
    ):
        targets = targets_of(control)
        assert len(targets) == SANDBOXES
        step = SANDBOXES // ATTACKERS
        # At every worker: sandboxes are dealt out to them in turn.
        bad = [targets[number * step + number % step] for number in range(ATTACKERS)]
        good = [one for one in targets if one not in bad]
        before = running.workers.pids()
        half = (MINUTES - WARM) / 2
        with driven(good, control) as tally:
            phase(tally, WARM)
            calm = phase(tally, half)
            with attacked(bad, tmp_path) as told:
                under = phase(tally, half)
        print(f"\ncalm:     {percentiles_text(calm)}\nattacked: {percentiles_text(under)}")
        print("\n".join(f"  {kind}: {answers}" for kind, answers in told))
        assert tally.failures == []
        assert {kind for kind, _ in told} == set(list(KINDS)[:ATTACKERS])
        assert running.workers.pids() == before, "a worker has ended"
        for one in bad:  # whatever they did, they are reset like others
            control.post(f"/v1/sandboxes/{one.id}/reset", {})
    p95 = [statistics.quantiles(seconds, n=20)[18] for seconds in (calm, under)]
    assert p95[1] <= BOUND * p95[0], p95
