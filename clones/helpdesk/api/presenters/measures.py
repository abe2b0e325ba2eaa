"""Metrics, SLA clocks, ratings, uploads and job statuses as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from clones.helpdesk.api.presenters.context import Show, when
from clones.helpdesk.api.presenters.tickets import present_attachment
from clones.helpdesk.domain import bulk
from clones.helpdesk.models import (
    Attachment,
    JobStatus,
    MetricEvent,
    SatisfactionRating,
    SlaClock,
    TicketMetric,
    Upload,
)

STAGES = {"active": "active", "paused": "paused", "fulfilled": "achieved"}
MINUTES = (
    "reply_time",
    "first_resolution_time",
    "full_resolution_time",
    "agent_wait_time",
    "requester_wait_time",
    "on_hold_time",
)


def present_metric(metric: TicketMetric, show: Show) -> dict[str, Any]:
    """Return a ticket's counters as JSON."""
    show.note(metric)
    found: dict[str, Any] = {
        "url": show.url(f"ticket_metrics/{metric.id}"),
        "id": metric.id,
        "ticket_id": metric.ticket_id,
        "created_at": when(metric.created_at),
        "updated_at": when(metric.updated_at),
        "group_stations": metric.group_stations,
        "assignee_stations": metric.assignee_stations,
        "reopens": metric.reopens,
        "replies": metric.replies,
        "assignee_updated_at": when(metric.assignee_updated_at),
        "requester_updated_at": when(metric.requester_updated_at),
        "status_updated_at": when(metric.status_updated_at),
        "initially_assigned_at": when(metric.initially_assigned_at),
        "assigned_at": when(metric.assigned_at),
        "solved_at": when(metric.solved_at),
        "latest_comment_added_at": when(metric.latest_comment_added_at),
        "custom_status_updated_at": when(metric.custom_status_updated_at),
    }
    for name in MINUTES:
        found[f"{name}_in_minutes"] = metric.minutes.get(name, {"calendar": None, "business": None})
    found["reply_time_in_seconds"] = {"calendar": metric.reply_time_in_seconds}
    return found


def present_metric_event(event: MetricEvent, show: Show) -> dict[str, Any]:
    """Return a turn of an SLA clock as JSON."""
    show.note(event)
    return {
        "id": event.id,
        "ticket_id": event.ticket_id,
        "metric": event.metric,
        "instance_id": event.instance_id,
        "type": event.type,
        "time": when(event.time),
        **event.body,
    }


def present_sla(clocks: Sequence[SlaClock], now: datetime, show: Show) -> dict[str, Any]:
    """Return the targets of one ticket as JSON: when each is breached, and how far off that is."""
    latest = {item.metric: item for item in clocks}
    found = []
    for item in latest.values():
        show.note(item)
        entry: dict[str, Any] = {
            "breach_at": when(item.breach_at),
            "stage": STAGES[item.state],
            "metric": item.metric,
        }
        if item.breach_at is not None and item.state != "fulfilled":
            entry.update(_away(item.breach_at, now))
        found.append(entry)
    return {"policy_metrics": found}


def _away(moment: datetime, now: datetime) -> dict[str, int]:
    """Return the time to a moment in the largest whole unit, negative when it has passed."""
    seconds = int((moment - now).total_seconds())
    for unit, length in (("days", 86_400), ("hours", 3600)):
        if abs(seconds) >= length:
            return {unit: int(seconds / length)}
    return {"minutes": int(seconds / 60)}


def present_rating(rating: SatisfactionRating, show: Show) -> dict[str, Any]:
    """Return a satisfaction rating as JSON."""
    show.note(rating)
    return {
        "url": show.url(f"satisfaction_ratings/{rating.id}"),
        "id": rating.id,
        "assignee_id": rating.assignee_id,
        "group_id": rating.group_id,
        "requester_id": rating.requester_id,
        "ticket_id": rating.ticket_id,
        "score": rating.score,
        "created_at": when(rating.created_at),
        "updated_at": when(rating.updated_at),
        "comment": rating.comment,
        "reason": rating.reason,
        "reason_id": None,
        "reason_code": rating.reason_code,
    }


def present_upload(upload: Upload, attachments: Sequence[Attachment], show: Show) -> dict[str, Any]:
    """Return an upload as JSON: its token, its files, and the last of them."""
    files = [present_attachment(item, show) for item in attachments]
    return {
        "token": upload.token,
        "expires_at": when(upload.expires_at),
        "attachments": files,
        "attachment": files[-1] if files else None,
    }


def present_job(job: JobStatus, show: Show) -> dict[str, Any]:
    """Return a bulk change's state as JSON."""
    show.note(job)
    return {
        "id": job.id,
        "job_type": bulk.type_of(job),
        "url": show.url(f"job_statuses/{job.id}"),
        "total": job.total,
        "progress": job.progress,
        "status": job.status,
        "message": job.message,
        "results": job.results,
    }
