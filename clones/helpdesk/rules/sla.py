"""SLA clocks: which run, pause and end, and when they are breached."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from clones.helpdesk.rules.schedules import Hours

METRICS = (
    "first_reply_time",
    "next_reply_time",
    "periodic_update_time",
    "pausable_update_time",
    "requester_wait_time",
    "agent_work_time",
    "total_resolution_time",
)
EVENT_NAMES = {
    "first_reply_time": "reply_time",
    "next_reply_time": "reply_time",
    "total_resolution_time": "resolution_time",
}
RUNNING = {
    "requester_wait_time": frozenset({"new", "open", "hold"}),
    "agent_work_time": frozenset({"new", "open"}),
    "total_resolution_time": frozenset({"new", "open", "pending", "hold"}),
    "periodic_update_time": frozenset({"new", "open", "pending", "hold"}),
    "pausable_update_time": frozenset({"new", "open", "hold"}),
}
DONE = frozenset({"solved", "closed"})

State = Literal["active", "paused", "fulfilled"]
Turn = Literal["activate", "pause", "resume", "fulfill"]


@dataclass(frozen=True, slots=True)
class Facts:
    """What bears on a ticket's clocks after an update.

    `answered` says that this update is a public agent comment, `asked` a public comment of the
    customer's side; `replied_before` that an agent had answered before; `waiting` that the
    customer's last public comment is unanswered.
    """

    status: str
    answered: bool
    asked: bool
    replied_before: bool
    waiting: bool


def turns(metric: str, state: State | None, facts: Facts) -> list[Turn]:
    """Return what a clock does at an update; `state` is None where none has run yet."""
    if metric in ("first_reply_time", "next_reply_time"):
        return _reply_turns(metric, state, facts)
    if metric in ("periodic_update_time", "pausable_update_time"):
        return _update_turns(metric, state, facts)
    return _status_turns(metric, state, facts)


def _reply_turns(metric: str, state: State | None, facts: Facts) -> list[Turn]:
    if state == "active":
        return ["fulfill"] if facts.answered or facts.status in DONE else []
    if facts.answered or facts.status in DONE or not facts.waiting:
        return []
    if metric == "first_reply_time":
        return ["activate"] if state is None and not facts.replied_before else []
    return ["activate"] if facts.replied_before else []


def _update_turns(metric: str, state: State | None, facts: Facts) -> list[Turn]:
    running = state in ("active", "paused")
    if facts.status in DONE:
        return ["fulfill"] if running else []
    found: list[Turn] = []
    if facts.answered:
        found += ["fulfill"] if running else []
        found += ["activate"]
        running, state = True, "active"
    if not running:
        return found
    return found + _follow_status(metric, state, facts.status)


def _status_turns(metric: str, state: State | None, facts: Facts) -> list[Turn]:
    running = state in ("active", "paused")
    if facts.status in DONE:
        return ["fulfill"] if running else []
    if not running:
        return ["activate", *_follow_status(metric, "active", facts.status)]
    return _follow_status(metric, state, facts.status)


def _follow_status(metric: str, state: State | None, status: str) -> list[Turn]:
    runs = status in RUNNING[metric]
    if state == "active" and not runs:
        return ["pause"]
    if state == "paused" and runs:
        return ["resume"]
    return []


def used_between(since: datetime, until: datetime, hours: Hours | None) -> int:
    """Return the seconds that count between two moments; `hours` is None for calendar time."""
    if hours is not None:
        return hours.seconds_between(since, until)
    return max(0, int((until - since).total_seconds()))


def breach_moment(
    running_since: datetime, used: int, target_minutes: int, hours: Hours | None
) -> datetime | None:
    """Return when a running clock reaches its target; None when business hours never come."""
    left = target_minutes * 60 - used
    if hours is None or left <= 0:
        return running_since + timedelta(seconds=left)
    return hours.add(running_since, left)
