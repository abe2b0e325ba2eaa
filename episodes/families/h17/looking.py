"""Where the oracle looks whether a write whose answer was lost was made all the same."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from episodes.tasks.acting import ActingSpace
from episodes.tasks.retrying_client import Answer, Look


def view_made(space: ActingSpace, arguments: Mapping[str, Any]) -> Answer | None:
    """Look whether a view of that name was made: the log has those, too, that others alone use."""
    title = arguments["body"]["view"]["title"]
    asked = {"filter[source_type]": "rule", "filter[action]": "create"}
    found = space.act("helpdesk_ListAuditLogs", **asked)
    made = [entry["source_label"] for entry in found["body"]["audit_logs"]]
    return found if title in made else None


LOOKS: Final[Mapping[str, Look]] = {"helpdesk_CreateView": view_made}
