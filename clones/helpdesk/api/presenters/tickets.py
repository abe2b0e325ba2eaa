"""Tickets, comments, audits and attachments as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import itemgetter
from typing import Any

from clones.core.plaintext import plain_of_html
from clones.helpdesk.api.presenters.context import Show, when
from clones.helpdesk.models import (
    Attachment,
    Audit,
    AuditEvent,
    Comment,
    Ticket,
)
from clones.helpdesk.queries import by_keys
from clones.helpdesk.queries.hot import (
    COMMENTS_OF_AUDIT,
    CUSTOM_TICKET_FIELDS,
    EVENTS_OF_AUDIT,
    FILES_OF_COMMENT,
)
from clones.helpdesk.rules.system_fields import SYSTEM_FIELDS

RATED = ("good", "bad")
# The attributes of a ticket in the vendor's order; system fields that are not named here follow.
_ORDER = """
    url id external_id via created_at updated_at generated_timestamp type subject raw_subject
    description priority status recipient requester_id submitter_id assignee_id organization_id
    group_id collaborator_ids follower_ids email_cc_ids forum_topic_id problem_id has_incidents
    is_public due_at tags custom_fields satisfaction_rating sharing_agreement_ids
    custom_status_id fields followup_ids ticket_form_id brand_id allow_channelback
    allow_attachments from_messaging_channel
""".split()
_SHOWN = [item for item in SYSTEM_FIELDS if item.shown]
_AS_STORED = tuple(item.name for item in _SHOWN if item.kind != "moment")
_MOMENTS = ("created_at", "updated_at", *(item.name for item in _SHOWN if item.kind == "moment"))
_as_stored = itemgetter(*_AS_STORED)
# A ticket's body before it is filled: the attributes in their order, and those always the same.
_BLANK: dict[str, Any] = {
    **dict.fromkeys((*_ORDER, *(item.name for item in _SHOWN))),
    "allow_channelback": False,
    "allow_attachments": True,
    "from_messaging_channel": False,
}


class TicketPresenter:
    """Presents the tickets of one answer, having looked up once what they all need."""

    def __init__(self, tickets: Sequence[Ticket], show: Show) -> None:
        self.show = show
        # The id, the id as tickets have it, and the value of those that have none.
        self.fields = [
            (key, str(key), False if kind == "checkbox" else None)
            for key, kind in CUSTOM_TICKET_FIELDS.all()
        ]
        problems = [ticket.id for ticket in tickets if ticket.type == "problem"]
        self.with_incidents = by_keys.with_incidents(problems) if problems else set()
        self.followups: dict[int, list[int]] = {}
        if any(ticket.status == "closed" for ticket in tickets):
            self.followups = by_keys.followups_of(ticket.id for ticket in tickets)
        rated = [ticket.id for ticket in tickets if ticket.satisfaction_score in RATED]
        self.ratings = by_keys.ratings_of(rated) if rated else {}

    def present(self, ticket: Ticket) -> dict[str, Any]:
        """Return a ticket as JSON."""
        show = self.show
        show.note(ticket)
        # What the row holds is read from its columns: as attributes each is a call of its own.
        columns = vars(ticket)
        values = ticket.custom_fields
        fields = [{"id": key, "value": values.get(name, unset)} for key, name, unset in self.fields]
        ccs, followers = ticket.email_cc_ids, ticket.follower_ids
        body = _BLANK.copy()
        body.update(zip(_AS_STORED, _as_stored(columns), strict=True))
        for name in _MOMENTS:
            body[name] = when(columns[name])
        body["url"] = show.url(f"tickets/{ticket.id}")
        body["id"] = ticket.id
        body["via"] = ticket.via
        body["generated_timestamp"] = int(ticket.updated_at.timestamp())
        body["raw_subject"] = ticket.subject
        body["description"] = ticket.description
        body["collaborator_ids"] = [*ccs, *(key for key in followers if key not in ccs)]
        body["follower_ids"] = followers
        body["email_cc_ids"] = ccs
        body["has_incidents"] = ticket.id in self.with_incidents
        body["is_public"] = ticket.is_public
        body["custom_fields"] = body["fields"] = fields
        body["satisfaction_rating"] = self._rating(ticket)
        body["sharing_agreement_ids"] = []
        body["followup_ids"] = self.followups.get(ticket.id, [])
        return body

    def _rating(self, ticket: Ticket) -> dict[str, Any] | None:
        if ticket.satisfaction_score == "unoffered":
            return None
        rating = self.ratings.get(ticket.id)
        if rating is None:
            return {"score": ticket.satisfaction_score}
        return {"score": rating.score, "id": rating.id, "comment": rating.comment}


def present_tickets(tickets: Sequence[Ticket], show: Show) -> list[dict[str, Any]]:
    """Return tickets as JSON."""
    presenter = TicketPresenter(tickets, show)
    return [presenter.present(ticket) for ticket in tickets]


def present_ticket(ticket: Ticket, show: Show) -> dict[str, Any]:
    """Return one ticket as JSON."""
    return TicketPresenter([ticket], show).present(ticket)


def present_attachment(attachment: Attachment, show: Show) -> dict[str, Any]:
    """Return a file as JSON; a redacted one has no content any more."""
    show.note(attachment)
    url = show.content_url(attachment)
    name = "redacted.txt" if attachment.deleted else attachment.file_name
    return {
        "url": show.url(f"attachments/{attachment.id}"),
        "id": attachment.id,
        "file_name": name,
        "content_url": url,
        "mapped_content_url": url,
        "content_type": "text/plain" if attachment.deleted else attachment.content_type,
        "size": 0 if attachment.deleted else attachment.size,
        "width": None,
        "height": None,
        "inline": attachment.inline,
        "deleted": attachment.deleted,
        "malware_access_override": False,
        "malware_scan_result": "not_scanned",
        "thumbnails": [],
    }


def _files_of(comment: Comment) -> list[Attachment]:
    if "attachments" in getattr(comment, "_prefetched_objects_cache", {}):
        return sorted(comment.attachments.all(), key=lambda item: item.id)
    return FILES_OF_COMMENT.all(comment.id)


def comment_core(comment: Comment, show: Show) -> dict[str, Any]:
    """Return what a comment says as JSON, without how it came."""
    show.note(comment)
    return {
        "id": comment.id,
        "type": "Comment",
        "author_id": comment.author_id,
        "body": comment.body,
        "html_body": comment.html_body,
        "plain_body": plain_of_html(comment.html_body),
        "public": comment.public,
        "attachments": [present_attachment(item, show) for item in _files_of(comment)],
        "audit_id": comment.audit_id,
    }


def present_comment(comment: Comment, show: Show) -> dict[str, Any]:
    """Return a comment as JSON; its audit and attachments must be loaded."""
    return {
        **comment_core(comment, show),
        "via": comment.via,
        "created_at": when(comment.created_at),
        "metadata": comment.audit.metadata,
    }


def present_audit(
    audit: Audit, events: Iterable[AuditEvent], comments: dict[int, Comment], show: Show
) -> dict[str, Any]:
    """Return an audit with its events as JSON; `comments` are the ticket's, by id."""
    show.note(audit)
    return {
        "id": audit.pk,
        "ticket_id": audit.ticket_id,
        "created_at": when(audit.created_at),
        "author_id": audit.author_id if audit.author_id is not None else -1,
        "metadata": audit.metadata,
        "events": [present_event(event, comments, show) for event in events],
        "via": audit.via,
    }


