"""Whether a write of the oracle's was made, found out by reading: before it is repeated."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from episodes.tasks.acting import ActingSpace
from episodes.tasks.retrying_client import Answer, Look


def refund_made(space: ActingSpace, arguments: Mapping[str, Any]) -> Answer | None:
    """Look whether the charge has a refund."""
    found = space.act("billing_GetRefunds", charge=arguments["body"]["charge"])
    return found if found["body"]["data"] else None


def ticket_changed(space: ActingSpace, arguments: Mapping[str, Any]) -> Answer | None:
    """Look whether the comment is in the ticket, or its fields are what they were to become."""
    number, changes = arguments["ticket_id"], arguments["body"]["ticket"]
    if "comment" in changes:
        found = space.act("helpdesk_ListTicketComments", ticket_id=number)
        told = changes["comment"]["body"].strip()
        said = [comment["body"].strip() for comment in found["body"]["comments"]]
        return found if told in said else None
    found = space.act("helpdesk_ShowTicket", ticket_id=number)
    return found if found["body"]["ticket"]["status"] == changes["status"] else None


LOOKS: Final[Mapping[str, Look]] = {
    "billing_PostRefunds": refund_made,
    "helpdesk_UpdateTicket": ticket_changed,
}
