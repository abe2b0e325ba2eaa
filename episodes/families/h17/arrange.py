"""Plant a colleague's request for a view, and tickets on each side of each of its edges."""

from __future__ import annotations

from datetime import datetime, timedelta
from random import Random
from typing import Any, Final

from clones.core import clock, ids
from clones.core.journal import act
from clones.helpdesk.domain.tickets import create_ticket
from clones.helpdesk.domain.values import NewComment, Via
from clones.helpdesk.models import Group, Ticket, TicketField, User, View
from episodes.families.h17 import words
from episodes.families.h17.params import Params, params_of
from episodes.families.h17.planting import drawer_of, plant, row_of
from episodes.families.h17.wishes import UNDERSTOOD, belongs, holds
from episodes.tasks.footprint import Allow
from episodes.tasks.goals import goals_of
from episodes.tasks.personas import CannotArrange, persona_at
from episodes.tasks.spec import Arranged, Stage

TAGS: Final = ("bug", "warranty", "education", "known_issue", "log_received", "waiting_customer")
PLANTED: Final = 7
FIELDS: Final = ("Category", "Machine", "VIP")
WISHES: Final = 60  # drawn until one is fit


def arrange(stage: Stage) -> Arranged:
    """Make the instance in the bound sandbox, in the order of what happened.

    Raises:
        CannotArrange: the world lacks an agent, groups, or the fields that views ask about.
    """
    params, chance = params_of(stage.instance), stage.chance("arrange")
    present = clock.now()
    persona = persona_at("support lead", role="admin")
    asker = _asker(persona.logins["helpdesk"], chance)
    wish = _tested_wish(params, asker, chance)
    _plant_look_alikes(wish, chance, at=present - timedelta(days=chance.randrange(40, 200)))
    wanted_at = present - timedelta(minutes=chance.randrange(50, 60 * 8))
    tickets = plant(wish, drawer_of(wish).around(chance, PLANTED), chance, before=wanted_at)
    subject = chance.choice(words.SUBJECTS)
    body = words.request(wish, params.sharing, chance)
    with clock.at(wanted_at), act(actor="world", label="request"):
        request = create_ticket(
            actor=asker,
            changes={"subject": subject},
            comment=NewComment(body=body),
            via=Via("web"),
            requester=asker,
        ).ticket_id
    facts = {
        **wish,
        "request": request,
        "asker": asker.id,
        "planted": tickets,
        "all_groups": sorted(Group.objects.filter(deleted=False).values_list("id", flat=True)),
        "agent": User.objects.get(email=persona.logins["helpdesk"]).id,
        "views": sorted(View.objects.values_list("id", flat=True)),
        "obligations": [],
        "giver_reply": "It is all in the request. I have nothing to add to it.",
    }
    goal = stage.chance("goal").choice(goals_of(__file__))["text"]
    return Arranged(
        goal=str(goal.format(requester=asker.name, subject=subject)),
        persona=persona,
        facts=facts,
        allows=(Allow("helpdesk_view", frozenset({"insert"}), at_most=1),),
        start_path="/agent/dashboard",
        oracle_steps={"api": 5, "browser": browser_steps(wish)},
    )


def browser_steps(wish: dict[str, Any]) -> int:
    """Return how many steps the oracle takes by the pages."""
    sharing = 1 + len(wish["groups"]) if wish["groups"] else 0
    order = 4 if wish["group_by"] else 2
    rows = 4 * len(wish["conditions"]) - 1
    return 8 + sharing + rows + max(len(wish["columns"]), 5) + order


def _asker(own: str, chance: Random) -> User:
    """Return a colleague who works in a group; not the agent's own account."""
    rows = User.objects.filter(role="agent", active=True, suspended=False).exclude(email=own)
    found = [user for user in rows.order_by("id") if user.group_memberships.exists()]
    names = [user.name for user in found]
    found = [user for user in found if names.count(user.name) == 1]
    if not found:
        raise CannotArrange("nobody of this world works in a group")
    return chance.choice(found)


def _tested_wish(params: Params, asker: User, chance: Random) -> dict[str, Any]:
    """Return a wish whose status counts: a ticket is there that fails by its status alone.

    Such tickets cannot be planted: nobody closes one, or solves one without a word. What nobody
    has is never solved, so such wishes are taken as they are.

    Raises:
        CannotArrange: none of many wishes is so.
    """
    rows = [row_of(ticket) for ticket in Ticket.objects.filter(deleted_at=None).order_by("id")]
    for _ in range(WISHES):
        wish = _wish(params, asker, chance)
        status, *others = wish["conditions"]
        if params.second == "nobody":
            return wish
        if any(not holds(status, row) and belongs(others, row) for row in rows):
            return wish
    raise CannotArrange("no ticket fails any of these wishes by its status alone")


