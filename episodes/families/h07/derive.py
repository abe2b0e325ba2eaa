"""The facts of H07 a second time: plain loops over whole tables, and nothing of `arrange`.

What was planted is found again from what anybody could see: who is named, and what they wrote.
"""

from __future__ import annotations

import re
from typing import Any, Final

from clones.helpdesk.models import Comment, Ticket, User

ENDED: Final = ("solved", "closed")
PLATE: Final = re.compile(r"[A-Z]{2}[A-Z0-9]{2}-\d{4}-\d{4}")


def derive(goal: str) -> dict[str, Any]:
    """Return the facts of the instance whose goal this is. The sandbox is bound for reading.

    Raises:
        LookupError: nobody whom the goal names has two open tickets about one machine.
    """
    first_words: dict[int, Comment] = {}
    for said in _all(Comment):
        first_words.setdefault(said.ticket_id, said)
    tickets = _all(Ticket)
    for user in _all(User):
        if user.name not in goal:
            continue
        groups: dict[str, list[Ticket]] = {}
        for ticket in tickets:
            if ticket.requester_id == user.id and ticket.status not in ENDED:
                plate = PLATE.search(first_words[ticket.id].body)
                groups.setdefault(plate[0] if plate else "", []).append(ticket)
        for serial, repeats in groups.items():
            if serial and len(repeats) > 1:
                return _facts(user, serial, repeats, first_words, tickets)
    raise LookupError("nobody whom the goal names wrote twice about one machine")


def _all(model: Any) -> list[Any]:
    """Return every row of a table, oldest first."""
    rows = list(model.objects.all())
    rows.sort(key=lambda row: (row.created_at, row.pk))
    return rows


def _facts(
    user: User,
    serial: str,
    repeats: list[Ticket],
    first_words: dict[int, Comment],
    tickets: list[Ticket],
) -> dict[str, Any]:
    copied: set[int] = set()
    for ticket in repeats:
        for key in ticket.email_cc_ids:
            copied.add(key)
    solved = [
        ticket.id
        for ticket in tickets
        if ticket.requester_id == user.id
        and ticket.status in ENDED
        and serial in first_words[ticket.id].body
    ]
    return {
        "ticket": repeats[0].id,
        "sources": [ticket.id for ticket in repeats[1:]],
        "reports": {str(ticket.id): first_words[ticket.id].id for ticket in repeats},
        "copied": sorted(copied),
        "requester": user.id,
        "solved": solved,
        "oldest": "solved" if solved else "open",
    }
