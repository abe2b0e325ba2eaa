"""What happens on a child ticket is told in the side conversation that it belongs to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from clones.helpdesk.domain import side_threads
from clones.helpdesk.domain.values import Via
from clones.helpdesk.models import Attachment, Comment, SideConversation, Ticket, User

CHANNEL = "side_conversation"
DONE = ("solved", "closed")


def follow_child(
    ticket: Ticket,
    *,
    before: Mapping[str, Any] | None,
    comment: Comment | None,
    actor: User | None,
    channel: str,
) -> None:
    """Bring a child ticket's public comment and its end into its side conversation.

    What came from the side conversation itself (`channel`) is there already.
    """
    if before is None or ticket.via.get("channel") != CHANNEL:
        return
    thread = SideConversation.objects.select_related("ticket").filter(child=ticket).first()
    if thread is None:
        return
    via = Via(CHANNEL)
    if comment is not None and comment.public and channel != CHANNEL:
        _tell(thread, comment, via)
    was_done, is_done = before["status"] in DONE, ticket.status in DONE
    state = "closed" if is_done else "open"
    if was_done != is_done and thread.state != state:
        who = None if actor is None else side_threads.participant_of(actor)
        side_threads.add_updates(thread, {"state": state}, via="support", actor=who)
        kind = "Closed" if is_done else "Reopened"
        side_threads.record_on_ticket(thread, kind, actor=actor, via=via)


def _tell(thread: SideConversation, comment: Comment, via: Via) -> None:
    files = list(Attachment.objects.filter(comment=comment).select_related("blob").order_by("id"))
    message = {
        "subject": thread.subject,
        "preview_text": " ".join(comment.body.split())[: side_threads.PREVIEW],
        "body": comment.body,
        "html_body": comment.html_body,
        "from": side_threads.participant_of(comment.author),
        "to": thread.participants[:1],
        "external_ids": {"ticketAuditId": str(comment.audit_id)},
    }
    side_threads.add_message(thread, message, via="support", files=side_threads.copy_files(files))
    side_threads.record_on_ticket(thread, "Reply", actor=comment.author, via=via)
