"""Blotting out parts of comments as agents mark them, formatting and closed tickets too."""

from __future__ import annotations

from collections.abc import Sequence

from clones.core.plaintext import plain_of_html
from clones.helpdesk.domain import comments
from clones.helpdesk.domain.errors import AccessDenied, RecordInvalid
from clones.helpdesk.models import Comment, User
from clones.helpdesk.rules.redaction import read_marks
from clones.helpdesk.rules.text import html_of_html, kept_of_html


def redact_marked(
    comment: Comment, *, actor: User, html: str | None, attachments: Sequence[int] = ()
) -> Comment:
    """Blot out what is marked in a comment's HTML, and files of it, for good.

    Raises:
        AccessDenied: the actor does not work at the desk.
        RecordInvalid: nothing is marked, or the HTML is not the comment's.
        RecordNotFound: the comment carries no such file.
    """
    if not actor.is_agent:
        raise AccessDenied("only agents change what was said")
    if html is None and not attachments:
        raise RecordInvalid.of("base", "Redaction: nothing is marked")
    if html is not None:
        _blot_out(comment, actor, html)
    for key in attachments:
        comments.redact_attachment(comment, key, actor=actor, closed_too=True)
    return comment


def _blot_out(comment: Comment, actor: User, html: str) -> None:
    marked = read_marks(html)
    if not marked.any:
        raise RecordInvalid.of("html_body", "Html body: nothing is marked", "InvalidValue")
    ours = kept_of_html(comment.html_body)
    bare = kept_of_html(marked.before) != ours
    if bare and html_of_html(marked.before) != ours:
        raise RecordInvalid.of("html_body", "Html body: is not the comment's", "InvalidValue")
    was = comment.body
    comment.html_body = html_of_html(marked.after) if bare else kept_of_html(marked.after)
    comment.body = plain_of_html(comment.html_body)
    comment.save(update_fields=["body", "html_body"])
    ticket = comment.ticket
    if ticket.description == was:
        ticket.description = comment.body
        ticket.save(update_fields=["description"])
    comments.add_event(comment, actor, "CommentRedactionEvent", {"comment_id": comment.id})
