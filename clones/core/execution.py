"""Who runs what fell due, and when: this process at once, or a queue's workers.

The sandbox's own rows are the only truth. That something is due is noted in the registry before
the write that left it commits, and the note goes only after a drain that began with it has
committed; so a message that is lost, doubled, late or out of order changes nothing, and neither
does a process that dies: `sweep` finds the note and sends again.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from contextlib import nullcontext
from datetime import datetime
from functools import cache
from typing import Protocol

from django.conf import settings
from django.db import DatabaseError
from django.utils.module_loading import import_string

from clones.core import clock, jobs
from clones.core.server import server
from clones.core.tenancy import SandboxRow, unit_of_work
from clones.core.tenancy.context import is_bound

logger = logging.getLogger(__name__)

Send = Callable[[str, int], None]


class Executor(Protocol):
    """How due jobs come to be run after a request that left some."""

    sweeps: bool  # whether somebody else sweeps, or the control process has to

    def work_left(self, sandbox: str, generation: int) -> None:
        """See to it that a sandbox is drained soon, unless its generation has passed."""


class Inline:
    """Run them in the process that left them, before it goes on."""

    sweeps = False

    def work_left(self, sandbox: str, generation: int) -> None:
        """Drain the sandbox now."""
        drain(sandbox, generation)


@cache
def executor() -> Executor:
    """Return the executor that the settings name."""
    found: Executor = import_string(settings.JOB_EXECUTOR)()
    return found


def work_left(row: SandboxRow) -> None:
    """See to what a request has just left due.

    While an episode runs it is done before the answer, whoever else could: what an agent sees next
    must not depend on how fast a worker is.
    """
    if row.episode is not None:
        drain(row.id, row.generation)
    else:
        executor().work_left(row.id, row.generation)


def note_due(row: SandboxRow) -> bool:
    """Note, before the write at hand commits, when the bound sandbox is to be looked at next.

    Return whether that is at once. A live clock's next timer is noted with the machine's time at
    which it falls due; other clocks move by calls, which drain by themselves.
    """
    return note_due_at(row, clock.now(), live=clock.is_live())


def note_due_at(row: SandboxRow, present: datetime, *, live: bool) -> bool:
    """Do what `note_due` does for who knows the time of the write, and the kind of clock."""
    due = jobs.next_due()
    if due is None:
        return False
    if due <= present:
        server().registry.set_due(row.id, row.generation, time.time())
        return True
    if live:
        note_live(row.id, row.generation)
    return False


def note_live(sandbox: str, generation: int) -> None:
    """Note when the bound sandbox's next timer falls due, if its clock is live.

    A rewind and a fork call it too: notes are of one sandbox and one generation.
    """
    wakes = _wakes()
    if wakes is not None:
        server().registry.set_due(sandbox, generation, wakes)


def _wakes() -> float | None:
    """Return the machine's time at which the bound sandbox's clock, if it is live, has work."""
    due = jobs.next_due() if clock.is_live() else None
    moment = None if due is None else clock.machine_time_of(due)
    return None if moment is None else moment.timestamp()


def drain(sandbox: str, generation: int) -> list[jobs.JobRun] | None:
    """Run what is due at a sandbox's present, alone in it, in the order in which it fell due.

    Return what ran; None when the sandbox or its generation is gone, or it is being reset.
    """
    registry = server().registry
    row = registry.find(sandbox)
    if row is None or row.state != "live" or (row.generation, row.resetting) != (generation, False):
        registry.forget_due(sandbox, generation)
        return None
    # A request drains on the connection that it has.
    with nullcontext() if is_bound(sandbox) else server().stores.bind(row.store, sandbox):
        with unit_of_work("write"):
            # A reset takes the same lock before it raises the generation.
            if registry.generation(sandbox) != (generation, False):
                return None
            ticket = registry.due_ticket(sandbox)
            runs = jobs.drain()
            wakes = _wakes()
        if ticket is not None:
            registry.settle_due(sandbox, ticket, again=wakes)
        elif wakes is not None:
            registry.set_due(sandbox, generation, wakes)
    return runs


def sweep(send: Send, *, older_than: float = 0.0) -> int:
    """Send a drain for each sandbox that has been due for so many seconds; return how many.

    Beat calls it every second in the stack, the control process in idle time otherwise.
    """
    found = server().registry.due_before(time.time() - older_than)
    for sandbox, generation in found:
        try:
            send(sandbox, generation)
        except DatabaseError:
            logger.exception("sandbox %s could not be drained, and will be tried again", sandbox)
    return len(found)


def drain_quietly(sandbox: str, generation: int) -> None:
    """Drain, for callers who do not ask what ran."""
    drain(sandbox, generation)
