"""Mail about issues that somebody writes themselves."""

from __future__ import annotations

from typing import Any

from clones.core.operations import Call, Reply
from clones.tracker.api.operations import actor, operation
from clones.tracker.domain.notices import read_notice, send_notice
from clones.tracker.queries.rights import find_issue


@operation(
    "notify",
    "POST",
    "/rest/api/3/issue/{key}/notify",
    summary="Mail people about an issue.",
    body=dict[str, Any],
    status=204,
)
def notify(call: Call) -> Reply:
    """Mail a notice about an issue."""
    rights = actor(call)
    send_notice(find_issue(rights, call.path["key"]), read_notice(call.body), actor=rights)
    return Reply(None, 204)
