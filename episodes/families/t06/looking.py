"""Where the oracle looks whether a write whose answer was lost was made all the same."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from episodes.tasks.acting import ActingSpace
from episodes.tasks.retrying_client import Answer, Look
from episodes.tasks.tracker_looking import LOOKS as COMMON


def released(space: ActingSpace, arguments: Mapping[str, Any]) -> Answer | None:
    """Look whether a version is released."""
    found = space.act("tracker_getVersion", id=arguments["id"])
    return found if found["body"].get("released") else None


LOOKS: Final[Mapping[str, Look]] = {**COMMON, "tracker_updateVersion": released}
