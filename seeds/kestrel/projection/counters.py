"""A ticket's metric row, kept while its story is replayed as `domain.metrics` keeps it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from clones.helpdesk.domain.metrics import WAITS
from clones.helpdesk.rules.lifecycle import is_reopening
from clones.helpdesk.rules.schedules import Hours

COUNTED = ("reopens", "replies", "assignee_stations", "group_stations")


class Counters:
    """The counters and moments of one ticket."""

    def __init__(self, number: int, created: datetime, hours: Hours) -> None:
        self.created, self.hours = created, hours
        self.row: dict[str, Any] = {
            "ticket_id": number,
            "status_updated_at": created,
            "custom_status_updated_at": created,
            "requester_updated_at": created,
            "created_at": created,
            "minutes": {},
            **dict.fromkeys(COUNTED, 0),
        }

    def for_rules(self) -> dict[str, int]:
        """Return the counters under the names that conditions use."""
        row = self.row
        return {
            "reopens": row["reopens"],
            "replies": row["replies"],
            "agent_stations": row["assignee_stations"],
            "group_stations": row["group_stations"],
        }

    def note(self, before: Mapping[str, Any], after: Mapping[str, Any], at: datetime) -> None:
        """Count one set of changes; `before` is empty on creation."""
        row = self.row
        if before.get("group_id") != after["group_id"] and after["group_id"] is not None:
            row["group_stations"] += 1
        if before.get("assignee_id") != after["assignee_id"]:
            row["assignee_updated_at"] = at
            if after["assignee_id"] is not None:
                row["assignee_stations"] += 1
                row["assigned_at"] = at
                row.setdefault("initially_assigned_at", at)
        if before.get("custom_status_id") != after["custom_status_id"]:
            row["custom_status_updated_at"] = at
        if before.get("status") != after["status"]:
            self._status(before.get("status"), after["status"], at)
        row["updated_at"] = at

    def note_comment(
        self, at: datetime, *, by_agent: bool, by_requester: bool, public: bool, created: bool
    ) -> None:
        """Count one comment."""
        row = self.row
        row["latest_comment_added_at"] = at
        if by_requester or not by_agent:
            row["requester_updated_at"] = at
        if by_agent and public and not created:
            row["replies"] += 1
            if "reply_time_in_seconds" not in row:
                row["reply_time_in_seconds"] = int((at - self.created).total_seconds())
                self._add("reply_time", self.created, at)
        if by_agent:
            row.setdefault("assignee_updated_at", at)

    def _status(self, before: str | None, after: str, at: datetime) -> None:
        row = self.row
        since = row["status_updated_at"]
        if before in WAITS:
            self._add(WAITS[before], since, at)
        if before == "hold":
            self._add("requester_wait_time", since, at)
        row["status_updated_at"] = at
        if after == "solved":
            row["solved_at"] = at
            minutes = row["minutes"]
            minutes.pop("full_resolution_time", None)
            if "first_resolution_time" not in minutes:
                self._add("first_resolution_time", self.created, at)
                minutes["full_resolution_time"] = dict(minutes["first_resolution_time"])
            else:
                self._add("full_resolution_time", self.created, at)
        elif before is not None and is_reopening(before, after):
            row["reopens"] += 1
            row["solved_at"] = None

    def _add(self, name: str, since: datetime, until: datetime) -> None:
        """Add a span to one of the ticket's times, as minutes of the calendar and of the desk."""
        so_far = self.row["minutes"].get(name) or {"calendar": 0, "business": 0}
        self.row["minutes"][name] = {
            "calendar": so_far["calendar"] + int((until - since).total_seconds()) // 60,
            "business": so_far["business"] + self.hours.seconds_between(since, until) // 60,
        }
