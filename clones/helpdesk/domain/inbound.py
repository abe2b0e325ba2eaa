"""What customers send in: new mail, replies, and replies to what is closed.

`receive_message` takes all of it. It holds back what `rules.suspension` finds a cause for, and
hides what comes from people who have no part in the ticket (`rules.mail.privacy`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from clones.core.addresses import addresses_in, name_of, without
from clones.core.mail_headers import folded
from clones.helpdesk import queries
from clones.helpdesk.domain import people, suspended, uploads
from clones.helpdesk.domain.tickets import create_ticket, update_ticket
from clones.helpdesk.domain.values import Mail, NewComment, Via
from clones.helpdesk.models import Audit, SupportAddress, SuspendedTicket, Ticket, User
from clones.helpdesk.queries.suspended import mails_within
from clones.helpdesk.rules import suspension
from clones.helpdesk.rules.mail.privacy import Answer, Verdict, verdict_of
from clones.helpdesk.rules.mail.tokens import split_address

MOST_CCS = 48
# The vendor's number for a comment whose author was not part of the conversation.
NOT_PART_OF_IT = 2


@dataclass(frozen=True, slots=True)
class Origin:
    """The mail that a ticket or a comment is made of, and what its audit keeps of it.

    `by_encoded_id` says that the mail named its ticket itself.
    """

    mail: Mail
    by_encoded_id: bool = False
    system: Mapping[str, Any] | None = None


def email_via(author: User, *, to: str | None = None) -> Via:
    """Return the way of a mail from somebody to the desk."""
    return _way(author.email, author.name, to)


def sender_via(mail: Mail) -> Via:
    """Return the way of a mail, whoever sent it."""
    return _way(mail.sender, mail.name, mail.to, exact=True)


def _way(email: str | None, name: str | None, to: str | None, *, exact: bool = False) -> Via:
    """Return the way of a mail; `exact` calls the address by its own name, if it is the desk's."""
    addresses = SupportAddress.objects.order_by("-default", "id")
    meant = addresses.filter(email__iexact=to).first() if exact and to else None
    address = meant or addresses.first()
    target = {
        "name": address.name if address else None,
        "address": to or (address.email if address else None),
    }
    return Via("email", {"from": {"address": email, "name": name}, "to": target, "rel": None})


def receive_message(
    mail: Mail,
    *,
    ticket: Ticket | None = None,
    by_encoded_id: bool = False,
    system: Mapping[str, Any] | None = None,
) -> Audit | SuspendedTicket:
    """Take in a mail from whomever: a ticket, a reply to the ticket it answers, or held back.

    Who writes for the first time becomes an end user. `system` is what the audit keeps of the mail.
    """
    origin = Origin(mail, by_encoded_id, system)
    return _take(origin, people.user_of_email(mail.sender), ticket)


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
    return _take(Origin(mail), author, ticket)


def _take(origin: Origin, author: User | None, ticket: Ticket | None) -> Audit | SuspendedTicket:
    mail = origin.mail
    name = mail.name if author is None else author.name
    via = _way(mail.sender if author is None else author.email, name, mail.to, exact=True)
    verdict = _verdict(origin, author, ticket) if ticket is not None else "public"
    cause = _cause(mail, author, verdict, via)
    if cause is not None:
        return suspended.hold_mail(mail, actor=author, cause=cause, via=via, ticket=ticket)
    if author is None:
        author = people.find_or_create_user(email=mail.sender, name=mail.name)
        via = _way(author.email, author.name, mail.to, exact=True)
    is_stranger = verdict == "private" and not author.is_agent and not _takes_part(author, ticket)
    via = _with_origin(via, origin, author, is_stranger=is_stranger)
    hidden = verdict == "private"
    comment = NewComment(mail.text, mail.html, uploads=_uploads(mail, author), hidden=hidden)
    changes = {} if is_stranger else _copies(mail, author, ticket)
    if ticket is None:
        return open_ticket(author, mail.subject, comment, via, changes)
    return add_reply(ticket, author, comment, via, changes)


def _with_origin(via: Via, origin: Origin, author: User, *, is_stranger: bool) -> Via:
    """Return the way of a mail with its recipients, and what its audit keeps of it."""
    source = dict(via.source)
    people_named = addresses_in([*origin.mail.recipients, *origin.mail.copies])
    if people_named:
        source["from"] = {**source["from"], "original_recipients": people_named}
    metadata: dict[str, Any] = {}
    if origin.system:
        metadata["system"] = dict(origin.system)
    if is_stranger:
        told = {"trusted": False, "message": {"user": author.name}}
        metadata |= {"flags": [NOT_PART_OF_IT], "flags_options": {str(NOT_PART_OF_IT): told}}
        metadata["trusted"] = False
    return Via(via.channel, source, via.client, metadata)


