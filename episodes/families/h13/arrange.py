"""Plant a colleague's wish for a macro, its later correction, and a macro of nearly its name."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random
from typing import Any, Final

from clones.core import clock, ids
from clones.core.journal import act
from clones.helpdesk.domain.inbound import receive_mail, receive_reply
from clones.helpdesk.domain.macros import restriction_of
from clones.helpdesk.models import (
    Comment,
    Group,
    GroupMembership,
    Macro,
    Ticket,
    TicketField,
    User,
)
from episodes.families.h13 import words
from episodes.families.h13.params import STATUSES, Params, params_of
from episodes.tasks.footprint import Allow
from episodes.tasks.goals import goals_of
from episodes.tasks.personas import CannotArrange, persona_at
from episodes.tasks.spec import Arranged, Stage
from sandlot.service import Space

PROBES: Final = 12
ADDED_TAGS: Final = (
    "warranty_check",
    "parts_claim",
    "under_warranty",
    "warranty_open",
    "claim_review",
    "proof_pending",
)
PRIORITIES: Final = ("low", "normal", "high", "urgent")
TYPES: Final = ("question", "incident", "problem", "task")
OLD_TEXT: Final = (
    "Hello {{ticket.requester.name}},\n\nplease send us a photo of the part and the invoice."
)


@dataclass(frozen=True, slots=True)
class Wish:
    """What the macro is to be; `text` has its slots in brackets, `slots` say which they are."""

    title: str
    group: Group
    asker: User
    text: str
    slots: dict[str, str]
    filed: dict[str, Any]
    labels: dict[str, str]


def arrange(stage: Stage) -> Arranged:
    """Make the instance in the bound sandbox, in the order of what happened.

    Raises:
        CannotArrange: the world has no fitting colleague, or too few tickets to try a macro on.
    """
    params = params_of(stage.instance)
    chance = stage.chance("arrange")
    present = clock.now()
    title, wrong_title, old_title = chance.choice(words.TITLES)
    asker, group, old_group = _people(params, chance)
    old = _old_macro(old_title, old_group, chance, before=present)
    text, slots = words.reply_text(params.slots, chance, public=params.public)
    candidates = _candidates()
    filed, labels = _filing(params, candidates, chance)
    wish = Wish(title, group, asker, text, slots, filed, labels)
    ticket = _write_in(params, wish, old, wrong_title, chance, before=present)
    facts = {
        **_facts(params, wish, ticket, old),
        "probes": _probes(candidates, filed, stage.chance("probes")),
        "users": _users(group),
    }
    return Arranged(
        goal=_goal(stage.chance("goal"), asker, ticket),
        persona=persona_at("helpdesk admin", role="admin"),
        facts=facts,
        allows=(Allow("helpdesk_macro", frozenset({"insert"}), at_most=1),),
        start_path="/agent/dashboard",
        oracle_steps=_oracle_steps(params),
    )


def _oracle_steps(params: Params) -> dict[Space, int]:
    """Return how many steps the oracle takes: finding, reading, looking up, making, finish."""
    category = int(params.filing == "category")
    # Whose macro it is takes one look; another group's name takes one more, unless it is the same.
    groups = int(params.filing == "group" and params.access != "named")
    actions = 3 + (params.filing != "tags") + (params.status is not None)
    return {
        "api": 5 + category + groups,
        "browser": 9 + 3 * actions + (params.access == "ours"),
    }


def _people(params: Params, chance: Random) -> tuple[User, Group, Group | None]:
    """Return who asks (somebody of one group), whose the macro is, and whose the old one is."""
    memberships: dict[int, list[int]] = {}
    rows = GroupMembership.objects.filter(
        user__role="agent", user__active=True, user__suspended=False, group__deleted=False
    )
    for user, group in rows.order_by("id").values_list("user_id", "group_id"):
        memberships.setdefault(user, []).append(group)
    single = sorted(user for user, groups in memberships.items() if len(groups) == 1)
    staffed = sorted({group for groups in memberships.values() for group in groups})
    if not single or len(staffed) < 3:
        raise CannotArrange("no agent of this world is in one group alone, or there are few groups")
    asker = User.objects.get(id=chance.choice(single))
    own = memberships[asker.id][0]
    others = [group for group in staffed if group != own]
    wanted = own if params.access == "ours" else chance.choice(others)
    rest = [group for group in staffed if group != wanted]
    kept = wanted if params.access == "same" else chance.choice([*rest, None])
    groups = Group.objects.in_bulk([wanted, *([kept] if kept else [])])
    return asker, groups[wanted], groups[kept] if kept else None


def _old_macro(title: str, group: Group | None, chance: Random, *, before: datetime) -> Macro:
    """Keep a macro of nearly the wanted name, made last year."""
    at = before - timedelta(days=chance.randrange(200, 420), minutes=chance.randrange(0, 600))
    with clock.at(at), act(actor="world", label="macro"):
        return Macro.objects.create(
            id=ids.next_stamp(Macro),
            title=title,
            actions=[
                {"field": "comment_value", "value": OLD_TEXT},
                {"field": "current_tags", "value": "warranty"},
                {"field": "status", "value": "pending"},
            ],
            restriction=restriction_of({"type": "Group", "id": group.id}) if group else None,
            position=Macro.objects.count(),
            active=True,
            created_at=clock.now(),
            updated_at=clock.now(),
        )


def _candidates() -> list[Ticket]:
    """Return the tickets that a macro can be tried on."""
    return list(Ticket.objects.exclude(status="closed").order_by("id"))


def _filing(
    params: Params, tickets: list[Ticket], chance: Random
) -> tuple[dict[str, Any], dict[str, str]]:
    """Return what the macro sets besides status and text, and the words that the mail uses."""
    added = chance.sample(ADDED_TAGS, 2)
    group = chance.choice(list(Group.objects.filter(deleted=False).order_by("id")))
    category = TicketField.objects.get(title="Category")
    option = chance.choice(category.options)
    priority, kind = chance.choice(PRIORITIES), chance.choice(TYPES)
    dropped = _tag_in_use(tickets, chance)
    labels = {
        "priority": priority.capitalize(),
        "type": kind.capitalize(),
        "tag": added[0],
        "second": added[1],
        "dropped": dropped,
        "group": group.name,
        "category": str(option["name"]),
    }
    filed: dict[str, Any] = {
        "set": {},
        "add_tags": [],
        "remove_tags": [],
        "custom_fields": {},
    }
    if params.filing == "priority":
        filed["set"] = {"priority": priority, "type": kind}
    elif params.filing == "tags":
        filed["add_tags"] = sorted(added)
    elif params.filing == "retag":
        filed["add_tags"], filed["remove_tags"] = added[:1], [dropped]
    elif params.filing == "group":
        filed["set"] = {"group_id": group.id, "type": kind}
    else:
        filed["custom_fields"] = {str(category.id): option["value"]}
        filed["add_tags"] = added[:1]
    if params.status is not None:
        filed["set"]["status"] = params.status
    return filed, labels


def _tag_in_use(tickets: list[Ticket], chance: Random) -> str:
    """Return a tag that some of the tickets have and others have not; no field's own."""
    options = {
        str(option["value"])
        for field in TicketField.objects.all().order_by("id")
        for option in field.options
    }
    counts: dict[str, int] = {}
    for ticket in tickets:
        for tag in ticket.tags:
            if tag not in options:
                counts[tag] = counts.get(tag, 0) + 1
    fitting = sorted(tag for tag, count in counts.items() if 2 <= count <= len(tickets) - 6)
    if not fitting:
        raise CannotArrange("no tag is on two tickets that a macro can be tried on")
    return chance.choice(fitting)


