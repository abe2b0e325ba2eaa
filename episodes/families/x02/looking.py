"""Whether a write of the oracle's was made, found out by reading: before it is repeated."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from episodes.tasks.acting import ActingSpace
from episodes.tasks.retrying_client import Answer, Look
from episodes.tasks.tracker_looking import LOOKS as AT_THE_TRACKER


def linked_elsewhere(space: ActingSpace, arguments: Mapping[str, Any]) -> Answer | None:
    """Look whether the issue has a link to that address."""
    found = space.act("tracker_getRemoteIssueLinks", key=arguments["key"])
    wanted = arguments["body"]["object"]["url"]
    there = [one for one in found["body"] if one["object"]["url"] == wanted]
    return found if there else None


def commented(space: ActingSpace, arguments: Mapping[str, Any]) -> Answer | None:
    """Look whether the ticket has a comment of these words."""
    found = space.act("helpdesk_ListTicketComments", ticket_id=arguments["ticket_id"])
    told = arguments["body"]["ticket"]["comment"]["body"].strip()
    said = [comment["body"].strip() for comment in found["body"]["comments"]]
    return found if told in said else None


LOOKS: Final[Mapping[str, Look]] = {
    **AT_THE_TRACKER,
    "tracker_createOrUpdateRemoteIssueLink": linked_elsewhere,
    "helpdesk_UpdateTicket": commented,
}
