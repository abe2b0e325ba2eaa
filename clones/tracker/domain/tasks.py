"""Long tasks: begun by a request, carried out by a job as soon as the clock runs what is due."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from clones.core import clock
from clones.core.long_jobs import LongJobs
from clones.tracker.domain.errors import NotFound, TrackerError
from clones.tracker.domain.numbering import next_id
from clones.tracker.models import Task
from clones.tracker.queries.rights import Rights

Carrier = Callable[[Task, Rights], Any]
_TASKS: Final[LongJobs[Carrier, int]] = LongJobs(
    "tracker.task", name="task", longest=Task._meta.get_field("kind").max_length or 0
)


def carries_out(kind: str) -> Callable[[Carrier], Carrier]:
    """Register what carries out a kind of tasks: it gets the task and its submitter's rights.

    What it returns is the task's result. A `TrackerError` of it fails the task, not the job.

    Raises:
        ValueError: the kind is taken, or too long for its column.
    """
    return _TASKS.does(kind)


def start_task(kind: str, payload: dict[str, Any], *, actor: Rights, description: str = "") -> Task:
    """Begin a task.

    Raises:
        KeyError: nothing carries out this kind.
    """
    _TASKS.worker(kind)
    if actor.user is None:
        raise NotFound("A task needs somebody who begins it.")
    now = clock.now()
    task = Task.objects.create(
        id=next_id(Task),
        kind=kind,
        description=description,
        payload=payload,
        submitted_by=actor.user,
        submitted=now,
        last_update=now,
    )
    _TASKS.set_off(task.id)
    return task


def cancel_task(task: Task) -> None:
    """Cancel a task that has not begun; one that is done stays as it is."""
    if _TASKS.call_off(task.id):
        task.status = "CANCELLED"
        task.finished = task.last_update = clock.now()
        task.save()


@_TASKS.runs
def _run(key: int) -> None:
    task = Task.objects.select_related("submitted_by").filter(id=key).first()
    if task is None or task.status != "ENQUEUED":
        return
    task.status, task.started = "RUNNING", clock.now()
    try:
        task.result = _TASKS.worker(task.kind)(task, Rights(task.submitted_by))
        task.status = "COMPLETE"
    except TrackerError as error:
        task.status, task.message = "FAILED", str(error)
    task.progress = 100
    task.finished = task.last_update = clock.now()
    task.save()
