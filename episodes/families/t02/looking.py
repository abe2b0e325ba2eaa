"""Where the oracle looks whether a write whose answer was lost was made all the same."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from episodes.tasks.acting import ActingSpace
from episodes.tasks.retrying_client import Answer, Look


def filter_made(space: ActingSpace, arguments: Mapping[str, Any]) -> Answer | None:
    """Look whether one has a filter of that name."""
    found = space.act("tracker_getMyFilters")
    names = [saved["name"] for saved in found["body"]]
    return found if arguments["body"]["name"] in names else None


LOOKS: Final[Mapping[str, Look]] = {"tracker_createFilter": filter_made}
