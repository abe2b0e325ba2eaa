"""Long tasks: how far they are, and an end to them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any, Final

from clones.core import clock
from clones.core.digits import whole_number
from clones.core.operations import Call, Reply
from clones.tracker.api.operations import actor, operation, show
from clones.tracker.api.presenters.context import Show
from clones.tracker.domain.errors import Forbidden, NotFound
from clones.tracker.domain.tasks import cancel_task
from clones.tracker.models import Task
from clones.tracker.queries.rights import Rights

PATH: Final = "/rest/api/3/task/{id}"
EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
GONE: Final = "The task does not exist."
NOT_YOURS: Final = "You do not have permission to view this task."


@operation("getTask", "GET", PATH, summary="Show how far a long task is.")
def show_task(call: Call) -> dict[str, Any]:
    """Show a task to who began it, and to admins."""
    task = find_task(call.path["id"], actor(call))
    return present_task(task, show(call))


@operation("cancelTask", "POST", PATH + "/cancel", summary="Cancel a long task.", status=202)
def cancel(call: Call) -> Reply:
    """Cancel a task that has not ended."""
    try:
        task = find_task(call.path["id"], actor(call))
    except (NotFound, Forbidden) as error:
        return Reply(list(error.messages), error.status)
    if task.status not in ("ENQUEUED", "RUNNING"):
        return Reply([f"The task cannot be cancelled: its status is {task.status}."], 400)
    cancel_task(task)
    return Reply(None, 202)


def find_task(id: str, rights: Rights) -> Task:
    """Return a task that somebody may look at.

    Raises:
        Forbidden: they neither began it nor are an admin.
        NotFound: there is none.
    """
    is_id = whole_number(id) is not None
    rows = Task.objects.select_related("submitted_by")
    found = rows.filter(id=int(id)).first() if is_id else None
    if found is None:
        raise NotFound(GONE)
    if not rights.is_admin and (rights.user is None or found.submitted_by_id != rights.user.id):
        raise Forbidden(NOT_YOURS)
    return found


def present_task(task: Task, show: Show) -> dict[str, Any]:
    """Return a task as JSON: times are milliseconds since 1970."""
    end = task.finished or clock.now()
    begin = task.started
    found: dict[str, Any] = {"self": show.url(f"task/{task.id}"), "id": str(task.id)}
    if task.description:
        found["description"] = task.description
    found["status"] = task.status
    if task.message:
        found["message"] = task.message
    if task.result is not None:
        found["result"] = task.result
    found |= {
        "submittedBy": task.submitted_by_id,
        "progress": task.progress,
        "elapsedRuntime": 0
        if begin is None
        else max(0, (end - begin) // timedelta(milliseconds=1)),
        "submitted": milliseconds(task.submitted),
    }
    if begin is not None:
        found["started"] = milliseconds(begin)
    if task.finished is not None:
        found["finished"] = milliseconds(task.finished)
    return found | {"lastUpdate": milliseconds(task.last_update)}


def milliseconds(moment: datetime) -> int:
    """Return a time as milliseconds since 1970."""
    return (moment - EPOCH) // timedelta(milliseconds=1)
