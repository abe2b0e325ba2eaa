"""How mail comes to the desk: from `core.post` into tickets and comments."""

from __future__ import annotations

from django.db import transaction

from clones.core import arrivals
from clones.core.addresses import address_of, name_of
from clones.core.arrivals import addressees, files_of
from clones.core.mail_headers import answered, folded
from clones.core.models import Message
from clones.core.quoting import new_part
from clones.helpdesk.domain import inbound, people, side_conversations, suspended
from clones.helpdesk.domain.correspondence import (
    SIDE_CONVERSATION,
    SUSPENDED,
    about_ticket,
    account_key,
    original_name,
    side_conversation_of_messages,
    ticket_of_messages,
)
from clones.helpdesk.domain.errors import HelpdeskError
from clones.helpdesk.domain.values import BODY_LIMIT, Mail
from clones.helpdesk.models import SideConversation, SuspendedTicket, Ticket
from clones.helpdesk.rules.mail.quoting import DELIMITER
from clones.helpdesk.rules.mail.threads import Match, match_of
from clones.helpdesk.rules.mail.tokens import split_address


def register() -> None:
    """Let the desk receive what is written to its support addresses. Called at start."""
    arrivals.register_receiver("helpdesk", takes=takes, take=take_message)


def takes(address: str) -> bool:
    """Tell whether an address is the desk's, with an encoded ID in it or not."""
    return split_address(address)[0] in inbound.own_addresses()


def take_message(message: Message) -> str:
    """Take in a message that was sent to the desk; return what it is about from now on."""
    return _take_side_reply(message) or _take_mail(message)


def _take_side_reply(message: Message) -> str | None:
    """Put an answer to a side conversation there, not on its ticket; None if it is no such."""
    mail = mail_of(message, is_reply=True)
    thread = side_conversations.answered_thread(mail)
    if thread is None:
        key = side_conversation_of_messages(answered(folded(message.headers)))
        if key is not None:
            rows = SideConversation.objects.select_related("ticket", "child")
            thread = rows.filter(id=key).first()
    if thread is None:
        return None
    try:
        with transaction.atomic():
            side_conversations.receive_side_reply(thread, mail)
    except HelpdeskError:
        return None  # it says nothing, or nobody wrote it: the desk sees to it as to any mail
    return f"{SIDE_CONVERSATION}{thread.id}"


def _take_mail(message: Message) -> str:
    """Make a message a ticket, a comment or a follow-up, or hold it back; it is kept as it came."""
    match = find_match(message)
    ticket = None
    if match is not None:
        rows = Ticket.objects.select_related("requester", "assignee", "group", "brand")
        ticket = rows.filter(id=match.ticket_id, deleted_at=None).first()
    mail = mail_of(message, is_reply=ticket is not None)
    system = {"message_id": message.message_id, "raw_email_identifier": original_name(message)}
    try:
        with transaction.atomic():
            made = inbound.receive_message(
                mail,
                ticket=ticket,
                by_encoded_id=match is not None and match.by_encoded_id,
                system=system,
            )
    except HelpdeskError:
        # It cannot be kept as it is: an agent will see to it.
        author = people.user_of_email(mail.sender)
        via = inbound.sender_via(mail)
        made = suspended.hold_mail(
            mail, actor=author, cause="unprocessable_email", via=via, ticket=ticket
        )
    if isinstance(made, SuspendedTicket):
        return f"{SUSPENDED}{made.id}"
    return about_ticket(made.ticket_id)


def find_match(message: Message) -> Match | None:
    """Return the ticket that a message belongs to, and the sign that says so."""
    return match_of(
        headers=folded(message.headers),
        recipients=addressees(message),
        body=f"{message.text}\n{message.html or ''}",
        key=account_key(),
        own=inbound.own_addresses(),
        ticket_of_message=ticket_of_messages,
    )


def mail_of(message: Message, *, is_reply: bool) -> Mail:
    """Return a message as the desk reads it: of a reply only what is new in it."""
    text, html = message.text, message.html
    if is_reply:
        text, html = new_part(text, html, DELIMITER)
    own = inbound.own_addresses()
    named = (split_address(name)[0] for name in addressees(message))
    to = next((one for one in named if one in own), None)
    return Mail(
        sender=address_of(message.sender) or message.sender,
        name=name_of(message.sender) or None,
        subject=message.subject,
        text=_short(text),
        html=None if html is None else _short(html),
        to=to,
        message_id=message.message_id or None,
        headers=message.headers,
        files=files_of(message),
        recipients=tuple(message.recipients),
        copies=tuple(message.cc),
    )


def _short(text: str) -> str:
    """Return as much of a text as a comment keeps."""
    data = text.encode()
    return text if len(data) <= BODY_LIMIT else data[:BODY_LIMIT].decode(errors="ignore")
