"""The views page: the list of views, and the tickets of one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils.safestring import SafeString

from clones.core import sightings
from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.paging import Page, keyed_page_of
from clones.helpdesk.domain.merging import may_merge
from clones.helpdesk.models import Ticket, View
from clones.helpdesk.queries import views
from clones.helpdesk.queries.by_keys import tickets_by_keys
from clones.helpdesk.queries.presence import viewers_of
from clones.helpdesk.queries.suspended import count_suspended, may_manage_suspended
from clones.helpdesk.queries.view_keys import view_counts, view_keys
from clones.helpdesk.web import playing, shell
from clones.helpdesk.web.access import Agent, agent_page
from clones.helpdesk.web.plain_pages import not_found
from clones.helpdesk.web.ticket_rows import (
    DEFAULT_COLUMNS,
    Column,
    columns_named,
    group_labels,
    ticket_rows,
)
from clones.helpdesk.web.times import Times

ORDERS = {"asc": False, "desc": True}


@dataclass(frozen=True, slots=True)
class ViewLine:
    """A view in the list pane."""

    id: int
    title: str
    count: int
    current: bool


@dataclass(frozen=True, slots=True)
class Sorting:
    """How a table is sorted: by which column, downwards or not, and whether that was asked for."""

    by: str
    descending: bool
    asked: bool


@dataclass(frozen=True, slots=True)
class RowGroup:
    """Rows under one heading; None where the view does not group."""

    label: str | None
    rows: tuple[SafeString, ...]


@agent_page
def first_view(request: SandboxRequest, agent: Agent) -> HttpResponse:
    """Lead on to the first view."""
    for view in views.views_at_hand(agent.user):
        if view.active:
            return shell.go(reverse("helpdesk:view", args=[view.id]))
    return not_found()


@agent_page
def view_page(request: SandboxRequest, agent: Agent, key: int) -> HttpResponse:
    """Show a view's tickets beside the list of views."""
    usable = views.views_at_hand(agent.user)
    view = views.view_of(usable, key)
    sightings.note(view, "detail")
    columns = columns_named(view.output.get("columns") or DEFAULT_COLUMNS)
    sorting = _sorting(request, view, columns)
    access = views.ViewAccess(agent.user)
    keys = view_keys(
        view,
        access,
        sort_by=sorting.by if sorting.asked else None,
        descending=sorting.descending if sorting.asked else None,
    )
    shown: Page[Ticket] = keyed_page_of(request, keys, tickets_by_keys)
    viewers = viewers_of([ticket.id for ticket in shown.rows], besides=agent.user)
    rows = ticket_rows(shown.rows, Times(agent.user), columns, viewers=viewers, selectable=True)
    context = {
        "view": view,
        **list_pane(agent, access, usable, view, shown.count),
        "page": shown,
        "columns": columns,
        "groups": _grouped(view, shown.rows, rows),
        "width": len(columns) + 2,
        "sorting": sorting,
        "selectable": True,
        "may_merge": may_merge(agent.user),
    }
    response = shell.page(
        request, agent, "helpdesk/view.html", context, title=view.title, active="views"
    )
    order = "desc" if sorting.descending else "asc"
    playing.remember_view(response, view, sort=f"{sorting.by}.{order}" if sorting.asked else "")
    return response


def list_pane(
    agent: Agent,
    access: views.ViewAccess,
    usable: Sequence[View],
    current: View | None,
    count: int,
) -> dict[str, Any]:
    """Return what the list of views at the left needs; `count` is how much the current one has.

    `usable` are the views that the agent may use. Without a current view it is the mail that was
    held back that is shown.
    """
    suspended: int | None = None
    if may_manage_suspended(agent.user):
        suspended = count_suspended(agent.user)
    address = (
        reverse("helpdesk:suspended")
        if current is None
        else reverse("helpdesk:view", args=[current.id])
    )
    return {
        "lines": _lines(access, usable, current, count),
        "suspended_count": suspended,
        "suspended_current": current is None,
        "refresh_url": address,
        "keeps_views": agent.user.keeps_own("view_access"),
        "keeps_macros": agent.user.keeps_own("macro_access"),
    }


def _lines(
    access: views.ViewAccess, usable: Sequence[View], current: View | None, count: int
) -> list[ViewLine]:
    """Return the list of views with how many tickets each has."""
    active = [view for view in usable if view.active]
    key = None if current is None else current.id
    others = view_counts([view for view in active if view.id != key], access)
    found = []
    for view in active:
        sightings.note(view, "list")
        number = others.get(view.id, count)
        found.append(ViewLine(view.id, view.title, number, view.id == key))
    return found


def _sorting(request: SandboxRequest, view: View, columns: Sequence[Column]) -> Sorting:
    """Return the order asked for (`sort=name.asc`), else the view's own."""
    name, _, order = request.GET.get("sort", "").partition(".")
    by = views.column_name(name)
    if any(column.name == by and column.sortable for column in columns) and order in ORDERS:
        return Sorting(by, ORDERS[order], asked=True)
    own = views.column_name(str(view.output.get("sort_by") or "nice_id"))
    return Sorting(own, view.output.get("sort_order", "desc") == "desc", asked=False)


def _grouped(view: View, tickets: Sequence[Ticket], rows: Sequence[SafeString]) -> list[RowGroup]:
    """Return the rows of one page under their headings."""
    name = view.output.get("group_by")
    if not rows:
        return []
    if not name:
        return [RowGroup(None, tuple(rows))]
    found: list[tuple[str, list[SafeString]]] = []
    for label, row in zip(group_labels(tickets, str(name)), rows, strict=True):
        if not found or found[-1][0] != label:
            found.append((label, []))
        found[-1][1].append(row)
    return [RowGroup(label, tuple(inside)) for label, inside in found]
