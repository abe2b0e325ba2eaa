"""From rows to the machine's plain data and back."""

from __future__ import annotations

from dataclasses import fields
from datetime import timedelta
from typing import Any

from clones.billing.models import Charge
from clones.core import ids
from seeds.people.models import Person, PersonState
from seeds.people.persona import (
    Authority,
    Change,
    ChargeFact,
    Knowledge,
    Owed,
    Persona,
    WorldCheck,
)
from seeds.people.state import ThreadState

COLUMNS = (
    *("mood", "status", "wrote_at", "answered_at", "nudges", "unclear", "failed", "reopens"),
    *("untruths", "repeats", "told", "fixed"),
)
LISTS = frozenset({"asked", "revealed", "corrected", "pending", "passed", "heard", "wanted"})
MEMORY = tuple(field.name for field in fields(ThreadState) if field.name not in COLUMNS)


def add_person(
    persona: Persona, *, name: str, email: str | None, helpdesk_user: int | None
) -> Person:
    """Write a person down."""
    return Person.objects.create(
        id=ids.next_code("pn_", Person, length=14),
        kind=persona.kind,
        name=name,
        email=email,
        helpdesk_user=helpdesk_user,
        patience=round(persona.patience.total_seconds()),
        reply_median=round(persona.reply_median.total_seconds()),
        tone=persona.tone,
        typo_rate=persona.typo_rate,
        language=persona.language,
        truthfulness=persona.truthfulness,
        mistaken_about=persona.mistaken_about,
        precision=persona.precision,
        checks=[
            {
                "name": check.name,
                "parameters": dict(check.parameters),
                "delay": round(check.delay.total_seconds()),
            }
            for check in persona.checks
        ],
        authority={"kind": persona.authority.kind, "limit": persona.authority.limit},
        reopen=sorted(persona.reopen),
        zone=persona.zone,
        bias=persona.bias,
    )


def persona_of(person: Person) -> Persona:
    """Return a person's parameters."""
    values: dict[str, Any] = {
        name: getattr(person, name)
        for name in (
            *("kind", "tone", "typo_rate", "language", "truthfulness", "mistaken_about"),
            *("precision", "zone", "bias"),
        )
    }
    return Persona(
        **values,
        patience=timedelta(seconds=person.patience),
        reply_median=timedelta(seconds=person.reply_median),
        checks=tuple(
            WorldCheck(item["name"], item["parameters"], timedelta(seconds=item["delay"]))
            for item in person.checks
        ),
        authority=Authority(**person.authority),
        reopen=frozenset(person.reopen),
    )


def new_state(person: Person, thread: str, state: ThreadState, knowledge: Knowledge) -> PersonState:
    """Write down what a person has in mind about a thread."""
    row = PersonState(
        id=ids.next_code("ps_", PersonState, length=14),
        person=person,
        thread=thread,
        knowledge=knowledge_json(knowledge),
    )
    _fill(row, state)
    row.save(force_insert=True)
    return row


def save_state(row: PersonState, state: ThreadState) -> None:
    """Keep a new state."""
    _fill(row, state)
    row.save()


def state_of(row: PersonState) -> ThreadState:
    """Return what a person has in mind."""
    values: dict[str, Any] = {name: getattr(row, name) for name in COLUMNS}
    for name, value in row.memory.items():
        values[name] = tuple(value) if name in LISTS else value
    return ThreadState(**values)


def _fill(row: PersonState, state: ThreadState) -> None:
    for name in COLUMNS:
        setattr(row, name, getattr(state, name))
    row.memory = {
        name: list(value) if name in LISTS else value
        for name in MEMORY
        if (value := getattr(state, name)) not in ((), 0, False)
    }


def knowledge_json(knowledge: Knowledge) -> dict[str, Any]:
    """Return what a person knows as JSON data; what charges were is looked up when needed."""
    owed, change = knowledge.owed, knowledge.change
    more: dict[str, Any] = {}
    if knowledge.options:
        more["options"] = {
            slot: [list(ways) for ways in options] for slot, options in knowledge.options.items()
        }
    if knowledge.on_record:
        more["on_record"] = sorted(knowledge.on_record)
    if change is not None:
        more["change"] = [list(change.names), list(change.value)]
    return {
        "own": dict(knowledge.own),
        "first": dict(knowledge.first),
        "owed": None if owed is None else [owed.charge, owed.amount, owed.currency],
        "causes": None if knowledge.causes is None else sorted(knowledge.causes),
        "settles": knowledge.settles,
        "ids": sorted(knowledge.ids),
        **more,
    }


def knowledge_of(row: PersonState, charges: tuple[str, ...] = ()) -> Knowledge:
    """Return what a person knows, with what the charges named to them were."""
    data = row.knowledge
    found = Charge.objects.filter(id__in=charges).order_by("id") if charges else ()
    return Knowledge(
        own=data.get("own", {}),
        first=data.get("first", {}),
        owed=Owed(*data["owed"]) if data.get("owed") else None,
        causes=frozenset(data["causes"]) if data.get("causes") is not None else None,
        settles=data.get("settles", False),
        ids=frozenset(data.get("ids", ())),
        charges={
            charge.id: ChargeFact(charge.amount, charge.amount_refunded, charge.currency)
            for charge in found
        },
        options={
            slot: tuple(tuple(ways) for ways in options)
            for slot, options in data.get("options", {}).items()
        },
        on_record=frozenset(data.get("on_record", ())),
        change=Change(*map(tuple, data["change"])) if data.get("change") else None,
    )
