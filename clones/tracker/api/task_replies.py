"""Answers that send the caller to a task which goes on."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from clones.core import clock
from clones.core.operations import Call, Reply
from clones.tracker.api.operations import show
from clones.tracker.api.presenters.context import Show
from clones.tracker.models import Task


def task_reply(call: Call, task: Task) -> Reply:
    """Return the answer that tells where a task can be followed: 303 with its address."""
    reading = show(call)
    where = {"Location": reading.url(f"task/{task.id}")}
    return Reply(task_progress(task, reading), status=303, headers=where)


def task_progress(task: Task, show: Show) -> dict[str, Any]:
    """Return how far a task is; times are milliseconds since 1970, without its result."""
    begun = task.started or task.submitted
    ended = task.finished or clock.now()
    found: dict[str, Any] = {
        "self": show.url(f"task/{task.id}"),
        "id": str(task.id),
        "description": task.description,
        "status": task.status,
        "submittedBy": task.submitted_by_id,
        "progress": task.progress,
        "elapsedRuntime": max(0, _millis(ended) - _millis(begun)),
        "submitted": _millis(task.submitted),
        "lastUpdate": _millis(task.last_update),
    }
    if task.message:
        found["message"] = task.message
    if task.started is not None:
        found["started"] = _millis(task.started)
    if task.finished is not None:
        found["finished"] = _millis(task.finished)
    return found


def _millis(moment: datetime) -> int:
    return int(moment.timestamp() * 1000)
