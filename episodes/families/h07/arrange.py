"""Plant one customer's repeats about one machine, and what lies beside them."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from random import Random
from typing import Any, Final

from clones.core import clock
from clones.core.journal import act
from clones.core.models import Account
from clones.helpdesk.domain.inbound import receive_message
from clones.helpdesk.domain.tickets import create_ticket, update_ticket
from clones.helpdesk.domain.values import Mail, NewComment, Via
from clones.helpdesk.models import Audit, Comment, Ticket, TicketField, User
from episodes.families.h07.params import Params, params_of
from episodes.families.h07.words import MATTERS, Channel, Matter, Unit, message, subject
from episodes.tasks.footprint import Allow
from episodes.tasks.goals import goals_of
from episodes.tasks.personas import CannotArrange, persona_at
from episodes.tasks.spec import Arranged, Stage
from sandlot.service import Space
from seeds.kestrel.catalogue import COMPANY, MACHINES, SUPPORT, Machine

SOURCE_COLUMNS: Final = frozenset(
    {"status", "custom_status_id", "tags", "assignee_id", "group_id", "updated_at", "sla_policy_id"}
)
TARGET_COLUMNS: Final = frozenset({"email_cc_ids", "updated_at", "sla_policy_id"})
SOLVING: Final = (
    "I have cleared the error on our side and it tested fine with you on the phone just now.",
    "As discussed, after the restart it runs again. Please write if it comes back.",
    "Thank you for the log. After the update it should run as before.",
)
ANSWERS: Final = (
    "Thank you for the details. I am passing this on to a technician.",
    "Thanks, noted. Could you send a photo of the panel?",
    "We have it here. Somebody will look at it.",
)
# Somebody who writes, and two who may be in copy.
LEAST_PEOPLE: Final = 3
# The share of the open tickets that a colleague has taken and answered.
ANSWERED: Final = 0.4


@dataclass(frozen=True, slots=True)
class Writing:
    """One ticket to plant: who writes when, by which channel, about which machine."""

    at: datetime
    user: User
    channel: Channel
    unit: Unit
    again: bool = False
    copies: tuple[User, ...] = ()
    solved: bool = False


@dataclass(slots=True)
class Planted:
    """The tickets that were planted, each list oldest first."""

    repeats: list[Ticket] = field(default_factory=list)
    solved: list[Ticket] = field(default_factory=list)
    beside: list[Ticket] = field(default_factory=list)


def arrange(stage: Stage) -> Arranged:
    """Make the instance in the bound sandbox, in the order of what happened.

    Raises:
        CannotArrange: the world has no customer with colleagues and without open tickets.
    """
    params = params_of(stage.instance)
    chance = stage.chance("arrange")
    persona = persona_at("tier-1 agent", group="support")
    customer, colleagues = _choose(chance)
    matter = chance.choice(MATTERS)
    writings = _plan(params, customer, colleagues, chance)
    agents = _agents_but(persona.logins["helpdesk"])
    planted = _plant(writings, matter, customer, agents, chance)
    facts = {
        **_facts(params, planted, customer),
        "solver": User.objects.get(email=persona.logins["helpdesk"]).id,
        "colleague": colleagues[-1].id,
    }
    unit = writings[-1].unit
    return Arranged(
        goal=_goal(stage.chance("goal"), customer, unit),
        persona=persona,
        facts=facts,
        allows=_allows(facts),
        start_path="/agent/dashboard",
        oracle_steps=_oracle_steps(params),
    )


def _oracle_steps(params: Params) -> dict[Space, int]:
    """Return how many steps the oracle takes: finding, reading each, merging, finish."""
    read = params.count + (params.beside != "colleague")
    merged = params.count - 1
    return {"api": 2 + read + merged + 2, "browser": 2 + read + 5 * merged}


def _choose(chance: Random) -> tuple[User, list[User]]:
    """Choose a customer nobody is mistaken for, and two colleagues, all without open tickets."""
    troubled = set(
        Ticket.objects.exclude(status__in=("solved", "closed")).values_list(
            "requester_id", flat=True
        )
    )
    listed = set(Account.objects.filter(listed=True).values_list("subject", flat=True))
    users = list(
        User.objects.filter(role="end-user", active=True, suspended=False)
        .select_related("organization")
        .order_by("id")
    )
    names = [user.name for user in users]
    by_firm: dict[int, list[User]] = {}
    for user in users:
        quiet = user.id not in troubled and str(user.id) not in listed
        if user.organization_id is not None and quiet and user.email and " " in user.name:
            by_firm.setdefault(user.organization_id, []).append(user)
    firms = [people for _, people in sorted(by_firm.items()) if len(people) >= LEAST_PEOPLE]
    for firm in chance.sample(firms, len(firms)):
        people = [user for user in firm if _is_plain(user, names)]
        if len(people) >= LEAST_PEOPLE:
            customer, *colleagues = chance.sample(people, len(people))
            return customer, colleagues
    raise CannotArrange("no firm of this world has three people without open tickets")


def _is_plain(user: User, names: list[str]) -> bool:
    """Tell whether no other name is part of a user's or of the firm's, nor the other way round."""
    firm = user.organization.name if user.organization is not None else ""
    return sum(name in user.name or user.name in name for name in names) == 1 and not any(
        name in firm for name in names
    )


def _agents_but(login: str) -> list[User]:
    """Return the colleagues of the agent whose login is given."""
    rows = User.objects.filter(role="agent", active=True, suspended=False)
    found = list(rows.filter(default_group__isnull=False).exclude(email=login).order_by("id"))
    if not found:
        raise CannotArrange("the world has no second agent")
    return found


def _plan(params: Params, customer: User, colleagues: list[User], chance: Random) -> list[Writing]:
    """Return what is written when, oldest first; the last one is of the matter."""
    mine, others = _units(chance)
    present = clock.now()
    # Hours ago: the last one came in within a day, the first within a week or so.
    ages = [*chance.sample(range(27, 8 * 24), params.count - 1), chance.randrange(2, 24)]
    ages.sort(reverse=True)
    times = [present - timedelta(hours=age, minutes=chance.randrange(0, 55)) for age in ages]
    copied = _copied(params, colleagues)
    found = [
        Writing(
            at,
            customer,
            _channel(chance, mail=bool(copied.get(place))),
            mine,
            again=place > 0,
            copies=copied.get(place, ()),
        )
        for place, at in enumerate(times)
    ]
    if params.oldest == "solved":
        at = times[0] - timedelta(days=chance.randrange(5, 12), hours=chance.randrange(1, 9))
        found.append(Writing(at, customer, _channel(chance), mine, solved=True))
    span = timedelta(minutes=(times[-1] - times[0]) // timedelta(minutes=2))
    if params.beside != "colleague":
        # Between the others where it can be, so that neither the newest nor the oldest is it.
        at = times[0] + span + timedelta(minutes=chance.randrange(7, 50))
        found.append(Writing(at, customer, _channel(chance), others[0]))
    if params.beside != "own":
        older = timedelta(hours=chance.randrange(20, 40))
        at = times[0] - older if chance.random() < 0.5 else times[0] + span - older / 30
        found.append(Writing(at, colleagues[-1], _channel(chance), others[1]))
    return sorted(found, key=lambda writing: (writing.at, writing.unit.serial))


def _copied(params: Params, colleagues: list[User]) -> dict[int, tuple[User, ...]]:
    """Return who is in copy on which of the repeats, by place."""
    found: dict[int, tuple[User, ...]] = {}
    if params.copied in ("target", "both"):
        found[0] = (colleagues[0],)
    if params.copied in ("source", "both"):
        found[params.count - 1] = (colleagues[1 if len(colleagues) > 1 else 0],)
    return found


def _channel(chance: Random, *, mail: bool = False) -> Channel:
    """Return a channel; only mail has people in copy from the start."""
    choices: tuple[Channel, ...] = ("email", "web", "native_messaging", "voice")
    return "email" if mail else chance.choice(choices)


def _units(chance: Random) -> tuple[Unit, tuple[Unit, Unit]]:
    """Return the machine of the matter and two others, one at times of the same model."""
    models = chance.sample(list(MACHINES), 3)
    if chance.random() < 0.3:
        models[1 + chance.randrange(2)] = models[0]
    first, second, third = (_unit(model, chance) for model in models)
    return first, (second, third)


def _unit(machine: Machine, chance: Random) -> Unit:
    year, week = chance.randrange(23, 26), chance.randrange(1, 53)
    serial = f"{machine.code}-{year}{week:02d}-{chance.randrange(12, 2400):04d}"
    return Unit(machine.name, f"machine_{machine.code.lower()}", serial)


def _plant(
    writings: list[Writing], matter: Matter, customer: User, agents: list[User], chance: Random
) -> Planted:
    """Let it all happen in the order of time: what came in, and what colleagues answered."""
    found = Planted()
    mine = next(writing.unit for writing in writings if writing.again)
    answers: list[tuple[datetime, Ticket, User, bool]] = []
    for writing in writings:
        while answers and answers[0][0] < writing.at:
            _answer(*answers.pop(0), chance)
        agent = chance.choice(agents)
        ticket = _write(writing, matter, agent, chance)
        repeat = writing.unit == mine and writing.user.id == customer.id
        if writing.solved:
            found.solved.append(ticket)
        else:
            (found.repeats if repeat else found.beside).append(ticket)
        if writing.solved or chance.random() < ANSWERED:
            at = writing.at + timedelta(minutes=chance.randrange(25, 170))
            answers = sorted([*answers, (at, ticket, agent, writing.solved)], key=_by_time)
    for answer in answers:
        _answer(*answer, chance)
    return found


def _by_time(answer: tuple[datetime, Ticket, User, bool]) -> tuple[datetime, int]:
    return answer[0], answer[1].id


def _answer(at: datetime, ticket: Ticket, agent: User, solves: bool, chance: Random) -> None:  # noqa: FBT001 - one of two ways to answer
    """Let a colleague take a ticket and answer it, and where it is over solve it."""
    changes: dict[str, Any] = {"status": "open", "assignee_id": agent.id}
    if solves:
        reason = {str(_field_id("Resolution reason")): "res_fixed"}
        changes |= {"status": "solved", "custom_fields": reason}
    words = chance.choice(SOLVING if solves else ANSWERS)
    with clock.at(at), act(actor="world", label="answer"):
        update_ticket(
            Ticket.objects.get(id=ticket.id),
            actor=agent,
            changes=changes,
            comment=NewComment(words),
            via=Via("web"),
        )


def _write(writing: Writing, matter: Matter, agent: User, chance: Random) -> Ticket:
    """Let a message come in as it does by its channel, and return its ticket."""
    name = writing.user.name
    heading = subject(matter, writing.unit, writing.channel, name, chance)
    body = message(matter, writing.unit, writing.channel, name, chance, again=writing.again)
    with clock.at(writing.at), act(actor="world", label=writing.channel):
        if writing.channel == "email":
            copies = tuple(f"{user.name} <{user.email}>" for user in writing.copies)
            made = receive_message(
                Mail(writing.user.email or "", name, heading, body, to=SUPPORT, copies=copies)
            )
        elif writing.channel == "web":
            made = create_ticket(
                actor=writing.user,
                changes={"subject": heading, "custom_fields": _form(writing, matter)},
                comment=NewComment(body),
                via=Via("web"),
            )
        elif writing.channel == "voice":
            source = {"from": {"phone": None}, "to": {"name": COMPANY}, "rel": "voicemail"}
            made = create_ticket(
                actor=agent,
                changes={"subject": heading},
                comment=NewComment(body),
                via=Via("voice", source),
                requester=writing.user,
            )
        else:
            made = create_ticket(
                actor=writing.user,
                changes={"subject": heading},
                comment=NewComment(body),
                via=Via("native_messaging"),
            )
    if not isinstance(made, Audit):
        raise CannotArrange(f"the mail of {name} was held back")
    return Ticket.objects.get(id=made.ticket_id)


def _form(writing: Writing, matter: Matter) -> dict[str, Any]:
    """Return what the portal's form says of the machine."""
    return {
        str(_field_id("Machine")): writing.unit.option,
        str(_field_id("Serial number")): writing.unit.serial,
        str(_field_id("Category")): matter.category,
    }


