"""The queue adds nothing to what rows say: lost, doubled and late messages change nothing."""

from __future__ import annotations

import os
import signal
import threading
import time
from datetime import timedelta
from pathlib import Path

import pytest
import redis
from kombu.exceptions import OperationalError

from clones.config.queue import drain, sweep
from clones.core import clock, execution, jobs
from clones.core.journal import act
from clones.core.models import Blob, Job, RandomStream
from clones.core.server import server
from clones.core.tenancy import SandboxRow, unit_of_work
from snapshots.manifest import Manifest
from snapshots.sandboxes import Sandboxes
from tests.conftest import bind
from tests.soak.watching import Watch
from tests.stack import queue  # noqa: F401 - the kinds of jobs
from tests.stack.conftest import beat, eventually, worker

pytestmark = pytest.mark.slow


def leave(row: SandboxRow, *names: str, seconds: float = 0.0) -> bool:
    """Set timers in a sandbox as a request would; tell whether a drain is called for at once."""
    with bind(row), unit_of_work("write"):
        with act(actor="agent", label="leave"):
            for name in names:
                due = clock.now() + timedelta(seconds=seconds)
                jobs.enqueue("stack.trace", due=due, payload={"name": name})
        return execution.note_due(row)


def traces(row: SandboxRow) -> list[str]:
    with bind(row), unit_of_work("read"):
        return list(Blob.objects.order_by("sha256").values_list("sha256", flat=True))


def waiting(row: SandboxRow) -> int:
    with bind(row), unit_of_work("read"):
        return Job.objects.filter(state="pending").count()


def test_a_worker_runs_what_a_request_left(empty_sandbox: SandboxRow) -> None:
    with worker():
        assert leave(empty_sandbox, "a", "b")
        execution.executor().work_left(empty_sandbox.id, empty_sandbox.generation)
        eventually(lambda: traces(empty_sandbox) == ["a", "b"])
    assert server().registry.due_ticket(empty_sandbox.id) is None


@pytest.mark.in_turn
@pytest.mark.parametrize("processes", [1, 2])
def test_a_worker_lets_go_of_a_deleted_sandbox(
    sandboxes: Sandboxes, empty_image: Manifest, processes: int
) -> None:
    row = sandboxes.create(empty_image)
    with worker(processes) as process:
        assert leave(row, "a")
        execution.executor().work_left(row.id, row.generation)
        eventually(lambda: traces(row) == ["a"])
        sandboxes.delete(row.id)
        # By itself, though nobody sends it anything any more.
        assert Watch(process.pid, server().data).let_go(within=5.0) == []


def test_an_episodes_work_does_not_wait_for_workers(empty_sandbox: SandboxRow) -> None:
    """No worker is there: what an agent left is done all the same."""
    server().registry.set_episode(empty_sandbox.id, "ep-aaaaaaaaaa")
    row = server().registry.get(empty_sandbox.id)
    assert leave(row, "mine")
    execution.work_left(row)
    assert traces(row) == ["mine"]
    assert server().registry.due_ticket(row.id) is None


@pytest.mark.in_turn
def test_doubled_late_and_mixed_messages_change_nothing(empty_sandbox: SandboxRow) -> None:
    """Two workers, ten messages for each write, some from before it."""
    row = empty_sandbox
    with worker(2):
        for number in range(20):
            for _ in range(5):
                drain.delay(row.id, row.generation)
            with bind(row), unit_of_work("write"), act(actor="agent", label="leave"):
                jobs.enqueue("stack.follow", due=clock.now(), payload={"digit": number % 9 + 1})
                jobs.enqueue("stack.trace", due=clock.now(), payload={"name": f"n{number:02}"})
            for _ in range(5):
                drain.delay(row.id, row.generation)
            if number % 6 == 5:
                eventually(lambda: waiting(row) == 0)
                with bind(row), unit_of_work("write"):
                    RandomStream.objects.filter(name="order").update(drawn=0)
        eventually(lambda: waiting(row) == 0)
    assert traces(row) == [f"n{number:02}" for number in range(20)]
    with bind(row), unit_of_work("read"):
        assert not Job.objects.exclude(attempts=1).exists()
        assert RandomStream.objects.get(name="order").drawn == 12


@pytest.mark.in_turn
def test_lost_messages_are_sent_again(
    empty_sandbox: SandboxRow, broker: redis.Redis, tmp_path: Path
) -> None:
    assert leave(empty_sandbox, "lost")
    execution.executor().work_left(empty_sandbox.id, empty_sandbox.generation)
    broker.flushdb()
    with worker(), beat(tmp_path):
        eventually(lambda: traces(empty_sandbox) == ["lost"])


