"""What customers send in: new mail, replies, and replies to what is closed."""

from __future__ import annotations

from clones.helpdesk.domain.tickets import create_ticket, update_ticket
from clones.helpdesk.domain.values import NewComment, Via
from clones.helpdesk.models import Audit, SupportAddress, Ticket, User


def email_via(author: User, *, to: str | None = None) -> Via:
    """Return the way of a mail from somebody to the desk."""
    address = SupportAddress.objects.order_by("-default", "id").first()
    target = {
        "name": address.name if address else None,
        "address": to or (address.email if address else None),
    }
    source = {"from": {"address": author.email, "name": author.name}, "to": target, "rel": None}
    return Via("email", source)


def receive_mail(
    *, author: User, subject: str, body: str, html_body: str | None = None, to: str | None = None
) -> Audit:
    """Create a ticket from a customer's mail."""
    via = email_via(author, to=to)
    address = via.source["to"]["address"]
    return create_ticket(
        actor=author,
        changes={"subject": subject, "recipient": address},
        comment=NewComment(body, html_body),
        via=via,
    )


def receive_reply(
    ticket: Ticket, *, author: User, body: str, html_body: str | None = None
) -> Audit:
    """Add a customer's reply by mail: a comment, or a follow-up if the ticket is closed."""
    via, comment = email_via(author), NewComment(body, html_body)
    if ticket.status == "closed":
        return follow_up(ticket, actor=author, comment=comment, via=via)
    return update_ticket(ticket, actor=author, changes={}, comment=comment, via=via)


def follow_up(ticket: Ticket, *, actor: User, comment: NewComment, via: Via) -> Audit:
    """Create the ticket that takes up a closed one."""
    source = {
        "from": {"ticket_id": ticket.id, "subject": ticket.subject, "channel": via.channel},
        "to": {},
        "rel": "follow_up",
    }
    subject = ticket.subject if ticket.subject.startswith("Re:") else f"Re: {ticket.subject}"
    return create_ticket(
        actor=actor,
        changes={"subject": subject, "via_followup_source_id": ticket.id},
        comment=comment,
        via=Via("closed_ticket", source, via.client),
        requester=ticket.requester if actor.is_agent else None,
    )


def can_solve(ticket: Ticket, user: User) -> bool:
    """Tell whether somebody may call a ticket solved: its requester, once it is assigned."""
    working = ticket.status in ("open", "pending", "hold")
    return ticket.requester_id == user.id and working and ticket.assignee_id is not None