def _field_id(title: str) -> int:
    return TicketField.objects.values_list("id", flat=True).get(title=title)


def _facts(params: Params, planted: Planted, customer: User) -> dict[str, Any]:
    target, *sources = planted.repeats
    people = [key for ticket in planted.repeats for key in ticket.email_cc_ids]
    said = {
        str(ticket.id): Comment.objects.filter(ticket=ticket).earliest("created_at", "id").id
        for ticket in planted.repeats
    }
    return {
        "ticket": target.id,
        "sources": [ticket.id for ticket in sources],
        "reports": said,
        "copied": sorted(set(people)),
        "requester": customer.id,
        "solved": [ticket.id for ticket in planted.solved],
        "beside": [ticket.id for ticket in planted.beside],
        "oldest": params.oldest,
        "reason_field": _field_id("Resolution reason"),
        "obligations": [
            {
                "id": f"merged:{ticket.id}",
                "kind": "merged",
                "ticket": ticket.id,
                "target": target.id,
            }
            for ticket in sources
        ],
        "giver_reply": "All I know of it stands in the tickets. Please see what belongs together.",
    }


def _goal(chance: Random, customer: User, unit: Unit) -> str:
    template = chance.choice(goals_of(__file__))["text"]
    firm = customer.organization.name if customer.organization else customer.name
    return str(
        template.format(requester=customer.name, firm=firm, machine=unit.model, serial=unit.serial)
    )


def _allows(facts: dict[str, Any]) -> tuple[Allow, ...]:
    """Allow what merging changes: the sources' end, the target's copies, notes on either."""
    update = frozenset({"update"})
    target = frozenset({facts["ticket"]})
    return (
        Allow("helpdesk_ticket", update, keys=frozenset(facts["sources"]), columns=SOURCE_COLUMNS),
        Allow("helpdesk_ticket", update, keys=target, columns=TARGET_COLUMNS),
        *(
            Allow(
                "helpdesk_comment",
                frozenset({"insert"}),
                where={"ticket_id": ticket, "public": False},
            )
            for ticket in (facts["ticket"], *facts["sources"])
        ),
    )
