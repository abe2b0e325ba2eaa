"""Side conversations: begin one, answer in it, close it, take in what comes by mail."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from clones.core import clock, post
from clones.helpdesk.domain import side_threads
from clones.helpdesk.domain.changes import moment
from clones.helpdesk.domain.child_tickets import CHANNEL, DONE
from clones.helpdesk.domain.correspondence import SIDE_CONVERSATION
from clones.helpdesk.domain.errors import AccessDenied, InvalidAttribute, RecordInvalid
from clones.helpdesk.domain.side_threads import NewMessage, Participant
from clones.helpdesk.domain.tickets import create_ticket, update_ticket
from clones.helpdesk.domain.values import Mail, NewComment, Via
from clones.helpdesk.models import (
    SideConversation,
    SideConversationEvent,
    SideConversationFile,
    SupportAddress,
    Ticket,
    User,
)

HEADER = "X-Side-Conversation-Id"
EVENT_LIMIT = 100


def may_converse(actor: User) -> bool:
    """Tell whether somebody may take part: agents, unless their role says otherwise."""
    if not actor.is_agent:
        return False
    role = actor.custom_role
    return role is None or role.configuration.get("side_conversation_create") is not False


def create_side_conversation(
    ticket: Ticket,
    *,
    actor: User,
    message: NewMessage,
    external_ids: Mapping[str, Any] | None = None,
    via: Via,
) -> SideConversationEvent:
    """Begin a side conversation: by mail, or, with a group, as a child ticket of that group.

    Without a subject it has the ticket's.

    Raises:
        AccessDenied: the actor may not take part in side conversations.
        RecordInvalid: the ticket is closed, or the message breaks a rule.
        InvalidAttribute: a value has the wrong shape.
    """
    _check(actor)
    _check_open(ticket)
    subject = _subject(message.subject) or ticket.subject
    people = side_threads.resolve(message.to)
    files = side_threads.waiting_files(message.attachment_ids, actor=actor)
    message = replace(message, external_ids=checked_ids(message.external_ids))
    sender = side_threads.participant_of(actor)
    stored = side_threads.stored_message(message, subject=subject, sender=sender, to=people)
    thread = side_threads.new_thread(
        ticket, subject=subject, external_ids=checked_ids(external_ids), now=clock.now()
    )
    if people[0].get("support_group_id"):
        _open_child(thread, stored, people[0], files, actor=actor, via=via)
    thread.save(force_insert=True)
    event = side_threads.add_message(thread, stored, via=_channel(via), files=files)
    if thread.child is None:
        _send(thread, event)
    side_threads.record_on_ticket(thread, "Created", actor=actor, via=via)
    return event


def reply_side_conversation(
    thread: SideConversation, *, actor: User, message: NewMessage, via: Via
) -> SideConversationEvent:
    """Answer in a side conversation; one that is closed opens again.

    With nobody to send it to it goes to everybody else who takes part.

    Raises:
        AccessDenied: the actor may not take part in side conversations.
        RecordInvalid: its ticket or child ticket is closed, or the message breaks a rule.
        InvalidAttribute: a value has the wrong shape.
    """
    _check(actor)
    _check_open(thread.ticket)
    child = thread.child
    if child is not None:
        _check_open(child)
        people = [person for person in thread.participants if person.get("support_group_id")]
    elif message.to:
        people = side_threads.resolve(message.to)
        if people[0].get("support_group_id"):
            raise RecordInvalid.of("to", "To: this side conversation goes by email", "InvalidValue")
    else:
        people = [item for item in thread.participants if item["user_id"] != actor.id]
    subject = _subject(message.subject) or thread.subject
    files = side_threads.waiting_files(message.attachment_ids, actor=actor)
    message = replace(message, external_ids=checked_ids(message.external_ids))
    sender = side_threads.participant_of(actor)
    stored = side_threads.stored_message(message, subject=subject, sender=sender, to=people)
    if child is not None:
        said = _comment(stored, files, actor=actor)
        update_ticket(child, actor=actor, changes={}, comment=said, via=_way(thread.ticket, via))
        thread.refresh_from_db()
    event = side_threads.add_message(thread, stored, via=_channel(via), files=files)
    if child is None:
        _send(thread, event)
    side_threads.record_on_ticket(thread, "Reply", actor=actor, via=via)
    _reopen(thread, actor=actor, via=via)
    return event


def update_side_conversation(
    thread: SideConversation, *, actor: User, changes: Mapping[str, Any], via: Via
) -> SideConversationEvent | None:
    """Change a side conversation's state or subject; nothing is written if nothing changes.

    Raises:
        AccessDenied: the actor may not take part in side conversations.
        RecordInvalid: its ticket is closed, or a value breaks a rule.
        InvalidAttribute: a value has the wrong shape.
    """
    _check(actor)
    _check_open(thread.ticket)
    updates: dict[str, str] = {}
    if changes.get("state") is not None:
        if changes["state"] not in SideConversation.STATES:
            raise RecordInvalid.of("state", "State: is invalid", "InvalidValue")
        updates["state"] = changes["state"]
    if changes.get("subject") is not None:
        updates["subject"] = _subject(changes["subject"]) or ""
    updates = {name: value for name, value in updates.items() if getattr(thread, name) != value}
    if not updates:
        return None
    who = side_threads.participant_of(actor)
    event = side_threads.add_updates(thread, updates, via=_channel(via), actor=who)
    if "state" in updates:
        kind = "Closed" if updates["state"] == "closed" else "Reopened"
        side_threads.record_on_ticket(thread, kind, actor=actor, via=via)
    return event


def answered_thread(mail: Mail) -> SideConversation | None:
    """Return the side conversation that a mail says it answers, None if it names none."""
    names = {name.lower(): value for name, value in mail.headers.items()}
    key = names.get(HEADER.lower(), "").strip()
    if not key or "\0" in key:
        return None
    return SideConversation.objects.select_related("ticket", "child").filter(id=key).first()


def receive_side_reply(thread: SideConversation, mail: Mail) -> SideConversationEvent:
    """Take in a mail that answers a side conversation; its sender takes part from then on.

    One that is closed opens again. Mail to a closed ticket's is kept, and the ticket does not
    record it.

    Raises:
        RecordInvalid: the sender is no address, or the mail says nothing.
    """
    sender = side_threads.by_email(mail.sender, mail.name)
    files = [
        side_threads.keep_file(
            file_name=item.name, content_type=item.content_type, data=item.data, actor=None
        )
        for item in mail.files
        if item.data and item.name.replace("\0", "").strip()
    ]
    message = NewMessage(
        (),
        body=mail.text.replace("\0", ""),
        html_body=None if mail.html is None else mail.html.replace("\0", ""),
        external_ids={"inboundEmail": mail.message_id} if mail.message_id else {},
        attachment_ids=[file.id for file in files],
    )
    to = [item for item in thread.participants if item["email"] != sender["email"]]
    subject = " ".join(mail.subject.replace("\0", "").split()) or thread.subject
    stored = side_threads.stored_message(message, subject=subject, sender=sender, to=to)
    event = side_threads.add_message(thread, stored, via="email", files=files)
    user = User.objects.filter(id=sender["user_id"]).first() if sender["user_id"] else None
    way = Via(
        "email",
        {
            "from": {"address": sender["email"], "name": sender["name"]},
            "to": {"address": _address(), "name": None},
            "rel": None,
        },
    )
    side_threads.record_on_ticket(thread, "Reply", actor=user, via=way)
    _reopen(thread, actor=user, via=way)
    return event


def import_side_conversation(
    ticket: Ticket,
    *,
    actor: User,
    values: Mapping[str, Any],
    events: Sequence[Mapping[str, Any]],
) -> SideConversation:
    """Write a side conversation of another system with its messages; nobody is written to.

    Raises:
        AccessDenied: the actor may not take part in side conversations.
        RecordInvalid: the ticket is closed, there is no message, or a value breaks a rule.
        InvalidAttribute: a value has the wrong shape.
    """
    _check(actor)
    _check_open(ticket)
    state = values.get("state") or "open"
    if state not in SideConversation.STATES:
        raise RecordInvalid.of("state", "State: is invalid", "InvalidValue")
    if not events:
        raise RecordInvalid.of("events", "Events: cannot be blank", "BlankValue")
    first = events[0].get("message") or {}
    subject = _subject(values.get("subject")) or _subject(first.get("subject")) or ticket.subject
    thread = side_threads.new_thread(
        ticket,
        subject=subject,
        external_ids=checked_ids(values.get("external_ids")),
        now=_time_of(events[0]),
    )
    thread.state = state
    thread.save(force_insert=True)
    import_events(thread, actor=actor, events=events)
    return thread


def import_events(
    thread: SideConversation, *, actor: User, events: Sequence[Mapping[str, Any]]
) -> list[SideConversationEvent]:
    """Write messages of another system at the end of a side conversation; nobody is written to.

    Raises:
        AccessDenied: the actor may not take part in side conversations.
        RecordInvalid: its ticket is closed, there are too many, or a value breaks a rule.
        InvalidAttribute: a value has the wrong shape.
    """
    _check(actor)
    _check_open(thread.ticket)
    if not events:
        raise RecordInvalid.of("events", "Events: cannot be blank", "BlankValue")
    if len(events) > EVENT_LIMIT:
        raise RecordInvalid.of("events", "Events: are too many", "ValueTooLong")
    return [_import(thread, given, actor) for given in events]


def _import(
    thread: SideConversation, given: Mapping[str, Any], actor: User
) -> SideConversationEvent:
    said = given.get("message") or {}
    people = side_threads.resolve(said.get("to") or ())
    message = NewMessage(
        (),
        body=said.get("body"),
        html_body=said.get("html_body"),
        external_ids=checked_ids(said.get("external_ids")),
        attachment_ids=said.get("attachment_ids") or (),
    )
    files = side_threads.waiting_files(message.attachment_ids, actor=actor)
    sender = said.get("from")
    who = side_threads.resolve([sender])[0] if sender else side_threads.participant_of(actor)
    subject = _subject(said.get("subject")) or thread.subject
    stored = side_threads.stored_message(message, subject=subject, sender=who, to=people)
    return side_threads.add_message(thread, stored, via="api", files=files, now=_time_of(given))


def add_file(
    *, actor: User, file_name: str, content_type: str, data: bytes
) -> SideConversationFile:
    """Keep a file for a message to come.

    Raises:
        AccessDenied: the actor may not take part in side conversations.
        RecordInvalid: it is empty, too large, or has no name.
    """
    _check(actor)
    return side_threads.keep_file(
        file_name=file_name, content_type=content_type, data=data, actor=actor
    )


def checked_ids(given: Mapping[str, Any] | None) -> dict[str, str]:
    """Return metadata in the form it is kept in.

    Raises:
        InvalidAttribute: a value is no text.
    """
    found: dict[str, str] = {}
    for name, value in (given or {}).items():
        if not isinstance(value, str) or "\0" in name + value:
            raise InvalidAttribute("external_ids", "an object of strings")
        found[name] = value
    return found


def _check(actor: User) -> None:
    if not may_converse(actor):
        raise AccessDenied("only agents whose role says so take part in side conversations")


def _check_open(ticket: Ticket) -> None:
    if ticket.status == "closed":
        raise RecordInvalid.of("status", "Status: closed prevents ticket update")


def _subject(given: Any) -> str | None:
    if given is None:
        return None
    if not isinstance(given, str) or "\0" in given:
        raise InvalidAttribute("subject", "a string")
    return " ".join(given.split())[:998]


def _time_of(given: Mapping[str, Any]) -> datetime:
    return moment("created_at", given.get("created_at")) or clock.now()


def _channel(via: Via) -> str:
    """Return how an event came, in the vendor's word for it: pages are `support`."""
    return "support" if via.channel == "web" else via.channel


