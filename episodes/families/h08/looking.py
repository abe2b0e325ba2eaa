"""Whether held mail was decided over, found out by reading: before it is decided over again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from episodes.tasks.acting import ActingSpace
from episodes.tasks.retrying_client import Answer, Look


def no_longer_held(space: ActingSpace, arguments: Mapping[str, Any]) -> Answer | None:
    """Look whether the mails have left the queue."""
    found = space.act("helpdesk_ListSuspendedTickets", per_page=100)
    held = {str(mail["id"]) for mail in found["body"]["suspended_tickets"]}
    return None if held & set(arguments["ids"].split(",")) else found


LOOKS: Final[Mapping[str, Look]] = {
    "helpdesk_RecoverSuspendedTickets": no_longer_held,
    "helpdesk_DeleteSuspendedTickets": no_longer_held,
}
