"""What the desk's conversations are: who is in them, what was said, what is kept from them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from clones.core.privacy import ConversationView, WorldRows
from clones.helpdesk.domain.correspondence import SIDE_CONVERSATION, TICKET, about_ticket
from clones.helpdesk.models import (
    Comment,
    Organization,
    SideConversation,
    SideConversationEvent,
    SuspendedTicket,
    Ticket,
    User,
)
from clones.helpdesk.privacy.people import user_name


def conversation(name: str, rows: WorldRows) -> ConversationView | None:
    """Return a ticket's or side conversation, None for names of others and of what is new."""
    if name.startswith(TICKET):
        return _of_ticket(int(name.removeprefix(TICKET)), rows)
    if name.startswith(SIDE_CONVERSATION):
        return _beside(name.removeprefix(SIDE_CONVERSATION), rows)
    return None


def side_conversation_name(key: str) -> str:
    """Return the name of a side conversation that messages bear."""
    return f"{SIDE_CONVERSATION}{key}"


def ticket_name(key: int) -> str:
    """Return the name of a ticket's conversation."""
    return about_ticket(key)


def _of_ticket(number: int, rows: WorldRows) -> ConversationView | None:
    """Return a ticket's conversation; whom its requester copies elsewhere is one of its people."""
    found = rows.of(Ticket, "requester_id", "organization_id", id=[number])
    if not found:
        return None
    requester, firm = found[0]
    theirs = rows.of(Ticket, "email_cc_ids", requester_id=[requester])
    copied = {key for (keys,) in theirs for key in keys}
    authors: set[int] = set()
    said: list[str] = []
    internal: list[str] = []
    columns = ("ticket_id", "author_id", "body", "html_body", "public")
    heard = _heard(rows, number, requester, firm)
    for ticket, author, body, html, public in rows.of(Comment, *columns, ticket_id=heard):
        if public:
            said += [body, html]
            authors |= {author} if ticket == number else set()
        elif ticket == number:
            internal.append(body)
    for subject, text in rows.of(Ticket, "subject", "description", id=heard):
        said += [subject, text]
    said += _written_by(rows, requester)
    return ConversationView(
        name=ticket_name(number),
        people=frozenset(map(user_name, {requester, *copied, *authors})),
        said=tuple(said),
        internal=tuple(internal),
    )


def _heard(rows: WorldRows, number: int, requester: int, firm: int | None) -> set[int]:
    """Return the tickets that the requester reads: this, theirs, those their firm shares."""
    found = {number, *(key for (key,) in rows.of(Ticket, "id", requester_id=[requester]))}
    if firm is not None and any(s for (s,) in rows.of(Organization, "shared_tickets", id=[firm])):
        found |= {key for (key,) in rows.of(Ticket, "id", organization_id=[firm])}
    return found


def _written_by(rows: WorldRows, requester: int) -> Iterable[str]:
    """Return the mail of theirs that was held back: letting it in says nothing new to them."""
    columns = ("id", "subject", "content", "html_content")
    emails = {email.lower() for (email,) in rows.of(User, "email", id=[requester]) if email}
    held = [
        *rows.of(SuspendedTicket, *columns, author_id=[requester]),
        *rows.of(SuspendedTicket, *columns, author_email=emails),
    ]
    for _, *texts in {row[0]: row for row in held}.values():
        yield from filter(None, texts)


def _beside(key: str, rows: WorldRows) -> ConversationView | None:
    found = rows.of(SideConversation, "participants", id=[key])
    if not found:
        return None
    (participants,) = found[0]
    said: list[str] = []
    for (message,) in rows.of(SideConversationEvent, "message", side_conversation_id=[key]):
        if message:
            said += [str(message.get(part) or "") for part in ("subject", "body", "html_body")]
    name = side_conversation_name(key)
    return ConversationView(name, frozenset(names_of(participants)), tuple(said))


def names_of(participants: Iterable[Any]) -> set[str]:
    """Return the names of the participants of a side conversation."""
    found: set[str] = set()
    for one in participants:
        if one.get("user_id"):
            found.add(user_name(one["user_id"]))
        elif one.get("email"):
            found.add(str(one["email"]).lower())
    return found