def test_a_broker_that_is_away_fails_no_request(
    empty_sandbox: SandboxRow, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_: object) -> None:
        raise OperationalError("away")

    assert leave(empty_sandbox, "kept")
    monkeypatch.setattr(drain, "delay", away)
    execution.executor().work_left(empty_sandbox.id, empty_sandbox.generation)
    monkeypatch.undo()
    assert traces(empty_sandbox) == []
    assert (empty_sandbox.id, empty_sandbox.generation) in server().registry.due_before(time.time())
    execution.sweep(execution.drain_quietly)
    assert traces(empty_sandbox) == ["kept"]


@pytest.mark.in_turn
def test_a_job_whose_worker_is_killed_runs_once_in_effect(
    empty_sandbox: SandboxRow, tmp_path: Path
) -> None:
    row, held = empty_sandbox, tmp_path / "held"
    held.touch()
    with bind(row), unit_of_work("write"):
        with act(actor="agent", label="leave"):
            jobs.enqueue("stack.slow", due=clock.now(), payload={"name": "slow", "file": str(held)})
        assert execution.note_due(row)
    with worker(2):
        drain.delay(row.id, row.generation)
        pid = held.with_suffix(".pid")
        eventually(lambda: pid.exists() and pid.read_text())
        os.kill(int(pid.read_text()), signal.SIGKILL)
        held.unlink()
        eventually(lambda: _free(row))
    assert traces(row) == []
    with worker(), beat(tmp_path):
        eventually(lambda: traces(row) == ["slow"])
        time.sleep(2.5)  # for whatever beat may send again
    assert traces(row) == ["slow"]
    with bind(row), unit_of_work("read"):
        assert list(Job.objects.values_list("state", "attempts")) == [("done", 1)]


def _free(row: SandboxRow) -> bool:
    """Tell whether nobody writes in the sandbox."""
    with bind(row), unit_of_work("write"):
        return True


def test_nothing_of_an_earlier_generation_appears_after_a_reset(
    empty_sandbox: SandboxRow, sandboxes: Sandboxes
) -> None:
    """500 resets under load, with workers that are always behind; more if they are starved."""
    sandbox, stop, failures = empty_sandbox.id, threading.Event(), list[str]()

    def load() -> None:
        number = 0
        while not stop.is_set():
            number += 1
            row = server().registry.get(sandbox)
            with bind(row), unit_of_work("write"):
                if server().registry.generation(sandbox) != (row.generation, False):
                    continue
                with act(actor="agent", label="leave"):
                    name = f"g{row.generation}-{number}"
                    jobs.enqueue("stack.trace", due=clock.now(), payload={"name": name})
                execution.note_due(row)
            for _ in range(2):
                drain.delay(sandbox, row.generation)
        server().registry.close()

    thread = threading.Thread(target=load)
    ran = resets = 0
    with worker(2):
        thread.start()
        try:
            # A busy machine may leave a worker too little time between 500 of them to run anything.
            while resets < 500 or (ran <= 50 and resets < 1500):
                time.sleep(0.004 if resets % 10 else 0.1)
                row = server().registry.get(sandbox)
                found = traces(row)
                ran += len(found)
                strange = [name for name in found if not name.startswith(f"g{row.generation}-")]
                if strange:
                    failures.append(f"generation {row.generation}: {strange[:3]}")
                sandboxes.reset(sandbox)
                resets += 1
        finally:
            stop.set()
            thread.join()
    assert not failures
    assert ran > 50
    assert server().registry.get(sandbox).generation == empty_sandbox.generation + resets


@pytest.mark.in_turn
def test_live_clocks_advance_by_beat_and_others_never(
    empty_sandbox: SandboxRow, sandboxes: Sandboxes, tmp_path: Path
) -> None:
    live, frozen = empty_sandbox, sandboxes.fork(empty_sandbox.id)
    stepped = sandboxes.fork(empty_sandbox.id)
    for row, mode in ((live, "live"), (frozen, "frozen"), (stepped, "stepped")):
        with bind(row), unit_of_work("write"):
            clock.configure(mode=mode, speed=60.0)
            with act(actor="agent", label="leave"):
                due = clock.now() + timedelta(seconds=90)
                jobs.enqueue("stack.trace", due=due, payload={"name": "timer"})
            assert not execution.note_due(row)
    with worker(), beat(tmp_path):
        eventually(lambda: traces(live) == ["timer"])
        sweep.delay()
        time.sleep(2.5)
    assert traces(frozen) == traces(stepped) == []
    for row in (frozen, stepped):
        sandboxes.delete(row.id)
