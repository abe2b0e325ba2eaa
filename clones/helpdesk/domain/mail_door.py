"""The door through which messages come to the desk: from `core.post` into tickets and comments."""

from __future__ import annotations

from typing import Any

from django.db import transaction

from clones.core import jobs, post
from clones.core.addresses import address_of, addresses_in, name_of
from clones.core.journal import act
from clones.core.models import Message
from clones.core.plaintext import plain_of_html
from clones.core.rows import update_row
from clones.helpdesk.domain import inbound, people, side_conversations, suspended
from clones.helpdesk.domain.comments import BODY_LIMIT
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
from clones.helpdesk.domain.values import Mail, MailFile
from clones.helpdesk.models import Audit, SideConversation, SuspendedTicket, Ticket
from clones.helpdesk.rules.mail.quoting import split_html, split_text
from clones.helpdesk.rules.mail.threads import Match, match_of, named_messages
from clones.helpdesk.rules.mail.tokens import split_address

ARRIVAL = "helpdesk.mail_arrival"


def open_door() -> None:
    """Let the desk receive what is written to its support addresses. Called at start."""
    post.receive_at("helpdesk", takes=takes, job=ARRIVAL)


def takes(address: str) -> bool:
    """Tell whether an address is the desk's, with an encoded ID in it or not."""
    return split_address(address)[0] in inbound.own_addresses()


@jobs.handles(ARRIVAL)
def arrive(payload: dict[str, Any]) -> None:
    """Take in a message that was sent to the desk."""
    message = Message.objects.filter(id=payload["message"]).first()
    if message is not None:
        with act(actor="helpdesk.mail", label=f"mail from {message.sender}"[:200]):
            if not _take_side_reply(message):
                take_message(message)


def _take_side_reply(message: Message) -> bool:
    """Put an answer to a side conversation there, not on its ticket; tell whether it was one."""
    mail = mail_of(message, is_reply=True)
    thread = side_conversations.answered_thread(mail)
    if thread is None:
        names = named_messages({name.lower(): value for name, value in message.headers.items()})
        key = side_conversation_of_messages(names)
        if key is not None:
            rows = SideConversation.objects.select_related("ticket", "child")
            thread = rows.filter(id=key).first()
    if thread is None:
        return False
    try:
        with transaction.atomic():
            side_conversations.receive_side_reply(thread, mail)
    except HelpdeskError:
        return False  # it says nothing, or nobody wrote it: the desk sees to it as to any mail
    message.about = f"{SIDE_CONVERSATION}{thread.id}"
    update_row(message, ("about",))
    return True


def take_message(message: Message) -> Audit | SuspendedTicket:
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
        message.about = f"{SUSPENDED}{made.id}"
    else:
        message.about = about_ticket(made.ticket_id)
    update_row(message, ("about",))
    return made


def find_match(message: Message) -> Match | None:
    """Return the ticket that a message belongs to, and the sign that says so."""
    return match_of(
        headers={name.lower(): value for name, value in message.headers.items()},
        recipients=addresses_in([*message.recipients, *message.cc]),
        body=f"{message.text}\n{message.html or ''}",
        key=account_key(),
        own=inbound.own_addresses(),
        ticket_of_message=ticket_of_messages,
    )


def mail_of(message: Message, *, is_reply: bool) -> Mail:
    """Return a message as the desk reads it: of a reply only what is new in it."""
    text, html = message.text, message.html
    if is_reply:
        text, html = _new_part(text, html)
    own = inbound.own_addresses()
    named = addresses_in([*message.recipients, *message.cc])
    to = next((one for one in (split_address(name)[0] for name in named) if one in own), None)
    return Mail(
        sender=address_of(message.sender) or message.sender,
        name=name_of(message.sender) or None,
        subject=message.subject,
        text=_short(text),
        html=None if html is None else _short(html),
        to=to,
        message_id=message.message_id or None,
        headers=message.headers,
        files=tuple(
            MailFile(file["name"], file["content_type"], post.file_data(file), bool(file["cid"]))
            for file in message.files
        ),
        recipients=tuple(message.recipients),
        copies=tuple(message.cc),
    )


def _new_part(text: str, html: str | None) -> tuple[str, str | None]:
    """Return what is new in a reply's text and HTML."""
    if html is None:
        return split_text(text).new, None
    parts = split_html(html)
    if parts.quoted:
        return (split_text(text).new if text else ""), parts.new
    plain = split_text(text or plain_of_html(html))
    # Where the HTML shows no seam its text may: the comment is that, without its form.
    return (plain.new, None) if plain.quoted else (text, html)


def _short(text: str) -> str:
    """Return as much of a text as a comment keeps."""
    data = text.encode()
    return text if len(data) <= BODY_LIMIT else data[:BODY_LIMIT].decode(errors="ignore")
