"""What customers send in: new mail, replies, and replies to what is closed.

`receive_message` is the door: it holds back what `rules.suspension` finds a cause for.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from clones.helpdesk.domain import people, suspended, uploads
from clones.helpdesk.domain.tickets import create_ticket, update_ticket
from clones.helpdesk.domain.values import Mail, NewComment, Via
from clones.helpdesk.models import Audit, SupportAddress, SuspendedTicket, Ticket, User
from clones.helpdesk.queries.suspended import mails_within
from clones.helpdesk.rules import suspension


def email_via(author: User, *, to: str | None = None) -> Via:
    """Return the way of a mail from somebody to the desk."""
    return _way(author.email, author.name, to)


def _way(email: str | None, name: str | None, to: str | None) -> Via:
    address = SupportAddress.objects.order_by("-default", "id").first()
    target = {
        "name": address.name if address else None,
        "address": to or (address.email if address else None),
    }
    return Via("email", {"from": {"address": email, "name": name}, "to": target, "rel": None})


def receive_message(mail: Mail, *, ticket: Ticket | None = None) -> Audit | SuspendedTicket:
    """Take in a mail from whomever: a ticket, a reply to the ticket it answers, or held back.

    Who writes for the first time becomes an end user.
    """
    return _take(mail, people.user_of_email(mail.sender), ticket)


def receive_mail(
    *, author: User, subject: str, body: str, html_body: str | None = None, to: str | None = None
) -> Audit:
    """Create a ticket from the mail of a customer who is let in."""
    return open_ticket(author, subject, NewComment(body, html_body), email_via(author, to=to))


def receive_reply(
    ticket: Ticket, *, author: User, body: str, html_body: str | None = None
) -> Audit | SuspendedTicket:
    """Take in a customer's reply by mail: a comment, a follow-up if the ticket is closed.

    It is held back like any mail if there is a cause: its author is suspended, or no party to
    the ticket.
    """
    mail = Mail(author.email or "", author.name, f"Re: {ticket.subject}", body, html_body)
    return _take(mail, author, ticket)


def _take(mail: Mail, author: User | None, ticket: Ticket | None) -> Audit | SuspendedTicket:
    name = mail.name if author is None else author.name
    via = _way(mail.sender if author is None else author.email, name, mail.to)
    cause = _cause(mail, author, ticket, via)
    if cause is not None:
        return suspended.hold_mail(mail, actor=author, cause=cause, via=via, ticket=ticket)
    if author is None:
        author = people.find_or_create_user(email=mail.sender, name=mail.name)
        via = email_via(author, to=mail.to)
    comment = NewComment(mail.text, mail.html, uploads=_uploads(mail, author))
    if ticket is None:
        return open_ticket(author, mail.subject, comment, via)
    return add_reply(ticket, author, comment, via)


def _cause(mail: Mail, author: User | None, ticket: Ticket | None, via: Via) -> str | None:
    if author is None and not people.EMAIL.fullmatch(mail.sender.strip().lower()):
        return "unprocessable_email"
    email = mail.sender.strip().lower()
    body = (mail.text + (mail.html or "")).strip()
    return suspension.cause_of(
        suspension.Letter(
            sender=email,
            to=via.source["to"]["address"] or "",
            subject=mail.subject,
            blank=not body and not any(file.data for file in mail.files),
            standing=_standing(author),
            headers=_folded(mail.headers),
            own_addresses=own_addresses(),
            updates=ticket is not None,
            may_update=_takes_part(author, ticket),
            recent=mails_within(author, email, suspension.LOOP_WINDOW),
        )
    )


def own_addresses() -> frozenset[str]:
    """Return the desk's own addresses, in small letters."""
    rows = SupportAddress.objects.order_by("id").values_list("email", flat=True)
    return frozenset(email.lower() for email in rows)


def _standing(author: User | None) -> suspension.Standing:
    if author is None:
        return "unknown"
    if author.suspended:
        return "suspended"
    return "agent" if author.is_agent else "end-user"


def _takes_part(author: User | None, ticket: Ticket | None) -> bool:
    if author is None or ticket is None or author.is_agent:
        return True
    return ticket.requester_id == author.id or author.id in ticket.email_cc_ids


def _folded(headers: Mapping[str, str]) -> dict[str, str]:
    return {name.lower(): value for name, value in headers.items()}


def _uploads(mail: Mail, author: User) -> tuple[str, ...]:
    """Keep a mail's files and return the token under which its comment takes them."""
    token: str | None = None
    for file in mail.files:
        if not file.data or not uploads.file_name_of(file.name):
            continue
        token = uploads.add_upload(
            actor=author,
            file_name=file.name,
            content_type=file.content_type,
            data=file.data,
            token=token,
        ).token
    return (token,) if token is not None else ()


def open_ticket(author: User, subject: str, comment: NewComment, via: Via) -> Audit:
    """Create the ticket of a mail."""
    changes: dict[str, Any] = {"subject": subject, "recipient": via.source["to"]["address"]}
    return create_ticket(actor=author, changes=changes, comment=comment, via=via)


def add_reply(ticket: Ticket, author: User, comment: NewComment, via: Via) -> Audit:
    """Add a mail to the ticket it answers: a comment, or a follow-up if the ticket is closed."""
    if ticket.status == "closed":
        return follow_up(ticket, actor=author, comment=comment, via=via)
    return update_ticket(ticket, actor=author, changes={}, comment=comment, via=via)


def follow_up(
    ticket: Ticket,
    *,
    actor: User,
    comment: NewComment,
    via: Via,
    changes: Mapping[str, Any] | None = None,
) -> Audit:
    """Create the ticket that takes up a closed one; `changes` are more that it has of its own."""
    source = {
        "from": {"ticket_id": ticket.id, "subject": ticket.subject, "channel": via.channel},
        "to": {},
        "rel": "follow_up",
    }
    subject = ticket.subject if ticket.subject.startswith("Re:") else f"Re: {ticket.subject}"
    return create_ticket(
        actor=actor,
        changes={"subject": subject, **(changes or {}), "via_followup_source_id": ticket.id},
        comment=comment,
        via=Via("closed_ticket", source, via.client),
        requester=ticket.requester if actor.is_agent else None,
    )


def can_solve(ticket: Ticket, user: User) -> bool:
    """Tell whether somebody may call a ticket solved: its requester, once it is assigned.

    Problems are the agents' to solve.
    """
    working = ticket.status in ("open", "pending", "hold") and ticket.type != "problem"
    return ticket.requester_id == user.id and working and ticket.assignee_id is not None
