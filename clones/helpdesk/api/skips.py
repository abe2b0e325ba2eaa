"""Tickets that agents passed over."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet

from clones.core.operations import Call, Reply
from clones.helpdesk.api.history import ticket_of
from clones.helpdesk.api.operations import OPERATIONS, Body, SortedQuery, list_request, listed, show
from clones.helpdesk.api.paging import Order, paginate
from clones.helpdesk.api.presenters.desks import present_skips
from clones.helpdesk.api.tickets import user_of
from clones.helpdesk.domain import desks
from clones.helpdesk.models import Skip
from clones.helpdesk.queries.desks import check_reports, skips_seen_by


class SkipWrite(Body):
    """A skip to record: the ticket that an agent passes over, and the reason."""

    ticket_id: int
    reason: str | None = None


class SkipBody(Body):
    """A skip to record."""

    skip: SkipWrite


@OPERATIONS.operation(
    "RecordNewSkip",
    "POST",
    "/skips",
    summary="Record that the caller passed over a ticket, and why.",
    body=SkipBody,
    status=201,
)
def record_skip(call: Call) -> Reply:
    """Record a skip."""
    given = call.body.skip
    made = desks.skip_ticket(given.ticket_id, actor=call.actor, reason=given.reason)
    return Reply({"skip": present_skips([made], show(call, "detail"))[0]}, 201)


def _page(call: Call, rows: QuerySet[Skip]) -> dict[str, Any]:
    fields = ("-id",) if call.query.sort_order == "desc" else ("id",)
    page = paginate(rows, list_request(call), Order(fields))
    return listed("skips", present_skips(page.rows, show(call)), page)


@OPERATIONS.operation(
    "ListSkips",
    "GET",
    "/skips",
    summary="List the tickets that agents passed over.",
    query=SortedQuery,
)
def list_skips(call: Call) -> dict[str, Any]:
    """List all skips, of tickets that the caller may see."""
    check_reports(call.actor)
    return _page(call, skips_seen_by(call.actor))


@OPERATIONS.operation(
    "ListTicketSkips",
    "GET",
    "/users/{user_id:int}/skips",
    summary="List the tickets that an agent passed over.",
    query=SortedQuery,
)
def list_of_user(call: Call) -> dict[str, Any]:
    """List an agent's skips."""
    owner = user_of(call)
    check_reports(call.actor, owner=owner)
    return _page(call, skips_seen_by(call.actor).filter(user=owner))


@OPERATIONS.operation(
    "ListTicketSkipsOfTicket",
    "GET",
    "/tickets/{ticket_id:int}/skips",
    summary="List who passed over a ticket.",
    query=SortedQuery,
)
def list_of_ticket(call: Call) -> dict[str, Any]:
    """List a ticket's skips."""
    check_reports(call.actor)
    return _page(call, skips_seen_by(call.actor).filter(ticket=ticket_of(call)))
