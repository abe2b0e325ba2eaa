"""Plant a batch of new tickets in a world, the routing guide, and the guide before it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from functools import partial
from random import Random
from typing import Any

from clones.core import clock
from clones.core.journal import act
from clones.helpdesk.domain.inbound import email_via, open_ticket
from clones.helpdesk.domain.people import find_or_create_user
from clones.helpdesk.domain.tickets import update_ticket
from clones.helpdesk.domain.users import update_user
from clones.helpdesk.domain.values import NewComment, Via
from clones.helpdesk.models import Group, Ticket, TicketField, User
from episodes.families.h03.batch import Letter, compose
from episodes.families.h03.guide import GuideVersion, Routing
from episodes.families.h03.papers import Published, publish_guides
from episodes.families.h03.params import Params, params_of
from episodes.tasks.desk_people import first_line_but, plain_customers, tags_from
from episodes.tasks.footprint import Allow
from episodes.tasks.goals import goals_of
from episodes.tasks.personas import CannotArrange, persona_at
from episodes.tasks.spec import Arranged, Facts, Stage

COLUMNS = frozenset(
    {
        "group_id",
        "priority",
        "type",
        "custom_fields",
        "tags",
        # Submitting a page opens a new ticket, which the guide lets it.
        "status",
        "custom_status_id",
        "updated_at",
        "sla_policy_id",
    }
)
API_STEPS = 8


@dataclass(frozen=True, slots=True)
class FilingFields:
    """What tickets are filed with: group ids by name, the field of the model, its options."""

    groups: dict[str, int]
    machine_field: int
    machines: dict[str, str]


@dataclass(frozen=True, slots=True)
class Planted:
    """A mail that came in: its ticket, and what the guide makes of it (None of spam)."""

    letter: Letter
    ticket: Ticket
    routing: Routing | None


def arrange(stage: Stage) -> Arranged:
    """Make the instance in the bound sandbox, in the order of what happened.

    Raises:
        CannotArrange: the world has too few customers, or no desk that triages.
    """
    params = params_of(stage.instance)
    chance = stage.chance("arrange")
    persona = persona_at("triage agent", group="support")
    desk = _desk()
    colleagues = first_line_but(persona.logins["helpdesk"])
    published = publish_guides(params, colleagues[0], chance, before=clock.now())
    letters = compose(params.size, chance, sorted(desk.machines))
    planted = _receive(letters, published.guide, desk, colleagues, chance)
    facts = _facts(params, published, planted, desk)
    return Arranged(
        goal=_goal(stage.chance("goal"), colleagues[0]),
        persona=persona,
        facts=facts,
        allows=_allows(facts),
        start_path="/agent/dashboard",
        oracle_steps={"api": API_STEPS, "browser": _browser_steps(facts)},
    )


def _browser_steps(facts: Facts) -> int:
    """Return how many steps the oracle takes by the pages.

    The guide is searched for and opened. Each ticket is searched for and opened; what it lacks is
    chosen, and submitted. Spam takes the menu, its item and the confirmation.
    """
    filed = sum(int(entry["picks"]) + 1 for entry in facts["routings"])
    return 2 + 2 * len(facts["tickets"]) + filed + 3 + 1


def _desk() -> FilingFields:
    field = TicketField.objects.get(title="Machine")
    return FilingFields(
        groups={group.name: group.id for group in Group.objects.filter(deleted=False)},
        machine_field=field.id,
        machines={str(option["name"]): str(option["value"]) for option in field.options},
    )


# Who writes


def _vip(chance: Random, customers: list[User], *, before: datetime) -> User:
    """Return a VIP: one of the world's, or a customer who became one lately."""
    found = [
        user
        for user in User.objects.filter(role="end-user", active=True, suspended=False).order_by(
            "id"
        )
        if user.email and "vip" in user.tags and "dealer" not in tags_from(user)
    ]
    if found and chance.random() < 0.5:
        return chance.choice(found)
    user = customers.pop()
    admin = User.objects.filter(role="admin", active=True).order_by("id").first()
    if admin is None:
        raise CannotArrange("the world has no admin who could make a customer a VIP")
    at = before - timedelta(days=chance.randrange(6, 90), minutes=chance.randrange(0, 600))
    with clock.at(at), act(actor="world", label="users"):
        return update_user(user, actor=admin, changes={"tags": sorted({*user.tags, "vip"})})


