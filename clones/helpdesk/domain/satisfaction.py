"""Ratings that requesters give."""

from __future__ import annotations

from clones.core import clock, ids
from clones.helpdesk.domain import audits
from clones.helpdesk.domain.changes import plain_text
from clones.helpdesk.domain.errors import AccessDenied, RecordInvalid
from clones.helpdesk.domain.values import Via
from clones.helpdesk.models import SatisfactionRating, Ticket, User
from clones.helpdesk.rules.satisfaction_reasons import BY_CODE

SCORES = ("good", "bad")
RATABLE = ("solved", "closed")


def can_rate(ticket: Ticket, user: User) -> bool:
    """Tell whether somebody is asked how a ticket was handled: its requester, once it is solved."""
    asked = ticket.satisfaction_score != "unoffered" and ticket.status == "solved"
    return asked and ticket.requester_id == user.id


def rate_ticket(
    ticket: Ticket,
    *,
    actor: User,
    score: str,
    comment: str | None = None,
    reason_code: int | None = None,
    via: Via,
) -> SatisfactionRating:
    """Rate how a solved ticket was handled; a second rating replaces the first.

    `reason_code` says why the score is bad; a good one has no reason.

    Raises:
        AccessDenied: the actor is not the requester.
        RecordInvalid: the ticket is not solved, or there is no such score or reason.
    """
    if actor.id != ticket.requester_id:
        raise AccessDenied("only the requester rates a ticket")
    if ticket.status not in RATABLE:
        raise RecordInvalid.of("base", "Satisfaction rating: the ticket has not been solved yet")
    if score not in SCORES:
        raise RecordInvalid.of("score", f"Score: {score} is not a valid score", "InvalidValue")
    reason = BY_CODE.get(reason_code) if reason_code is not None else None
    if reason_code is not None and reason is None:
        raise RecordInvalid.of("reason_code", "Reason: is invalid", "InvalidValue")
    if score == "good":
        reason = None
    said = plain_text("comment", comment, 65_535)
    now = clock.now()
    rating = (
        SatisfactionRating.objects.filter(ticket=ticket, score__in=SCORES).order_by("-id").first()
    )
    if rating is None:
        rating = SatisfactionRating(id=ids.next_stamp(SatisfactionRating), created_at=now)
    before = ticket.satisfaction_score
    rating.ticket, rating.requester = ticket, actor
    rating.assignee, rating.group = ticket.assignee, ticket.group
    rating.score, rating.comment, rating.updated_at = score, said, now
    rating.reason = reason.text if reason is not None else None
    rating.reason_code = reason.code if reason is not None else None
    rating.save()
    ticket.satisfaction_score = score
    ticket.updated_at = now
    ticket.save(update_fields=["satisfaction_score", "updated_at"])
    recorder = audits.open_audit(ticket, author=actor, via=via.as_json(), client=via.client)
    body = {"field_name": "satisfaction_score", "value": score, "previous_value": before}
    event = {"score": score, "assignee_id": ticket.assignee_id, "body": said}
    recorder.add([("Change", body), ("SatisfactionRating", event)])
    return rating
