"""Plant a customer's report of a fault, what engineering has on record, and the desk's note."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random
from typing import Any, Final

from clones.core import clock
from clones.core.journal import act
from clones.helpdesk.domain.inbound import receive_mail, receive_reply
from clones.helpdesk.models import Comment, Ticket
from clones.helpdesk.models import User as DeskUser
from clones.tracker.models import Component, Project, User, Version
from clones.tracker.queries.rights import Rights
from episodes.families.x02 import words
from episodes.families.x02.params import (
    CATEGORIES,
    EFFECTS,
    PRIORITIES,
    PROMISES,
    Category,
    Effect,
    Fact,
    Params,
    params_of,
)
from episodes.families.x02.stating import states
from episodes.families.x02.words import FAULTS, Fault
from episodes.tasks.allowances import working_on
from episodes.tasks.desk_people import plain_customers
from episodes.tasks.footprint import Allow
from episodes.tasks.goals import goals_of
from episodes.tasks.personas import CannotArrange, persona_at
from episodes.tasks.spec import Arranged, Persona, Stage
from episodes.tasks.team_documents import pin_note
from episodes.tasks.tracker_allowances import (
    INSERT,
    beside_new_issues,
    commenting_on,
    new_issue,
)
from episodes.tasks.tracker_people import colleagues, live_spaces, persona_on_tracker, user_of
from episodes.tasks.tracker_planting import History, Planted, in_office_hours
from sandlot.service import Space
from seeds.kestrel.catalogue import MACHINES

BESIDE: Final = (
    "tracker_comment",
    "tracker_fieldvalue",
    "tracker_issuecomponent",
    "tracker_issuelabel",
    "tracker_issueversion",
    "tracker_watcher",
)
PERMISSIONS: Final = ("CREATE_ISSUES", "LINK_ISSUES", "ADD_COMMENTS", "EDIT_ISSUES")
PEOPLE: Final = 4


@dataclass(frozen=True, slots=True)
class SpaceContext:
    """Where it happens: the space, its components by what they are for, versions, who works there.

    `released` and `coming` are versions, the oldest first.
    """

    space: Project
    components: dict[Category, Component]
    released: list[Version]
    coming: list[Version]
    people: list[User]


@dataclass(frozen=True, slots=True)
class Case:
    """What the customer has: the fault, its effect, the facts, the version they take back."""

    fault: Fault
    effect: Effect
    held: dict[Fact, str]
    wrong: str | None


@dataclass(frozen=True, slots=True)
class Record:
    """What is on record: of the same fault, if anything; of others with the customer's title."""

    same: Planted | None
    namesake: Planted
    fixed: Planted
    priority: str
    version: Version | None


def arrange(stage: Stage) -> Arranged:
    """Make the instance in the bound sandbox, in the order of what happened.

    Raises:
        CannotArrange: the world has no fitting space, or too few people or customers.
    """
    params = params_of(stage.instance)
    chance = stage.chance("arrange")
    persona = _persona()
    own = user_of(persona)
    ground = _ground(own, chance)
    customer, other = _customers(chance)
    case = _case(params, ground, chance)
    record, other_code = _on_record(params, ground, case, chance)
    note, days = _pin(params, ground, persona, chance)
    written_at = clock.now() - timedelta(minutes=chance.randrange(50, 55 * 6))
    _write_beside(other, case, other_code, chance, before=written_at)
    ticket = _write_in(customer, case, chance, at=written_at)
    facts = _facts(params, ground, case, record, ticket)
    promised = dict(zip(PRIORITIES, days, strict=True))
    facts |= {
        "agent": own.id,
        "desk_agent": DeskUser.objects.get(email=persona.logins["helpdesk"]).id,
        "note": note,
        "days": promised[facts["bug_priority"]],
    }
    return Arranged(
        goal=_goal(stage.chance("goal"), customer, ticket),
        persona=persona,
        facts=facts,
        allows=_allows(facts),
        start_path="/agent/dashboard",
        oracle_steps=_oracle_steps(params),
    )


def _oracle_steps(params: Params) -> dict[Space, int]:
    """Return how many steps the oracle takes: looking, bug, link, note, answer, finish."""
    api = 10 + params.raises
    browser = 22
    raising = 9 if params.raises else 2
    reading = params.kind != "new"
    return {"api": api, "browser": browser + raising + reading}


# Where and who


def _persona() -> Persona:
    """Return the tier-2 agent: somebody of the desk with an account on the tracker."""
    at_the_desk = persona_at("tier-2 agent")
    on_tracker = persona_on_tracker("tier-2 agent")
    return Persona("tier-2 agent", {**at_the_desk.logins, **on_tracker.logins})


