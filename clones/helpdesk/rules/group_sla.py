"""How long groups own tickets: which policies fit, and when the clock runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from clones.helpdesk.rules.conditions import Condition, Situation, holds
from clones.helpdesk.rules.sla import DONE, Turn

METRIC = "group_ownership_time"
# The vendor's definitions call the field group_id, its examples call it by the metric.
GROUP_FIELDS = frozenset({"group_id", METRIC})
OPERATORS = ("includes", "not_includes")


def fits(conditions: Mapping[str, Sequence[Condition]], situation: Situation) -> bool:
    """Tell whether all conditions of a filter hold."""
    return all(_holds(item, situation) for item in conditions.get("all", ()))


def _holds(item: Condition, situation: Situation) -> bool:
    if item["field"] not in GROUP_FIELDS:
        return holds(item, situation)
    value: Any = item.get("value")
    named = {str(one) for one in value} if isinstance(value, list) else {str(value)}
    return (str(situation.values.get("group_id")) in named) is (item["operator"] == "includes")


def turns(*, running: bool, group: int | None, moved: bool, status: str) -> list[Turn]:
    """Return what the clock does at an update: `moved` says that the group is a new one."""
    owned = group is not None and status not in DONE
    found: list[Turn] = []
    if running and (moved or not owned):
        found.append("fulfill")
        running = False
    if owned and not running:
        found.append("activate")
    return found
