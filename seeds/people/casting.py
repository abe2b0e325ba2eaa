"""Give the people of a task their parts: who waits for what, and whose yes counts."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from random import Random
from typing import Any, Final

from clones.helpdesk.models import Ticket, User
from seeds.people.life import involve
from seeds.people.models import Person
from seeds.people.observer import thread_of
from seeds.people.persona import (
    Knowledge,
    Owed,
    Tone,
    WorldCheck,
    draw_approver,
    draw_customer,
)
from seeds.people.store import add_person

LANGUAGES: Final = ("en", "de", "fr", "es")
STATEMENT: Final = timedelta(days=2)


def cast_customer(
    user: User,
    ticket: Ticket,
    *,
    tone: Tone,
    chance: Random,
    check: Mapping[str, Any] | None,
    cause: str | None = None,
) -> Person:
    """Make the requester of a ticket somebody who waits for an answer and looks into it.

    `check` is what they look at two days after being told it is done: {"name", "charge", "amount"
    in minor units, "currency"}; where nothing is owed it is None and `cause` names the one
    explanation that is true.
    """
    checks: tuple[WorldCheck, ...] = ()
    owed = None
    if check is not None:
        parameters = {"charge": check["charge"], "amount": check["amount"]}
        checks = (WorldCheck(check["name"], parameters, STATEMENT),)
        owed = Owed(check["charge"], check["amount"], check["currency"])
    persona = draw_customer(
        chance,
        tone=tone,
        checks=checks,
        priority=ticket.priority,
        language=language_of(user),
        zone=user.iana_time_zone,
    )
    knowledge = Knowledge(
        owed=owed,
        causes=None if cause is None else frozenset({cause}),
        settles=owed is None,
    )
    person = add_person(persona, name=user.name, email=user.email, helpdesk_user=user.id)
    involve(person, thread_of(ticket.id), since=ticket.created_at, knowledge=knowledge)
    return person


def cast_lead(user: User, *, chance: Random) -> Person:
    """Make an agent somebody whose yes counts for any sum."""
    persona = draw_approver(chance, limit=None, zone=user.iana_time_zone)
    return add_person(persona, name=user.name, email=user.email, helpdesk_user=user.id)


def language_of(user: User) -> str:
    """Return the language in which a user writes: theirs if people can, else English."""
    language = user.locale.partition("-")[0].lower()
    return language if language in LANGUAGES else "en"
