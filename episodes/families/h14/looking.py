"""Where the oracle looks whether a write whose answer was lost was made all the same."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from episodes.tasks.acting import ActingSpace
from episodes.tasks.retrying_client import Answer, Look


def trigger_made(space: ActingSpace, arguments: Mapping[str, Any]) -> Answer | None:
    """Look whether there is a trigger of that title."""
    title = arguments["body"]["trigger"]["title"]
    found = space.act("helpdesk_SearchTriggers", query=title)
    made = [rule for rule in found["body"]["triggers"] if rule["title"] == title]
    return {**found, "body": {"trigger": made[0]}} if made else None


LOOKS: Final[Mapping[str, Look]] = {"helpdesk_CreateTrigger": trigger_made}
