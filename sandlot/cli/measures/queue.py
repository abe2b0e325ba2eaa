"""Jobs per second through Celery's workers over a real broker."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from clones.config.queue import app, drain
from clones.core import clock, execution
from clones.core.journal import act
from clones.core.models import Job
from clones.core.server import server
from clones.core.tenancy import SandboxRow, unit_of_work
from clones.helpdesk.domain import bulk
from clones.helpdesk.models import Ticket, User
from sandlot.cli.measures.figures import Figure

PATIENCE = 120.0
PAUSE = 0.002


class QueueFailed(Exception):
    """Raised when the queue does not do what it is measured by."""


@contextmanager
def workers(data: Path, processes: int) -> Iterator[None]:
    """Run Celery's worker and beat on a server's data for the length of the block.

    Raises:
        QueueFailed: the worker does not answer.
    """
    name = f"bench-{os.getpid()}@here"
    environment = {**os.environ, "SANDLOT_DATA": str(data), "SANDLOT_PROCESS": "bench-queue"}
    kinds: tuple[list[str], ...] = (
        ["worker", "-n", name, "--concurrency", str(processes), "--without-gossip"],
        ["beat", "--schedule", str(data / "beat"), "--pidfile", ""],
    )
    with ExitStack() as stack:
        started = [stack.enter_context(_celery(arguments, environment)) for arguments in kinds]
        until = time.monotonic() + PATIENCE
        while not app.control.ping(destination=[name], timeout=0.5):
            if started[0].poll() is not None or time.monotonic() > until:
                raise QueueFailed("Celery's worker does not answer")
        yield


@contextmanager
def _celery(arguments: list[str], environment: dict[str, str]) -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, "-m", "celery", "-A", "clones.config.queue", *arguments]
    process = subprocess.Popen(  # noqa: S603 - our own program
        command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        yield process
    finally:
        process.terminate()
        process.wait()


def throughput(rows: Sequence[SandboxRow], *, rounds: int) -> list[Figure]:
    """Time bulk changes of one ticket each: one by one, one per message, and ten per message.

    Raises:
        QueueFailed: what was left was not run.
    """
    alone = Figure("job through Celery, from message to end", "ms")
    for _ in range(5 * rounds):
        alone.samples.append(1000 * _seconds_for(rows[:1], 1))
    found = [alone]
    for each in (1, 10):
        figure = Figure(
            f"jobs through Celery, {each} per message, {len(rows)} sandboxes",
            "1/s",
            higher_is_better=True,
        )
        for _ in range(rounds):
            figure.samples.append(each * len(rows) / _seconds_for(rows, each))
        found.append(figure)
    return found


def _seconds_for(rows: Sequence[SandboxRow], each: int) -> float:
    """Leave so many jobs in each sandbox, then return how long the workers take for them all."""
    before = [_leave(row, each) for row in rows]
    began = time.perf_counter()
    for row in rows:
        drain.delay(row.id, row.generation)
    names = {row.id for row in rows}
    _wait_until(lambda: not names & {name for name, _ in _due()})
    took = time.perf_counter() - began
    for row, done in zip(rows, before, strict=True):
        if _done(row) != done + each:
            raise QueueFailed(f"sandbox {row.id}: {_done(row) - done} of {each} jobs were run")
    return took


def _leave(row: SandboxRow, count: int) -> int:
    """Queue bulk changes as requests do; return how many had been done before."""
    with server().stores.bind(row.store, row.id), unit_of_work("write"):
        actor = User.objects.filter(role="admin").order_by("id")[0]
        tickets = Ticket.objects.filter(status="open").order_by("-id")[:count]
        with act(actor="bench", label="bulk changes"):
            for ticket in tickets:
                comment = {"body": "bench", "public": False, "html_body": None}
                item = {"id": ticket.id, "changes": {}, "comment": {
                    **comment, "author": actor.id, "uploads": []}}  # fmt: skip
                bulk.start_job("update_tickets", [item], actor=actor, client=None)
        execution.note_due(row)
    return _done(row)


def _done(row: SandboxRow) -> int:
    with server().stores.bind(row.store, row.id), unit_of_work("read"):
        return Job.objects.filter(state="done", kind=bulk.KIND, due__lte=clock.now()).count()


def _due() -> list[tuple[str, int]]:
    return server().registry.due_before(time.time())


def _wait_until(holds: Callable[[], bool]) -> None:
    until = time.monotonic() + PATIENCE
    while not holds():
        if time.monotonic() > until:
            raise QueueFailed(f"the queue was not empty after {PATIENCE:g} s")
        time.sleep(PAUSE)
