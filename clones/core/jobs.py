"""Timers of a sandbox: enqueue work for a time, and run what is due when the clock moves.

A job runs inside the transaction that moves the clock, in a savepoint of its own. One that fails
is recorded, tried again after each of `RETRY_AFTER`, and then left `failed` for all to see.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils.module_loading import import_string

from clones.core import clock
from clones.core.journal import JournalRow, act, journal
from clones.core.journal.acts import current as current_act
from clones.core.models.jobs import Job
from clones.core.models.state import IdSequence, SandboxState

logger = logging.getLogger(__name__)

RETRY_AFTER = (timedelta(minutes=1), timedelta(minutes=5), timedelta(minutes=30))

Handler = Callable[[dict[str, Any]], None]
Observer = Callable[[Sequence[JournalRow]], None]


class UnknownJob(Exception):
    """Raised when a job's kind has no handler."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of job: its handler and, for recurring ones, its period."""

    handler: Handler
    every: timedelta | None


@dataclass(frozen=True, slots=True)
class JobRun:
    """What became of one job: its error is None when it succeeded."""

    id: int
    kind: str
    due: datetime
    attempt: int
    error: str | None


_kinds: dict[str, Kind] = {}


def handles(kind: str, *, every: timedelta | None = None) -> Callable[[Handler], Handler]:
    """Register the handler of a kind of job; with `every` the job sets itself again."""

    def register(handler: Handler) -> Handler:
        _kinds[kind] = Kind(handler, every)
        return handler

    return register


def enqueue(
    kind: str,
    *,
    due: datetime,
    payload: dict[str, Any] | None = None,
    key: str | None = None,
    cause: int | None = None,
) -> Job:
    """Set a timer. `key` names what it is about, so that `cancel` finds it.

    The act at hand is its cause unless another is given.

    Raises:
        UnknownJob: no handler is registered for the kind.
    """
    if kind not in _kinds:
        raise UnknownJob(f"no handler for jobs of kind {kind!r}")
    at_hand = current_act()
    if cause is None and at_hand is not None:
        cause = at_hand.id
    return Job.objects.create(
        id=_next_id(), kind=kind, payload=payload or {}, due=due, key=key, cause=cause
    )


def cancel(key: str) -> int:
    """Drop the pending timers of a key and return how many there were."""
    dropped, _ = Job.objects.filter(key=key, state="pending").delete()
    return dropped


def advance(to: datetime) -> list[JobRun]:
    """Show observers what happened, then move the clock to `to`, running what falls due on the way.

    Runs inside the caller's write transaction, so it happens wholly or not at all.

    Raises:
        ClockBackwards: `to` has passed already.
    """
    observe()
    runs: list[JobRun] = []
    while True:
        job = Job.objects.filter(state="pending", due__lte=to).order_by("due", "id").first()
        if job is None:
            break
        if job.due > clock.now():
            clock.set_time(job.due)
        runs.append(_run(job))
        observe()
    if to > clock.now():
        clock.set_time(to)
    return runs


def drain() -> list[JobRun]:
    """Run what is due at the sandbox's present."""
    return advance(clock.now())


def observe() -> None:
    """Hand the journal rows since the last call to the observers named in the settings."""
    state = SandboxState.objects.get(id=1)
    rows = [row for row in journal().rows(state.observed) if row.table.kind == "record"]
    for observer in _observers():
        if rows:
            observer(rows)
    SandboxState.objects.filter(id=1).update(observed=journal().position())


def begin_step(seconds: float) -> int:
    """Count one step and move a stepped clock by `seconds` before the agent's act.

    Return the step's number.
    """
    state = SandboxState.objects.get(id=1)
    pause = timedelta(seconds=seconds) if state.mode == "stepped" else timedelta(0)
    advance(clock.now() + pause)
    SandboxState.objects.filter(id=1).update(step=state.step + 1)
    return state.step + 1


@cache
def _observers() -> tuple[Observer, ...]:
    return tuple(import_string(name) for name in settings.JOURNAL_OBSERVERS)


def _run(job: Job) -> JobRun:
    kind = _kinds.get(job.kind)
    attempt = job.attempts + 1
    error: str | None = None
    try:
        if kind is None:
            raise UnknownJob(f"no handler for jobs of kind {job.kind!r}")
        with (
            transaction.atomic(),
            act(actor="job", label=job.kind, cause=job.cause, tick=False),
        ):
            kind.handler(job.payload)
    except Exception as failure:  # the boundary of a job: its failure is its own, and recorded
        error = f"{type(failure).__name__}: {failure}"
        logger.exception("job %s of kind %s failed (attempt %s)", job.id, job.kind, attempt)
    ran_at = clock.now()
    fields: dict[str, Any] = {"attempts": attempt, "ran_at": ran_at, "last_error": error}
    if error is None:
        fields["state"] = "done"
    elif attempt <= len(RETRY_AFTER):
        fields["due"] = ran_at + RETRY_AFTER[attempt - 1]
    else:
        fields["state"] = "failed"
    Job.objects.filter(id=job.id).update(**fields)
    if kind is not None and kind.every is not None and fields.get("state"):
        enqueue(
            job.kind, due=job.due + kind.every, payload=job.payload, key=job.key, cause=job.cause
        )
    return JobRun(job.id, job.kind, job.due, attempt, error)


def _next_id() -> int:
    last = IdSequence.objects.filter(name="core.job").values_list("last", flat=True).first()
    if last is None:
        IdSequence.objects.create(name="core.job", last=1)
        return 1
    IdSequence.objects.filter(name="core.job").update(last=last + 1)
    return last + 1
