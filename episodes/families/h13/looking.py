"""Whether a write of the oracle's was made, found out by reading: before it is repeated."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from episodes.tasks.acting import ActingSpace
from episodes.tasks.retrying_client import Answer, Look


def macro_made(space: ActingSpace, arguments: Mapping[str, Any]) -> Answer | None:
    """Look whether there is a macro of that name."""
    title = arguments["body"]["macro"]["title"]
    found = space.act("helpdesk_SearchMacro", query=title)
    titles = [macro["title"] for macro in found["body"]["macros"]]
    return found if title in titles else None


LOOKS: Final[Mapping[str, Look]] = {"helpdesk_CreateMacro": macro_made}
