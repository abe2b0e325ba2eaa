"""Give the people of a task their parts: who waits for what, and whose yes counts."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from random import Random
from typing import Any, Final

from clones.billing.models import Charge
from clones.billing.rules.money import format_money
from clones.core import clock
from clones.helpdesk.models import Ticket, User
from seeds.people.hours import business_between
from seeds.people.life import involve
from seeds.people.models import Person
from seeds.people.observer import thread_of
from seeds.people.persona import (
    Knowledge,
    Owed,
    Persona,
    Tone,
    WorldCheck,
    draw_approver,
    draw_customer,
)
from seeds.people.store import add_person
from seeds.people.understanding import language_of

# A refund shows on a statement after two days.
STATEMENT: Final = timedelta(days=2)
# What was changed on record is looked at within the hour.
LOOKING: Final = timedelta(hours=1)
# How long before writing money may have come back that the customer has not noticed.
UNNOTICED: Final = timedelta(days=45)
# Nobody's patience is out as the task begins, nor before a lead can have answered.
LEAST_PATIENCE: Final = timedelta(hours=8)
ORDER: Final = re.compile(r"\b[A-Z]{2,3}-\d{4,8}\b")


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
    explanation that is true. They write in the language of the ticket.
    """
    owed = None if check is None else Owed(check["charge"], check["amount"], check["currency"])
    persona = draw_customer(
        chance,
        tone=tone,
        checks=(_look(check, cause, user, ticket.created_at),),
        priority=ticket.priority,
        language=language_of(ticket.description),
        zone=user.iana_time_zone,
    )
    knowledge = Knowledge(
        own=_known_to(user, owed),
        owed=owed,
        causes=None if cause is None else frozenset({cause}),
        settles=owed is None,
        ids=_charges_of(user),
    )
    patient = _patient(persona, ticket.created_at)
    person = add_person(patient, name=user.name, email=user.email, helpdesk_user=user.id)
    involve(person, thread_of(ticket.id), since=ticket.created_at, knowledge=knowledge)
    return person


def cast_asker(
    user: User,
    ticket: Ticket,
    *,
    temper: Persona,
    chance: Random,
    knowledge: Knowledge,
    places: Sequence[Mapping[str, Any]],
) -> Person:
    """Make the requester of a ticket somebody who waits for a change, and looks whether it is made.

    `temper` gives their tone, precision and truthfulness, the rest is drawn; `places` is what they
    look at when told, as `predicates.record_holds` takes them.
    """
    drawn = draw_customer(
        chance,
        tone=temper.tone,
        checks=(WorldCheck("record_holds", {"places": list(places)}, LOOKING),),
        priority=ticket.priority,
        language=language_of(ticket.description),
        zone=user.iana_time_zone,
    )
    persona = replace(
        drawn,
        precision=temper.precision,
        truthfulness=temper.truthfulness,
        mistaken_about=temper.mistaken_about,
    )
    patient = _patient(persona, ticket.created_at)
    person = add_person(patient, name=user.name, email=user.email, helpdesk_user=user.id)
    involve(person, thread_of(ticket.id), since=ticket.created_at, knowledge=knowledge)
    return person


def cast_lead(user: User, *, chance: Random, limit: int | None = None) -> Person:
    """Make an agent somebody whose yes counts, up to `limit` minor units or for any sum."""
    persona = draw_approver(chance, limit=limit, zone=user.iana_time_zone)
    return add_person(persona, name=user.name, email=user.email, helpdesk_user=user.id)


def _look(
    check: Mapping[str, Any] | None, cause: str | None, user: User, since: datetime
) -> WorldCheck:
    """Return what they look at: what they are owed, else whether any money came back."""
    if check is not None:
        wanted = {"charge": check["charge"], "amount": check["amount"]}
        return WorldCheck(str(check["name"]), wanted, STATEMENT)
    if cause in (None, "already_refunded"):
        since -= UNNOTICED
    return WorldCheck(
        "money_back", {"email": user.email or "", "since": since.isoformat()}, STATEMENT
    )


def _patient(persona: Persona, since: datetime) -> Persona:
    waited = business_between(since, clock.now(), persona.zone)
    return replace(persona, patience=max(persona.patience, LEAST_PATIENCE, waited * 2))


def _known_to(user: User, owed: Owed | None) -> dict[str, str]:
    """Return what a customer can tell: who they are, and what stands on their statement."""
    own = {"identity": f"{user.name}, {user.email}" if user.email else user.name}
    charge = Charge.objects.filter(id=owed.charge).first() if owed is not None else None
    if charge is None:
        paid = Charge.objects.filter(customer__email__iexact=user.email or "", paid=True)
        charge = paid.order_by("-created", "-id").first()
    if charge is None:
        return own
    # Statements show no charge ids: people tell payments apart by sum and order.
    own["charge"] = f"the second one, {format_money(charge.amount, charge.currency)}"
    own["date"] = f"{charge.created.day} {charge.created:%B %Y}"
    if charge.card.get("last4"):
        own["card"] = str(charge.card["last4"])
    order = ORDER.search(charge.description or "")
    if order is not None:
        own["order"] = order[0]
    return own


def _charges_of(user: User) -> frozenset[str]:
    found = Charge.objects.filter(customer__email__iexact=user.email or "")
    return frozenset(found.order_by("id").values_list("id", flat=True))
