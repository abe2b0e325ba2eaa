"""Changing the components of a rule: each function works on copies and returns the new list."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any, Final, Literal

from clones.tracker.rules.automation.catalogue import kind_of
from clones.tracker.rules.automation.catalogue.asking import BLOCK, CONTAINER
from clones.tracker.rules.automation.documents import BadRule, Component, walk

Slot = Literal["children", "conditions"]
GONE: Final = "The component is not in this rule any more."


def fresh(type_name: str) -> Component:
    """Return a new component of a kind; an IF block begins with one branch.

    Raises:
        BadRule: there is no such kind.
    """
    kind = kind_of(type_name)
    if kind is None:
        raise BadRule(f"Unknown component type: {type_name[:100]}")
    return {
        "id": "",
        "component": kind.component,
        "type": kind.type,
        "schemaVersion": kind.schema_version,
        "value": copy.deepcopy(kind.value),
        "children": [fresh(BLOCK)] if kind.type == CONTAINER else [],
        "conditions": [],
    }


def find(components: Sequence[Component], id: str) -> Component:
    """Return the component with an id.

    Raises:
        BadRule: there is none.
    """
    found = next((one for one in walk(components) if one["id"] == id), None)
    if found is None:
        raise BadRule(GONE)
    return found


def added(
    components: Sequence[Component], new: Component, *, within: str = "", slot: Slot = "children"
) -> list[Component]:
    """Return the components with a new one at the end: of the rule, or of another component."""
    whole = copy.deepcopy(list(components))
    place = whole if not within else find(whole, within)[slot]
    place.append(new)
    return whole


def removed(components: Sequence[Component], id: str) -> list[Component]:
    """Return the components without one, and what lies within it."""
    whole = copy.deepcopy(list(components))
    found, place = _place(whole, id)
    found.pop(place)
    return whole


def moved(components: Sequence[Component], id: str, steps: int) -> list[Component]:
    """Return the components with one moved among its siblings, as far as there are such."""
    whole = copy.deepcopy(list(components))
    found, place = _place(whole, id)
    one = found.pop(place)
    found.insert(max(0, min(place + steps, len(found))), one)
    return whole


def duplicated(components: Sequence[Component], id: str) -> list[Component]:
    """Return the components with a copy of one after it."""
    whole = copy.deepcopy(list(components))
    found, place = _place(whole, id)
    twin = copy.deepcopy(found[place])
    for one in walk([twin]):
        one["id"] = ""
    found.insert(place + 1, twin)
    return whole


def with_value(components: Sequence[Component], id: str, value: Any) -> list[Component]:
    """Return the components with another value of one."""
    whole = copy.deepcopy(list(components))
    find(whole, id)["value"] = value
    return whole


def _place(whole: list[Component], id: str) -> tuple[list[Component], int]:
    """Return the list in which a component lies, and its place there."""
    lists = [whole]
    while lists:
        current = lists.pop()
        for place, one in enumerate(current):
            if one["id"] == id:
                return current, place
            lists += [one["children"], one["conditions"]]
    raise BadRule(GONE)
