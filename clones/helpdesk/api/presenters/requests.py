"""Requests and their comments as JSON: what end users may know of tickets."""

from __future__ import annotations

from typing import Any

from clones.core.plaintext import plain_of_html
from clones.helpdesk.api.presenters.context import Show, when
from clones.helpdesk.api.presenters.tickets import present_attachment
from clones.helpdesk.domain.inbound import can_solve
from clones.helpdesk.models import Comment, Ticket, TicketField, User
from clones.helpdesk.queries.requests import public_description
from clones.helpdesk.rules.lifecycle import status_for_customer


def present_request(ticket: Ticket, viewer: User, show: Show) -> dict[str, Any]:
    """Return a ticket as its customer sees it."""
    show.note(ticket)
    visible = TicketField.objects.filter(active=True, visible_in_portal=True).exclude(
        type__in=TicketField.SYSTEM_TYPES
    )
    fields = [
        {"id": field.id, "value": ticket.custom_fields.get(str(field.id))}
        for field in visible.order_by("id")
    ]
    followers = Ticket.objects.filter(via_followup_source_id=ticket.id).order_by("id")
    return {
        "url": show.url(f"requests/{ticket.id}"),
        "id": ticket.id,
        "status": status_for_customer(ticket.status),
        "custom_status_id": ticket.custom_status_id,
        "priority": ticket.priority,
        "type": ticket.type,
        "subject": ticket.subject,
        "description": ticket.description if viewer.is_agent else public_description(ticket),
        "organization_id": ticket.organization_id,
        "via": ticket.via,
        "custom_fields": fields,
        "requester_id": ticket.requester_id,
        "collaborator_ids": ticket.email_cc_ids,
        "email_cc_ids": ticket.email_cc_ids,
        "is_public": ticket.is_public,
        "due_at": when(ticket.due_at),
        "can_be_solved_by_me": can_solve(ticket, viewer),
        "created_at": when(ticket.created_at),
        "updated_at": when(ticket.updated_at),
        "recipient": ticket.recipient,
        "followup_source_id": ticket.via_followup_source_id,
        "followup_ids": list(followers.values_list("id", flat=True)),
        "assignee_id": ticket.assignee_id,
        "ticket_form_id": ticket.ticket_form_id,
        "fields": fields,
    }


def present_request_comment(comment: Comment, show: Show) -> dict[str, Any]:
    """Return a public comment as its customer sees it."""
    show.note(comment)
    return {
        "url": show.url(f"requests/{comment.ticket_id}/comments/{comment.id}"),
        "id": comment.id,
        "type": "Comment",
        "request_id": comment.ticket_id,
        "author_id": comment.author_id,
        "body": comment.body,
        "html_body": comment.html_body,
        "plain_body": plain_of_html(comment.html_body),
        "public": True,
        "attachments": [
            present_attachment(item, show)
            for item in sorted(comment.attachments.all(), key=lambda item: item.id)
        ],
        "created_at": when(comment.created_at),
    }
