"""Timers of a sandbox: enqueue work for a time, and run what is due when the clock moves.

A job runs inside the transaction that moves the clock, in a savepoint of its own. One that fails
is recorded, tried again after each of `RETRY_AFTER`, and then left `failed` for all to see.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from typing import Any

from django.conf import settings
from django.db import connection, transaction
from django.utils.module_loading import import_string

from clones.core import clock, counters
from clones.core.jobcounts import Outcome
from clones.core.journal import JournalRow, act, journal
from clones.core.journal.acts import current as current_act
from clones.core.models.jobs import Job
from clones.core.models.state import SandboxState
from clones.core.prepared import Prepared
from clones.core.server import server
from clones.core.state import read_state, store_observed, store_step
from clones.core.tenancy.context import current
from clones.core.tracing import Span, current_span, tracer, within

logger = logging.getLogger(__name__)

RETRY_AFTER = (timedelta(minutes=1), timedelta(minutes=5), timedelta(minutes=30))

Handler = Callable[[dict[str, Any]], None]
Observer = Callable[[Sequence[JournalRow]], None]


class UnknownJob(Exception):
    """Raised when a job's kind has no handler."""


class InsideAct(Exception):
    """Raised when the clock is moved inside an act or a back-dated block, where time stands."""


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
_NEXT_DUE: Prepared[Job] = Prepared(
    lambda to: Job.objects.filter(state="pending", due__lte=to).order_by("due", "id")[:1], datetime
)
_NEXT: Prepared[datetime] = Prepared(
    lambda: (
        Job.objects.filter(state="pending").order_by("due", "id").values_list("due", flat=True)[:1]
    )
)
_OBSERVED: Prepared[int] = Prepared(
    lambda: SandboxState.objects.filter(id=1).values_list("observed", flat=True)
)


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
    number = counters.take("core.job")
    return Job.objects.create(
        id=number, kind=kind, payload=payload or {}, due=due, key=key, cause=cause
    )


def cancel(key: str) -> int:
    """Drop the pending timers of a key and return how many there were."""
    dropped, _ = Job.objects.filter(key=key, state="pending").delete()
    return dropped


def advance(to: datetime) -> list[JobRun]:
    """Show observers what happened, then move the clock to `to`, running what falls due on the way.

    Runs inside the caller's write transaction, so it happens wholly or not at all.

    Raises:
        ClockBackwards: `to` has passed already. (A live clock moves by itself meanwhile: what has
            passed since it was last set counts as its present.)
        InsideAct: an act or back-dated block is open.
    """
    state = read_state()
    if to < (state.now if state.mode == "live" else clock.now()):
        raise clock.ClockBackwards(f"the clock shows {clock.now()}: it cannot go back to {to}")
    runs = _run_due(to)
    clock.reach(to)
    return runs


def next_due() -> datetime | None:
    """Return when the next waiting job falls due, None if none waits."""
    return _NEXT.first()


def drain() -> list[JobRun]:
    """Run what is due at the sandbox's present.

    Raises:
        InsideAct: an act or back-dated block is open.
    """
    return _run_due(clock.now())


def catch_up(to: datetime) -> list[JobRun]:
    """Run what fell due up to `to`, each job back-dated to its own due time; the clock stands.

    For arranging a past under `clock.at`: acts in time order, what they set off between them.
    """
    return _run_due(to, back_dated=True)


def observe() -> None:
    """Hand the journal rows since the last call to the observers named in the settings."""
    (observed,) = _OBSERVED.all()
    rows = list(journal().rows(observed))
    shown = [row for row in rows if row.table.kind == "record"]
    if not shown and len(rows) <= 1:
        return  # nothing but the row that the last call wrote: an idle drain leaves no trace
    for observer in _observers():
        if shown:
            observer(shown)
    # What observers themselves wrote lies after the last row read: the next call shows it.
    store_observed(rows[-1].seq)


