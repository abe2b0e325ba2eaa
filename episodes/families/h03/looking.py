"""Whether a write of the oracle's was made, found out by reading: before it is repeated."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from episodes.tasks.acting import ActingSpace
from episodes.tasks.retrying_client import Answer, Look


def tickets_filed(space: ActingSpace, arguments: Mapping[str, Any]) -> Answer | None:
    """Look whether the tickets have the priorities and tags that they were to get."""
    changes = {change["id"]: change for change in arguments["body"]["tickets"]}
    found = space.act("helpdesk_TicketsShowMany", ids=",".join(str(key) for key in changes))
    filed = all(
        ticket["priority"] == changes[ticket["id"]]["priority"]
        and set(changes[ticket["id"]]["additional_tags"]) <= set(ticket["tags"])
        for ticket in found["body"]["tickets"]
    )
    return found if filed else None


def spam_gone(space: ActingSpace, arguments: Mapping[str, Any]) -> Answer | None:
    """Look whether the ticket is among the deleted ones."""
    found = space.act("helpdesk_ListDeletedTickets")
    deleted = {ticket["id"] for ticket in found["body"]["deleted_tickets"]}
    return found if arguments["ticket_id"] in deleted else None


LOOKS: Final[Mapping[str, Look]] = {
    "helpdesk_TicketsUpdateMany": tickets_filed,
    "helpdesk_MarkTicketAsSpamAndSuspendRequester": spam_gone,
}
