"""The facts of H03 a second time: plain loops over whole tables, and nothing of `arrange`.

What was planted is found again from what anybody could see: the new tickets, their first messages
and the text of the guide in force.
"""

from __future__ import annotations

from typing import Any

from clones.helpdesk.models import Comment, Group, Macro, Ticket, TicketField, User
from episodes.families.h03.reading import guide_of, in_force, is_spam, sort_out


def derive(goal: str) -> dict[str, Any]:
    """Return the facts of the instance whose goal this is. The sandbox is bound for reading.

    Raises:
        LookupError: the rows do not show what the goal speaks of.
    """
    if "new" not in goal.lower():
        raise LookupError("the goal speaks of no new tickets")
    text, macro, note = _guide()
    guide = guide_of(text)
    field = next(entry for entry in _all(TicketField) if entry.title == "Machine")
    machines = {str(option["name"]): str(option["value"]) for option in field.options}
    groups = {group.name: group.id for group in _all(Group)}
    tickets = [each for each in _all(Ticket) if each.status == "new" and each.deleted_at is None]
    routings: list[dict[str, Any]] = []
    right: dict[str, Any] | None = None
    spam: dict[str, int] | None = None
    for ticket in tickets:
        body = _first_words(ticket)
        if is_spam(body):
            spam = {"ticket": ticket.id, "requester": ticket.requester_id}
            continue
        found = sort_out(guide, body, ticket.tags, machines)
        machine = machines[found.machine] if found.machine is not None else None
        tags = sorted({*ticket.tags, *found.tags, *([machine] if machine else [])})
        entry = {
            "ticket": ticket.id,
            "role": _role(ticket, found.tags),
            "group": groups[found.group],
            "priority": found.priority,
            "type": found.type,
            "fields": {str(field.id): machine} if machine else {},
            "tags": tags,
        }
        as_it_is = (ticket.group_id, ticket.priority, ticket.type, sorted(ticket.tags))
        if as_it_is == (entry["group"], entry["priority"], entry["type"], tags):
            right = {**entry, "role": "right", "picks": 0}
        else:
            moves = ticket.group_id != entry["group"]
            routings.append({**entry, "picks": 3 + moves + (machine is not None)})
    if right is not None:
        right["picks"] = 0
    return {
        "guide_macro": macro,
        "guide_note": note,
        "machine_field": field.id,
        "tickets": [ticket.id for ticket in tickets],
        "routings": routings,
        "right": right,
        "spam": spam,
    }


def _all(model: Any) -> list[Any]:
    """Return every row of a table, in the order of its keys."""
    rows = list(model.objects.all())
    rows.sort(key=lambda row: row.pk)
    return rows


def _role(ticket: Ticket, tags: tuple[str, ...]) -> str:
    if "vip" in ticket.tags:
        return "vip"
    foreign = any(tag == "translate" or tag.startswith("lang_") for tag in tags)
    return "language" if foreign else "ordinary"


def _first_words(ticket: Ticket) -> str:
    """Return the first message of a ticket, in the words of who wrote it."""
    told = [said for said in _all(Comment) if said.ticket_id == ticket.id]
    told.sort(key=lambda said: (said.created_at, said.id))
    return str(told[0].body)


def _guide() -> tuple[str, int, int]:
    """Return the guide's text, the macro and the ticket that hold it."""
    macros = {
        str(value): macro.id
        for macro in _all(Macro)
        if macro.active
        for action in macro.actions
        for value in (action["value"] if isinstance(action["value"], list) else [action["value"]])
    }
    text = in_force(macros)
    authors = {user.id for user in _all(User) if user.role != "end-user"}
    pinned = [
        ticket.id
        for ticket in _all(Ticket)
        if "pinned" in ticket.tags
        and ticket.requester_id in authors
        and _first_words(ticket) == text
    ]
    return text, macros[text], pinned[-1]
