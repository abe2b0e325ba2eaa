"""Plant a request that fits two things, with or without what decides it, and who wrote it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from random import Random
from typing import Any

from clones.core import clock
from clones.core.journal import act
from clones.core.models import Account
from clones.helpdesk.domain.inbound import receive_mail
from clones.helpdesk.models import Comment, Ticket, User
from episodes.families.h11.papers import publish_rules
from episodes.families.h11.params import PRECISIONS, SLOTS, TONES, Params, params_of
from episodes.families.h11.plant import Planted, PlantedOption, PlantingContext, plant
from episodes.families.h11.words import request, subject
from episodes.tasks.allowances import working_on
from episodes.tasks.footprint import Allow
from episodes.tasks.goals import goals_of
from episodes.tasks.personas import CannotArrange, persona_at
from episodes.tasks.spec import Arranged, Stage
from sandlot.service import Space
from seeds.people.casting import cast_asker
from seeds.people.models import Person
from seeds.people.persona import Change, Knowledge, Persona
from seeds.pools import half_of

# How what was changed may be called in a reply, where the request names one record only.
THINGS: Mapping[str, tuple[str, ...]] = {
    "date": ("delivery", "order", "date"),
    "amount": ("quantity", "order", "wipes"),
}


def arrange(stage: Stage) -> Arranged:
    """Make the instance in the bound sandbox, in the order of what happened.

    Raises:
        CannotArrange: the world has no fitting customer.
    """
    params = params_of(stage.instance)
    chance = stage.chance("arrange")
    written_at = clock.now() - timedelta(minutes=chance.randrange(35, 55 * 6))
    ground = PlantingContext(
        params,
        _choose(chance),
        _staff("admin"),
        _staff("agent"),
        chance,
        written_at,
        half_of(stage.instance.seed),
    )
    publish_rules(ground.admin, chance, before=written_at)
    planted = plant(ground)
    ticket = _write_in(ground, planted, at=written_at)
    target = planted.decided if not params.ambiguous else stage.chance("answer").randrange(2)
    facts = _facts(params, planted, ticket, target)
    person = _cast(ground, planted, ticket, facts, stage.chance("customer"))
    return Arranged(
        goal=_goal(stage.chance("goal"), ground.requester, ticket),
        persona=persona_at("tier-1 agent"),
        facts={**facts, "people": [person.id]},
        allows=_allows(facts),
        start_path="/agent/dashboard",
        oracle_steps=_oracle_steps(params),
    )


def _oracle_steps(params: Params) -> dict[Space, int]:
    """Return how many steps the oracle takes: looking, asking, changing, telling, finish."""
    rounds = 0 if not params.ambiguous else 2 if params.character == "mistaken" else 1
    by_api = {"order": 9, "contact": 8, "date": 10, "amount": 10, "seat": 7, "address": 7}
    return {"api": by_api[params.kind] + 2 * rounds, "browser": 16 + 3 * rounds}


def _choose(chance: Random) -> User:
    """Choose a customer with an address of their own, in a firm that has no open ticket."""
    waiting = Ticket.objects.exclude(status__in=("solved", "closed"))
    troubled = set(waiting.values_list("requester_id", flat=True))
    firms = set(waiting.values_list("organization_id", flat=True))
    staff = set(Account.objects.filter(listed=True).values_list("subject", flat=True))
    users = User.objects.filter(role="end-user", active=True, suspended=False)
    listed = list(users.select_related("organization").order_by("id"))
    names = [user.name for user in listed]
    fitting = [
        user
        for user in listed
        if user.email
        and user.organization is not None
        and user.id not in troubled
        and user.organization_id not in firms
        and str(user.id) not in staff
        and names.count(user.name) == 1
        and not user.notes
        and not user.details
    ]
    if not fitting:
        raise CannotArrange("no customer of a firm is without an open ticket")
    return chance.choice(fitting)


def _staff(role: str) -> User:
    found = User.objects.filter(role=role, active=True, suspended=False).order_by("id").first()
    if found is None:
        raise CannotArrange(f"the world has no {role}")
    return found


def _write_in(ground: PlantingContext, planted: Planted, *, at: datetime) -> Ticket:
    chance, params = ground.chance, ground.params
    body = request(params, planted.values, ground.requester.name, chance)
    with clock.at(at), act(actor="world", label="mail"):
        audit = receive_mail(
            author=ground.requester, subject=subject(params.kind, chance), body=body
        )
    return Ticket.objects.get(id=audit.ticket_id)


def _facts(params: Params, planted: Planted, ticket: Ticket, target: int) -> dict[str, Any]:
    meant = planted.options[target]
    places = _right(planted, meant)
    return {
        "kind": params.kind,
        "ambiguous": params.ambiguous,
        "ticket": ticket.id,
        "request": Comment.objects.filter(ticket=ticket).earliest("created_at", "id").id,
        "requester": ticket.requester_id,
        "slot": SLOTS[params.kind],
        "options": [
            {"ways": list(option.ways), "place": option.place, "value": option.value}
            for option in planted.options
        ],
        "target": target,
        "record": [meant.place["table"], meant.place["key"]],
        "names": list(_names(params, planted, meant)),
        "value": list(_value_ways(meant)),
        "places": places,
        "deciding": [] if params.ambiguous else [list(row) for row in planted.deciding],
        "obligations": [
            {
                "id": f"changed:{ticket.id}",
                "kind": "changed",
                "ticket": ticket.id,
                "places": places,
            }
        ],
        "giver_reply": "I know no more than the ticket says. Our rules for changes are in a macro.",
    }


def _right(planted: Planted, meant: PlantedOption) -> list[dict[str, Any]]:
    """Return what each place should hold in the end: what was meant the new, the rest the old."""
    return [
        {**place, "value": meant.value if _is(place, meant.place) else place["value"]}
        for place in planted.standing
    ]


def _is(place: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    return all(place[name] == other[name] for name in ("table", "key", "column", "name"))


def _names(params: Params, planted: Planted, meant: PlantedOption) -> tuple[str, ...]:
    """Return how a reply may name what was changed."""
    return (*planted.codes[:1], *THINGS[params.kind]) if params.kind in THINGS else meant.ways


def _value_ways(meant: PlantedOption) -> tuple[str, ...]:
    """Return how a reply may put what it holds now."""
    if meant.place["column"] == "phone":
        return (meant.value, "".join(sign for sign in meant.value if sign.isdigit()))
    return (meant.value,)


def _cast(
    ground: PlantingContext,
    planted: Planted,
    ticket: Ticket,
    facts: Mapping[str, Any],
    chance: Random,
) -> Person:
    params, slot = ground.params, SLOTS[ground.params.kind]
    mistaken = params.character == "mistaken"
    temper = Persona(
        tone=TONES[params.character],
        precision=PRECISIONS[params.character],
        truthfulness="mistaken" if mistaken else "honest",
        mistaken_about=slot if mistaken else None,
    )
    knowledge = Knowledge(
        own={slot: planted.options[facts["target"]].answer},
        first={slot: planted.wrong} if mistaken else {},
        ids=frozenset((*planted.codes, planted.wrong) if planted.codes else ()),
        options={slot: tuple(option.ways for option in planted.options)},
        on_record=frozenset() if params.ambiguous else frozenset({slot}),
        change=Change(tuple(facts["names"]), tuple(facts["value"])),
    )
    return cast_asker(
        ground.requester,
        ticket,
        temper=temper,
        chance=chance,
        knowledge=knowledge,
        places=facts["places"],
    )


def _goal(chance: Random, requester: User, ticket: Ticket) -> str:
    template = chance.choice(goals_of(__file__))["text"]
    firm = requester.organization.name if requester.organization else requester.name
    return str(template.format(subject=ticket.subject, requester=requester.name, firm=firm))


def _allows(facts: Mapping[str, Any]) -> tuple[Allow, ...]:
    """Allow the work on the request, and the one entry of the record that was meant."""
    table, key = facts["record"]
    column = facts["options"][facts["target"]]["place"]["column"]
    record = Allow(
        table,
        frozenset({"update"}),
        keys=frozenset({key}),
        columns=frozenset({column, "updated_at"}),
    )
    if table != "helpdesk_ticket":
        return (*working_on([facts["ticket"]]), record)
    note = Allow(
        "helpdesk_comment", frozenset({"insert"}), where={"ticket_id": key, "public": False}
    )
    return (*working_on([facts["ticket"]]), record, note)