def begin_step(seconds: float) -> int:
    """Count one step and move a stepped clock by `seconds` before the agent's act.

    Return the step's number.
    """
    state = read_state()
    # First of all, so that the journal shows where each step begins.
    store_step(state.step + 1)
    if state.mode == "stepped":
        advance(clock.now() + timedelta(seconds=seconds))
    else:
        drain()
    return state.step + 1


@cache
def _observers() -> tuple[Observer, ...]:
    return tuple(import_string(name) for name in settings.JOURNAL_OBSERVERS)


def _run_due(to: datetime, *, back_dated: bool = False) -> list[JobRun]:
    if not back_dated and (current_act() is not None or clock.is_back_dated()):
        raise InsideAct("the clock cannot move while an act or back-dated block is open")
    observe()
    runs: list[JobRun] = []
    while True:
        job = _NEXT_DUE.first(to)
        if job is None:
            return runs
        if back_dated:
            with clock.at(job.due):
                runs.append(_run(job))
        else:
            clock.reach(job.due)
            runs.append(_run(job))
        observe()


def _span(job: Job, attempt: int) -> Span | None:
    """Return a job's span: under whatever runs it, else under the request that led to it."""
    if not tracer().on:
        return None
    around = current_span()
    cause = journal().act(job.cause) if job.cause is not None else None
    request = cause.request if cause is not None else None
    return Span(
        f"job {job.kind}",
        trace=around.trace if around is not None else request,
        parent=around.key if around is not None else request,
        attributes={
            "sandlot.job": job.id,
            "sandlot.job.attempt": attempt,
            "sandlot.sandbox": current().sandbox,
            "sandlot.step": clock.step(),
            "sandlot.request": request,
            "sandlot.journal.position": journal().position(),
        },
    )


def _count(kind: str, outcome: Outcome) -> None:
    # Kinds are ours and few; what a row says that has no handler could be anything.
    server().jobs.note(kind if kind in _kinds else "unknown", outcome)


def _run(job: Job) -> JobRun:
    kind = _kinds.get(job.kind)
    attempt = job.attempts + 1
    if attempt == 1 and kind is not None and kind.every is not None:
        # Now rather than when it is done: a retry moves its due time, and not the next one's.
        enqueue(
            job.kind, due=job.due + kind.every, payload=job.payload, key=job.key, cause=job.cause
        )
    span = _span(job, attempt)
    with within(span):
        error = _handle(job, kind, attempt)
        if span is not None:
            span.problem = error
    ran_at = clock.now()
    fields: dict[str, Any] = {"attempts": attempt, "ran_at": ran_at, "last_error": error}
    if error is None:
        fields["state"] = "done"
    elif attempt <= len(RETRY_AFTER):
        fields["due"] = ran_at + RETRY_AFTER[attempt - 1]
    else:
        fields["state"] = "failed"
    _count(job.kind, fields.get("state", "retried"))
    _write(job, fields)
    return JobRun(job.id, job.kind, job.due, attempt, error)


def _write(job: Job, fields: Mapping[str, Any]) -> None:
    """Set columns of a job's row, by plain SQL: some hundred jobs run in each simulated week.

    One that its own handler has dropped has no row any more.
    """
    adapt = connection.ops.adapt_datetimefield_value
    values = [adapt(value) if isinstance(value, datetime) else value for value in fields.values()]
    sets = ", ".join(f"{name} = %s" for name in fields)
    statement = f"UPDATE core_job SET {sets} WHERE id = %s"  # noqa: S608 - names of ours
    current().wrapper.enqueue(statement, [*values, job.id])


def _handle(job: Job, kind: Kind | None, attempt: int) -> str | None:
    """Run a job's handler and return what went wrong."""
    try:
        if kind is None:
            raise UnknownJob(f"no handler for jobs of kind {job.kind!r}")
        with (
            transaction.atomic(),
            act(actor="job", label=job.kind, cause=job.cause, tick=False),
        ):
            kind.handler(job.payload)
    except Exception as failure:
        logger.exception("job %s of kind %s failed (attempt %s)", job.id, job.kind, attempt)
        return f"{type(failure).__name__}: {failure}"
    return None
