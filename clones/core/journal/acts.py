"""Acts: every write belongs to one, and says who did it and why."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from django.db import connection

from clones.core import clock
from clones.core.journal.engine import ActRow, journal
from clones.core.state import State

_act: ContextVar[ActRow | None] = ContextVar("act", default=None)


class OutsideTransaction(Exception):
    """Raised when an act is opened outside a write transaction."""


def current() -> ActRow | None:
    """Return the act at hand, or None outside one."""
    return _act.get()


@contextmanager
def act(
    *,
    actor: str,
    label: str,
    request: str | None = None,
    cause: int | None = None,
    tick: bool = True,
    state: State | None = None,
) -> Iterator[ActRow]:
    """Attribute what the block writes to `actor`: `helpdesk.user:17`, `person:ana`, `job`...

    Inside another act the new one has it as its cause and shares its time (unless a back-dated
    block lies between them); at the top it moves a stepped clock by one tick. `state` is the row of
    the clock, if this transaction has read it and written nothing yet.

    Raises:
        OutsideTransaction: no transaction is open, so the writes could be torn.
    """
    if not connection.in_atomic_block:
        raise OutsideTransaction(f"act {label!r} must run inside a transaction")
    outer = _act.get()
    if outer is None:
        at, step = clock.begin_act(tick=tick, state=state)
    else:
        at, step = clock.now(), outer.step
        cause = outer.id if cause is None else cause
        request = outer.request if request is None else request
    number = journal().open_act(
        at=at, step=step, request=request, actor=actor, cause=cause, label=label
    )
    row = ActRow(number, at, step, request, actor, cause, label)
    token = _act.set(row)
    clock_token = clock.pin(at)
    try:
        yield row
    finally:
        clock.unpin(clock_token)
        _act.reset(token)
        if not connection.needs_rollback:
            journal().attribute(outer.id if outer is not None else None)


def root_cause(act_id: int | None) -> ActRow | None:
    """Follow causes up to the act that nothing of the sandbox led to."""
    found = None if act_id is None else journal().act(act_id)
    while found is not None and found.cause is not None:
        above = journal().act(found.cause)
        if above is None:
            break
        found = above
    return found
