"""Keeping a ticket's counters and moments."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from clones.core import clock, ids
from clones.helpdesk.models import Comment, Schedule, Ticket, TicketMetric
from clones.helpdesk.rules import schedules
from clones.helpdesk.rules.lifecycle import is_reopening

WAITS = {
    "new": "requester_wait_time",
    "open": "requester_wait_time",
    "hold": "on_hold_time",
    "pending": "agent_wait_time",
}


def new_metric(ticket: Ticket) -> TicketMetric:
    """Return the unsaved counters of a ticket being created."""
    now = clock.now()
    return TicketMetric(
        id=ids.next_stamp(TicketMetric),
        ticket=ticket,
        status_updated_at=now,
        custom_status_updated_at=now,
        requester_updated_at=now,
        created_at=now,
        updated_at=now,
    )


def metric_of(ticket: Ticket) -> TicketMetric:
    """Return a ticket's counters, new ones if it has none yet."""
    try:
        metric = ticket.metric
    except TicketMetric.DoesNotExist:
        metric = new_metric(ticket)
    metric.ticket = ticket
    return metric


def store(metric: TicketMetric) -> None:
    """Write a ticket's counters, new or known."""
    if metric._state.adding:
        metric.save(force_insert=True)
    else:
        metric.save()


def note_changes(
    metric: TicketMetric,
    before: Mapping[str, Any],
    after: Mapping[str, Any],
    *,
    comment: Comment | None,
) -> None:
    """Bring the counters up to one set of changes, in memory. `before` is empty on creation."""
    now = clock.now()
    ticket = metric.ticket
    if before.get("group_id") != after.get("group_id") and after.get("group_id") is not None:
        metric.group_stations += 1
    if before.get("assignee_id") != after.get("assignee_id"):
        metric.assignee_updated_at = now
        if after.get("assignee_id") is not None:
            metric.assignee_stations += 1
            metric.assigned_at = now
            metric.initially_assigned_at = metric.initially_assigned_at or now
    if before.get("custom_status_id") != after.get("custom_status_id"):
        metric.custom_status_updated_at = now
    if before.get("status") != after.get("status"):
        _note_status(metric, before.get("status"), str(after["status"]), now)
    if comment is not None:
        _note_comment(metric, ticket, comment, now, created=not before)
    metric.updated_at = now


def _note_status(metric: TicketMetric, before: str | None, after: str, now: datetime) -> None:
    since = metric.status_updated_at or now
    if before in WAITS:
        spans = [WAITS[before]]
        if before == "hold":
            spans.append("requester_wait_time")
        for name in spans:
            _add_minutes(metric, name, since, now)
    metric.status_updated_at = now
    if after == "solved":
        metric.solved_at = now
        if "first_resolution_time" not in metric.minutes:
            _add_minutes(metric, "first_resolution_time", metric.created_at, now)
        metric.minutes.pop("full_resolution_time", None)
        _add_minutes(metric, "full_resolution_time", metric.created_at, now)
    elif before is not None and is_reopening(before, after):
        metric.reopens += 1
        metric.solved_at = None


def _note_comment(
    metric: TicketMetric, ticket: Ticket, comment: Comment, now: datetime, *, created: bool
) -> None:
    metric.latest_comment_added_at = now
    author = comment.author
    if comment.author_id == ticket.requester_id or not author.is_agent:
        metric.requester_updated_at = now
    if author.is_agent and comment.public and not created:
        metric.replies += 1
        if metric.reply_time_in_seconds is None:
            metric.reply_time_in_seconds = int((now - metric.created_at).total_seconds())
            _add_minutes(metric, "reply_time", metric.created_at, now)
    if author.is_agent:
        metric.assignee_updated_at = metric.assignee_updated_at or now


def _add_minutes(metric: TicketMetric, name: str, since: datetime, until: datetime) -> None:
    so_far = metric.minutes.get(name) or {"calendar": 0, "business": 0}
    calendar = int((until - since).total_seconds()) // 60
    hours = hours_of(metric.ticket)
    business = calendar if hours is None else hours.seconds_between(since, until) // 60
    metric.minutes[name] = {
        "calendar": so_far["calendar"] + calendar,
        "business": so_far["business"] + business,
    }


def hours_of(ticket: Ticket) -> schedules.Hours | None:
    """Return the business hours that count for a ticket: its own, else the account's default.

    None when the account works round the clock.
    """
    key = ticket.schedule_id
    rows = Schedule.objects.filter(default=True) if key is None else Schedule.objects.filter(id=key)
    found = rows.order_by("id").first()
    if found is None:
        return None
    return schedules.Hours.parse(found.time_zone, found.intervals, found.holidays)
