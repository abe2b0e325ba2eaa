"""Whether a write of the oracle's was made, found out by reading: before it is repeated."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from episodes.tasks.acting import ActingSpace
from episodes.tasks.retrying_client import Answer, Look


def policy_made(space: ActingSpace, arguments: Mapping[str, Any]) -> Answer | None:
    """Look whether there is a policy of that name, and return it as its creation would."""
    title = arguments["body"]["sla_policy"]["title"]
    found = space.act("helpdesk_ListSLAPolicies", per_page=100)
    own = [policy for policy in found["body"]["sla_policies"] if policy["title"] == title]
    return {**found, "body": {"sla_policy": own[0]}} if own else None


def order_set(space: ActingSpace, arguments: Mapping[str, Any]) -> Answer | None:
    """Look whether the policies stand in that order."""
    found = space.act("helpdesk_ListSLAPolicies", per_page=100)
    wanted = [int(key) for key in str(arguments["sla_policy_ids"]).split(",")]
    standing = [policy["id"] for policy in found["body"]["sla_policies"]]
    return found if standing[: len(wanted)] == wanted else None


LOOKS: Final[Mapping[str, Look]] = {
    "helpdesk_CreateSLAPolicy": policy_made,
    "helpdesk_ReorderSLAPolicies": order_set,
}
