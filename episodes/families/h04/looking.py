"""Whether a write of the oracle's was made, found out by reading: before it is repeated."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from episodes.tasks.acting import ActingSpace
from episodes.tasks.retrying_client import Answer, Look


def comment_made(space: ActingSpace, arguments: Mapping[str, Any]) -> Answer | None:
    """Look whether the comment is in the ticket: what else the write sets came with it."""
    found = space.act("helpdesk_ListTicketComments", ticket_id=arguments["ticket_id"])
    told = arguments["body"]["ticket"]["comment"]["body"].strip()
    said = [comment["body"].strip() for comment in found["body"]["comments"]]
    return found if told in said else None


LOOKS: Final[Mapping[str, Look]] = {"helpdesk_UpdateTicket": comment_made}
