"""How a careful agent makes one conversation of repeats: from goal, accounts and acts alone."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from episodes.families.h07.looking import LOOKS
from episodes.families.h07.solve_browser import in_browser
from episodes.tasks.acting import ActingSpace, Script
from episodes.tasks.desk_acts import find_ticket
from episodes.tasks.retrying_client import RetryingSpace
from sandlot.service import Space

SERIAL: Final = re.compile(r"\b[A-Z]{2}[A-Z0-9]{2}-\d{4}-\d{4}\b")
DONE: Final = ("solved", "closed")


@dataclass(frozen=True, slots=True)
class Found:
    """What there is to merge: tickets as the API shows them, oldest first.

    `beside` are the customer's open tickets about something else, `ended` their solved ones.
    """

    repeats: list[dict[str, Any]]
    beside: list[dict[str, Any]]
    ended: list[dict[str, Any]]

    @property
    def target(self) -> int:
        """The ticket that stays."""
        return int(self.repeats[0]["id"])

    @property
    def sources(self) -> list[int]:
        """The tickets that go into it."""
        return [int(ticket["id"]) for ticket in self.repeats[1:]]


def by_api(space: ActingSpace) -> None:
    """Find the customer's tickets, read the open ones, merge those of one machine, finish."""
    space = RetryingSpace(space, LOOKS)
    found = look_into(space)
    for number in found.sources:
        merge(space, found.target, [number])
    space.act("helpdesk_TicketsShowMany", ids=",".join(map(str, found.sources)))
    space.act("finish", status="done")


def look_into(space: ActingSpace) -> Found:
    """Read the customer's open tickets and tell which are about one machine.

    Raises:
        LookupError: no two are.
    """
    requester = find_ticket(space)["requester_id"]
    listed = space.act("helpdesk_ListUserRequestedTickets", user_id=requester, per_page=100)
    tickets = sorted(listed["body"]["tickets"], key=lambda ticket: ticket["created_at"])
    machines: dict[str, list[dict[str, Any]]] = {}
    for ticket in tickets:
        if ticket["status"] not in DONE:
            serial = _serial(space, ticket["id"])
            machines.setdefault(serial, []).append(ticket)
    repeats = max(machines.values(), key=len)
    if len(repeats) < 2:
        raise LookupError("no two open tickets of the customer are about one machine")
    beside = [ticket for group in machines.values() if group is not repeats for ticket in group]
    return Found(repeats, beside, [ticket for ticket in tickets if ticket["status"] in DONE])


def _serial(space: ActingSpace, ticket: int) -> str:
    """Read a ticket and return the serial number of the machine it is about, empty if none."""
    comments = space.act("helpdesk_ListTicketComments", ticket_id=ticket)["body"]["comments"]
    found = SERIAL.search(comments[0]["body"])
    return found[0] if found is not None else ""


def merge(space: ActingSpace, target: int, sources: list[int], **said: Any) -> None:
    """Merge tickets into another, with a note on either side."""
    names = ", ".join(f"#{number}" for number in sources)
    space.act(
        "helpdesk_MergeTicketsIntoTargetTicket",
        ticket_id=target,
        body={
            "ids": sources,
            "target_comment": f"Requests {names} were merged into this one: the same machine.",
            "source_comment": f"This request goes on in #{target}.",
            **said,
        },
    )


SOLVE: Mapping[Space, Script] = {"api": by_api, "browser": in_browser}