def _way(parent: Ticket, via: Via) -> Via:
    source = {
        "from": {"ticket_id": parent.id, "subject": parent.subject},
        "to": {},
        "rel": CHANNEL,
    }
    return Via(CHANNEL, source, via.client)


def _comment(
    stored: Mapping[str, Any], files: Sequence[SideConversationFile], *, actor: User
) -> NewComment:
    token = side_threads.as_upload(files, actor=actor).token if files else None
    return NewComment(
        stored["body"], stored["html_body"], uploads=() if token is None else (token,)
    )


def _open_child(
    thread: SideConversation,
    stored: Mapping[str, Any],
    group: Participant,
    files: Sequence[SideConversationFile],
    *,
    actor: User,
    via: Via,
) -> None:
    """Create the ticket of the group that is asked; who asks is its requester."""
    changes: dict[str, Any] = {
        "subject": thread.subject,
        "group_id": int(group["support_group_id"]),
        "brand_id": thread.ticket.brand_id,
    }
    if group.get("support_agent_id"):
        changes["assignee_id"] = int(group["support_agent_id"])
    audit = create_ticket(
        actor=actor,
        changes=changes,
        comment=_comment(stored, files, actor=actor),
        via=_way(thread.ticket, via),
    )
    thread.child = audit.ticket
    known = {"targetTicketId": str(audit.ticket_id), "targetTicketAuditId": str(audit.pk)}
    thread.external_ids = {**thread.external_ids, **known}


