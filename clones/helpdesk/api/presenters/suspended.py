"""Mail that was held back, as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from clones.helpdesk.api.presenters.context import Show, when
from clones.helpdesk.api.presenters.tickets import present_attachment
from clones.helpdesk.domain.errors import RecordInvalid
from clones.helpdesk.domain.recovery import Outcome
from clones.helpdesk.models import Attachment, SuspendedTicket


def present_suspended(rows: Sequence[SuspendedTicket], show: Show) -> list[dict[str, Any]]:
    """Return mails that are held back as JSON, their files looked up for all at once."""
    keys = [key for row in rows for key in row.attachment_ids]
    files = {file.id: file for file in Attachment.objects.filter(id__in=keys)} if keys else {}
    return [_present(row, files, show) for row in rows]


def present_outcomes(outcomes: Sequence[Outcome], show: Show) -> list[dict[str, Any]]:
    """Return mails that were to be recovered as JSON: with their tickets, or what hindered it."""
    bodies = present_suspended([outcome.suspended for outcome in outcomes], show)
    for body, outcome in zip(bodies, outcomes, strict=True):
        body["ticket_id"] = outcome.ticket_id
        if outcome.problem is not None:
            body["error_messages"] = _messages(outcome.problem)
    return bodies


def _present(found: SuspendedTicket, files: dict[int, Attachment], show: Show) -> dict[str, Any]:
    show.note(found)
    return {
        "url": show.url(f"suspended_tickets/{found.id}"),
        "id": found.id,
        "author": {
            "id": found.author_id,
            "name": found.author_name,
            "email": found.author_email,
        },
        "subject": found.subject,
        "content": found.content,
        "cause": found.cause,
        "cause_id": found.cause_id,
        "error_messages": None,
        "message_id": found.message_id,
        "ticket_id": found.ticket_id,
        "recipient": found.recipient,
        "created_at": when(found.created_at),
        "updated_at": when(found.updated_at),
        "via": found.via,
        "attachments": [
            present_attachment(files[key], show) for key in found.attachment_ids if key in files
        ],
        "brand_id": found.brand_id,
    }


def _messages(problem: RecordInvalid) -> list[dict[str, Any]]:
    return [
        {"description": item.description, "error": item.error}
        for problems in problem.details.values()
        for item in problems
    ]
