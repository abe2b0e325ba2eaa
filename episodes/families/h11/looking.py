"""Whether a write of the oracle's was made, found out by reading: before it is repeated."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from episodes.tasks.acting import ActingSpace
from episodes.tasks.retrying_client import Answer, Look


def ticket_changed(space: ActingSpace, arguments: Mapping[str, Any]) -> Answer | None:
    """Look whether the comment is in the ticket, or its fields are what they were to become."""
    number, changes = arguments["ticket_id"], arguments["body"]["ticket"]
    if "comment" in changes:
        found = space.act("helpdesk_ListTicketComments", ticket_id=number)
        told = changes["comment"]["body"].strip()
        said = [comment["body"].strip() for comment in found["body"]["comments"]]
        return found if told in said else None
    found = space.act("helpdesk_ShowTicket", ticket_id=number)
    held = {field["id"]: field["value"] for field in found["body"]["ticket"]["custom_fields"]}
    wanted = changes["custom_fields"]
    same = all(str(held.get(field["id"])) == str(field["value"]) for field in wanted)
    return found if same else None


def user_changed(space: ActingSpace, arguments: Mapping[str, Any]) -> Answer | None:
    """Look whether the user has what was to be entered."""
    found = space.act("helpdesk_ShowUser", user_id=arguments["user_id"])
    user, changes = found["body"]["user"], arguments["body"]["user"]
    if "phone" in changes:
        return found if user["phone"] == changes["phone"] else None
    fields = changes["user_fields"].items()
    return found if all(user["user_fields"].get(key) == value for key, value in fields) else None


LOOKS: Final[Mapping[str, Look]] = {
    "helpdesk_UpdateTicket": ticket_changed,
    "helpdesk_UpdateUser": user_changed,
}
