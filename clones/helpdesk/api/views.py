"""Views: list, execute, count, keep."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db.models import QuerySet
from pydantic import Field

from clones.core.operations import Call, Reply
from clones.helpdesk.api.operations import (
    OPERATIONS,
    Body,
    IdsQuery,
    SideloadQuery,
    SortedQuery,
    includes,
    list_request,
    listed,
    many_ids,
    show,
)
from clones.helpdesk.api.paging import Order, Page, list_page
from clones.helpdesk.api.presenters.context import when
from clones.helpdesk.api.presenters.rules import custom_fields_by_id, present_view
from clones.helpdesk.api.presenters.tickets import present_tickets
from clones.helpdesk.api.rule_lists import rule_page
from clones.helpdesk.api.rule_sideloads import put_rule_sideloads
from clones.helpdesk.api.sideloads import groups_by_id, ticket_sideloads, users_by_id
from clones.helpdesk.api.tickets import counted
from clones.helpdesk.domain import business_rules
from clones.helpdesk.domain.errors import TooManyValues
from clones.helpdesk.models import Comment, Ticket, TicketField, View
from clones.helpdesk.queries import views as view_queries
from clones.helpdesk.queries.by_keys import tickets_by_keys
from clones.helpdesk.rules.dynamic_content import has_references
from clones.helpdesk.rules.system_fields import SYSTEM_FIELDS

COUNT_MANY = 20
RAW = "raw_"
BY_CURSOR = Order(("created_at", "id"))
BY_POSITION = Order(("position", "title", "id"))
# By column: the attribute of tickets that its cells hold.
CELLS = {
    "nice_id": "id",
    "created": "created_at",
    "updated": "updated_at",
    **{item.column.name: item.name for item in SYSTEM_FIELDS if item.column is not None},
}


class ViewList(SortedQuery, SideloadQuery):
    """Filters, order and paging of a list of views."""

    active: bool | None = None
    access: str | None = Field(
        None, description="personal (one's own), shared (all others), or account (for all agents)"
    )
    group_id: int | None = Field(None, description="Only views for this group.")


class ViewSearch(ViewList):
    """Text, filters, order and paging of a search of views by title."""

    query: str = ""


class ViewRun(SortedQuery, SideloadQuery):
    """Order, paging and sideloads of the tickets of a view."""


class ConditionWrite(Body):
    """A condition of a view: field, operator, value."""

    field: str
    operator: str | None = None
    value: Any = None


class OutputWrite(Body):
    """The output of a view: its columns, grouping and order."""

    columns: list[str | int] | None = None
    group_by: str | None = None
    group_order: str | None = None
    sort_by: str | None = None
    sort_order: str | None = None


class ViewWrite(Body):
    """The attributes of a view that can be set."""

    title: str | None = None
    description: str | None = None
    active: bool | None = None
    position: int | None = None
    all: list[ConditionWrite] | None = Field(None, description="All of these must hold.")
    any: list[ConditionWrite] | None = Field(None, description="One of these must hold.")
    conditions: dict[str, list[ConditionWrite]] | None = None
    output: OutputWrite | None = None
    restriction: dict[str, Any] | None = None
    id: int | None = None


class ViewBody(Body):
    """A view to create or update."""

    view: ViewWrite


def rule_changes(body: Body) -> dict[str, Any]:
    """Return what a rule's body sets, as plain data without the keys it does not know."""
    known = set(type(body).model_fields) - {"id"}
    given = body.model_dump(exclude_unset=True)
    return worded({name: given[name] for name in given if name in known})


