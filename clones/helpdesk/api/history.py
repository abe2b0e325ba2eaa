"""What was said and done on tickets: comments and audits."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from clones.core.operations import Call
from clones.helpdesk import queries
from clones.helpdesk.api.operations import (
    OPERATIONS,
    Body,
    SideloadQuery,
    SortedQuery,
    includes,
    list_request,
    listed,
    show,
)
from clones.helpdesk.api.paging import Order, paginate
from clones.helpdesk.api.presenters.tickets import (
    present_attachment,
    present_audits,
    present_comment,
)
from clones.helpdesk.api.sideloads import audit_sideloads, users_by_id
from clones.helpdesk.api.tickets import counted
from clones.helpdesk.domain import comments
from clones.helpdesk.domain.errors import RecordNotFound
from clones.helpdesk.models import Comment, Ticket

BY_TIME = Order(("created_at", "id"))


class ByTimeQuery(SortedQuery, SideloadQuery):
    """Order, paging and sideloads of a ticket's audits or comments."""

    sort: str | None = Field(None, description="created_at or -created_at")


class CommentsQuery(ByTimeQuery):
    """Order, paging and sideloads of a ticket's comments, with inline images or without."""

    include_inline_images: bool | None = None


def ticket_of(call: Call) -> Ticket:
    """Return the ticket that a call's path names."""
    return queries.ticket(call.actor, call.path["ticket_id"])


def _order(call: Call) -> Order:
    newest = call.query.sort_order == "desc" or call.query.sort == "-created_at"
    return BY_TIME.reversed() if newest else BY_TIME


@OPERATIONS.operation(
    "ListTicketComments",
    "GET",
    "/tickets/{ticket_id:int}/comments",
    summary="List what was said on a ticket, oldest first.",
    query=CommentsQuery,
)
def list_comments(call: Call) -> dict[str, Any]:
    """List a ticket's comments."""
    found = ticket_of(call)
    page = paginate(queries.comments_of(found, call.actor), list_request(call), _order(call))
    bodies = [present_comment(comment, show(call, "detail")) for comment in page.rows]
    if not call.query.include_inline_images:
        for body in bodies:
            body["attachments"] = [file for file in body["attachments"] if not file["inline"]]
    beside = {}
    if "users" in includes(call):
        beside["users"] = users_by_id({comment.author_id for comment in page.rows}, show(call))
    return listed("comments", bodies, page, **beside)


@OPERATIONS.operation(
    "CountTicketComments",
    "GET",
    "/tickets/{ticket_id:int}/comments/count",
    summary="Count a ticket's comments.",
)
def count_comments(call: Call) -> dict[str, Any]:
    """Count a ticket's comments."""
    return counted(queries.comments_of(ticket_of(call), call.actor).count())


def comment_of_path(call: Call) -> Comment:
    """Return the comment that a call's path names.

    Raises:
        RecordNotFound: the ticket has no such comment.
    """
    key = call.path["comment_id"]
    found = Comment.objects.filter(ticket=ticket_of(call), id=key).select_related("ticket").first()
    if found is None:
        raise RecordNotFound("comment", key)
    return found


@OPERATIONS.operation(
    "MakeTicketCommentPrivate",
    "PUT",
    "/tickets/{ticket_id:int}/comments/{comment_id:int}/make_private",
    summary="Make a public comment an internal note.",
)
def make_private(call: Call) -> dict[str, Any]:
    """Hide a comment from the requester."""
    comments.make_comment_private(comment_of_path(call), actor=call.actor)
    return {}


class RedactBody(Body):
    """The text to redact in a comment."""

    text: str


@OPERATIONS.operation(
    "RedactStringInComment",
    "PUT",
    "/tickets/{ticket_id:int}/comments/{comment_id:int}/redact",
    summary="Blot out a text in a comment, for good.",
    body=RedactBody,
)
def redact(call: Call) -> dict[str, Any]:
    """Blot out a text of a comment."""
    comment = comments.redact_comment(comment_of_path(call), actor=call.actor, text=call.body.text)
    shown = queries.comments_of(comment.ticket, call.actor).get(id=comment.id)
    return {"comment": present_comment(shown, show(call, "detail"))}


@OPERATIONS.operation(
    "RedactCommentAttachment",
    "PUT",
    "/tickets/{ticket_id:int}/comments/{comment_id:int}/attachments/{attachment_id:int}/redact",
    summary="Replace a comment's file by nothing, for good.",
)
def redact_attachment(call: Call) -> dict[str, Any]:
    """Redact a file; the answer still shows what it was."""
    comment = comment_of_path(call)
    before = comment.attachments.filter(id=call.path["attachment_id"]).first()
    comments.redact_attachment(comment, call.path["attachment_id"], actor=call.actor)
    if before is None:
        raise RecordNotFound("attachment", call.path["attachment_id"])
    return {"attachment": present_attachment(before, show(call, "detail"))}


@OPERATIONS.operation(
    "ListAuditsForTicket",
    "GET",
    "/tickets/{ticket_id:int}/audits",
    summary="List every update of a ticket, event by event.",
    query=ByTimeQuery,
)
def list_audits(call: Call) -> dict[str, Any]:
    """List a ticket's audits."""
    page = paginate(queries.audits_of(ticket_of(call)), list_request(call), _order(call))
    bodies = present_audits(page.rows, show(call, "detail"))
    beside = audit_sideloads(page.rows, includes(call), show(call))
    return listed("audits", bodies, page, **beside)


@OPERATIONS.operation(
    "CountAuditsForTicket",
    "GET",
    "/tickets/{ticket_id:int}/audits/count",
    summary="Count a ticket's updates.",
)
def count_audits(call: Call) -> dict[str, Any]:
    """Count a ticket's audits."""
    return counted(queries.audits_of(ticket_of(call)).count())


@OPERATIONS.operation(
    "ShowTicketAudit",
    "GET",
    "/tickets/{ticket_id:int}/audits/{audit_id:int}",
    summary="Show one update of a ticket.",
    query=SideloadQuery,
)
def show_audit(call: Call) -> dict[str, Any]:
    """Show an audit of a ticket."""
    found = queries.one(queries.audits_of(ticket_of(call)), "audit", call.path["audit_id"])
    beside = audit_sideloads([found], includes(call), show(call))
    return {"audit": present_audits([found], show(call, "detail"))[0], **beside}


@OPERATIONS.operation(
    "MakeTicketCommentPrivateFromAudits",
    "PUT",
    "/tickets/{ticket_id:int}/audits/{audit_id:int}/make_private",
    summary="Make the public comment of an update an internal note.",
)
def make_private_by_audit(call: Call) -> dict[str, Any]:
    """Hide the comment of an update from the requester."""
    audit = queries.one(queries.audits_of(ticket_of(call)), "audit", call.path["audit_id"])
    found = Comment.objects.filter(audit=audit).select_related("ticket").order_by("id").first()
    if found is None:
        raise RecordNotFound("comment of audit", audit.pk)
    comments.make_comment_private(found, actor=call.actor)
    return {}
