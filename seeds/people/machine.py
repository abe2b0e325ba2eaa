"""What people do: a pure function of persona, state, event and what they know.

No clock, no chance, no database: delays are drawn and acts carried out by whoever calls.
"""

from __future__ import annotations

from dataclasses import replace

from seeds.people import customer, desk
from seeds.people.events import Act, Event, Merged, OtherActed, Timer
from seeds.people.persona import Knowledge, Persona
from seeds.people.state import ThreadState

Outcome = tuple[ThreadState, tuple[Act, ...], tuple[Timer, ...]]

ALL_TIMERS: tuple[Timer, ...] = (
    Timer("nudge", None),
    Timer("promise", None),
    Timer("check", None),
)


def transition(persona: Persona, state: ThreadState, event: Event, facts: Knowledge) -> Outcome:
    """Return the new state, what to do, and which times to set."""
    if state.mood == "gone" or isinstance(event, OtherActed):
        return state, (), ()
    if isinstance(event, Merged):
        return replace(state, mood="gone"), (), ALL_TIMERS
    if persona.kind in ("colleague", "approver"):
        return desk.transition(persona, state, event, facts)
    return customer.transition(persona, state, event, facts)


def begin(persona: Persona, state: ThreadState) -> tuple[Timer, ...]:
    """Return the times that a person sets when they have just written in."""
    if persona.kind in ("colleague", "approver"):
        return ()
    return (Timer("nudge", persona.patience, business=True),)