def _wish(params: Params, asker: User, chance: Random) -> dict[str, Any]:
    """Return what is wanted: name, conditions, output and groups."""
    groups = list(Group.objects.filter(deleted=False).order_by("id"))
    if len(groups) < 3:
        raise CannotArrange("the world has too few groups")
    own = asker.group_memberships.order_by("-default", "id").first()
    mine = next(group for group in groups if own is not None and group.id == own.group_id)
    others = [group for group in groups if group.id != mine.id]
    shared = {"everyone": [], "group": [mine], "groups": [mine, chance.choice(others)]}
    grouped = params.order == "grouped"
    sort_by, sort_order = ("updated", "desc") if grouped else ("created", "asc")
    shares = sorted(shared[params.sharing], key=lambda group: group.id)
    return {
        "name": words.view_name(chance, mine.name),
        "conditions": _conditions(params, groups, chance),
        "columns": list(params.columns),
        "sort_by": sort_by,
        "sort_order": sort_order,
        "group_by": chance.choice(("group", "priority")) if grouped else None,
        "group_order": chance.choice(("asc", "desc")) if grouped else None,
        "groups": [group.id for group in shares],
        "group_names": [group.name for group in shares],
    }


def _conditions(params: Params, groups: list[Group], chance: Random) -> list[dict[str, Any]]:
    """Return what must hold, and of what one must."""
    group = chance.choice(groups)
    first, second = chance.sample(TAGS, 2)
    kind = chance.choice(("incident", "problem", "question"))
    seconds = {
        "in_group": ("group", "one_of", [str(group.id)], [group.name]),
        "other_group": ("group", "none_of", [str(group.id)], [group.name]),
        "type": ("type", "one_of", [kind], [kind.capitalize()]),
        "nobody": ("assignee", "one_of", [""], []),
        "untagged": ("tags", "untagged", [first], [first]),
    }
    about, test, values, said = seconds[params.second]
    found = [
        _condition("all", "status", "one_of", list(UNDERSTOOD[params.state]), [params.state]),
        _condition("all", about, test, values, said),
    ]
    urgent = chance.choice(("urgent", "high"))
    either = [_condition("any", "priority", "one_of", [urgent], [urgent.capitalize()])]
    if params.either == "pressing":
        either += [_custom("VIP", chance), _condition("any", "tags", "tagged", [second], [second])]
    else:
        either += [_custom("Category", chance), _custom("Machine", chance)]
    chance.shuffle(either)
    return found + either


def _condition(
    side: str, about: str, test: str, values: list[str], said: list[str]
) -> dict[str, Any]:
    return {
        "side": side,
        "about": about,
        "field": about,
        "test": test,
        "values": values,
        "words": said,
    }


def _custom(title: str, chance: Random) -> dict[str, Any]:
    field = TicketField.objects.filter(title=title, active=True).order_by("id").first()
    if field is None:
        raise CannotArrange(f"the world has no ticket field {title}")
    value, said = "true", []
    if field.type != "checkbox":
        option = chance.choice([each for each in field.options if '"' not in each["name"]])
        value, said = option["value"], [option["name"]]
    found = _condition("any", title, "one_of", [value], said)
    return {**found, "field": str(field.id)}


def _plant_look_alikes(wish: dict[str, Any], chance: Random, *, at: datetime) -> None:
    """Plant a shared view of nearly that name and less in it, and a switched-off one."""
    first = wish["name"]
    status = {"field": "status", "operator": "less_than", "value": "solved"}
    for name, active in ((f"{first} (before)", True), (f"{first} 2025", False)):
        with clock.at(at), act(actor="world", label="views"):
            View.objects.create(
                id=ids.next_stamp(View),
                title=name,
                raw_title=name,
                description=None,
                active=active,
                position=chance.randrange(20, 60),
                conditions={"all": [status], "any": []},
                output={
                    "columns": ["subject", "requester", "created", "priority", "assignee"],
                    "group_by": None,
                    "group_order": "desc",
                    "sort_by": "created",
                    "sort_order": "desc",
                },
                restriction=None,
                created_at=clock.now(),
                updated_at=clock.now(),
            )
        at += timedelta(days=chance.randrange(3, 20))
