"""Where the oracle looks whether a write whose answer was lost was made all the same."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from episodes.tasks.acting import ActingSpace
from episodes.tasks.careful import Answer, Look


def trigger_made(space: ActingSpace, arguments: Mapping[str, Any]) -> Answer | None:
    """Look whether there is a trigger of that title."""
    title = arguments["body"]["trigger"]["title"]
    found = space.act("helpdesk_SearchTriggers", query=title)
    made = [rule for rule in found["body"]["triggers"] if rule["title"] == title]
    return {**found, "body": {"trigger": made[0]}} if made else None


def order_set(space: ActingSpace, arguments: Mapping[str, Any]) -> Answer | None:
    """Look whether the triggers stand in that order."""
    wanted = arguments["body"]["trigger_ids"]
    found = space.act("helpdesk_ListTriggers", per_page=100)
    standing = [rule["id"] for rule in found["body"]["triggers"]]
    standing = [int(key) for key in standing if int(key) in wanted]
    return found if standing == wanted else None


LOOKS: Final[Mapping[str, Look]] = {
    "helpdesk_CreateTrigger": trigger_made,
    "helpdesk_ReorderTriggers": order_set,
}
