"""Redaction of comments by marks in their HTML."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from pydantic import Field

from clones.core.accounts import secrets
from clones.core.operations import Call
from clones.helpdesk import queries
from clones.helpdesk.api.dialect import ATTACHMENTS
from clones.helpdesk.api.operations import OPERATIONS, Body, show
from clones.helpdesk.api.presenters.tickets import present_comment
from clones.helpdesk.domain.errors import InvalidAttribute
from clones.helpdesk.domain.redactions import redact_marked
from clones.helpdesk.models import Comment


class RedactionBody(Body):
    """A redaction of a ticket's comment: its HTML with what goes marked, and its files."""

    ticket_id: int
    html_body: str | None = Field(None, description="The comment's HTML with <redact> tags.")
    external_attachment_urls: list[str] | None = Field(
        None, description="The content_url of each file to redact."
    )


def _attachment(url: str) -> int:
    """Return the file that a content address names: its token carries the file's number."""
    path = urlsplit(url).path
    claim = secrets.read(path.removeprefix(ATTACHMENTS).split("/")[0])
    if not path.startswith(ATTACHMENTS) or claim is None or claim.kind != "attachment":
        raise InvalidAttribute("external_attachment_urls", "addresses of attachments")
    return claim.number


@OPERATIONS.operation(
    "RedactTicketCommentInAgentWorkspace",
    "PUT",
    "/comment_redactions/{comment_id:int}",
    summary="Blot out what is marked in a comment's HTML, and files of it, for good.",
    body=RedactionBody,
)
def redact_comment(call: Call) -> dict[str, Any]:
    """Redact a comment, of a closed ticket too."""
    ticket = queries.ticket(call.actor, call.body.ticket_id)
    rows = Comment.objects.filter(ticket=ticket).select_related("ticket")
    comment = queries.one(rows, "comment", call.path["comment_id"])
    files = [_attachment(url) for url in call.body.external_attachment_urls or []]
    redact_marked(comment, actor=call.actor, html=call.body.html_body, attachments=files)
    shown = queries.comments_of(ticket, call.actor).get(id=comment.id)
    return {"comment": present_comment(shown, show(call, "detail"))}
