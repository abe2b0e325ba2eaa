"""What differs between two revisions of a trigger, in the vendor's form: lists of changes.

A change is {"change": "-", "+" or "=", "content": value}. What did not change at all is an empty
list; of conditions and actions that changed, those that stayed are told, too.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from typing import Any

Snapshot = Mapping[str, Any]
Change = dict[str, Any]
CONDITION = ("field", "operator", "value")
ACTION = ("field", "value")


def diff_of(source: Snapshot, target: Snapshot) -> dict[str, Any]:
    """Return what of `source` became what of `target`."""
    conditions = {
        name: _items(_conditions(source, name), _conditions(target, name), CONDITION)
        for name in ("all", "any")
    }
    return {
        "title": _changes(source["title"], target["title"]),
        "description": _changes(source["description"], target["description"]),
        "active": _changes(source["active"], target["active"]),
        "conditions": {name: found for name, found in conditions.items() if found},
        "actions": _items(source["actions"], target["actions"], ACTION),
    }


def _conditions(snapshot: Snapshot, name: str) -> Sequence[Mapping[str, Any]]:
    found: Sequence[Mapping[str, Any]] = snapshot["conditions"].get(name) or []
    return found


def _changes(old: Any, new: Any) -> list[Change]:
    return [] if old == new else [_change("-", old), _change("+", new)]


def _change(sign: str, content: Any) -> Change:
    return {"change": sign, "content": content}


def _items(
    old: Sequence[Mapping[str, Any]], new: Sequence[Mapping[str, Any]], names: Sequence[str]
) -> list[dict[str, list[Change]]]:
    """Return the changes of a list of conditions or actions, in order."""
    if list(old) == list(new):
        return []
    found = []
    matcher = SequenceMatcher(None, [_key(item) for item in old], [_key(item) for item in new])
    for tag, old_from, old_to, new_from, new_to in matcher.get_opcodes():
        gone, come = old[old_from:old_to], new[new_from:new_to]
        if tag == "equal":
            found += [_signed(item, "=", names) for item in gone]
            continue
        paired = min(len(gone), len(come))
        found += [_paired(a, b, names) for a, b in zip(gone, come, strict=False)]
        found += [_signed(item, "-", names) for item in gone[paired:]]
        found += [_signed(item, "+", names) for item in come[paired:]]
    return found


def _key(item: Mapping[str, Any]) -> str:
    return json.dumps(item, sort_keys=True)


def _signed(item: Mapping[str, Any], sign: str, names: Sequence[str]) -> dict[str, list[Change]]:
    return {name: [_change(sign, item.get(name))] for name in names}


def _paired(
    old: Mapping[str, Any], new: Mapping[str, Any], names: Sequence[str]
) -> dict[str, list[Change]]:
    return {
        name: _changes(old.get(name), new.get(name)) or [_change("=", new.get(name))]
        for name in names
    }
