"""The threads of side conversations: participants, messages, files, what the ticket records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from clones.core import clock, ids
from clones.core.digits import is_digits
from clones.core.models import Blob
from clones.core.plaintext import plain_of_html
from clones.helpdesk.domain import uploads
from clones.helpdesk.domain.audits import open_audit
from clones.helpdesk.domain.errors import InvalidAttribute, RecordInvalid, RecordNotFound
from clones.helpdesk.domain.people import check_email, user_of_email
from clones.helpdesk.domain.values import Via
from clones.helpdesk.models import (
    Attachment,
    Group,
    SideConversation,
    SideConversationEvent,
    SideConversationFile,
    Ticket,
    Upload,
    User,
)
from clones.helpdesk.rules.text import html_of_html, html_of_plain

BODY_LIMIT = 65_535
PREVIEW = 255
Participant = dict[str, Any]
FOREIGN = ("slack_workspace_id", "slack_channel_id", "msteams_channel_id")


@dataclass(frozen=True, slots=True)
class NewMessage:
    """A message to add: `to` are participants as they were given; `html_body` wins over `body`."""

    to: Sequence[Mapping[str, Any]]
    subject: str | None = None
    body: str | None = None
    html_body: str | None = None
    external_ids: Mapping[str, str] = field(default_factory=dict)
    attachment_ids: Sequence[str] = ()


def participant_of(user: User) -> Participant:
    """Return a user as a participant."""
    return {"user_id": user.id, "name": user.name, "email": user.email}


def by_email(email: str, name: str | None = None) -> Participant:
    """Return the participant of an address: whoever has it, or a stranger.

    Raises:
        RecordInvalid: it is no address.
    """
    if "\0" in email + (name or ""):
        raise RecordInvalid.of("to", "To: is invalid", "InvalidValue")
    address = check_email(email)
    user = user_of_email(address)
    if user is not None:
        return {**participant_of(user), "email": address}
    return {"user_id": None, "name": name, "email": address}


def resolve(to: Sequence[Mapping[str, Any]]) -> list[Participant]:
    """Return whom a message goes to: people by their addresses, or one group of agents.

    Raises:
        RecordInvalid: there is nobody, one cannot be reached, or they are of several kinds.
    """
    if not to:
        raise RecordInvalid.of("to", "To: cannot be blank", "BlankValue")
    if any(given.get(name) for given in to for name in FOREIGN):
        raise RecordInvalid.of("to", "To: no such channel is connected", "InvalidValue")
    to_groups = [bool(given.get("support_group_id")) for given in to]
    if any(to_groups):
        if len(to) > 1:
            raise RecordInvalid.of("to", "To: a child ticket goes to one group", "InvalidValue")
        return [_support(to[0])]
    found: dict[str, Participant] = {}
    for given in to:
        person = _person(given)
        found.setdefault(person["email"], person)
    return list(found.values())


def _person(given: Mapping[str, Any]) -> Participant:
    if given.get("user_id"):
        user = User.objects.filter(id=_number(given["user_id"]), active=True).first()
        if user is None or user.email is None:
            raise RecordInvalid.of("to", "To: user cannot be reached by email", "InvalidValue")
        return participant_of(user)
    if not given.get("email"):
        raise RecordInvalid.of("to", "To: a participant needs an address", "BlankValue")
    return by_email(str(given["email"]), given.get("name") or None)


def _support(given: Mapping[str, Any]) -> Participant:
    key = _number(given["support_group_id"])
    group = Group.objects.filter(id=key, deleted=False).first()
    if group is None:
        raise RecordInvalid.of("to", "To: group does not exist", "InvalidValue")
    found: Participant = {
        "user_id": None,
        "name": group.name,
        "email": None,
        "support_group_id": str(group.id),
    }
    if given.get("support_agent_id"):
        agent = User.objects.filter(
            id=_number(given["support_agent_id"]), active=True, role__in=("agent", "admin")
        ).first()
        if agent is None or not agent.group_memberships.filter(group=group).exists():
            raise RecordInvalid.of("to", "To: agent is not in the group", "InvalidValue")
        found |= {"name": f"{group.name}/{agent.name}", "support_agent_id": str(agent.id)}
    return found


def _number(value: Any) -> int:
    text = str(value)
    return int(text) if is_digits(text) else 0


def texts_of(message: NewMessage) -> tuple[str, str]:
    """Return what a message says: as text, and as HTML.

    Raises:
        RecordInvalid: it says nothing, or too much.
        InvalidAttribute: it holds NUL.
    """
    if "\0" in (message.body or "") + (message.html_body or ""):
        raise InvalidAttribute("body", "a string")
    if (message.html_body or "").strip():
        html = html_of_html(message.html_body or "")
        body = plain_of_html(html)
    else:
        body = (message.body or "").replace("\r\n", "\n")
        html = html_of_plain(body)
    if not body.strip() and not message.attachment_ids:
        raise RecordInvalid.of("body", "Body: cannot be blank", "BlankValue")
    if len(body.encode()) > BODY_LIMIT or len(html.encode()) > 4 * BODY_LIMIT:
        raise RecordInvalid.of("body", "Body: is too long", "ValueTooLong")
    return body, html


def stored_message(
    message: NewMessage, *, subject: str, sender: Participant, to: list[Participant]
) -> dict[str, Any]:
    """Return a message in the form that events keep.

    Raises:
        RecordInvalid: it says nothing, or too much.
        InvalidAttribute: it holds NUL.
    """
    body, html = texts_of(message)
    return {
        "subject": subject,
        "preview_text": " ".join(body.split())[:PREVIEW],
        "body": body,
        "html_body": html,
        "from": sender,
        "to": to,
        "external_ids": dict(message.external_ids),
    }


def new_thread(
    ticket: Ticket, *, subject: str, external_ids: Mapping[str, str], now: datetime
) -> SideConversation:
    """Return an open thread that is not written yet."""
    return SideConversation(
        id=ids.next_uuid(SideConversation),
        ticket=ticket,
        subject=subject,
        state="open",
        external_ids=dict(external_ids),
        message_added_at=now,
        state_updated_at=now,
        created_at=now,
        updated_at=now,
    )


def add_message(
    thread: SideConversation,
    message: dict[str, Any],
    *,
    via: str,
    files: Sequence[SideConversationFile] = (),
    now: datetime | None = None,
) -> SideConversationEvent:
    """Write a message with its files at the end of a thread, and bring the thread up to date."""
    now = now or clock.now()
    first = not thread.events.exists()
    event = _add(
        thread,
        "create" if first else "reply",
        via=via,
        actor=message["from"],
        message=message,
        now=now,
    )
    for file in files:
        file.event = event
        file.save(update_fields=["event"])
    if first:
        thread.preview_text = message["preview_text"]
    known = {_identity(person) for person in thread.participants}
    for person in (message["from"], *message["to"]):
        if person is not None and _identity(person) not in known:
            known.add(_identity(person))
            thread.participants = [*thread.participants, person]
    thread.message_added_at = thread.updated_at = now
    thread.save()
    return event


def add_updates(
    thread: SideConversation, updates: dict[str, str], *, via: str, actor: Participant | None
) -> SideConversationEvent:
    """Write what changed of a thread, and change it."""
    now = clock.now()
    if "state" in updates:
        thread.state, thread.state_updated_at = updates["state"], now
    if "subject" in updates:
        thread.subject = updates["subject"]
    thread.updated_at = now
    thread.save()
    return _add(thread, "update", via=via, actor=actor, updates=updates, now=now)


def _add(
    thread: SideConversation,
    kind: str,
    *,
    via: str,
    actor: Participant | None,
    now: datetime,
    message: dict[str, Any] | None = None,
    updates: dict[str, str] | None = None,
) -> SideConversationEvent:
    return SideConversationEvent.objects.create(
        id=ids.next_uuid(SideConversationEvent),
        side_conversation=thread,
        position=thread.events.count(),
        type=kind,
        via=via,
        actor=actor,
        message=message,
        updates=updates or {},
        created_at=now,
    )


def _identity(person: Participant) -> object:
    if person.get("support_group_id"):
        return person["support_group_id"], person.get("support_agent_id")
    return person["email"] or person["user_id"]


def record_on_ticket(thread: SideConversation, kind: str, *, actor: User | None, via: Via) -> None:
    """Write the audit event of what happened in a thread; a closed ticket records nothing more.

    `kind` is Created, Reply, Closed or Reopened.
    """
    if thread.ticket.status == "closed":
        return
    recorder = open_audit(thread.ticket, author=actor, via=via.as_json(), client=via.client)
    body = {"thread_id": thread.id, "subject": thread.subject}
    recorder.add([(f"CollabThread{kind}", body)])


def keep_file(
    *, file_name: str, content_type: str, data: bytes, actor: User | None
) -> SideConversationFile:
    """Keep a file for a message to come.

    Raises:
        RecordInvalid: it is empty, too large, or has no name.
    """
    name = uploads.file_name_of(file_name)
    if not name:
        raise RecordInvalid.of("file", "File: needs a name", "BlankValue")
    if not data:
        raise RecordInvalid.of("file", "File: cannot be empty", "BlankValue")
    if len(data) > uploads.SIZE_LIMIT:
        raise RecordInvalid.of("file", "File: is too large", "ValueTooLong")
    return _file(name, content_type, uploads.keep_blob(data), len(data), actor)


def copy_files(attachments: Sequence[Attachment]) -> list[SideConversationFile]:
    """Return copies of a comment's files."""
    return [
        _file(item.file_name, item.content_type, item.blob, item.size, None)
        for item in attachments
        if not item.deleted
    ]


