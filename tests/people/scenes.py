"""People and events in short, for the tests of the machine."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from seeds.people.events import Act, Event, Message, Timer
from seeds.people.machine import transition
from seeds.people.persona import (
    Authority,
    ChargeFact,
    Knowledge,
    Owed,
    Persona,
    WorldCheck,
)
from seeds.people.state import ThreadState
from seeds.people.understanding import read

T0 = datetime(2026, 6, 15, 9, 0, tzinfo=UTC)  # a Monday
CHARGE = "ch_3Pq9ZkLmN0aBcDeFgHiJkLmN"
OTHER = "ch_9zYxWvUtSrQpOnMlKjIhGfEd"
TWO_DAYS = timedelta(days=2)

CUSTOMER = Persona(
    patience=timedelta(hours=8),
    checks=(WorldCheck("refund_visible", {"charge": CHARGE, "amount": 12900}, TWO_DAYS),),
    zone="UTC",
)
KNOWS = Knowledge(
    own={"charge": CHARGE, "order": "KL-10482", "card": "4242", "date": "12 May 2026"},
    owed=Owed(CHARGE, 12900, "usd"),
    ids=frozenset({CHARGE}),
)
# Nothing is owed: a true explanation settles it.
PUZZLED = Persona(
    patience=timedelta(hours=8), checks=(WorldCheck("money_back", {}, TWO_DAYS),), zone="UTC"
)
EXPLAINABLE = Knowledge(causes=frozenset({"upgrade_proration"}), settles=True)

LEAD = Persona(kind="approver", authority=Authority("approver", 50000), zone="UTC")
LEDGER = Knowledge(
    charges={
        CHARGE: ChargeFact(12900, 0, "usd"),
        OTHER: ChargeFact(90000, 0, "usd"),
        "ch_0000000000000000refunded": ChargeFact(12900, 12900, "usd"),
    }
)

Step = tuple[ThreadState, list[str], dict[str, timedelta | None]]


def message(text: str, *, public: bool = True, at: datetime = T0) -> Message:
    """Return a message as it is read; equal texts have equal digests."""
    audience = "customer" if public else "desk"
    return Message(at, read(text, audience=audience), text, public)  # type: ignore[arg-type]


def state(**changes: Any) -> ThreadState:
    """Return a state of somebody who wrote on Monday morning."""
    return ThreadState(wrote_at=T0, **changes)


def happen(
    event: Event,
    before: ThreadState,
    persona: Persona = CUSTOMER,
    knows: Knowledge = KNOWS,
) -> tuple[ThreadState, tuple[Act, ...], tuple[Timer, ...]]:
    """Let an event happen."""
    return transition(persona, before, event, knows)


def names(acts: tuple[Act, ...]) -> list[str]:
    """Return the names of acts."""
    return [act.name for act in acts]


def timer(timers: tuple[Timer, ...], kind: str) -> Timer:
    """Return the last timer set of a kind."""
    return [entry for entry in timers if entry.kind == kind][-1]
