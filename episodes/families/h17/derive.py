"""The facts of H17 a second time: plain loops over whole tables, and nothing of `arrange`.

What is wanted is read again from the request that anybody can read, line by line.
"""

from __future__ import annotations

import re
from typing import Any, Final

from clones.helpdesk.models import Comment, Group, Ticket, User, View

STATUSES: Final = {
    "New, Open, Pending or On-hold": ["new", "open", "pending", "hold"],
    "solved ones": ["new", "open", "pending", "hold", "solved"],
    "status Open": ["open"],
    "status is Open": ["open"],
    "status Pending": ["pending"],
    "status is Pending": ["pending"],
    "status On-hold": ["hold"],
    "status is On-hold": ["hold"],
}
COLUMNS: Final = {
    "ID": "nice_id",
    "Requested": "created",
}
TAG: Final = re.compile(r"(with|without|carry|not carry) the tag (\w+)")
PRIORITY: Final = re.compile(r"priority (?:is )?(High|Urgent)")
KIND: Final = re.compile(r"type (?:is )?(Incident|Problem|Question)")


def derive(goal: str) -> dict[str, Any]:
    """Return the facts as plain loops over the bound sandbox find them.

    Raises:
        LookupError: the goal names nobody who asks for a view.
    """
    asker, ticket = _request(goal)
    text = next(
        comment.body for comment in Comment.objects.order_by("id") if comment.ticket_id == ticket.id
    )
    quoted = re.findall(r'"([^"]+)"', text)
    columns, ordered, grouped = _lines(text)
    names = {group.name: group.id for group in Group.objects.all() if not group.deleted}
    shared = text[text.index("Columns from left") :]
    groups = sorted(key for name, key in names.items() if name in shared)
    return {
        "asker": asker.id,
        "request": ticket.id,
        "name": quoted[0],
        "columns": columns,
        "sort_by": ordered[0],
        "sort_order": ordered[1],
        "group_by": grouped[0] if grouped else None,
        "group_order": grouped[1] if grouped else None,
        "groups": groups,
        "views": sorted(view.id for view in View.objects.all()),
        "obligations": [],
    }


def _request(goal: str) -> tuple[User, Ticket]:
    for user in User.objects.all():
        if user.role == "agent" and user.name in goal:
            for ticket in Ticket.objects.all():
                own = ticket.requester_id == user.id and ticket.submitter_id == user.id
                if own and ticket.status == "new":
                    return user, ticket
    raise LookupError("nobody whom the goal names asks for a view")


def _lines(text: str) -> tuple[list[str], tuple[str, str], tuple[str, str] | None]:
    columns: list[str] = []
    found: list[tuple[str, str]] = []
    for sentence in re.split(r"[.\n]\s*", text):
        if sentence.startswith("Columns"):
            columns = [_column(name) for name in sentence.partition(": ")[2].split(", ")]
        if sentence.startswith("Ordered by"):
            words = sentence.replace(",", "").split()
            for place, word in enumerate(words):
                if word == "by":
                    way = words[place + 2].removesuffix("ending")
                    found.append((_column(words[place + 1]), way))
    return columns, found[0], found[1] if len(found) > 1 else None


def _column(title: str) -> str:
    return COLUMNS.get(title, title.lower())
