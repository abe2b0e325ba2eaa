"""Workers and beat of the queue, over the broker that `SANDLOT_REDIS` names."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import redis

from clones.core import execution
from clones.core.server import server
from tests.helpdesk.conftest import desk, desk_image
from tests.resting import resting

__all__ = ["desk", "desk_image"]  # fixtures of the helpdesk's tests

Start = Callable[..., "subprocess.Popen[bytes]"]


@contextmanager
def celery(*arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    """Run a process of the queue for the length of the block."""
    environment = {
        **os.environ,
        "SANDLOT_DATA": str(server().data),
        "SANDLOT_PROCESS": f"q{time.monotonic_ns()}",
        "SANDLOT_WEBHOOKS": "clones.config.queue.Deliveries",
    }
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "celery", "-A", "tests.stack.queue", *arguments],
            env=environment,
            stdout=log,
            stderr=subprocess.STDOUT,
            cwd=Path(__file__).parents[2],
        )
        try:
            yield process
        finally:
            process.terminate()
            try:
                process.wait(timeout=20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


@contextmanager
def worker(processes: int = 1) -> Iterator[subprocess.Popen[bytes]]:
    """Run a worker, and wait until it takes messages."""
    pool = ("--pool", "solo") if processes == 1 else ("--concurrency", str(processes))
    name = f"w{time.monotonic_ns()}@test"
    with celery("worker", "-n", name, "--without-gossip", "--without-mingle", *pool) as process:
        from clones.config.queue import app  # noqa: PLC0415 - only with a broker

        until = time.monotonic() + 60
        while not app.control.ping(destination=[name], timeout=0.5):
            assert process.poll() is None
            assert time.monotonic() < until, "the worker does not answer"
        yield process


@contextmanager
def beat(folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Run beat."""
    with celery("beat", "--schedule", str(folder / "beat")) as process:
        yield process


@pytest.fixture(autouse=True)
def broker(monkeypatch: pytest.MonkeyPatch) -> Iterator[redis.Redis]:
    """An empty broker, and this process sending to it what requests leave.

    Servers of this process rest: they would run by themselves what waits for a worker.
    """
    connection = redis.Redis.from_url(os.environ["SANDLOT_REDIS"])
    connection.flushdb()
    from clones.config.queue import Queue  # noqa: PLC0415 - only with a broker

    monkeypatch.setattr(execution, "executor", Queue)
    with resting():
        yield connection
    connection.flushdb()
    connection.close()


def eventually(holds: Callable[[], Any], seconds: float = 20.0) -> None:
    """Wait until something holds.

    Raises:
        AssertionError: it does not in time.
    """
    until = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < until, "it never came"
        time.sleep(0.02)
