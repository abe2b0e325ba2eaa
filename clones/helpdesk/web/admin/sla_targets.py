"""The table of targets of a service-level policy: priorities across metrics, in hours and minutes.

`unit` is how many of a policy's own units make a minute: 1 where it counts minutes, 60 for seconds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from clones.core.digits import is_digits
from clones.core.web.inputs import Choice
from clones.helpdesk.domain.errors import RecordInvalid
from clones.helpdesk.models import PRIORITIES
from clones.helpdesk.web.labels import PRIORITY_LABELS

CALENDAR, BUSINESS, MIXED = "calendar", "business", "mixed"
HOURS = {CALENDAR: "Calendar hours", BUSINESS: "Business hours"}
LABELS = {
    "first_reply_time": "First reply time",
    "next_reply_time": "Next reply time",
    "periodic_update_time": "Periodic update",
    "pausable_update_time": "Pausable update",
    "requester_wait_time": "Requester wait time",
    "agent_work_time": "Agent work time",
    "total_resolution_time": "Total resolution time",
    "group_ownership_time": "Group ownership time",
}
LONGEST = 6

Target = Mapping[str, Any]
Values = dict[str, str]


@dataclass(frozen=True, slots=True)
class Cell:
    """A target: the names and texts of its two inputs."""

    label: str
    hours_name: str
    hours: str
    minutes_name: str
    minutes: str


@dataclass(frozen=True, slots=True)
class PriorityTargets:
    """A priority: its targets, and by which hours they count."""

    label: str
    cells: tuple[Cell, ...]
    counted_name: str
    counted: tuple[Choice, ...]


def values_of(targets: Sequence[Target], *, unit: int) -> Values:
    """Return what the table's inputs hold of a policy's targets."""
    found: Values = {}
    for priority in PRIORITIES:
        own = [item for item in targets if item["priority"] == priority]
        kinds = {bool(item.get("business_hours")) for item in own}
        counted = MIXED if len(kinds) > 1 else BUSINESS if True in kinds else CALENDAR
        found[f"counted-{priority}"] = counted
        for item in own:
            hours, minutes = divmod(-(-int(item["target"]) // unit), 60)
            found[_name(item, "hours")] = str(hours)
            found[_name(item, "minutes")] = str(minutes)
    return found


def _name(item: Target, part: str) -> str:
    return f"target-{item['priority']}-{item['metric']}-{part}"


def posted(post: Mapping[str, Any]) -> Values:
    """Return what was sent of the table."""
    names = [name for name in post if name.startswith(("target-", "counted-"))]
    return {name: post[name].strip() for name in names}


def targets_of(
    values: Values, before: Sequence[Target], metrics: Sequence[str], *, unit: int
) -> list[dict[str, Any]]:
    """Return the targets that the table says; those nobody touched stay as they were.

    Raises:
        RecordInvalid: a time is no number.
    """
    standing = values_of(before, unit=unit)
    order = [(str(item["priority"]), str(item["metric"])) for item in before]
    order += [(priority, metric) for priority in PRIORITIES for metric in metrics]
    kept = {(item["priority"], item["metric"]): item for item in before}
    found: list[dict[str, Any]] = []
    for priority, metric in dict.fromkeys(order):
        item = {"priority": priority, "metric": metric}
        minutes = _minutes(values, item)
        known = kept.get((priority, metric))
        if minutes is None:
            continue
        same = known is not None and minutes == _minutes(standing, item)
        counted = values.get(f"counted-{priority}", CALENDAR)
        business = counted == BUSINESS
        if counted == MIXED:
            business = bool(known and known.get("business_hours"))
        target = known["target"] if same and known is not None else minutes * unit
        found.append({**item, "target": target, "business_hours": business})
    return found


def _minutes(values: Values, item: Target) -> int | None:
    """Return a target in minutes, None where there is none."""
    texts = [values.get(_name(item, part), "") for part in ("hours", "minutes")]
    if not any(texts):
        return None
    if any(text and not (is_digits(text) and len(text) <= LONGEST) for text in texts):
        label = f"{PRIORITY_LABELS.get(item['priority'], '')} {LABELS.get(item['metric'], '')}"
        raise RecordInvalid.of(
            "policy_metrics", f"Policy metrics: {label.lower().strip()} is invalid", "InvalidValue"
        )
    hours, minutes = (int(text or 0) for text in texts)
    return hours * 60 + minutes


def table_of(values: Values, metrics: Sequence[str]) -> dict[str, Any]:
    """Return the table as the page draws it: headings and lines."""
    lines = []
    for priority in reversed(PRIORITIES):
        label = PRIORITY_LABELS[priority]
        cells = []
        for metric in metrics:
            item = {"priority": priority, "metric": metric}
            names = [_name(item, part) for part in ("hours", "minutes")]
            texts = [values.get(name, "") for name in names]
            cells.append(
                Cell(f"{label} {LABELS[metric].lower()}", names[0], texts[0], names[1], texts[1])
            )
        counted = values.get(f"counted-{priority}", CALENDAR)
        choices = {**HOURS, **({MIXED: "As set per metric"} if counted == MIXED else {})}
        lines.append(
            PriorityTargets(
                label,
                tuple(cells),
                f"counted-{priority}",
                tuple(Choice(key, text, key == counted) for key, text in choices.items()),
            )
        )
    return {"metrics": [LABELS[metric] for metric in metrics], "lines": lines}
