"""What a version holds: work items drawn so that every rule of its notes is needed.

A draft is {"role", "type", "priority", "labels", "component", "state", "resolution", "due",
"reverts"}: `role` is in, internal, embargo, reverted, revert, refused or left; `state` is done,
doing or todo; `component` the place of one among the space's, None for none; `due` days from the
release, None for none; `reverts` the place of the draft that it takes back.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, Final

from episodes.families.t06.params import Params

TYPES: Final = ("Story", "Bug", "Task")
PRIORITIES: Final = ("Lowest", "Low", "Medium", "High", "Highest")
HIGH: Final = ("High", "Highest")
LOW: Final = ("Low", "Lowest")
INTERNAL: Final = "internal"
SECURITY: Final = "security"
ASKED: Final = "customer-reported"
OTHER_LABELS: Final = ("performance", "ux", "docs", "regression")
OTHER: Final = "Other"

Draft = dict[str, Any]


def draw(params: Params, components: int, chance: Random) -> list[Draft]:
    """Return the drafts of a version, 12 to 25 of them, in random order."""
    found = [_member(params, components, chance, place) for place in range(chance.randrange(7, 13))]
    for leaving in params.leaves:
        found += _left_out(leaving, components, chance)
    found.append({**_plain(components, chance), "role": "refused", "resolution": "Won't Do"})
    found += _leftovers(params, components, chance)
    for place, draft in enumerate(found):
        if draft["reverts"] is not None:
            draft["reverts"] = place - 1
    order = list(range(len(found)))
    chance.shuffle(order)
    places = {old: new for new, old in enumerate(order)}
    drafts = [found[old] for old in order]
    for draft in drafts:
        if draft["reverts"] is not None:
            draft["reverts"] = places[draft["reverts"]]
    return drafts


def _plain(components: int, chance: Random) -> Draft:
    labels = [label for label in OTHER_LABELS if chance.random() < 0.2]
    return {
        "role": "in",
        "type": chance.choice(TYPES),
        "priority": chance.choice(PRIORITIES),
        "labels": labels,
        "component": chance.randrange(components) if components and chance.random() < 0.8 else None,
        "state": "done",
        "resolution": "Done",
        "due": None,
        "reverts": None,
    }


def _member(params: Params, components: int, chance: Random, place: int) -> Draft:
    """Return what belongs in the notes; the first few see to it that each heading has something."""
    draft = _plain(components, chance)
    if place < len(TYPES):
        draft["type"] = TYPES[place]
        draft["priority"] = ("Highest", "Medium", "Low")[place]
        draft["component"] = None if place == 0 or not components else place % components
    if params.scheme == "asked" and (place == 0 or (place > 2 and chance.random() < 0.3)):
        draft["labels"].append(ASKED)
    if "embargo" in params.leaves and place in (1, 4):
        # What may be talked about by then goes in like the rest.
        draft["labels"].append(SECURITY)
        draft["due"] = (0, -chance.randrange(1, 20))[place == 4]
    return draft


def _left_out(leaving: str, components: int, chance: Random) -> list[Draft]:
    found = []
    for _ in range(chance.randrange(1, 3)):
        draft = {**_plain(components, chance), "role": leaving}
        if leaving == "internal":
            draft["labels"].append(INTERNAL)
        elif leaving == "embargo":
            draft["labels"].append(SECURITY)
            draft["due"] = chance.randrange(1, 40)
        found.append(draft)
        if leaving == "reverted":
            taker = {**_plain(components, chance), "role": "revert", "type": "Task"}
            # `draw` makes the place of the one before of it.
            found.append({**taker, "labels": [], "reverts": -1})
    return found


def _leftovers(params: Params, components: int, chance: Random) -> list[Draft]:
    """Return what is not done: some for each way that the rule has."""
    found = []
    for place in range(chance.randrange(2, 5)):
        draft = {**_plain(components, chance), "role": "left", "resolution": None}
        first = place == 0
        draft["state"] = chance.choice(("doing", "todo"))
        if params.rest == "split_type":
            draft["type"] = "Bug" if first else chance.choice(("Story", "Task"))
        elif params.rest == "drop_low":
            draft["priority"] = chance.choice(LOW if first else ("Medium", *HIGH))
        elif params.rest == "drop_todo":
            draft["state"] = "todo" if first else "doing"
        elif params.rest == "split_priority":
            draft["priority"] = chance.choice(HIGH if first else ("Medium", *LOW))
        found.append(draft)
    return found


def heading_of(scheme: str, draft: Mapping[str, Any], components: Sequence[str]) -> str:
    """Return the heading under which a draft belongs."""
    if scheme == "three":
        return {"Story": "New", "Bug": "Fixed", "Task": "Changed"}[draft["type"]]
    if scheme == "two":
        return "Bug fixes" if draft["type"] == "Bug" else "Improvements"
    if scheme == "priority":
        return "Highlights" if draft["priority"] in HIGH else "Also in this release"
    if scheme == "asked" and ASKED in draft["labels"]:
        return "You asked for it"
    if scheme == "asked":
        return "Fixed" if draft["type"] == "Bug" else "New"
    return OTHER if draft["component"] is None else components[draft["component"]]


def target_of(rest: str, draft: Mapping[str, Any]) -> str:
    """Return where a leftover goes: next, patch, or "" for no version."""
    if rest == "split_type":
        return "patch" if draft["type"] == "Bug" else "next"
    if rest == "split_priority":
        return "patch" if draft["priority"] in HIGH else "next"
    if rest == "drop_low":
        return "" if draft["priority"] in LOW else "next"
    if rest == "drop_todo":
        return "" if draft["state"] == "todo" else "next"
    return "next"
