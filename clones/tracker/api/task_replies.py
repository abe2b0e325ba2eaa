"""Answers that send the caller to a task which goes on."""

from __future__ import annotations

from typing import Any

from clones.core.operations import Call, Reply
from clones.tracker.api.operations import show
from clones.tracker.api.presenters.context import Show
from clones.tracker.api.tasks import present_task
from clones.tracker.models import Task


def task_reply(call: Call, task: Task) -> Reply:
    """Return the answer that tells where a task can be followed: 303 with its address."""
    reading = show(call)
    where = {"Location": reading.url(f"task/{task.id}")}
    return Reply(present_task(task, reading), status=303, headers=where)


def task_progress(task: Task, show: Show) -> dict[str, Any]:
    """Return how far a task is that has just begun: it has no result yet."""
    found = present_task(task, show)
    found.pop("result", None)
    return found
