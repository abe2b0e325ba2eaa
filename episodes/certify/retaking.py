"""Taking recorded acts again: where one names a record that an earlier one made, names follow.

Keys rise with time, so a run that reads once more, or waits, makes its records under other keys.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from episodes.tasks.acting import ActingSpace, Acts, Script
from sandlot.trajectory import StepRecord

CREATED: Final = 201


@dataclass(frozen=True, slots=True)
class Made:
    """A record that an act of a recorded run made: by which tool, and its key as text."""

    tool: str
    key: str


def made_in(steps: Iterable[StepRecord]) -> tuple[Made, ...]:
    """Return the records that a run's acts made, in order."""
    found = []
    for step in steps:
        key = key_made(step.observation)
        if key is not None:
            found.append(Made(step.act["tool"], key))
    return tuple(found)


def key_made(observation: Mapping[str, Any]) -> str | None:
    """Return the key of the record that an answer says was made, None if it says nothing such."""
    body = observation.get("body")
    if observation.get("status") != CREATED or not isinstance(body, Mapping):
        return None
    for record in (body, *body.values()):
        if isinstance(record, Mapping) and _is_key(record.get("id")):
            return str(record["id"])
    return None


def _is_key(value: Any) -> bool:
    """Tell whether an id is a number, or the text of one, as the tracker writes them."""
    return isinstance(value, int) or (isinstance(value, str) and value.isdecimal())


def acts_script(acts: Acts, made: Sequence[Made] = ()) -> Script:
    """Return the script that takes recorded acts again, whatever is answered.

    `made` are the records that the recorded run made: an act that names one of them names the one
    that the same tool made in its place.
    """

    def take(space: ActingSpace) -> None:
        waiting = list(made)
        names: dict[str, str] = {}
        for taken in acts:
            if space.done:
                return
            found = space.try_act(taken.tool, **renamed(dict(taken.arguments), names))
            key = key_made(found)
            same = next((entry for entry in waiting if entry.tool == taken.tool), None)
            if key is not None and same is not None:
                waiting.remove(same)
                names[same.key] = key

    return take


def renamed(value: Any, names: Mapping[str, str]) -> Any:
    """Return plain data with some keys, alone or within texts, replaced by others."""
    if not names or isinstance(value, bool):
        return value
    if isinstance(value, dict):
        return {key: renamed(held, names) for key, held in value.items()}
    if isinstance(value, list):
        return [renamed(held, names) for held in value]
    if isinstance(value, int):
        return int(names.get(str(value), value))
    if isinstance(value, str):
        return re.sub(r"\d+", lambda found: names.get(found.group(), found.group()), value)
    return value
