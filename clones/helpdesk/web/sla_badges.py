"""How far off the next breach of a ticket's SLA is, as the badge that agents see."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from clones.core import clock, sightings
from clones.helpdesk.models import SlaClock
from clones.helpdesk.web.times import Times

METRIC_LABELS = {
    "first_reply_time": "First reply time",
    "next_reply_time": "Next reply time",
    "periodic_update_time": "Periodic update",
    "pausable_update_time": "Pausable update",
    "requester_wait_time": "Requester wait time",
    "agent_work_time": "Agent work time",
    "total_resolution_time": "Total resolution time",
}
UNITS = (("d", 86_400), ("h", 3600))


@dataclass(frozen=True, slots=True)
class SlaBadge:
    """The badge of the target that is breached next.

    `key` is active, breached or paused, for its colour; `title` says which target it is.
    """

    key: str
    text: str
    title: str


def sla_badges(keys: Iterable[int], times: Times) -> dict[int, SlaBadge]:
    """Return the badges of tickets; those without a running or paused target have none."""
    rows = SlaClock.objects.filter(
        ticket_id__in=list(keys), target_minutes__isnull=False, state__in=("active", "paused")
    )
    clocks: dict[int, list[SlaClock]] = {}
    for row in rows.order_by("ticket_id", "metric", "instance"):
        clocks.setdefault(row.ticket_id, []).append(row)
    now = clock.now()
    return {key: _badge(found, now, times) for key, found in clocks.items()}


def _badge(clocks: list[SlaClock], now: datetime, times: Times) -> SlaBadge:
    running = [item for item in clocks if item.state == "active" and item.breach_at is not None]
    if not running:
        sightings.note(clocks[0], "list")
        return SlaBadge("paused", "Paused", f"{_label(clocks[0])}: paused")
    first = min(running, key=lambda item: (item.breach_at or now, item.id))
    sightings.note(first, "list")
    due = first.breach_at or now
    word = "breached" if due <= now else "due"
    title = f"{_label(first)}: {word} {times.show(due).full}"
    return SlaBadge("breached" if due <= now else "active", distance(due, now), title)


def _label(item: SlaClock) -> str:
    return METRIC_LABELS.get(item.metric, item.metric)


def distance(moment: datetime, now: datetime) -> str:
    """Return how far off a moment is in its largest unit, negative when it has passed."""
    seconds = int((moment - now).total_seconds())
    sign = "-" if seconds < 0 else ""
    for unit, length in UNITS:
        if abs(seconds) >= length:
            return f"{sign}{abs(seconds) // length}{unit}"
    minutes = abs(seconds) // 60
    return f"{sign}{minutes}m" if minutes else "Now"