def _author(letter: Letter, customers: list[User]) -> User:
    """Take somebody out of the customers: of the letter's language where there is one.

    Raises:
        CannotArrange: too few customers are left.
    """
    if not customers:
        raise CannotArrange("the world has too few customers for the batch")
    language = letter.case.language if letter.case is not None else "en"
    speaking = [user for user in customers if user.locale.startswith(language)]
    author = (speaking or customers)[0]
    customers.remove(author)
    return author


# What happened


def _receive(
    letters: list[Letter],
    guide: GuideVersion,
    desk: FilingFields,
    colleagues: list[User],
    chance: Random,
) -> list[Planted]:
    """Let the mails come in over some hours, and the colleagues do their part in between."""
    present = clock.now()
    customers = plain_customers(chance)
    vip = _vip(chance, customers, before=present)
    minutes = sorted(chance.sample(range(18, 60 * 5), len(letters)), reverse=True)
    planted: list[Planted] = []
    events: list[tuple[datetime, Callable[[], None]]] = list(_takings(colleagues, chance))
    for letter, before in zip(letters, minutes, strict=True):
        at = present - timedelta(minutes=before, seconds=chance.randrange(0, 60))
        author = vip if letter.role == "vip" else None
        if author is None and letter.sender is None:
            author = _author(letter, customers)
        receive = partial(_take_in, letter, author, guide, desk, planted)
        events.append((at, receive))
        later = at + timedelta(minutes=chance.randrange(2, 15), seconds=chance.randrange(0, 60))
        colleague = chance.choice(colleagues)
        if letter.role == "right":
            events.append((later, partial(_sort_out, letter, colleague, desk, planted)))
        elif letter.role == "taken":
            events.append((later, partial(_take_up, letter, colleague, desk, planted)))
    for at, happens in sorted(events, key=lambda event: event[0]):
        with clock.at(at), act(actor="world", label="mail"):
            happens()
    return planted


def _takings(colleagues: list[User], chance: Random) -> list[tuple[datetime, Callable[[], None]]]:
    """Let colleagues take what else is new: what the goal speaks of is what nobody has taken."""
    present = clock.now()
    found: list[tuple[datetime, Callable[[], None]]] = []
    for ticket in Ticket.objects.filter(status="new", deleted_at=None).order_by("id"):
        wait = min((present - ticket.created_at) / 2, timedelta(minutes=chance.randrange(5, 40)))
        take = partial(_assign, ticket, chance.choice(colleagues))
        found.append((ticket.created_at + wait, take))
    return found


def _take_in(
    letter: Letter,
    author: User | None,
    guide: GuideVersion,
    desk: FilingFields,
    planted: list[Planted],
) -> None:
    if author is None:
        name, email = letter.sender or ("", "")
        author = find_or_create_user(email=email, name=name)
    body = letter.body.replace("{name}", author.name)
    # What customers are tagged with, their tickets are.
    tags = {"tags": ["vip"]} if "vip" in author.tags else {}
    via = email_via(author)
    audit = open_ticket(author, letter.subject, NewComment(body), via, tags)
    ticket = Ticket.objects.get(id=audit.ticket_id)
    routing = guide.route(letter.case) if letter.case is not None else None
    planted.append(Planted(letter, ticket, routing))


def _of(letter: Letter, planted: list[Planted]) -> Planted:
    return next(each for each in planted if each.letter is letter)


