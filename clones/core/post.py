"""The outbox and the inbox: mail-shaped messages between people and clones.

Whoever has something to say calls `send`. The message lies in the mailboxes of its recipients at
once; a clone that takes mail at an address (`receive_at`) is called by a job.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from clones.core import clock, ids, jobs
from clones.core.addresses import address_of, addresses_in
from clones.core.mail_headers import first_of_thread, folded
from clones.core.models.blobs import Blob
from clones.core.models.post import Envelope, Message

SUBJECT_LIMIT = 998
NAME_LIMIT = 255


@dataclass(frozen=True, slots=True)
class File:
    """A file that goes along; `cid` is the identifier by which the HTML shows it, if it does."""

    name: str
    content_type: str
    data: bytes
    cid: str | None = None

    @property
    def inline(self) -> bool:
        """Whether it is a picture in the text."""
        return bool(self.cid)


@dataclass(frozen=True, slots=True)
class Draft:
    """What is to be sent: `sender` and recipients are addresses, with or without a name.

    `message_id` is made unless given; `headers` are those beside the ones that are told here.
    """

    sender: str
    recipients: Sequence[str]
    subject: str
    text: str
    html: str | None = None
    cc: Sequence[str] = ()
    message_id: str | None = None
    headers: Mapping[str, Any] | None = None
    files: Sequence[File] = ()


@dataclass(frozen=True, slots=True)
class _Receiver:
    takes: Callable[[str], bool]
    job: str


_receivers: dict[str, _Receiver] = {}


def receive_at(clone: str, *, takes: Callable[[str], bool], job: str) -> None:
    """Let a clone receive mail at the addresses that `takes` is true of. Called at start.

    For each message a job of kind `job` is set, with {"message": id}. What a clone sends itself is
    not brought back to it.
    """
    _receivers[clone] = _Receiver(takes, job)


def send(
    *,
    clone: str,
    sender: str,
    recipients: Sequence[str],
    subject: str,
    text: str,
    html: str | None = None,
    headers: dict[str, Any] | None = None,
    about: str | None = None,
) -> Message:
    """Write a message that leaves a clone now and return it.

    `about` names the record it speaks of, as `helpdesk.ticket:17`.

    Raises:
        ValueError: there is no recipient.
    """
    draft = Draft(sender, recipients, subject, text, html, headers=headers)
    return post(draft, clone=clone, about=about)


def post(
    draft: Draft, *, clone: str, about: str | None = None, direction: Literal["in", "out"] = "out"
) -> Message:
    """Write a message, lay it in the mailboxes of its people, and tell who receives there.

    Raises:
        ValueError: there is no recipient.
    """
    if not draft.recipients and not draft.cc:
        raise ValueError("a message needs a recipient")
    headers = {name: _line(str(value)) for name, value in (draft.headers or {}).items()}
    message_id = _line(draft.message_id or "")[:NAME_LIMIT] or new_message_id(draft.sender)
    message = Message.objects.create(
        id=ids.next_stamp(Message),
        direction=direction,
        clone=clone,
        sent_at=clock.now(),
        sender=_line(draft.sender)[:320],
        recipients=[_line(one) for one in draft.recipients],
        cc=[_line(one) for one in draft.cc],
        subject=_line(draft.subject)[:SUBJECT_LIMIT],
        text=_plain(draft.text),
        html=None if draft.html is None else _plain(draft.html),
        message_id=message_id,
        thread=(first_of_thread(folded(headers)) or message_id)[:NAME_LIMIT],
        headers=headers,
        files=[_kept(file) for file in draft.files],
        about=about,
    )
    _deliver(message)
    return message


def new_message_id(sender: str, prefix: str = "") -> str:
    """Return a Message-ID that no other message has, at the domain of its sender's address."""
    domain = address_of(sender).rpartition("@")[2] or "mail.example"
    return f"<{prefix}{ids.next_code('', Message, length=20)}@{domain}>"[:NAME_LIMIT]


def is_received(address: str) -> bool:
    """Tell whether a clone takes mail at an address."""
    return any(receiver.takes(address) for receiver in _receivers.values())


def file_data(file: Mapping[str, Any]) -> bytes:
    """Return the bytes of one of a message's files."""
    return bytes(Blob.objects.get(sha256=file["blob"]).data)


def _deliver(message: Message) -> None:
    people = list(dict.fromkeys(addresses_in([*message.recipients, *message.cc])))
    places = [("sent", address_of(message.sender)), *(("inbox", person) for person in people)]
    Envelope.objects.bulk_create(
        [
            Envelope(id=f"{message.id}.{number}", message=message, address=address, folder=folder)
            for number, (folder, address) in enumerate(places)
            if len(address) <= 254
        ]
    )
    for clone, receiver in _receivers.items():
        if clone != message.clone and any(receiver.takes(person) for person in people):
            jobs.enqueue(receiver.job, due=clock.now(), payload={"message": message.id})


def _kept(file: File) -> dict[str, Any]:
    name = hashlib.sha256(file.data).hexdigest()
    if not Blob.objects.filter(sha256=name).exists():
        Blob.objects.create(sha256=name, data=file.data)
    return {
        "name": _line(file.name).replace("/", "_")[:NAME_LIMIT] or "file",
        "content_type": file.content_type.partition(";")[0].strip()[:127],
        "size": len(file.data),
        "blob": name,
        "cid": file.cid,
    }


def _plain(text: str) -> str:
    return text.replace("\0", "")


def _line(text: str) -> str:
    """Return a text on one line: what follows a line's end would be another header."""
    return " ".join(_plain(text).split())