def present_event(event: AuditEvent, comments: dict[int, Comment], show: Show) -> dict[str, Any]:
    """Return one event of an audit as JSON."""
    comment = comments.get(event.id) if event.type == "Comment" else None
    if comment is not None:
        return comment_core(comment, show)
    return {"id": event.id, "type": event.type, **event.body}


def _events_of(audits: list[int]) -> Iterable[AuditEvent]:
    if len(audits) == 1:  # what each write answers
        return EVENTS_OF_AUDIT.all(audits[0])
    return AuditEvent.objects.filter(audit_id__in=audits).order_by("audit_id", "position")


def _comments_of(audits: list[int]) -> Iterable[Comment]:
    if len(audits) == 1:
        return COMMENTS_OF_AUDIT.all(audits[0])
    found = Comment.objects.filter(audit_id__in=audits).order_by("id")
    return found.prefetch_related("attachments")


def present_audits(audits: Sequence[Audit], show: Show) -> list[dict[str, Any]]:
    """Return audits with their events and comments, looked up for all at once."""
    keys = [audit.pk for audit in audits if not audit._state.adding]
    events: dict[int, list[AuditEvent]] = {}
    for event in _events_of(keys):
        events.setdefault(event.audit_id, []).append(event)
    comments = {comment.id: comment for comment in _comments_of(keys)}
    return [present_audit(audit, events.get(audit.pk, []), comments, show) for audit in audits]