def _copies(mail: Mail, author: User, ticket: Ticket | None) -> dict[str, Any]:
    """Return the change that puts those whom a mail names on its ticket as CCs."""
    lines = [*mail.recipients, *mail.copies]
    if not lines:
        return {}
    own = own_addresses()
    requester = (ticket.requester.email or "").lower() if ticket is not None else ""
    named = [
        (address, name_of(line))
        for line in without(lines, mail.sender.strip().lower(), requester)
        for address in addresses_in([line])
        if split_address(address)[0] not in own and people.EMAIL.fullmatch(address)
    ]
    room = MOST_CCS - (len(ticket.email_cc_ids) if ticket is not None else 0)
    entries = [
        {"user_email": address, "user_name": name if name != address else None, "action": "put"}
        for address, name in named[: max(room, 0)]
    ]
    return {"email_ccs": entries} if entries else {}


def _verdict(origin: Origin, author: User | None, ticket: Ticket) -> Verdict:
    """Return what becomes of a mail that answers a ticket."""
    mail = origin.mail
    named = {split_address(one)[0] for one in addresses_in([*mail.recipients, *mail.copies])}
    others = named - own_addresses() if named else named
    requester = (ticket.requester.email or "").lower()
    key = author.id if author is not None else None
    return verdict_of(
        Answer(
            is_agent=author is not None and author.is_agent,
            is_known=author is not None,
            is_requester=key == ticket.requester_id,
            is_assignee=key is not None and key == ticket.assignee_id,
            is_follower=key in ticket.follower_ids,
            is_cc=key in ticket.email_cc_ids,
            edits=author is not None and _edits(author, ticket),
            by_encoded_id=origin.by_encoded_id,
            names_requester=requester in named,
            names_others=bool(others),
        )
    )


def _edits(author: User, ticket: Ticket) -> bool:
    if not author.is_agent:
        return _takes_part(author, ticket)
    if not author.ticket_restriction:
        return True
    return queries.visible_tickets(author).filter(id=ticket.id).exists()


def _takes_part(author: User, ticket: Ticket | None) -> bool:
    if ticket is None:
        return True
    return ticket.requester_id == author.id or author.id in ticket.email_cc_ids


def _cause(mail: Mail, author: User | None, verdict: Verdict, via: Via) -> str | None:
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
            headers=folded(mail.headers),
            own_addresses=own_addresses(),
            updates=verdict not in ("public", "private"),
            may_update=False,
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
            inline=file.inline,
        ).token
    return (token,) if token is not None else ()


def open_ticket(
    author: User,
    subject: str,
    comment: NewComment,
    via: Via,
    more: Mapping[str, Any] | None = None,
) -> Audit:
    """Create the ticket of a mail, of the brand whose address it was sent to; `more` changes it."""
    recipient = via.source["to"]["address"]
    changes: dict[str, Any] = {"subject": subject, "recipient": recipient, **(more or {})}
    rows = SupportAddress.objects.select_related("brand").order_by("id")
    address = rows.filter(email__iexact=recipient or "").first()
    if address is not None and not address.brand.default:
        changes["brand_id"] = address.brand_id
    return create_ticket(actor=author, changes=changes, comment=comment, via=via)


def add_reply(
    ticket: Ticket,
    author: User,
    comment: NewComment,
    via: Via,
    more: Mapping[str, Any] | None = None,
) -> Audit:
    """Add a mail to the ticket it answers: a comment, or a follow-up if the ticket is closed."""
    if ticket.status == "closed":
        return follow_up(ticket, actor=author, comment=comment, via=via)
    return update_ticket(ticket, actor=author, changes=more or {}, comment=comment, via=via)


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
        via=Via("closed_ticket", source, via.client, via.metadata),
        requester=ticket.requester if actor.is_agent else None,
    )


def can_solve(ticket: Ticket, user: User) -> bool:
    """Tell whether somebody may call a ticket solved: its requester, once it is assigned.

    Problems are the agents' to solve.
    """
    working = ticket.status in ("open", "pending", "hold") and ticket.type != "problem"
    return ticket.requester_id == user.id and working and ticket.assignee_id is not None
