"""Importing tickets from elsewhere, with their past."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from pydantic import Field

from clones.core.operations import Call, Reply
from clones.helpdesk.api.operations import MANY, OPERATIONS, Body, Query, show, via
from clones.helpdesk.api.presenters.tickets import present_ticket
from clones.helpdesk.api.ticket_bodies import (
    CommentWrite,
    TicketWrite,
    changes_of,
    comment_of,
    first_comment_of,
    requester_of,
)
from clones.helpdesk.api.ticket_bulk import start
from clones.helpdesk.domain import bulk, imports
from clones.helpdesk.domain.errors import MissingParameter, TooManyValues


class PastCommentWrite(CommentWrite):
    """A comment of a ticket that is imported, with its time."""

    created_at: str | None = Field(None, description="When it was said.")


class PastTicketWrite(TicketWrite):
    """A ticket that is imported, with its times and comments."""

    comments: list[PastCommentWrite] | None = None
    created_at: str | None = None
    updated_at: str | None = None
    solved_at: str | None = None


class PastTicketBody(Body):
    """A ticket to import."""

    ticket: PastTicketWrite


class PastTicketsBody(Body):
    """Tickets to import."""

    tickets: list[PastTicketWrite] | None = None


class ImportQuery(Query):
    """Whether closed tickets are to be archived. There is no archive: they stay tickets."""

    archive_immediately: bool | None = None


_TIMES = ("created_at", "updated_at", "solved_at")


def _changes(given: PastTicketWrite) -> dict[str, Any]:
    return {
        name: value
        for name, value in changes_of(given).items()
        if name not in ("comments", *_TIMES)
    }


def _past_comments(given: PastTicketWrite) -> list[imports.PastComment]:
    found = []
    for item in given.comments or []:
        comment = comment_of(TicketWrite(comment=item))
        if comment is not None:
            found.append(imports.PastComment(comment, item.created_at))
    return found or [imports.PastComment(first_comment_of(given))]


def _times(given: PastTicketWrite) -> imports.PastTimes:
    return imports.PastTimes(**{name: getattr(given, name) for name in _TIMES})


@OPERATIONS.operation(
    "TicketImport",
    "POST",
    "/imports/tickets",
    summary="Import a ticket with its comments and times; no rules run.",
    query=ImportQuery,
    body=PastTicketBody,
    access="admin",
    status=201,
)
def import_ticket(call: Call) -> Reply:
    """Import a ticket."""
    given = call.body.ticket
    made = imports.import_ticket(
        actor=call.actor,
        changes=_changes(given),
        said=_past_comments(given),
        times=_times(given),
        via=via(call),
        requester=requester_of(given),
    )
    body = present_ticket(made, show(call, "detail"))
    return Reply({"ticket": body}, 201, {"Location": body["url"]})


@OPERATIONS.operation(
    "TicketBulkImport",
    "POST",
    "/imports/tickets/create_many",
    summary="Import up to 100 tickets as a job; no rules run.",
    query=ImportQuery,
    body=PastTicketsBody,
    access="admin",
)
def import_many(call: Call) -> dict[str, Any]:
    """Queue the import of tickets."""
    if call.body.tickets is None:
        raise MissingParameter("tickets")
    if len(call.body.tickets) > MANY:
        raise TooManyValues(MANY, "tickets")
    return start(call, imports.KIND, [_item(given) for given in call.body.tickets])


def _item(given: PastTicketWrite) -> dict[str, Any]:
    requester = requester_of(given)
    said = [
        {"comment": bulk.comment_item(item.comment), "created_at": item.created_at}
        for item in _past_comments(given)
    ]
    return {
        "changes": _changes(given),
        "said": said,
        "times": asdict(_times(given)),
        "requester": requester.id if requester else None,
    }