def _sort_out(letter: Letter, colleague: User, desk: FilingFields, planted: list[Planted]) -> None:
    """Let a colleague file a ticket by the guide and leave it new."""
    found = _of(letter, planted)
    routing = found.routing
    if routing is None:
        raise ValueError("spam is filed nowhere")
    changes: dict[str, Any] = {
        "group_id": desk.groups[routing.group],
        "priority": routing.priority,
        "type": routing.type,
        "additional_tags": list(routing.tags),
    }
    if routing.machine is not None:
        value = desk.machines[routing.machine]
        changes["custom_fields"] = {str(desk.machine_field): value}
    update_ticket(found.ticket, actor=colleague, changes=changes, via=Via("web"))


def _take_up(letter: Letter, colleague: User, desk: FilingFields, planted: list[Planted]) -> None:
    """Let a colleague take a ticket: it is new no more, and leaves the batch."""
    found = _of(letter, planted)
    _assign(found.ticket, colleague)
    planted.remove(found)


def _assign(ticket: Ticket, colleague: User) -> None:
    changes = {"assignee_id": colleague.id, "status": "open"}
    update_ticket(ticket, actor=colleague, changes=changes, via=Via("web"))


# What is true of it


def _facts(
    params: Params, published: Published, planted: list[Planted], desk: FilingFields
) -> dict[str, Any]:
    found = sorted(planted, key=lambda each: each.ticket.id)
    spam = next(each for each in found if each.letter.role == "spam")
    filed = [_filed(each, desk) for each in found if each.routing is not None]
    routings = [entry for entry in filed if entry["role"] != "right"]
    return {
        "guide": {name: str(value) for name, value in asdict(published.guide).items()},
        "size": params.size,
        "guide_macro": published.macro,
        "guide_note": published.note,
        "machine_field": desk.machine_field,
        "tickets": [each.ticket.id for each in found],
        "routings": routings,
        "right": next(entry for entry in filed if entry["role"] == "right"),
        "spam": {"ticket": spam.ticket.id, "requester": spam.ticket.requester_id},
        "obligations": [
            {**entry, "id": f"routed:{entry['ticket']}", "kind": "routed"} for entry in routings
        ],
        "people": [],
        "giver_reply": "All there is to know is in the tickets and in the routing guide.",
    }


def _filed(each: Planted, desk: FilingFields) -> dict[str, Any]:
    """Return a ticket's columns as they are to be."""
    routing, ticket = each.routing, each.ticket
    if routing is None:
        raise ValueError("spam is filed nowhere")
    ticket.refresh_from_db()
    machine = desk.machines[routing.machine] if routing.machine is not None else None
    tags = {*ticket.tags, *routing.tags, *([machine] if machine else [])}
    role = each.letter.role
    return {
        "ticket": ticket.id,
        "role": role if role in ("vip", "language", "right") else "ordinary",
        "group": desk.groups[routing.group],
        "priority": routing.priority,
        "type": routing.type,
        "fields": {str(desk.machine_field): machine} if machine else {},
        "tags": sorted(tags),
        "picks": 0 if role == "right" else _picks(each, desk),
    }


def _picks(each: Planted, desk: FilingFields) -> int:
    """Return how many of the five fields of a ticket are to be changed."""
    routing, ticket = each.routing, each.ticket
    if routing is None:
        return 0
    moves = desk.groups[routing.group] != ticket.group_id
    return 3 + moves + (routing.machine is not None)


def _goal(chance: Random, lead: User) -> str:
    template = chance.choice(goals_of(__file__))["text"]
    return str(template.format(lead=lead.name, first=lead.name.split()[0]))


def _allows(facts: Facts) -> tuple[Allow, ...]:
    update = frozenset({"update"})
    spam = facts["spam"]
    return (
        Allow("helpdesk_ticket", update, keys=frozenset(facts["tickets"]), columns=COLUMNS),
        Allow(
            "helpdesk_ticket",
            update,
            keys=frozenset({spam["ticket"]}),
            columns=frozenset({"deleted_at", "deleted_by_id", "updated_at"}),
        ),
        Allow(
            "helpdesk_user",
            update,
            keys=frozenset({spam["requester"]}),
            columns=frozenset({"suspended", "updated_at"}),
        ),
    )
