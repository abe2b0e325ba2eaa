"""Queues: the lists in which agents work."""

from __future__ import annotations

from clones.core.operations import Call
from clones.tracker.api.desk.parts import DESK, Json, PageQuery, desk_in
from clones.tracker.api.operations import Query, actor, flag, operation, show
from clones.tracker.api.paging import desk_page
from clones.tracker.api.presenters.desk.desks import present_queue
from clones.tracker.api.presenters.issues import present_issues
from clones.tracker.models import Queue, ServiceDesk
from clones.tracker.queries import searching
from clones.tracker.queries.desks import find_queue, queues_of, require_agent

QUEUE = f"{DESK}/queue/{{queueId}}"


class QueueQuery(Query):
    """Whether the requests of a queue are counted."""

    includeCount: str | None = None


class QueuesQuery(PageQuery):
    """Paging of a service desk's queues, and whether their requests are counted."""

    includeCount: str | None = None


@operation(
    "desk.getQueues",
    "GET",
    f"{DESK}/queue",
    summary="List the queues of a desk.",
    query=QueuesQuery,
)
def list_queues(call: Call) -> Json:
    """List a desk's queues."""
    desk = _worked(call)
    return desk_page(call, queues_of(desk), lambda found: [_shown(call, queue) for queue in found])


@operation("desk.getQueue", "GET", QUEUE, summary="Show a queue.", query=QueueQuery)
def show_queue(call: Call) -> Json:
    """Show a queue."""
    return _shown(call, _queue(call))


@operation(
    "desk.getIssuesInQueue",
    "GET",
    f"{QUEUE}/issue",
    summary="List the requests in a queue, with the fields that it shows.",
    query=PageQuery,
)
def list_issues(call: Call) -> Json:
    """List the requests in a queue."""
    queue = _queue(call)
    rows = searching.search(queue.jql, actor(call))
    fields = [column for column in queue.columns if column != "issuekey"]
    return desk_page(call, rows, lambda found: present_issues(found, fields, show(call)))


def _worked(call: Call) -> ServiceDesk:
    desk = desk_in(call)
    require_agent(actor(call), desk)
    return desk


def _queue(call: Call) -> Queue:
    return find_queue(_worked(call), call.path["queueId"])


def _shown(call: Call, queue: Queue) -> Json:
    count = None
    if flag(call.query.includeCount):
        # A query for each queue that is shown: desks have few, and each asks something else.
        count = searching.count(queue.jql, actor(call))
    return present_queue(queue, show(call), count)
