"""Tell a person what happened, keep what they make of it, and set their jobs."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from clones.core import clock, jobs
from clones.core.randomness import stream
from seeds.people import machine
from seeds.people.delays import reply_delay
from seeds.people.events import Act, Event, Message, Timer
from seeds.people.hours import after_business
from seeds.people.models import Person, PersonState
from seeds.people.persona import Knowledge, Persona
from seeds.people.state import ThreadState
from seeds.people.store import knowledge_of, new_state, persona_of, save_state, state_of

ACT, CHECK, NUDGE = "people.act", "people.check", "people.nudge"
PACES = ("at_once", "reply")


def involve(
    person: Person, thread: str, *, since: datetime, knowledge: Knowledge, status: str = "open"
) -> PersonState:
    """Begin a matter that a person wrote in about: from `since` on they wait."""
    persona = persona_of(person)
    row = new_state(person, thread, ThreadState(wrote_at=since, status=status), knowledge)
    set_timers(row, persona, machine.begin(persona, state_of(row)), at=since)
    return row


def tell(row: PersonState, event: Event, *, cause: int | None = None) -> ThreadState:
    """Let an event happen to a person and return their new state."""
    persona = persona_of(row.person)
    charges = event.reading.facts.ids("charge") if isinstance(event, Message) else ()
    kept = state_of(row).wanted[:1]
    knowledge = knowledge_of(row, (*charges, *kept))
    before = state_of(row)
    state, acts, timers = machine.transition(persona, before, event, knowledge)
    if state != before:
        save_state(row, state)
    set_timers(row, persona, timers, at=event.at, cause=cause)
    set_acts(row, persona, acts, at=event.at, cause=cause)
    return state


def set_acts(
    row: PersonState,
    persona: Persona,
    acts: Iterable[Act],
    *,
    at: datetime,
    cause: int | None = None,
) -> None:
    """Set the jobs that carry out acts: those of one pace together, in their order."""
    for pace in PACES:
        chosen = [act for act in acts if act.pace == pace]
        if not chosen:
            continue
        due = max(at, clock.now())
        if pace == "reply":
            rng = stream(f"person:{row.person_id}")
            due += reply_delay(due, persona.reply_median, persona.zone, rng)
        payload = {"state": row.id, "acts": [act_json(act) for act in chosen]}
        jobs.enqueue(ACT, due=due, payload=payload, key=_key(row, "act"), cause=cause)


def set_timers(
    row: PersonState,
    persona: Persona,
    timers: Iterable[Timer],
    *,
    at: datetime,
    cause: int | None = None,
) -> None:
    """Set and take back timers; a new one of a kind replaces the old."""
    for timer in timers:
        if timer.kind == "check":
            names = [timer.name] if timer.name else [check.name for check in persona.checks]
            keys = [_key(row, f"check:{name}") for name in names]
        else:
            keys = [_key(row, timer.kind)]
        for key in keys:
            jobs.cancel(key)
        if timer.after is None:
            continue
        due = after_business(at, timer.after, persona.zone) if timer.business else at + timer.after
        payload: dict[str, Any] = {"state": row.id}
        if timer.kind == "check":
            jobs.enqueue(
                CHECK, due=due, payload={**payload, "name": timer.name}, key=keys[0], cause=cause
            )
        else:
            jobs.enqueue(
                NUDGE, due=due, payload={**payload, "kind": timer.kind}, key=keys[0], cause=cause
            )


def act_json(act: Act) -> dict[str, Any]:
    """Return an act as a job carries it."""
    return {
        "name": act.name,
        "slots": [list(slot) for slot in act.slots],
        "topics": list(act.topics),
        "data": [list(item) for item in act.data],
    }


def act_of(data: dict[str, Any]) -> Act:
    """Return the act that a job carries."""
    return Act(
        data["name"],
        slots=tuple((name, value) for name, value in data["slots"]),
        topics=tuple(data["topics"]),
        data=tuple((name, value) for name, value in data["data"]),
    )


def _key(row: PersonState, what: str) -> str:
    return f"people:{row.id}:{what}"