def _ground(own: User, chance: Random) -> SpaceContext:
    rights = Rights(own)
    fitting = [
        space
        for space in live_spaces()
        if space.components.count() >= len(CATEGORIES)
        and len(_versions(space, released=True)) > 2
        and _versions(space, released=False)
        and all(rights.may(permission, space) for permission in PERMISSIONS)
    ]
    if not fitting:
        raise CannotArrange("no space of this world has components and versions enough")
    space = chance.choice(fitting)
    people = colleagues(space, but=[own.id])
    if len(people) < PEOPLE:
        raise CannotArrange("too few people can have work of this space")
    chance.shuffle(people)
    rows = list(space.components.order_by("id"))
    chance.shuffle(rows)
    return SpaceContext(
        space,
        dict(zip(CATEGORIES, rows, strict=False)),
        _versions(space, released=True),
        _versions(space, released=False),
        people,
    )


def _versions(space: Project, *, released: bool) -> list[Version]:
    rows = Version.objects.filter(project=space, released=released, archived=False)
    order = ("release_date", "position", "id") if released else ("position", "id")
    return list(rows.order_by(*order))


def _customers(chance: Random) -> tuple[DeskUser, DeskUser]:
    """Choose two customers of two firms, without open tickets, whom nobody is mistaken for."""
    open_ones = Ticket.objects.exclude(status__in=("solved", "closed"))
    troubled = set(open_ones.values_list("requester_id", flat=True))
    firms = set(open_ones.values_list("organization_id", flat=True)) - {None}
    every = DeskUser.objects.select_related("organization").order_by("id")
    known = [user.name for user in every]
    found: list[DeskUser] = []
    for user in plain_customers(chance):
        firm = user.organization
        if user.id in troubled or " " not in user.name or firm is None or firm.id in firms:
            continue
        alone = sum(name in user.name or user.name in name for name in known) == 1
        if alone and not any(name in firm.name for name in known):
            found.append(user)
            firms.add(firm.id)
        if len(found) == 2:
            return found[0], found[1]
    raise CannotArrange("no two firms of this world are without open tickets")


# What


def _case(params: Params, ground: SpaceContext, chance: Random) -> Case:
    """Return the customer's fault; the version is younger than the oldest release."""
    names = [version.name for version in (*ground.released, *ground.coming)]
    right, wrong = chance.sample(ground.released[1:], 2)
    systems = [one for one in words.SYSTEMS if not any(states(one, name) for name in names)]
    machine = chance.choice(MACHINES)
    year, week = chance.randrange(23, 26), chance.randrange(1, 53)
    held: dict[Fact, str] = {
        "code": _code(chance),
        "version": right.name,
        "serial": f"{machine.code}-{year}{week:02d}-{chance.randrange(12, 2400):04d}",
        "system": chance.choice(systems),
        "file": f"{chance.choice(words.STEMS)}-{chance.randrange(2, 99):02d}."
        f"{chance.choice(words.ENDINGS)}",
    }
    taken_back = wrong.name if params.corrected else None
    return Case(chance.choice(FAULTS), chance.choice(EFFECTS), held, taken_back)


def _code(chance: Random) -> str:
    letters = chance.choice("BCDFGHKLMN") + chance.choice("PQRSTVWXZ")
    return f"{letters}X{chance.randrange(1000, 9999)}"


def _other_code(code: str, step: int) -> str:
    """Return a code much like another."""
    return f"{code[:3]}{1000 + (int(code[3:]) - 1000 + step) % 9000}"


def _ago(days: int, chance: Random) -> datetime:
    return in_office_hours(clock.now() - timedelta(days=days), chance.randrange(20, 500))


def _on_record(
    params: Params, ground: SpaceContext, case: Case, chance: Random
) -> tuple[Record, str]:
    """Write what engineering has on record; return it, and the code of the open namesake."""
    history = History()
    code = case.held["code"]
    names = chance.sample(range(3, 4000), 2)
    first, second = (_other_code(code, step) for step in names)
    fault = case.fault
    fixed = _bug(history, ground, fault.title, fault.text, first, "High", chance, days=190)
    _fix(history, ground, fixed, chance, days=150)
    namesake = _bug(history, ground, fault.title, fault.text, second, "Medium", chance, days=60)
    same = None
    priority = chance.choice(("High", "Medium", "Low"))
    version = ground.coming[0] if params.kind == "planned" else None
    if params.kind != "new":
        days = 120 if params.kind == "back" else 40
        same = _bug(history, ground, fault.other, fault.text, code, priority, chance, days=days)
        if params.kind == "back":
            _fix(history, ground, same, chance, days=90)
        elif version is not None:
            at = _ago(12, chance)
            history.change(same, ground.people[1], at=at, fixVersions=(version,))
    history.write()
    return Record(same, namesake, fixed, priority, version), second


def _bug(  # noqa: PLR0917 - what a bug is told by
    history: History,
    ground: SpaceContext,
    title: str,
    text: str,
    code: str,
    priority: str,
    chance: Random,
    *,
    days: int,
) -> Planted:
    by, holder = chance.sample(ground.people, 2)
    return history.make(
        ground.space,
        "Bug",
        title,
        by=by,
        at=_ago(days + chance.randrange(0, 20), chance),
        description=words.record(text, code),
        assignee=holder,
        priority=priority,
        components=(chance.choice(list(ground.components.values())),),
    )


