"""Writing comments and the files they carry."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet

from clones.core import clock
from clones.core.plaintext import plain_of_html
from clones.helpdesk.domain.audits import Event, Recorder, open_audit
from clones.helpdesk.domain.errors import (
    AccessDenied,
    InvalidAttribute,
    RecordInvalid,
    RecordNotFound,
)
from clones.helpdesk.domain.values import BODY_LIMIT, NewComment
from clones.helpdesk.models import Attachment, Comment, Ticket, Upload, User
from clones.helpdesk.queries import can_be
from clones.helpdesk.rules.text import html_of_html, html_of_plain

REDACTED = "▇"


def check_comment(comment: NewComment) -> None:
    """Refuse a comment that cannot be kept.

    Raises:
        RecordInvalid: it is too long, or an upload does not exist, has expired, or was taken by a
            comment before.
        InvalidAttribute: it holds NUL.
    """
    for text in (comment.body or "", comment.html_body or ""):
        if "\0" in text:
            raise InvalidAttribute("body", "a string")
        if len(text.encode()) > BODY_LIMIT:
            raise RecordInvalid.of("comment", "Comment: is too long", "ValueTooLong")
    for token in comment.uploads:
        if not can_be(token) or not _waiting(token).exists():
            raise RecordInvalid.of("attachments", "Attachments: upload token is invalid")


def _waiting(token: str) -> QuerySet[Upload]:
    """Return the upload of a token, unless comments have taken all its files."""
    files = Attachment.objects.filter(upload=OuterRef("pk"))
    taken = Exists(files.exclude(comment=None)) & ~Exists(files.filter(comment=None))
    return Upload.objects.filter(~taken, token=token, expires_at__gt=clock.now())


def is_public(comment: NewComment, author: User) -> bool:
    """Tell whether a comment will be public: end users' are unless hidden, light agents' never."""
    if comment.hidden:
        return False
    if not author.is_agent:
        return True
    return comment.public and not author.only_private_comments


def plain_text_of(comment: NewComment) -> str:
    """Return the text of a comment, whichever way it was written."""
    if comment.html:
        return plain_of_html(html_of_html(comment.html))
    return (comment.body or "").replace("\r\n", "\n")


def write_comment(
    recorder: Recorder,
    ticket: Ticket,
    comment: NewComment,
    *,
    author: User,
    via: Mapping[str, Any],
    events: Sequence[Event] = (),
) -> Comment:
    """Write a comment with its event, the events that follow it, and hand it the uploaded files."""
    body = plain_text_of(comment)
    html = html_of_html(comment.html) if comment.html else html_of_plain(body)
    event = recorder.add([("Comment", {}), *events])[0]
    row = Comment.objects.create(
        id=event.id,
        ticket=ticket,
        audit=recorder.audit,
        author=author,
        body=body,
        html_body=html,
        public=is_public(comment, author),
        via=dict(via),
        created_at=recorder.audit.created_at,
    )
    _attach(row, comment.uploads)
    return row


def _attach(comment: Comment, tokens: Sequence[str]) -> None:
    if tokens:
        files = Attachment.objects.filter(upload__token__in=tokens, comment=None)
        files.update(comment=comment)


def make_comment_private(comment: Comment, *, actor: User) -> Comment:
    """Hide a public comment from the requester, for good.

    Raises:
        AccessDenied: the actor does not work at the desk.
    """
    _agents_only(actor)
    if comment.public:
        comment.public = False
        comment.save(update_fields=["public"])
        add_event(
            comment, actor, "CommentPrivacyChange", {"comment_id": comment.id, "public": False}
        )
    return comment


def redact_comment(comment: Comment, *, actor: User, text: str) -> Comment:
    """Blot out a text of a comment, for good.

    Raises:
        AccessDenied: the actor does not work at the desk.
        RecordInvalid: the comment does not hold the text, or its ticket is closed.
    """
    _agents_only(actor)
    _check_open(comment)
    if not text or text not in comment.body:
        raise RecordInvalid.of("text", "Text: was not found in the comment")
    blot = REDACTED * len(text)
    comment.body = comment.body.replace(text, blot)
    comment.html_body = comment.html_body.replace(text, blot)
    comment.save(update_fields=["body", "html_body"])
    ticket = comment.ticket
    if ticket.description and text in ticket.description:
        ticket.description = ticket.description.replace(text, blot)
        ticket.save(update_fields=["description"])
    add_event(comment, actor, "CommentRedactionEvent", {"comment_id": comment.id})
    return comment


def redact_attachment(
    comment: Comment, attachment_id: int, *, actor: User, closed_too: bool = False
) -> Attachment:
    """Replace a comment's file by nothing, for good; on closed tickets only where that is said.

    Raises:
        AccessDenied: the actor does not work at the desk.
        RecordNotFound: the comment carries no such file.
        RecordInvalid: its ticket is closed.
    """
    _agents_only(actor)
    if not closed_too:
        _check_open(comment)
    found = Attachment.objects.filter(id=attachment_id, comment=comment).first()
    if found is None:
        raise RecordNotFound("attachment", attachment_id)
    found.deleted = True
    found.save(update_fields=["deleted"])
    body = {"attachment_id": found.id, "comment_id": comment.id}
    add_event(comment, actor, "AttachmentRedactionEvent", body)
    return found


def _check_open(comment: Comment) -> None:
    if comment.ticket.status == "closed":
        raise RecordInvalid.of("status", "Status: closed prevents ticket update")


def _agents_only(actor: User) -> None:
    if not actor.is_agent:
        raise AccessDenied("only agents change what was said")


def add_event(comment: Comment, actor: User, kind: str, body: dict[str, Any]) -> None:
    """Record what was done to a comment in an audit of its own."""
    via = {"channel": "api", "source": {"from": {}, "to": {}, "rel": None}}
    recorder = open_audit(comment.ticket, author=actor, via=via, client=None)
    recorder.add([(kind, body)])
