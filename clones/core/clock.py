"""The sandbox's clock: the only source of time.

A stepped clock moves by a tick at each write and by explicit advances. A live clock follows the
machine's clock times a speed. A frozen clock moves only when it is told to.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar, Token
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from clones.core.models.state import SandboxState
from clones.core.state import State, read_state, store_time


@dataclass(frozen=True, slots=True)
class _Moment:
    """The time of the block at hand, which the clock does not move."""

    at: datetime
    back_dated: bool


_moment: ContextVar[_Moment | None] = ContextVar("moment", default=None)


class ClockBackwards(Exception):
    """Raised when a clock is asked to go back."""


def _machine_now() -> datetime:
    """Return the machine's time. Only a live clock may ask."""
    return datetime.now(UTC)


def _present(state: State, machine: datetime | None) -> datetime:
    """Return what the clock shows when the machine's shows `machine` (None if it does not ask)."""
    if state.live_from is None or machine is None:
        return state.now
    # A machine's clock may be set back; a sandbox's never goes back.
    return state.now + max(machine - state.live_from, timedelta(0)) * state.speed


def _read(state: State | None = None) -> tuple[State, datetime, datetime | None]:
    """Return the clock's row, what it shows, and the machine's time if it is live."""
    state = state or read_state()
    machine = _machine_now() if state.mode == "live" else None
    return state, _present(state, machine), machine


def now() -> datetime:
    """Return the time of the act or back-dated block at hand, the innermost, else the clock's."""
    moment = _moment.get()
    return moment.at if moment is not None else _read()[1]


def is_back_dated() -> bool:
    """Tell whether the block at hand runs under `at`."""
    moment = _moment.get()
    return moment is not None and moment.back_dated


@contextmanager
def held(state: State) -> Iterator[None]:
    """Show the block one time, what the clock of a row shows now, without asking the row again.

    For who only reads. Inside an act, or a back-dated block, the time is theirs.
    """
    if _moment.get() is not None:
        yield
        return
    token = _moment.set(_Moment(_read(state)[1], back_dated=False))
    try:
        yield
    finally:
        _moment.reset(token)


def step() -> int:
    """Return the number of the step at hand, 0 before the first."""
    return read_state().step


def tick() -> datetime:
    """Move the clock for one write and return the time of that write.

    Under `at` the clock does not move.
    """
    return begin_act(tick=True)[0]


def begin_act(*, tick: bool, state: State | None = None) -> tuple[datetime, int]:
    """Return time and step of an act that no other led to; `tick` moves a stepped clock for it.

    `state` is the clock's row, if this transaction has read it already.
    """
    state, present, machine = _read(state)
    moment = _moment.get()
    if moment is not None and (moment.back_dated or not tick):
        return moment.at, state.step
    if not tick or state.mode == "frozen":
        return present, state.step
    if state.mode == "stepped":
        present += timedelta(milliseconds=state.tick_ms)
    _store(present, machine)
    return present, state.step


def is_live() -> bool:
    """Tell whether the clock moves by itself."""
    return read_state().mode == "live"


def machine_time_of(moment: datetime) -> datetime | None:
    """Return the machine's time when a live clock will show `moment`.

    None for other clocks, and for what no machine will live to see.
    """
    state = read_state()
    if state.live_from is None or state.speed <= 0:
        return None
    try:
        return state.live_from + (moment - state.now) / state.speed
    except OverflowError:
        return None


def set_time(moment: datetime) -> None:
    """Move the clock forward to `moment`, whatever its mode.

    Raises:
        ClockBackwards: `moment` has passed already.
    """
    _, present, machine = _read()
    if moment < present:
        raise ClockBackwards(f"the clock shows {present}: it cannot go back to {moment}")
    _store(moment, machine)


def reach(moment: datetime) -> None:
    """Move the clock forward to `moment` unless it has passed already."""
    _, present, machine = _read()
    if moment > present:
        _store(moment, machine)


def configure(
    *, mode: str | None = None, speed: float | None = None, tick_ms: int | None = None
) -> None:
    """Change how the clock moves from now on."""
    state, present, machine = _read()
    mode = mode or state.mode
    SandboxState.objects.filter(id=1).update(
        now=present,
        mode=mode,
        speed=state.speed if speed is None else speed,
        tick_ms=state.tick_ms if tick_ms is None else tick_ms,
        live_from=(machine or _machine_now()) if mode == "live" else None,
    )


def _store(present: datetime, machine: datetime | None) -> None:
    store_time(present, machine)


def pin(moment: datetime) -> Token[_Moment | None]:
    """Fix `now` for the length of an act (used by the journal's acts only)."""
    return _moment.set(_Moment(moment, back_dated=is_back_dated()))


def unpin(token: Token[_Moment | None]) -> None:
    """Undo `pin`."""
    _moment.reset(token)


@contextmanager
def at(moment: datetime) -> Iterator[None]:
    """Run the block as if it were `moment`: for arranging a past, never for agents."""
    token = _moment.set(_Moment(moment, back_dated=True))
    try:
        yield
    finally:
        _moment.reset(token)