def worded(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is set, each text once.

    Of `title` and `raw_title` the raw one counts if it comes alone or refers to dynamic content.
    """
    found = {name: value for name, value in given.items() if not name.startswith(RAW)}
    for name, raw in given.items():
        plain = name.removeprefix(RAW)
        if plain != name and raw is not None and (plain not in given or has_references(raw)):
            found[plain] = raw
    return found


def _page(call: Call, rows: QuerySet[View], *, cursor: bool = True) -> dict[str, Any]:
    page = rule_page(call, rows, BY_POSITION, by_cursor=BY_CURSOR, cursor=cursor)
    fields = custom_fields_by_id()
    bodies = [present_view(view, fields, show(call)) for view in page.rows]
    put_rule_sideloads(bodies, page.rows, includes(call), call.actor)
    return listed("views", bodies, page)


@OPERATIONS.operation(
    "ListViews", "GET", "/views", summary="List the views you may use.", query=ViewList
)
def list_views(call: Call) -> dict[str, Any]:
    """List views, inactive ones too unless `active` says otherwise."""
    rows = _wanted_views(call)
    if call.query.active is not None:
        rows = rows.filter(active=call.query.active)
    return _page(call, rows)


def _wanted_views(call: Call) -> QuerySet[View]:
    """Return the caller's views of the access and group that are asked for."""
    return view_queries.usable_views(
        call.actor, access=call.query.access, group=call.query.group_id
    )


@OPERATIONS.operation(
    "ListActiveViews", "GET", "/views/active", summary="List the active views.", query=ViewList
)
def list_active_views(call: Call) -> dict[str, Any]:
    """List active views."""
    return _page(call, _wanted_views(call).filter(active=True), cursor=False)


@OPERATIONS.operation(
    "ListCompactViews", "GET", "/views/compact", summary="List the first views as the product does."
)
def list_compact_views(call: Call) -> dict[str, Any]:
    """List the first 32 active views, shared ones before personal ones, unpaginated."""
    rows = view_queries.usable_views(call.actor).filter(active=True)
    fields = custom_fields_by_id()
    found = sorted(
        rows.order_by("position", "title", "id"), key=lambda view: bool(view.restriction)
    )
    bodies = [present_view(view, fields, show(call)) for view in found[:32]]
    around = {"next_page": None, "previous_page": None, "count": len(bodies)}
    return {"views": bodies, **around}


@OPERATIONS.operation("CountViews", "GET", "/views/count", summary="Count the views.")
def count_views(call: Call) -> dict[str, Any]:
    """Count the views that the caller may use."""
    return counted(view_queries.usable_views(call.actor).count())


@OPERATIONS.operation(
    "SearchViews", "GET", "/views/search", summary="Find views by title.", query=ViewSearch
)
def search_views(call: Call) -> dict[str, Any]:
    """Find views whose title holds a text."""
    rows = _wanted_views(call).filter(title__icontains=call.query.query)
    if call.query.active is not None:
        rows = rows.filter(active=call.query.active)
    return _page(call, rows, cursor=False)


@OPERATIONS.operation(
    "GetViewCounts",
    "GET",
    "/views/count_many",
    summary="Count the tickets of up to 20 views.",
    query=IdsQuery,
)
def count_many(call: Call) -> dict[str, Any]:
    """Count the tickets of several views; unknown ones are left out."""
    keys = many_ids(call)
    if len(keys) > COUNT_MANY:
        raise TooManyValues(COUNT_MANY)
    found = view_queries.usable_views(call.actor).in_bulk(keys)
    return {"view_counts": [_count(found[key], call) for key in keys if key in found]}


@OPERATIONS.operation("ShowView", "GET", "/views/{view_id:int}", summary="Show one view.")
def show_view(call: Call) -> dict[str, Any]:
    """Show a view."""
    return {"view": present_view(_view(call), custom_fields_by_id(), show(call, "detail"))}


def _view(call: Call) -> View:
    return view_queries.usable_view(call.actor, call.path["view_id"])


def _tickets(call: Call, view: View) -> QuerySet[Ticket]:
    by, way = call.query.sort_by, call.query.sort_order
    descending = None if by is None and way is None else way == "desc"
    return view_queries.view_tickets(view, call.actor, sort_by=by, descending=descending)


def _ticket_page(call: Call, view: View) -> Page:
    name = f"{view.output.get('sort_by') or 'nice_id'},offset"
    return list_page(_tickets(call, view), list_request(call), name=name, read=tickets_by_keys)


@OPERATIONS.operation(
    "ListTicketsFromView",
    "GET",
    "/views/{view_id:int}/tickets",
    summary="List the tickets of a view.",
    query=ViewRun,
)
def list_view_tickets(call: Call) -> dict[str, Any]:
    """List a view's tickets."""
    view = _view(call)
    page = _ticket_page(call, view)
    bodies = present_tickets(page.rows, show(call))
    beside = ticket_sideloads(page.rows, bodies, includes(call), show(call))
    return listed("tickets", bodies, page, **beside)


@OPERATIONS.operation(
    "ExecuteView",
    "GET",
    "/views/{view_id:int}/execute",
    summary="Run a view: its rows with the columns it shows.",
    query=ViewRun,
)
def execute_view(call: Call) -> dict[str, Any]:
    """Run a view."""
    view = _view(call)
    page = _ticket_page(call, view)
    fields = custom_fields_by_id()
    shown = present_view(view, fields, show(call))
    tickets: list[Ticket] = page.rows
    people = {
        key for item in tickets for key in (item.requester_id, item.submitter_id, item.assignee_id)
    }
    return {
        "rows": _rows(view, tickets, fields, call),
        "columns": shown["execution"]["columns"],
        "view": {"id": view.id, "url": shown["url"]},
        "users": users_by_id(people, show(call)),
        "groups": groups_by_id({item.group_id for item in tickets}, show(call)),
        **ticket_sideloads(tickets, [], includes(call) & {"organizations"}, show(call)),
        **page.around,
    }


def _rows(
    view: View, tickets: list[Ticket], fields: dict[str, TicketField], call: Call
) -> list[dict[str, Any]]:
    """Return one row per ticket: the cells of the view's columns, and the ticket in brief."""
    shown = show(call)
    keys = [ticket.id for ticket in tickets]
    last: dict[int, Comment] = {}
    for comment in Comment.objects.filter(ticket_id__in=keys).order_by("created_at", "id"):
        last[comment.ticket_id] = comment
    names = list(view.output.get("columns", []))
    for extra in (view.output.get("group_by"), view.output.get("sort_by")):
        if extra and extra not in names:
            names.append(extra)
    rows = []
    for ticket in tickets:
        shown.note(ticket)
        row: dict[str, Any] = dict(_cells(names, ticket, fields))
        row["ticket"] = _brief(ticket, last.get(ticket.id), call)
        rows.append(row)
    return rows


def _cells(
    names: list[str], ticket: Ticket, fields: dict[str, TicketField]
) -> list[tuple[str, Any]]:
    found: list[tuple[str, Any]] = []
    custom: list[dict[str, Any]] = []
    for name in names:
        own = view_queries.column_name(str(name))
        attribute = CELLS.get(own)
        if attribute is not None:
            value = getattr(ticket, attribute)
            stored = attribute if attribute != "id" else "ticket_id"
            found.append((stored if own not in ("created", "updated") else own, _plain(value)))
        elif str(name) in fields:
            value = ticket.custom_fields.get(str(name))
            custom.append({"id": int(name), "name": fields[str(name)].title, "value": value})
    if custom:
        found.append(("custom_fields", custom))
        found.append(("fields", custom))
    return found


def _plain(value: Any) -> Any:
    return when(value) if hasattr(value, "tzinfo") else value


def _brief(ticket: Ticket, last: Comment | None, call: Call) -> dict[str, Any]:
    said = None
    if last is not None:
        said = {
            "id": last.id,
            "author_id": last.author_id,
            "body": last.body,
            "public": last.public,
            "created_at": when(last.created_at),
        }
    return {
        "id": ticket.id,
        "subject": ticket.subject,
        "description": ticket.description,
        "status": ticket.status,
        "type": ticket.type,
        "priority": ticket.priority,
        "url": show(call).url(f"tickets/{ticket.id}"),
        "last_comment": said,
    }


@OPERATIONS.operation(
    "GetViewCount",
    "GET",
    "/views/{view_id:int}/count",
    summary="Count the tickets of a view.",
)
def count_view(call: Call) -> dict[str, Any]:
    """Count a view's tickets."""
    return {"view_count": _count(_view(call), call)}


def _count(view: View, call: Call) -> dict[str, Any]:
    number = view_queries.view_tickets(view, call.actor).count()
    return {
        "url": show(call).url(f"views/{view.id}/count"),
        "view_id": view.id,
        "value": number,
        "pretty": f"{number:,}",
        "fresh": True,
        "active": view.active,
    }


class PreviewBody(Body):
    """The conditions and output of a view to preview; it is not kept."""

    view: ViewWrite


def _unkept(call: Call) -> View:
    view = View(title="Preview", raw_title="Preview", output=dict(business_rules.DEFAULT_OUTPUT))
    business_rules.set_preview(view, rule_changes(call.body.view))
    return view


@OPERATIONS.operation(
    "PreviewViews",
    "POST",
    "/views/preview",
    summary="Run a view without keeping it.",
    body=PreviewBody,
    writes=False,
    query=SortedQuery,
)
def preview_view(call: Call) -> dict[str, Any]:
    """Run a view that is not kept."""
    view = _unkept(call)
    page = _ticket_page(call, view)
    fields = custom_fields_by_id()
    columns = [
        column
        for column in (
            view_queries.describe_column(str(name), fields) for name in view.output["columns"]
        )
        if column is not None
    ]
    rows = _rows(view, page.rows, fields, call)
    return {"rows": rows, "columns": columns, "view": {"id": None, "url": None}, **page.around}


@OPERATIONS.operation(
    "PreviewCount",
    "POST",
    "/views/preview/count",
    summary="Count the tickets of a view without keeping it.",
    body=PreviewBody,
    writes=False,
)
def preview_count(call: Call) -> dict[str, Any]:
    """Count the tickets of a view that is not kept."""
    number = view_queries.view_tickets(_unkept(call), call.actor).count()
    shown = {"url": None, "view_id": None, "value": number, "pretty": f"{number:,}", "fresh": True}
    return {"view_count": shown}


@OPERATIONS.operation(
    "CreateView", "POST", "/views", summary="Create a view.", body=ViewBody, status=201
)
def create_view(call: Call) -> Reply:
    """Create a view."""
    made = business_rules.create_view(actor=call.actor, changes=rule_changes(call.body.view))
    body = present_view(made, custom_fields_by_id(), show(call, "detail"))
    return Reply({"view": body}, 201, {"Location": body["url"]})


@OPERATIONS.operation(
    "UpdateView", "PUT", "/views/{view_id:int}", summary="Change a view.", body=ViewBody
)
def update_view(call: Call) -> dict[str, Any]:
    """Update a view."""
    found = business_rules.update_view(
        _view(call), actor=call.actor, changes=rule_changes(call.body.view)
    )
    return {"view": present_view(found, custom_fields_by_id(), show(call, "detail"))}


@OPERATIONS.operation(
    "DeleteView", "DELETE", "/views/{view_id:int}", summary="Delete a view.", status=204
)
def delete_view(call: Call) -> None:
    """Delete a view."""
    business_rules.delete_view(_view(call), actor=call.actor)
