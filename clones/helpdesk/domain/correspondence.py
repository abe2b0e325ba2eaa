"""A ticket's mail among all messages: its thread, its encoded ID, and the originals of comments.

Messages are rows of `core.post`; a ticket's are those whose `about` names it.
"""

from __future__ import annotations

from dataclasses import dataclass

from clones.core import ids
from clones.core.addresses import address_of, name_of, with_name
from clones.core.arrivals import known_messages
from clones.core.mail_headers import answering
from clones.core.models import Message
from clones.core.state import read_state
from clones.helpdesk.domain.values import ACCOUNT_ID
from clones.helpdesk.models import Audit, Ticket
from clones.helpdesk.queries.hot import NAMES_OF_MESSAGES_ABOUT
from clones.helpdesk.rules.mail.tokens import encoded_id, with_token

TICKET = "helpdesk.ticket:"
SUSPENDED = "helpdesk.suspended_ticket:"
SIDE_CONVERSATION = "helpdesk.side_conversation:"
MOST_NAMED = 7


@dataclass(frozen=True, slots=True)
class Thread:
    """What a new message of a ticket says of those before it."""

    message_id: str
    headers: dict[str, str]
    token: str


def account_key() -> str:
    """Return what encoded IDs are made with: the same in every sandbox of a world."""
    return f"{read_state().seed}|encoded_id"


def about_ticket(ticket_id: int) -> str:
    """Return the name of a ticket that messages bear."""
    return f"{TICKET}{ticket_id}"


def token_of(ticket_id: int) -> str:
    """Return a ticket's encoded ID."""
    return encoded_id(ticket_id, account_key())


def next_in_thread(ticket: Ticket, sender: str, *, answered: str | None = None) -> Thread:
    """Return how the next message of a ticket, sent from an address, joins those before it.

    `answered` is the Message-ID of the mail at hand, which is not among them yet.
    """
    token = token_of(ticket.id)
    earlier = [name for name in NAMES_OF_MESSAGES_ABOUT.all(about_ticket(ticket.id)) if name]
    if answered and answered not in earlier:
        earlier.append(answered)
    headers = {"Reply-To": with_name(name_of(sender), with_token(address_of(sender), token))}
    if earlier:
        headers |= answering(earlier[-1], earlier, most=MOST_NAMED)
    domain = address_of(sender).rpartition("@")[2]
    code = ids.next_code("", Message, length=16)
    return Thread(f"<{token}_{code}@{domain}>", headers, token)


def ticket_of_messages(names: list[str]) -> int | None:
    """Return the ticket of the first message of these Message-IDs that belongs to one."""
    known = known_messages(names, TICKET)
    found = next((known[name] for name in names if name in known), None)
    return None if found is None else int(found.removeprefix(TICKET))


def side_conversation_of_messages(names: list[str]) -> str | None:
    """Return the side conversation of the first message of these Message-IDs that is of one."""
    known = known_messages(names, SIDE_CONVERSATION)
    found = next((known[name] for name in names if name in known), None)
    return None if found is None else found.removeprefix(SIDE_CONVERSATION)


def original_name(message: Message) -> str:
    """Return the name under which audits keep the original of a mail."""
    return f"{ACCOUNT_ID}/{ids.uuid_text(f'{account_key()}|{message.id}')}.eml"


def original_of(audit: Audit) -> Message | None:
    """Return the mail that an audit was made of, None if it was not made of one that is kept."""
    name = audit.metadata.get("system", {}).get("message_id")
    if not name:
        return None
    rows = Message.objects.filter(message_id=name, direction="in").order_by("id")
    return rows.filter(about=about_ticket(audit.ticket_id)).first()


def file_under(ticket_id: int, *, suspended_id: int) -> None:
    """Let a mail that was held back belong to the ticket that it became part of."""
    held = Message.objects.filter(about=f"{SUSPENDED}{suspended_id}")
    held.update(about=about_ticket(ticket_id))
