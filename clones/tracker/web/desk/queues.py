"""The page of a queue: a desk's queues with their counts, and the requests of one of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect

from clones.core import sightings
from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.paging import BY_PLACE, Page, query_without, start_of
from clones.tracker.domain.queues import KIND
from clones.tracker.models import Favourite, Issue, Queue, ServiceDesk
from clones.tracker.queries.desks import find_queue, is_agent, queues_of
from clones.tracker.queries.rights import Rights
from clones.tracker.queries.searching import planned_search, site_of
from clones.tracker.queries.slas import metrics_of
from clones.tracker.rules.jql import JqlError
from clones.tracker.web.access import Visitor
from clones.tracker.web.desk.access import desk_address, desk_page, page_of_desk
from clones.tracker.web.desk.cells import DeskCells, desk_columns, named_columns
from clones.tracker.web.navigator.basic import sorted_by
from clones.tracker.web.navigator.cells import IssueCell
from clones.tracker.web.navigator.columns import IssueColumn, column_heads

WAYS: Final = {"asc": False, "desc": True}


@dataclass(frozen=True, slots=True)
class QueueItem:
    """A queue in the list: how many requests are in it (None: its query cannot be run)."""

    queue: Queue
    address: str
    count: int | None
    current: bool
    starred: bool


@dataclass(frozen=True, slots=True)
class QueueResult:
    """What is in a queue: one page of it, or why its query cannot be run."""

    page: Page[Issue]
    jql: str
    errors: Sequence[str] = ()


@page_of_desk
def first_queue(request: SandboxRequest, who: Visitor, desk: ServiceDesk) -> HttpResponse:
    """Lead to the first queue of a desk, a starred one before others."""
    queues = list(queues_of(desk))
    stars = _stars(who, queues)
    chosen = next((one for one in queues if one.id in stars), queues[0] if queues else None)
    if chosen is not None:
        return HttpResponseRedirect(queue_address(desk, chosen))
    context = {"lines": (), "starred": (), "queue": None}
    return desk_page(request, who, desk, "tracker/desk/queue.html", context, title="Queues")


@page_of_desk
def queue_page(request: SandboxRequest, who: Visitor, desk: ServiceDesk, id: str) -> HttpResponse:
    """Show the requests of a queue."""
    queue = find_queue(desk, id)
    sightings.note(queue, "detail")
    known = desk_columns(who.rights)
    columns = named_columns(queue.columns, known)
    found = _run(request, queue, who.rights)
    lines = lines_of(desk, who, queue)
    metrics = list(metrics_of([desk.project_id]))
    cells = DeskCells(found.page.rows, who.rights, metrics)
    context = {
        "queue": queue,
        "address": queue_address(desk, queue),
        "lines": [line for line in lines if not line.starred],
        "starred": [line for line in lines if line.starred],
        "is_starred": any(line.current and line.starred for line in lines),
        "works": is_agent(who.rights, desk),
        "found": found,
        "heads": column_heads(columns, found.jql, None if found.errors else _sorted_address),
        "rows": [_row(issue, cells, columns) for issue in found.page.rows],
        "bulk": bool(found.page.rows) and who.rights.holds_global("BULK_CHANGE"),
        "all_of_it": f"/issues/?{urlencode({'jql': found.jql})}",
        "page": found.page,
    }
    return desk_page(request, who, desk, "tracker/desk/queue.html", context, title=queue.name)


def queue_address(desk: ServiceDesk, queue: Queue, rest: str = "") -> str:
    """Return the address of a queue, or of a form about it."""
    return desk_address(desk, f"queues/custom/{queue.id}") + (f"/{rest}" if rest else "")


def lines_of(desk: ServiceDesk, who: Visitor, current: Queue | None) -> list[QueueItem]:
    """Return the queues of a desk with their counts: a statement for each, as each asks its own."""
    queues = list(queues_of(desk))
    stars = _stars(who, queues)
    site = site_of(who.rights)
    found = []
    for queue in queues:
        sightings.note(queue, "list")
        count: int | None
        try:
            count = planned_search(queue.jql, site).found.count()
        except JqlError:
            count = None
        is_current = current is not None and queue.id == current.id
        address = queue_address(desk, queue)
        found.append(QueueItem(queue, address, count, is_current, queue.id in stars))
    return found


def _stars(who: Visitor, queues: Sequence[Queue]) -> set[int]:
    rows = Favourite.objects.filter(user=who.user, kind=KIND, entity__in=[one.id for one in queues])
    return set(rows.values_list("entity", flat=True))


def _run(request: HttpRequest, queue: Queue, rights: Rights) -> QueueResult:
    """Return one page of a queue, in its own order or in the one that was asked for."""
    given = request.GET
    sort, way = given.get("sort", ""), given.get("order", "")
    known = {column.sort for column in desk_columns(rights).values() if column.sort}
    jql = queue.jql
    try:
        if sort in known and way in WAYS:
            jql = sorted_by(queue.jql, sort, descending=WAYS[way])
        search = planned_search(jql, site_of(rights))
    except JqlError as error:
        return QueueResult(Page((), 0, 0), queue.jql, error.texts)
    total = search.found.count()
    start = start_of(given, "startIndex", total)
    query = query_without(given, "startIndex")
    return QueueResult(Page(search.some(BY_PLACE, start), start, total, BY_PLACE, query), jql)


def _sorted_address(field: str, way: str) -> str:
    return f"?{urlencode({'sort': field, 'order': way})}"


def _row(
    issue: Issue, cells: DeskCells, columns: Sequence[IssueColumn]
) -> tuple[Issue, list[IssueCell]]:
    sightings.note(issue, "list")
    return issue, cells.row(issue, columns)
