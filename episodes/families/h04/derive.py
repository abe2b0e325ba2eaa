"""The facts of H04 a second time: plain loops over whole tables, and nothing of `arrange`.

What was planted is found again from what anybody could see: clocks, conversations, macros and the
text of the rules.
"""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any, Final

from clones.core import clock
from clones.helpdesk.models import Comment, Group, Macro, SlaClock, Ticket
from episodes.families.h04.reading import TITLE, Verdict, decide, desks_of

CODE: Final = re.compile(r"\b[A-Z]{2}-\d{3}\b")
NUMBER: Final = re.compile(r"(\d+) (hours|Hz|°C|kg|mm|m|A|bar)\b")


def derive(goal: str) -> dict[str, Any]:
    """Return the facts of the instance whose goal this is. The sandbox is bound for reading.

    Raises:
        LookupError: the rows do not show what the goal speaks of.
    """
    if "hour" not in goal:
        raise LookupError("the goal sets no hour")
    guide = next(
        ticket
        for ticket in _all(Ticket)
        if "pinned" in ticket.tags and ticket.subject == "PINNED: first replies"
    )
    desks = desks_of(guide.description)
    macros = {macro.title: macro for macro in _all(Macro) if TITLE.match(macro.title)}
    groups = {group.name: group.id for group in _all(Group)}
    work = [_entry(found, desks, macros, groups) for found in _due()]
    return {"guide": guide.id, "work": work}


def _all(model: Any) -> list[Any]:
    """Return every row of a table, in the order of its keys."""
    rows = list(model.objects.all())
    rows.sort(key=lambda row: row.pk)
    return rows


def _due() -> list[SlaClock]:
    """Return the clocks of the first line that run out within the hour, the nearest first."""
    tickets = {ticket.id: ticket for ticket in _all(Ticket)}
    line = next(group.id for group in _all(Group) if group.name == "Support")
    now = clock.now()
    found = []
    for item in _all(SlaClock):
        ticket = tickets[item.ticket_id]
        free = ticket.status == "new" and ticket.assignee_id is None and ticket.group_id == line
        runs = item.metric == "first_reply_time" and item.state == "active"
        if free and runs and item.breach_at is not None:
            left = item.breach_at - now
            if timedelta(0) < left <= timedelta(hours=1):
                found.append(item)
    found.sort(key=lambda item: item.breach_at or now)
    return found


def _entry(
    found: SlaClock,
    desks: dict[str, str],
    macros: dict[str, Macro],
    groups: dict[str, int],
) -> dict[str, Any]:
    said = [comment for comment in _all(Comment) if comment.ticket_id == found.ticket_id]
    ticket = next(ticket for ticket in _all(Ticket) if ticket.id == found.ticket_id)
    verdict = decide([comment.body for comment in said], desks, macros)
    entry: dict[str, Any] = {
        "ticket": found.ticket_id,
        "way": "hand_over" if verdict.macro is None else "answer",
        "due": found.breach_at.isoformat() if found.breach_at is not None else None,
        "said": [comment.id for comment in said],
        "serial": verdict.serial,
        "requester": ticket.requester_id,
        "priority": ticket.priority,
    }
    if verdict.macro is None:
        return {**entry, "group": groups[str(verdict.group)]}
    return {
        **entry,
        "macro": macros[verdict.macro].id,
        "tells": _tells(macros[verdict.macro]),
        "wrong": [_tells(macros[title]) for title in sorted(_beside(verdict, macros))],
    }


def _beside(verdict: Verdict, macros: dict[str, Macro]) -> list[str]:
    """Return the titles of the same topic for other machines, and those that no longer count."""
    about = TITLE.match(str(verdict.macro))
    found = []
    for title in macros:
        other = TITLE.match(title)
        if about is not None and other is not None and other[1] == about[1]:
            found.append(title)
    return [title for title in found if title != verdict.macro]


def _tells(macro: Macro) -> dict[str, Any]:
    text = " ".join(str(action["value"]) for action in macro.actions)
    code, number = CODE.search(text), NUMBER.search(text)
    if code is None or number is None:
        raise LookupError(f"macro {macro.title} tells nothing")
    return {"code": code[0], "number": int(number[1]), "unit": number[2]}