def _reopen(thread: SideConversation, *, actor: User | None, via: Via) -> None:
    if thread.state != "closed":
        return
    if thread.child is not None and thread.child.status in DONE:
        return
    who = None if actor is None else side_threads.participant_of(actor)
    side_threads.add_updates(thread, {"state": "open"}, via=_channel(via), actor=who)
    side_threads.record_on_ticket(thread, "Reopened", actor=actor, via=via)


def _send(thread: SideConversation, event: SideConversationEvent) -> None:
    message = event.message or {}
    recipients = [person["email"] for person in message["to"] if person["email"]]
    if not recipients:
        return
    sender = message["from"]
    kept = event.files.select_related("blob").order_by("created_at", "id")
    draft = post.Draft(
        sender=f"{sender['name']} <{_address()}>",
        recipients=recipients,
        subject=message["subject"],
        text=message["body"],
        html=message["html_body"],
        headers={"X-Ticket-Id": str(thread.ticket_id), HEADER: thread.id},
        files=[post.File(one.name, one.content_type, bytes(one.blob.data)) for one in kept],
    )
    post.post(draft, clone="helpdesk", about=f"{SIDE_CONVERSATION}{thread.id}")


def _address() -> str:
    found = SupportAddress.objects.order_by("-default", "id").values_list("email", flat=True)
    return next(iter(found[:1]), "support@desk.example")
