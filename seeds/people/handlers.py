"""The jobs of people: what they decided is done through the domain, as themselves."""

from __future__ import annotations

from random import Random
from typing import Any

from clones.core import clock, ids, jobs
from clones.core.journal import act
from clones.core.randomness import stream
from clones.helpdesk.domain.inbound import email_via, receive_reply
from clones.helpdesk.domain.satisfaction import RATABLE, rate_ticket
from clones.helpdesk.domain.tickets import update_ticket
from clones.helpdesk.domain.values import NewComment, Via
from clones.helpdesk.models import Ticket, User
from seeds.people import predicates, voice
from seeds.people.events import Act, Checked, Spoke, TimerFired
from seeds.people.life import ACT, CHECK, NUDGE, act_of, tell
from seeds.people.models import Approval, PersonState
from seeds.people.persona import Persona
from seeds.people.satisfaction import rating, satisfaction
from seeds.people.state import treatment
from seeds.people.store import persona_of, state_of

ESCALATED = "escalation_requested"
TICKET = "helpdesk.ticket:"
THANKS = frozenset({"thank", "settled"})


class NoThread(Exception):
    """Raised when what a person wants to act on is gone."""


@jobs.handles(ACT)
def carry_out(payload: dict[str, Any]) -> None:
    """Do what a person decided on, in order."""
    row = _row(payload)
    if row is None:
        return
    persona = persona_of(row.person)
    rng = stream(f"person:{row.person_id}")
    for data in payload["acts"]:
        decided = act_of(data)
        with act(actor=f"person:{row.person_id}", label=decided.name):
            _do(row, persona, decided, rng)


@jobs.handles(CHECK)
def look(payload: dict[str, Any]) -> None:
    """Look at the world as a person set out to."""
    row = _row(payload)
    if row is None:
        return
    for check in persona_of(row.person).checks:
        if check.name == payload["name"]:
            found = predicates.holds(check.name, check.parameters)
            tell(row, Checked(clock.now(), check.name, found))


@jobs.handles(NUDGE)
def lose_patience(payload: dict[str, Any]) -> None:
    """Let a time that a person set themselves come."""
    row = _row(payload)
    if row is not None:
        tell(row, TimerFired(clock.now(), payload["kind"]))


def _row(payload: dict[str, Any]) -> PersonState | None:
    return PersonState.objects.select_related("person").filter(id=payload["state"]).first()


def _do(row: PersonState, persona: Persona, decided: Act, rng: Random) -> None:
    ticket, user = _ticket(row), _user(row)
    if decided.name == "rate":
        _rate(row, persona, decided, rng)
    elif decided.name == "flag":
        if ticket.status != "closed":
            tags = {"additional_tags": [ESCALATED]}
            update_ticket(ticket, actor=user, changes=tags, via=email_via(user))
    elif decided.name in THANKS and ticket.status in RATABLE:
        return  # solved meanwhile: thanks would only reopen it, the rating says enough
    else:
        _say(ticket, user, voice.render(decided, persona, rng), at_desk=user.is_agent)
        if decided.name in ("grant", "refuse"):
            _decide(row, decided)
        row.refresh_from_db()
        tell(row, Spoke(clock.now(), decided.name))


def _say(ticket: Ticket, user: User, text: str, *, at_desk: bool) -> None:
    """Write what a person says: colleagues in a note, customers by mail."""
    if at_desk:
        note = NewComment(text, public=False)
        update_ticket(ticket, actor=user, changes={}, comment=note, via=Via("web"))
    else:
        receive_reply(ticket, author=user, body=text)


def _rate(row: PersonState, persona: Persona, decided: Act, rng: Random) -> None:
    """Rate a solved ticket by how the person was treated; one that is not cannot be rated."""
    ticket, user = _ticket(row), _user(row)
    if ticket.status not in RATABLE or ticket.requester_id != user.id:
        return
    z = satisfaction(treatment(persona, state_of(row), clock.now()))
    score = rating(z)
    words = voice.remark(decided, persona, rng) if score == "good" else None
    rate_ticket(ticket, actor=user, score=score, comment=words, via=Via("web"))
    row.rating = score
    row.save(update_fields=["rating"])


def _decide(row: PersonState, decided: Act) -> None:
    data = dict(decided.data)
    granted = decided.name == "grant"
    Approval.objects.create(
        id=ids.next_code("ap_", Approval, length=14),
        person=row.person,
        thread=row.thread,
        charge=data["charge"],
        amount=int(data["amount"]),
        currency=data["currency"],
        granted=granted,
        reason=None if granted else decided.topics[0],
        given_at=clock.now(),
    )


def _ticket(row: PersonState) -> Ticket:
    number = row.thread.removeprefix(TICKET)
    found = Ticket.objects.filter(id=int(number)).first() if number.isdecimal() else None
    if found is None:
        raise NoThread(f"{row.thread} is gone")
    return found


def _user(row: PersonState) -> User:
    number = row.person.helpdesk_user
    found = User.objects.filter(id=number).first() if number is not None else None
    if found is None:
        raise NoThread(f"{row.person.name} has no user at the helpdesk")
    return found
