"""The facts of H13 a second time: plain loops over whole tables, and nothing of `arrange`."""

from __future__ import annotations

from typing import Any, Final

from clones.helpdesk.models import (
    Comment,
    Group,
    GroupMembership,
    Macro,
    Ticket,
    TicketField,
    User,
)

CLOSED: Final = ("solved", "closed")
LABELS: Final = {"open": "Open", "pending": "Pending", "hold": "On-hold"}
KINDS: Final = (
    ("organization", "organization"),
    ("whoever", "agent"),
    ("agent", "agent"),
    ("first name", "first_name"),
    ("full name", "name"),
    ("number", "id"),
    ("subject", "title"),
)


def derive(goal: str) -> dict[str, Any]:
    """Return the facts of the instance whose goal this is. The sandbox is bound for reading.

    Raises:
        LookupError: the rows do not show what the goal speaks of.
    """
    ticket = _ticket(goal)
    said = [comment for comment in _rows(Comment) if comment.ticket_id == ticket.id]
    first, second = said[0].body, said[1].body
    title, old = _title(first, second), _old_macro(first)
    before, text, _ = first.split("-----")
    brackets = _brackets(text)
    return {
        "ticket": ticket.id,
        "asker": ticket.requester_id,
        "said": [comment.id for comment in said],
        "title": title,
        "old_macro": old.id,
        "group": _group(before, old, ticket.requester_id),
        **_filed(before.splitlines(), second),
        "public": "public reply" in (second if _tells_mode(second) else before),
        "text": text.strip(),
        "slots": dict(sorted(brackets.items())),
        "obligations": [],
    }


def _rows(model: Any) -> list[Any]:
    rows = list(model.objects.all())
    rows.sort(key=lambda row: row.pk)
    return rows


def _ticket(goal: str) -> Ticket:
    """Return the newest open ticket of a colleague whom the goal names."""
    names = {user.id: user.name for user in _rows(User) if user.role == "agent"}
    found: Ticket | None = None
    for ticket in _rows(Ticket):
        who = names.get(ticket.requester_id)
        if who is not None and who in goal and ticket.status not in CLOSED:
            found = ticket
    if found is None:
        raise LookupError("the goal names no colleague with an open ticket")
    return found


def _title(first: str, second: str) -> str:
    """Return the name that was given last."""
    for text in (second, first):
        for opening in ("should be called ", "Name: ", "call it "):
            if opening in text:
                rest = text.split(opening, 1)[1]
                return rest.split(".", 1)[0]
    raise LookupError("nobody names the macro")


def _old_macro(text: str) -> Macro:
    """Return the macro that stays: the longest name of a macro that the mail holds."""
    found: Macro | None = None
    for macro in _rows(Macro):
        if macro.title + " stays" in text or f"leave {macro.title} alone" in text:
            found = macro
    if found is None:
        raise LookupError("the mail names no macro that stays")
    return found


def _group(text: str, old: Macro, asker: int) -> int:
    if old.title in text:
        return int((old.restriction or {})["id"])
    opening = text.partition("What it does")[0]
    named = [group for group in _rows(Group) if group.name in opening]
    if named:
        return int(max(named, key=lambda group: len(group.name)).id)
    own = [entry.group_id for entry in _rows(GroupMembership) if entry.user_id == asker]
    if len(own) != 1:
        raise LookupError("whoever asks is in several groups")
    return int(own[0])


def _filed(lines: list[str], second: str) -> dict[str, Any]:
    """Return what the macro sets, by the lines of the first mail and the word of the second."""
    found: dict[str, Any] = {"set": {}, "add_tags": [], "remove_tags": [], "custom_fields": {}}
    for line in lines:
        if line.startswith("- "):
            _one_line(found, line[2:].strip())
    if " status" in second:
        found["set"].pop("status", None)
        _status(found, second)
    found["add_tags"].sort()
    return found


def _one_line(found: dict[str, Any], line: str) -> None:
    tag = line.partition("the tag ")[2].split(" ")[0].strip(",")
    if line.startswith(("add the tag", "put the tag")):
        found["add_tags"].append(tag)
    elif line.startswith(("take the tag", "remove the tag")):
        found["remove_tags"].append(tag)
    elif "the group " in line:
        name = line.rpartition("the group ")[2]
        found["set"]["group_id"] = next(g.id for g in _rows(Group) if g.name == name)
    elif "the category" in line:
        field = next(entry for entry in _rows(TicketField) if entry.title == "Category")
        for option in field.options:
            if line.endswith((f" becomes {option['name']}", f" to {option['name']}")):
                found["custom_fields"][str(field.id)] = option["value"]
    elif "the priority" in line:
        found["set"]["priority"] = line.rpartition(" ")[2].lower()
    elif "the type" in line:
        found["set"]["type"] = line.rpartition(" ")[2].lower()
    else:
        _status(found, line)


def _status(found: dict[str, Any], text: str) -> None:
    for value, label in LABELS.items():
        if f"status becomes {label}" in text or f"status to {label}" in text:
            found["set"]["status"] = value


def _tells_mode(text: str) -> bool:
    return "public reply" in text or "internal note" in text


def _brackets(text: str) -> dict[str, str]:
    """Return which slot each bracket of the text is."""
    found = {}
    for part in text.split("[")[1:]:
        bracket = part.split("]", 1)[0]
        found[f"[{bracket}]"] = next(slot for word, slot in KINDS if word in bracket)
    return found