def _file(
    name: str, content_type: str, blob: Blob, size: int, actor: User | None
) -> SideConversationFile:
    return SideConversationFile.objects.create(
        id=f"s3-{ids.next_uuid(SideConversationFile)}",
        blob=blob,
        name=name,
        content_type=content_type.partition(";")[0].strip()[:127] or uploads.PLAIN,
        size=size,
        uploader_id=actor.id if actor is not None else None,
        created_at=clock.now(),
    )


def waiting_files(keys: Sequence[str], *, actor: User) -> list[SideConversationFile]:
    """Return files that somebody sent ahead and that no message carries yet.

    Raises:
        RecordInvalid: there is no such file.
    """
    found = []
    for key in dict.fromkeys(map(str, keys)):
        rows = SideConversationFile.objects.filter(id=key, event=None, uploader_id=actor.id)
        file = None if "\0" in key else rows.first()
        if file is None:
            raise RecordInvalid.of(
                "attachment_ids", f"Attachments: {key[:80]!r} does not exist", "InvalidValue"
            )
        found.append(file)
    return found


def as_upload(files: Sequence[SideConversationFile], *, actor: User) -> Upload:
    """Return an upload with copies of files, for a comment of another ticket to carry."""
    made = uploads.open_upload(actor=actor)
    for file in files:
        Attachment.objects.create(
            id=ids.next_stamp(Attachment),
            upload=made,
            blob=file.blob,
            file_name=file.name,
            content_type=file.content_type,
            size=file.size,
            created_at=clock.now(),
        )
    return made


def file_of(thread: SideConversation, key: str) -> SideConversationFile:
    """Return a file of a thread.

    Raises:
        RecordNotFound: the thread carries no such file.
    """
    rows = SideConversationFile.objects.filter(event__side_conversation=thread, id=key)
    found = None if "\0" in key else rows.select_related("blob").first()
    if found is None:
        raise RecordNotFound("side conversation attachment", key)
    return found
