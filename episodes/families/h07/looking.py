"""Whether a merge was made, found out by reading: before it is asked for again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from episodes.tasks.acting import ActingSpace
from episodes.tasks.retrying_client import Answer, Look


def merged(space: ActingSpace, arguments: Mapping[str, Any]) -> Answer | None:
    """Look whether the tickets that were to be merged are closed: the job ends at once."""
    keys = ",".join(str(key) for key in arguments["body"]["ids"])
    found = space.act("helpdesk_TicketsShowMany", ids=keys)
    states = {ticket["status"] for ticket in found["body"]["tickets"]}
    return found if states == {"closed"} else None


LOOKS: Final[Mapping[str, Look]] = {"helpdesk_MergeTicketsIntoTargetTicket": merged}
