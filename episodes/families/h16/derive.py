"""The facts of H16 a second time: plain loops over whole tables, and nothing of `arrange`."""

from __future__ import annotations

from datetime import datetime
from itertools import pairwise
from typing import Any, Final

from clones.helpdesk.models import Comment, Group, Organization, SlaPolicy, Ticket

PRIORITIES: Final = ("urgent", "high", "normal", "low")
STOPS: Final = str.maketrans(",.;", "   ")
METRICS: Final = ("first reply", "next reply", "requester wait", "agent work", "total resolution")


def derive(goal: str) -> dict[str, Any]:
    """Return the facts of the instance whose goal this is. The sandbox is bound for reading.

    Raises:
        LookupError: the rows do not show what the goal speaks of.
    """
    firm = _firm(goal)
    ticket = _newest_agreement(firm)
    said = [comment for comment in _rows(Comment) if comment.ticket_id == ticket.id]
    text, note = said[0].body, said[1].body
    covers = next(part for part in text.split("\n\n") if "overs " in part or "overed " in part)
    return {
        "ticket": ticket.id,
        "said": [comment.id for comment in said],
        "firms": _firms(firm, covers),
        "type": _after(covers, "of the type ").split(" ")[0].lower().strip(",.") or None,
        "group": _group(covers),
        "place": "after"
        if "still goes before it" in text or "counts before it" in text
        else "first",
        "targets": _targets(text, note),
        "standing": _standing(),
        "obligations": [],
    }


def _rows(model: Any) -> list[Any]:
    rows = list(model.objects.all())
    rows.sort(key=lambda row: row.pk)
    return rows


def _firm(goal: str) -> Organization:
    held: list[Organization] = [firm for firm in _rows(Organization) if firm.name in goal]
    if not held:
        raise LookupError("the goal names no firm")
    return max(held, key=lambda firm: len(firm.name))


def _newest_agreement(firm: Organization) -> Ticket:
    """Return the firm's agreement that was signed last."""
    found: tuple[datetime, Ticket] | None = None
    for ticket in _rows(Ticket):
        if f"Kestrel Laser Works with {firm.name}." not in ticket.description:
            continue
        words = _after(ticket.description, "igned on ").translate(STOPS).split()
        signed = datetime.strptime(" ".join(words[:3]) + " +0000", "%d %B %Y %z")
        if found is None or signed > found[0]:
            found = (signed, ticket)
    if found is None:
        raise LookupError("the firm has no agreement")
    return found[1]


def _after(text: str, word: str) -> str:
    return text.partition(word)[2]


def _firms(firm: Organization, covers: str) -> list[int]:
    others = [
        one.id
        for one in _rows(Organization)
        if one.id != firm.id and f" and of {one.name}." in covers
    ]
    return [firm.id, *others]


def _group(covers: str) -> int | None:
    rest = _after(covers, "the group ")
    named = [group for group in _rows(Group) if rest.startswith(group.name)]
    return int(max(named, key=lambda group: len(group.name)).id) if named else None


def _targets(text: str, note: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for line in text.splitlines():
        priority = line.removeprefix("- ").partition(":")[0].lower()
        if not line.startswith("- ") or priority not in PRIORITIES:
            continue
        found[priority] = {}
        for part in line.partition(": ")[2].split(", "):
            metric = next(name for name in METRICS if part.startswith(name))
            found[priority][_column(metric)] = [_minutes(part), _business(text, priority)]
    for priority, own in found.items():
        for metric in METRICS:
            opening = f"{priority.capitalize()}, {metric} time, is "
            if opening in note:
                own[_column(metric)][0] = _minutes(_after(note, opening).split(" and not")[0])
    return found


def _column(metric: str) -> str:
    return metric.replace(" ", "_") + "_time"


def _business(text: str, priority: str) -> bool:
    """Tell whether a priority's times count in business hours."""
    if "else in business hours" in text or "other times count in business hours" in text:
        return priority in ("normal", "low")
    return "business hours" in text


def _minutes(text: str) -> int:
    total, words = 0, text.replace(".", " ").split()
    for number, unit in pairwise(words):
        if number.isdigit() and unit.startswith("hour"):
            total += 60 * int(number)
        elif number.isdigit() and unit.startswith("minute"):
            total += int(number)
    return total


def _standing() -> list[dict[str, Any]]:
    found = []
    policies = list(SlaPolicy.objects.all())
    policies.sort(key=lambda policy: (policy.position, policy.id))
    for policy in policies:
        entry: dict[str, Any] = {"id": policy.id, "tag": None, "targets": {}}
        for condition in policy.filter["all"]:
            if condition["field"] == "current_tags":
                entry["tag"] = condition["value"]
        for item in policy.policy_metrics:
            own = entry["targets"].setdefault(item["priority"], {})
            own[item["metric"]] = [item["target"], item["business_hours"]]
        found.append(entry)
    return found