def _fix(
    history: History, ground: SpaceContext, planted: Planted, chance: Random, *, days: int
) -> None:
    """Let a bug be fixed in the oldest version, and closed."""
    by, at = ground.people[0], _ago(days - 20, chance)
    history.change(planted, by, at=at, fixVersions=(ground.released[0],))
    later = at + timedelta(minutes=chance.randrange(3, 50))
    history.move(planted, "Close", by=by, at=later, resolution="Done")


def _pin(
    params: Params, ground: SpaceContext, persona: Persona, chance: Random
) -> tuple[int, tuple[int, ...]]:
    """Pin the old note and the one in force; return that one's comment, and what it promises."""
    admins = DeskUser.objects.filter(role="admin", active=True).order_by("id")
    by = admins.exclude(email__iexact=persona.logins["helpdesk"]).first()
    if by is None:
        raise CannotArrange("nobody runs the desk")
    elsewhere = next(space for space in live_spaces() if space.id != ground.space.id)
    old = words.old_note_text(elsewhere.name)
    pin_note("raising bugs", old, by=by, at=_ago(420, chance))
    days = chance.choice(PROMISES)
    components = {name: row.name for name, row in ground.components.items()}
    text = words.note_text(params, ground.space.name, components, days)
    number = pin_note(words.NOTE, text, by=by, at=_ago(80, chance))
    return Comment.objects.filter(ticket=number).earliest("created_at", "id").id, days


def _write_beside(
    other: DeskUser, case: Case, code: str, chance: Random, *, before: datetime
) -> None:
    """Let another customer write under the same title about another fault."""
    held = {**case.held, "code": code}
    text = words.mail(case.fault, held, chance.choice(EFFECTS), other.name, chance)
    at = before - timedelta(minutes=chance.randrange(30, 400))
    with clock.at(at), act(actor="world", label="mail"):
        receive_mail(author=other, subject=case.fault.title, body=text)


def _write_in(customer: DeskUser, case: Case, chance: Random, *, at: datetime) -> Ticket:
    """Let the customer write, and take back what was wrong."""
    first = dict(case.held)
    if case.wrong is not None:
        first["version"] = case.wrong
    text = words.mail(case.fault, first, case.effect, customer.name, chance)
    with clock.at(at), act(actor="world", label="mail"):
        audit = receive_mail(author=customer, subject=case.fault.title, body=text)
    if case.wrong is not None:
        later = at + timedelta(minutes=chance.randrange(11, 45))
        text = words.correction(case.held["version"], case.wrong, customer.name, chance)
        with clock.at(later), act(actor="world", label="mail"):
            receive_reply(Ticket.objects.get(id=audit.ticket_id), author=customer, body=text)
    return Ticket.objects.get(id=audit.ticket_id)


# Facts and goal


def _facts(
    params: Params, ground: SpaceContext, case: Case, record: Record, ticket: Ticket
) -> dict[str, Any]:
    joins = not params.raises
    same = record.same
    said = Comment.objects.filter(ticket=ticket, public=True, author=ticket.requester)
    planned = record.version.name if record.version is not None else None
    new_priority = params.priority(case.effect)
    return {
        "kind": params.kind,
        "since": clock.now().isoformat(),
        "ticket": ticket.id,
        "requester": ticket.requester_id,
        "mails": sorted(said.values_list("id", flat=True)),
        "space": ground.space.key,
        "space_id": ground.space.id,
        "record": same.id if same is not None else None,
        "joined": same.id if joins and same is not None else None,
        "joined_key": same.key if joins and same is not None else None,
        "code": case.held["code"],
        "told": {fact: case.held[fact] for fact in params.facts},
        "taken_back": case.wrong,
        "other_versions": sorted(
            row.name for row in ground.released[1:] if row.name != case.held["version"]
        ),
        "component": None if joins else ground.components[case.fault.category].id,
        "priority": None if joins else new_priority,
        "bug_priority": record.priority if joins else new_priority,
        "version": planned,
        "unplanned": sorted(row.name for row in ground.coming if row.name != planned),
        "components": sorted(row.id for row in ground.components.values()),
        "neighbour": record.namesake.key,
        "obligations": [{"id": f"raised:{ticket.id}", "kind": "raised", "ticket": ticket.id}],
        "giver_reply": "The note says how we do it. I know no more of it than the ticket says.",
    }


def _allows(facts: dict[str, Any]) -> tuple[Allow, ...]:
    ticket = working_on([facts["ticket"]])
    joined = facts["joined"]
    if joined is not None:
        link = Allow("tracker_remotelink", INSERT, where={"issue_id": joined}, at_most=1)
        return (*ticket, *commenting_on([joined]), link)
    return (
        *ticket,
        *new_issue(facts["space_id"], at_most=1),
        *beside_new_issues(*BESIDE),
        *beside_new_issues("tracker_remotelink", at_most=1),
    )


def _goal(chance: Random, customer: DeskUser, ticket: Ticket) -> str:
    template = chance.choice(goals_of(__file__))["text"]
    firm = customer.organization.name if customer.organization else customer.name
    return str(template.format(subject=ticket.subject, requester=customer.name, firm=firm))
