"""What of an act can be written down; what cannot is the agent's mistake, and its place is kept."""

from __future__ import annotations

import json
from typing import Any, Final

from clones.core.strict_json import DEPTH, nests_within
from sandlot.service import Act

# What stands in a record for arguments that no record can hold: a replay then makes that mistake.
UNRECORDABLE: Final[dict[str, Any]] = {"unrecordable": True}
MISTAKE: Final = (
    f"these arguments are no JSON that can be sent: numbers are finite, and lists and objects stand"
    f" in at most {DEPTH} others"
)


def recordable(act: Act) -> tuple[Act, str | None]:
    """Return an act as it can be written down, and what is wrong with it if it cannot be at all.

    Half characters, which no text holds, are replaced.
    """
    if act.arguments == UNRECORDABLE:
        return act, MISTAKE
    try:
        if not nests_within(act.arguments, DEPTH):
            raise ValueError(MISTAKE)
        text = json.dumps(
            {"tool": act.tool, "arguments": act.arguments}, ensure_ascii=False, allow_nan=False
        )
    except (TypeError, ValueError, RecursionError):
        tool = act.tool.encode(errors="replace").decode()
        return Act(tool=tool, arguments=dict(UNRECORDABLE)), MISTAKE
    if text.isascii():
        return act, None
    return Act.model_validate(json.loads(text.encode(errors="replace"))), None
