"""Where the oracle looks whether a write whose answer was lost was made all the same."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from episodes.tasks.acting import ActingSpace
from episodes.tasks.careful import Answer, Look


def view_made(space: ActingSpace, arguments: Mapping[str, Any]) -> Answer | None:
    """Look whether there is a view of that name."""
    title = arguments["body"]["view"]["title"]
    found = space.act("helpdesk_SearchViews", query=title)
    titles = [view["title"] for view in found["body"]["views"]]
    return found if title in titles else None


LOOKS: Final[Mapping[str, Look]] = {"helpdesk_CreateView": view_made}
