"""How a careful agent beats the breaches: from goal, accounts and acts alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from episodes.families.h04.looking import LOOKS
from episodes.families.h04.reading import Verdict, decide, desks_of
from episodes.families.h04.solve_browser import in_browser, note_of
from episodes.tasks.acting import ActingSpace, Script
from episodes.tasks.desk_acts import update
from episodes.tasks.retrying_client import RetryingSpace
from sandlot.service import Space

RULES: Final = 'type:ticket subject:"PINNED: first replies"'
FRESH: Final = "type:ticket status:new group:Support assignee:none"
HORIZON: Final = timedelta(hours=1)
MACROS: Final = "First reply::"

Ticket = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Known:
    """What is known before the first ticket: who gets what, macros by title, groups by name."""

    desks: Mapping[str, str]
    macros: Mapping[str, str]
    groups: Mapping[str, int]
    due: list[Ticket]


def by_api(space: ActingSpace) -> None:
    """Read the rules and what is due, then each conversation, and do what it asks for."""
    space = RetryingSpace(space, LOOKS)
    known = look_around(space)
    for ticket in known.due:
        carry_out(space, ticket["id"], judge(space, ticket["id"], known), known)
    space.act("finish", status="done")


def look_around(space: ActingSpace) -> Known:
    """Read the rules, the tickets that are due, the macros and the groups."""
    rules = space.act("helpdesk_ListSearchResults", query=RULES)["body"]["results"]
    due = due_tickets(space)
    answer = space.act("helpdesk_ListMacros", active=True, per_page=100)
    macros = {
        macro["title"]: _text_of(macro)
        for macro in answer["body"]["macros"]
        if macro["title"].startswith(MACROS)
    }
    groups = space.act("helpdesk_ListGroups")["body"]["groups"]
    return Known(
        desks_of(rules[0]["description"]),
        macros,
        {group["name"]: group["id"] for group in groups},
        due,
    )


def _text_of(macro: Mapping[str, Any]) -> str:
    told = next(one["value"] for one in macro["actions"] if one["field"] == "comment_value")
    return str(told[-1] if isinstance(told, list) else told)


def due_tickets(space: ActingSpace) -> list[Ticket]:
    """Return what nobody has taken and runs out within the hour, the nearest breach first."""
    found = space.act("helpdesk_ListSearchResults", query=FRESH, include="slas", per_page=100)
    now = datetime.fromisoformat(found["now"])
    times = []
    for ticket in found["body"]["results"]:
        breach = _breach_of(ticket)
        if breach is not None and now < breach <= now + HORIZON:
            times.append((breach, ticket["id"], ticket))
    return [ticket for *_, ticket in sorted(times, key=lambda each: each[:2])]


def _breach_of(ticket: Ticket) -> datetime | None:
    """Return when the first reply is due, None if it runs no more."""
    for target in ticket["slas"]["policy_metrics"]:
        if target["metric"] == "first_reply_time" and target["stage"] == "active":
            return datetime.fromisoformat(target["breach_at"])
    return None


def judge(space: ActingSpace, ticket: int, known: Known) -> Verdict:
    """Read a conversation and return what becomes of the ticket."""
    found = space.act("helpdesk_ListTicketComments", ticket_id=ticket)
    said = [comment["body"] for comment in found["body"]["comments"]]
    return decide(said, known.desks, known.macros)


def carry_out(space: ActingSpace, ticket: int, verdict: Verdict, known: Known) -> None:
    """Answer by the macro's text, or hand over with a note."""
    if verdict.macro is not None:
        answer(space, ticket, known.macros[verdict.macro])
    else:
        hand_over(space, ticket, known.groups[str(verdict.group)], note_of(verdict))


def answer(space: ActingSpace, ticket: int, text: str) -> None:
    """Reply, and set the ticket to pending."""
    update(space, ticket, comment={"body": text, "public": True}, status="pending")


def hand_over(space: ActingSpace, ticket: int, group: int, note: str) -> None:
    """Put a ticket into a group, with a note."""
    update(space, ticket, comment={"body": note, "public": False}, group_id=group, status="open")


SOLVE: Mapping[Space, Script] = {"api": by_api, "browser": in_browser}
