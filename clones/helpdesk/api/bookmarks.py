"""Tickets that agents marked for themselves."""

from __future__ import annotations

from typing import Any

from clones.core.operations import Call, Reply
from clones.helpdesk import queries
from clones.helpdesk.api.operations import OPERATIONS, Body, PagedQuery, list_request, listed, show
from clones.helpdesk.api.paging import Order, paginate
from clones.helpdesk.api.presenters.desks import present_bookmarks
from clones.helpdesk.domain import desks
from clones.helpdesk.queries.desks import bookmarks_of

NEWEST = Order(("-created_at", "-id"))


class BookmarkWrite(Body):
    """A bookmark to create: the ticket that it marks."""

    ticket_id: int


class BookmarkBody(Body):
    """A bookmark to create."""

    bookmark: BookmarkWrite


@OPERATIONS.operation(
    "ListBookmarks",
    "GET",
    "/bookmarks",
    summary="List the tickets that the caller marked, newest first.",
    query=PagedQuery,
)
def list_bookmarks(call: Call) -> dict[str, Any]:
    """List an agent's bookmarks."""
    page = paginate(bookmarks_of(call.actor), list_request(call), NEWEST, cursor=False)
    return listed("bookmarks", present_bookmarks(page.rows, show(call)), page)


@OPERATIONS.operation(
    "CreateBookmark",
    "POST",
    "/bookmarks",
    summary="Mark a ticket; 200 if the caller has marked it already.",
    body=BookmarkBody,
    status=201,
)
def create_bookmark(call: Call) -> Reply:
    """Mark a ticket."""
    made, new = desks.add_bookmark(call.body.bookmark.ticket_id, actor=call.actor)
    body = present_bookmarks([made], show(call, "detail"))[0]
    if not new:
        return Reply({"bookmark": body})
    return Reply({"bookmark": body}, 201, {"Location": body["url"]})


@OPERATIONS.operation(
    "DeleteBookmark",
    "DELETE",
    "/bookmarks/{bookmark_id:int}",
    summary="Remove one of the caller's bookmarks.",
    status=204,
)
def delete_bookmark(call: Call) -> None:
    """Remove a bookmark."""
    found = queries.one(bookmarks_of(call.actor), "bookmark", call.path["bookmark_id"])
    desks.delete_bookmark(found, actor=call.actor)
