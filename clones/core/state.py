"""The one row of a sandbox's clock, step and seed, read by plain SQL: each request needs it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.db import connection

from clones.core.tenancy.context import current

COLUMNS = "mode, now, tick_ms, speed, live_from, step, seed, rate_limit"
ROW = "core_state WHERE id = 1"
SELECT = f"SELECT {COLUMNS} FROM {ROW}"  # noqa: S608 - constants

UPDATE_TIME = "UPDATE core_state SET now = %s, live_from = %s WHERE id = 1"
UPDATE_STEP = "UPDATE core_state SET step = %s WHERE id = 1"
UPDATE_OBSERVED = "UPDATE core_state SET observed = %s WHERE id = 1"


class NoState(Exception):
    """Raised when a store has no clock yet."""


@dataclass(frozen=True, slots=True)
class State:
    """What `clones.core.models.SandboxState` holds, as it stands."""

    mode: str
    now: datetime
    tick_ms: int
    speed: float
    live_from: datetime | None
    step: int
    seed: str
    rate_limit: int | None


def read_state() -> State:
    """Return the bound sandbox's state.

    Raises:
        NoState: the store has none.
    """
    with connection.cursor() as cursor:
        cursor.execute(SELECT)
        row = cursor.fetchone()
    return state_of(row)


def state_of(row: Sequence[Any] | None) -> State:
    """Return the state of a row of `COLUMNS`.

    Raises:
        NoState: there is none.
    """
    if row is None:
        raise NoState("this store has no clock: build a world into it first")
    mode, now, tick_ms, speed, live_from, step, seed, rate_limit = row
    return State(
        mode, _moment(now), tick_ms, speed, live_from and _moment(live_from), step, seed, rate_limit
    )


def store_time(now: datetime, live_from: datetime | None) -> None:
    """Set the bound sandbox's time; `live_from` is what the machine's clock shows, if it asks."""
    adapt = connection.ops.adapt_datetimefield_value
    current().wrapper.enqueue(UPDATE_TIME, [adapt(now), adapt(live_from)])


def store_step(step: int) -> None:
    """Set the number of the bound sandbox's step."""
    current().wrapper.enqueue(UPDATE_STEP, [step])


def store_observed(position: int) -> None:
    """Set the journal position up to which observers have seen the bound sandbox's rows."""
    current().wrapper.enqueue(UPDATE_OBSERVED, [position])


def _moment(stored: datetime | str) -> datetime:
    """Return a stored time: engines give it as text or as a time, with or without its zone."""
    moment = datetime.fromisoformat(stored) if isinstance(stored, str) else stored
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
