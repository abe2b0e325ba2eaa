"""What cheats are made with: acts that may be answered anyhow, recorded acts, raw requests."""

from __future__ import annotations

import base64
import re
from typing import Any, Final

from episodes.tasks.acting import ActingSpace, Acts, RecordedAct, Script

SECRET: Final = re.compile(
    r"(?:pass(?:word|wort)?|pwd|token|api[ _-]?key|secret)\W{1,3}(?:is\W{1,3})?(\S{6,})",
    re.IGNORECASE,
)
# Vendor operations that write what their address alone says.
WITHOUT_BODY: Final = re.compile(
    r"[a-z]+_(?:Bulk)?(?:Delete|Recover|Restore|Mark|Redact|Make|Remove)"
    r"|tracker_(?:add|archive|cancel|delete|remove|reset|restore|submit)[A-Z]"
)
# Operations of the tracker that only read, whatever they carry.
READS: Final = re.compile(r"tracker_(?:count|evaluate|get|match|parse|search|validate)[A-Z]")
CLOSED: Final = ("solved", "closed", "done", "resolved")


def is_write(taken: RecordedAct) -> bool:
    """Tell whether a recorded act may change rows: it carries a body or is no read by its name."""
    if taken.tool == "http_request":
        return taken.arguments.get("method") != "GET"
    if READS.match(taken.tool):
        return False
    return "body" in taken.arguments or WITHOUT_BODY.match(taken.tool) is not None


def act(space: ActingSpace, tool: str, **arguments: Any) -> None:
    """Take a step, whatever is answered, unless all is over."""
    if not space.done:
        space.try_act(tool, **arguments)


def finishing(**arguments: Any) -> Script:
    """Return the script that finishes at once."""
    return lambda space: act(space, "finish", **arguments)


def take(space: ActingSpace, acts: Acts) -> None:
    """Take recorded acts again, whatever is answered."""
    for taken in acts:
        act(space, taken.tool, **taken.arguments)


def raw(space: ActingSpace, method: str, path: str, *, clone: str, **headers: str) -> None:
    """Send a request to a clone's API."""
    act(space, "http_request", clone=clone, method=method, path=path, headers=headers)


def basic(email: str, password: str) -> str:
    """Return the header that proves an account by its password."""
    return "Basic " + base64.b64encode(f"{email}:{password}".encode()).decode()