def _probes(tickets: list[Ticket], filed: dict[str, Any], chance: Random) -> list[int]:
    """Return twelve tickets of twelve people; where a tag is to go, three that have it.

    None whose subject a macro's HTML would take for markup.
    """
    fitting = [ticket for ticket in tickets if "<" not in ticket.subject]
    shuffled = chance.sample(fitting, len(fitting))
    dropped = set(filed["remove_tags"])
    first = [ticket for ticket in shuffled if dropped & set(ticket.tags)][:3]
    chosen: list[Ticket] = []
    names: set[int] = set()
    for ticket in [*first, *shuffled]:
        if len(chosen) < PROBES and ticket.requester_id not in names:
            chosen.append(ticket)
            names.add(ticket.requester_id)
    if len(chosen) < PROBES:
        raise CannotArrange("too few people have a ticket that a macro can be tried on")
    return sorted(ticket.id for ticket in chosen)


def _users(group: Group) -> list[int]:
    """Return up to three agents of the group, as whom the macro is tried."""
    people = User.objects.filter(
        group_memberships__group=group, role="agent", active=True, suspended=False
    )
    return list(people.order_by("id").values_list("id", flat=True)[:3])


def _write_in(
    params: Params,
    wish: Wish,
    old: Macro,
    wrong_title: str,
    chance: Random,
    *,
    before: datetime,
) -> Ticket:
    """Let the colleague write, with one thing wrong, and put it right some hours later."""
    kind: words.Corrected = chance.choice(("status", "title", "mode"))
    status = chance.choice([one for one in STATUSES if one != params.status])
    public = params.public
    lines = [
        chance.choice(words.STATUSES[status if kind == "status" else params.status]),
        *words.filing_lines(params.filing, wish.labels, chance),
        chance.choice(words.MODES[not public if kind == "mode" else public]),
    ]
    chance.shuffle(lines)
    patterns = {"named": words.NAMED, "ours": words.OURS, "same": words.SAME}[params.access]
    letter = words.Letter(
        title=wrong_title if kind == "title" else wish.title,
        access=chance.choice(patterns).format(group=wish.group.name, old=old.title),
        old=old.title,
        lines=tuple(lines),
        text=wish.text,
        name=wish.asker.name.split()[0],
    )
    right = {
        "status": chance.choice(words.STATUSES[params.status]),
        "title": wish.title,
        "mode": chance.choice(words.MODES[public]),
    }[kind]
    later = before - timedelta(minutes=chance.randrange(35, 180))
    first = later - timedelta(minutes=chance.randrange(90, 300))
    with clock.at(first), act(actor="world", label="mail"):
        audit = receive_mail(
            author=wish.asker,
            subject=chance.choice(words.SUBJECTS),
            body=words.letter_text(letter, chance),
        )
    ticket = Ticket.objects.get(id=audit.ticket_id)
    with clock.at(later), act(actor="world", label="mail"):
        receive_reply(
            ticket,
            author=wish.asker,
            body=words.correction_text(kind, right, letter.name, chance),
        )
    return Ticket.objects.get(id=ticket.id)


def _facts(params: Params, wish: Wish, ticket: Ticket, old: Macro) -> dict[str, Any]:
    said = Comment.objects.filter(ticket=ticket).order_by("id").values_list("id", flat=True)
    return {
        "ticket": ticket.id,
        "asker": wish.asker.id,
        "said": list(said),
        "title": wish.title,
        "old_macro": old.id,
        "group": wish.group.id,
        **wish.filed,
        "public": params.public,
        "text": wish.text,
        "slots": dict(sorted(wish.slots.items())),
        "obligations": [],
        "giver_reply": "All of it is in the ticket, the second mail included. Just the macro.",
    }


def _goal(chance: Random, asker: User, ticket: Ticket) -> str:
    template = chance.choice(goals_of(__file__))["text"]
    return str(template.format(requester=asker.name, subject=ticket.subject))
