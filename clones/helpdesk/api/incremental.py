"""Incremental exports: what changed since a time, page by page to the end of the stream."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from django.db.models import QuerySet
from pydantic import Field

from clones.core.operations import Call
from clones.helpdesk.api.operations import (
    OPERATIONS,
    Query,
    SideloadQuery,
    includes,
    list_request,
    show,
)
from clones.helpdesk.api.people_sideloads import organization_sideloads, user_sideloads
from clones.helpdesk.api.presenters.events import present_updates
from clones.helpdesk.api.presenters.people import present_organization, present_user
from clones.helpdesk.api.presenters.routing import present_change
from clones.helpdesk.api.presenters.tickets import present_tickets
from clones.helpdesk.api.sideloads import ticket_sideloads
from clones.helpdesk.api.time_cursors import EPOCH, read_cursor, write_cursor
from clones.helpdesk.domain.errors import MissingParameter, RecordNotFound
from clones.helpdesk.domain.user_erasure import is_erased
from clones.helpdesk.queries import exports
from clones.helpdesk.queries.routing import routing_changes

PAGE = 1000
ROUTING_PAGE = 3000
SAMPLE = 50
Present = Callable[[Call, Sequence[Any]], dict[str, Any]]


class ExportQuery(SideloadQuery):
    """The start time of an incremental export by time, its page size and sideloads."""

    start_time: int | None = Field(
        None, description="Unix time to export from, at least a minute ago."
    )
    per_page: str | None = Field(None, description="How many in a page, 1000 at most.")
    exclude_deleted: bool | None = Field(None, description="Leave deleted tickets out.")


class CursorQuery(ExportQuery):
    """The start time or the cursor of an incremental export by cursor."""

    cursor: str | None = Field(None, description="The after_cursor of the page before.")


class RoutingExportQuery(Query):
    """The cursor of an incremental export of routing attributes and their values."""

    cursor: str | None = Field(None, description="As in the next_page of the page before.")


def _limit(call: Call, most: int = PAGE) -> int:
    return min(most, max(1, list_request(call).number("per_page", most)))


def _start(call: Call) -> datetime:
    if call.query.start_time is None:
        raise MissingParameter("start_time")
    return exports.start_moment(call.query.start_time)


def _by_time(call: Call, rows: QuerySet[Any], present: Present, most: int = PAGE) -> dict[str, Any]:
    """Return a page that says from when on the next one begins."""
    found = exports.export_by_time(rows, _start(call), _limit(call, most))
    following = found.next_start
    return {
        **present(call, found.rows),
        "count": len(found.rows),
        "end_of_stream": found.end_of_stream,
        "end_time": following,
        "next_page": None if following is None else list_request(call).link(start_time=following),
    }


def _by_cursor(call: Call, rows: QuerySet[Any], present: Present) -> dict[str, Any]:
    """Return a page that says after which row the next one begins.

    The cursor never gets lost: past the end it is the one that was given.
    """
    after = _after(call)
    found = exports.export_by_cursor(rows, after, _limit(call))
    last = (found.rows[-1].changed, found.rows[-1].id) if found.rows else after
    cursor = write_cursor(*last)
    return {
        **present(call, found.rows),
        "after_url": list_request(call).link(cursor=cursor, start_time=None),
        "after_cursor": cursor,
        "before_url": None,
        "before_cursor": None,
        "end_of_stream": found.end_of_stream,
    }


def _after(call: Call) -> tuple[datetime, int]:
    if call.query.cursor:
        return read_cursor(call.query.cursor)
    # No key is less than one, so everything of the start's own moment comes after.
    return _start(call), 0


def _tickets(call: Call, rows: Sequence[Any]) -> dict[str, Any]:
    """Return tickets; a deleted one says so by its status."""
    bodies = present_tickets(rows, show(call))
    for row, body in zip(rows, bodies, strict=True):
        body["generated_timestamp"] = int(row.changed.timestamp())
        if row.deleted_at is not None:
            body["status"] = "deleted"
    wanted = includes(call) - {"last_audits"}
    return {"tickets": bodies, **ticket_sideloads(rows, bodies, wanted, show(call))}


def _users(call: Call, rows: Sequence[Any]) -> dict[str, Any]:
    bodies = [present_user(row, show(call)) for row in rows]
    for row, body in zip(rows, bodies, strict=True):
        if not row.active:
            body["permanently_deleted"] = is_erased(row)
    beside = user_sideloads(rows, includes(call), call.actor, show(call))
    return {"users": bodies, **beside}


def _organizations(call: Call, rows: Sequence[Any]) -> dict[str, Any]:
    bodies = [present_organization(row, show(call)) for row in rows]
    beside = organization_sideloads(rows, includes(call), call.actor, show(call))
    return {"organizations": bodies, **beside}


def _events(call: Call, rows: Sequence[Any]) -> dict[str, Any]:
    with_comments = "comment_events" in includes(call)
    return {"ticket_events": present_updates(rows, show(call), with_comments=with_comments)}


def _ticket_rows(call: Call) -> QuerySet[Any]:
    return exports.changed_tickets(deleted=not call.query.exclude_deleted)


@OPERATIONS.operation(
    "IncrementalTicketExportTime",
    "GET",
    "/incremental/tickets",
    summary="Export the tickets that changed since a time, deleted ones too.",
    query=ExportQuery,
    access="admin",
)
def export_tickets(call: Call) -> dict[str, Any]:
    """Export tickets by time."""
    return _by_time(call, _ticket_rows(call), _tickets)


@OPERATIONS.operation(
    "IncrementalTicketExportCursor",
    "GET",
    "/incremental/tickets/cursor",
    summary="Export the tickets that changed since a time or cursor, deleted ones too.",
    query=CursorQuery,
    access="admin",
)
def export_tickets_by_cursor(call: Call) -> dict[str, Any]:
    """Export tickets by cursor."""
    return _by_cursor(call, _ticket_rows(call), _tickets)


@OPERATIONS.operation(
    "IncrementalTicketEvents",
    "GET",
    "/incremental/ticket_events",
    summary="Export the updates of all tickets since a time, event by event.",
    query=ExportQuery,
    access="admin",
)
def export_ticket_events(call: Call) -> dict[str, Any]:
    """Export what was done on tickets."""
    return _by_time(call, exports.ticket_updates(), _events)


@OPERATIONS.operation(
    "IncrementalUserExportTime",
    "GET",
    "/incremental/users",
    summary="Export the users who changed since a time, deactivated ones too.",
    query=ExportQuery,
    access="admin",
)
def export_users(call: Call) -> dict[str, Any]:
    """Export users by time."""
    return _by_time(call, exports.changed_users(), _users)


@OPERATIONS.operation(
    "IncrementalUserExportCursor",
    "GET",
    "/incremental/users/cursor",
    summary="Export the users who changed since a time or cursor, deactivated ones too.",
    query=CursorQuery,
    access="admin",
)
def export_users_by_cursor(call: Call) -> dict[str, Any]:
    """Export users by cursor."""
    return _by_cursor(call, exports.changed_users(), _users)


@OPERATIONS.operation(
    "IncrementalOrganizationExport",
    "GET",
    "/incremental/organizations",
    summary="Export the organizations that changed since a time.",
    query=ExportQuery,
    access="admin",
)
def export_organizations(call: Call) -> dict[str, Any]:
    """Export organizations."""
    return _by_time(call, exports.changed_organizations(), _organizations)


_SAMPLES: dict[str, tuple[Callable[[Call], QuerySet[Any]], Present]] = {
    "tickets": (_ticket_rows, _tickets),
    "ticket_events": (lambda _: exports.ticket_updates(), _events),
    "users": (lambda _: exports.changed_users(), _users),
    "organizations": (lambda _: exports.changed_organizations(), _organizations),
}


@OPERATIONS.operation(
    "IncrementalSampleExport",
    "GET",
    "/incremental/{resource}/sample",
    summary="Export at most 50 records, to see what an export looks like.",
    query=ExportQuery,
    access="admin",
)
def export_sample(call: Call) -> dict[str, Any]:
    """Export a sample of one resource."""
    name = call.path["resource"]
    if name not in _SAMPLES:
        raise RecordNotFound("incremental resource", name)
    rows, present = _SAMPLES[name]
    return _by_time(call, rows(call), present, SAMPLE)


def _routing(call: Call, stream: str) -> dict[str, Any]:
    """Return a page of changes from the beginning or a cursor; an empty one is the end.

    The cursor never gets lost: past the end it is the one that was given.
    """
    given = call.query.cursor
    after = read_cursor(given) if given else (EPOCH, 0)
    rows = exports.export_by_cursor(routing_changes(stream), after, ROUTING_PAGE).rows
    cursor = write_cursor(rows[-1].time, rows[-1].id) if rows else given
    return {
        stream: [present_change(row) for row in rows],
        "count": len(rows),
        "end_time": int(rows[-1].time.timestamp()) if rows else None,
        "next_page": list_request(call).link(cursor=cursor) if cursor else None,
    }


@OPERATIONS.operation(
    "IncrementalSkilBasedRoutingAttributesExport",
    "GET",
    "/incremental/routing/attributes",
    summary="Export what became of kinds of skills.",
    query=RoutingExportQuery,
    access="admin",
)
def export_attributes(call: Call) -> dict[str, Any]:
    """Export the changes of kinds of skills."""
    return _routing(call, "attributes")


@OPERATIONS.operation(
    "IncrementalSkilBasedRoutingAttributeValuesExport",
    "GET",
    "/incremental/routing/attribute_values",
    summary="Export what became of skills.",
    query=RoutingExportQuery,
    access="admin",
)
def export_attribute_values(call: Call) -> dict[str, Any]:
    """Export the changes of skills."""
    return _routing(call, "attribute_values")


@OPERATIONS.operation(
    "IncrementalSkilBasedRoutingInstanceValuesExport",
    "GET",
    "/incremental/routing/instance_values",
    summary="Export which agents and tickets got or lost skills.",
    query=RoutingExportQuery,
    access="admin",
)
def export_instance_values(call: Call) -> dict[str, Any]:
    """Export what agents and tickets got and lost."""
    return _routing(call, "instance_values")
