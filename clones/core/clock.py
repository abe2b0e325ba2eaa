"""The sandbox's clock: the only source of time.

A stepped clock moves by a tick at each write and by explicit advances. A live clock follows the
machine's clock times a speed. A frozen clock stands still.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar, Token
from datetime import UTC, datetime, timedelta

from clones.core.models.state import SandboxState

_pinned: ContextVar[datetime | None] = ContextVar("pinned_time", default=None)
_at: ContextVar[datetime | None] = ContextVar("back_dated_time", default=None)


class ClockBackwards(Exception):
    """Raised when a clock is asked to go back."""


def _machine_now() -> datetime:
    """Return the machine's time. Only a live clock may ask."""
    return datetime.now(UTC)


def _present(state: SandboxState) -> datetime:
    if state.mode == "live" and state.live_from is not None:
        return state.now + (_machine_now() - state.live_from) * state.speed
    return state.now


def now() -> datetime:
    """Return the sandbox's time: of the act at hand, of a back-dated block, or of the clock."""
    pinned = _pinned.get() or _at.get()
    return pinned if pinned is not None else _present(SandboxState.objects.get(id=1))


def is_back_dated() -> bool:
    """Tell whether the block at hand runs under `at`."""
    return _at.get() is not None


def step() -> int:
    """Return the number of the step at hand, 0 before the first."""
    return SandboxState.objects.values_list("step", flat=True).get(id=1)


def tick() -> datetime:
    """Move the clock for one write and return the time of that write."""
    back_dated = _at.get()
    if back_dated is not None:
        return back_dated
    state = SandboxState.objects.get(id=1)
    if state.mode == "frozen":
        return state.now
    moment = _present(state)
    if state.mode == "stepped":
        moment += timedelta(milliseconds=state.tick_ms)
    _store(state, moment)
    return moment


def set_time(moment: datetime) -> None:
    """Move the clock forward to `moment`, whatever its mode.

    Raises:
        ClockBackwards: `moment` has passed already.
    """
    state = SandboxState.objects.get(id=1)
    if moment < _present(state):
        raise ClockBackwards(f"the clock shows {_present(state)}: it cannot go back to {moment}")
    _store(state, moment)


def configure(
    *, mode: str | None = None, speed: float | None = None, tick_ms: int | None = None
) -> None:
    """Change how the clock moves from now on."""
    state = SandboxState.objects.get(id=1)
    state.now = _present(state)
    state.mode = mode or state.mode
    state.speed = state.speed if speed is None else speed
    state.tick_ms = state.tick_ms if tick_ms is None else tick_ms
    state.live_from = _machine_now() if state.mode == "live" else None
    state.save()


def _store(state: SandboxState, moment: datetime) -> None:
    live_from = _machine_now() if state.mode == "live" else None
    SandboxState.objects.filter(id=1).update(now=moment, live_from=live_from)


def pin(moment: datetime) -> Token[datetime | None]:
    """Fix `now` for the length of an act (used by the journal's acts only)."""
    return _pinned.set(moment)


def unpin(token: Token[datetime | None]) -> None:
    """Undo `pin`."""
    _pinned.reset(token)


@contextmanager
def at(moment: datetime) -> Iterator[None]:
    """Run the block as if it were `moment`: for arranging a past, never for agents."""
    token = _at.set(moment)
    try:
        yield
    finally:
        _at.reset(token)
