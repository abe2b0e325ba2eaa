"""Folders, messages, their files and their source."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from django.http import HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.safestring import SafeString

from clones.core import post, sightings
from clones.core.addresses import address_of, name_of
from clones.core.models import Envelope, Message
from clones.core.pages import harmless_html, secured
from clones.core.rfc5322 import written
from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.paging import page_of
from clones.core.web.posted import posted_text
from clones.mail import queries
from clones.mail.domain.mailboxes import mark_read
from clones.mail.web import refusals
from clones.mail.web.access import Reader, reader_page
from clones.mail.web.shell import page
from clones.mail.web.times import MailboxTimes, Moment

SNIPPET = 120


@dataclass(frozen=True, slots=True)
class MessageRow:
    """A message in a folder's list."""

    id: int
    who: str
    subject: str
    snippet: str
    time: Moment
    unread: bool
    files: int


@dataclass(frozen=True, slots=True)
class ShownFile:
    """A file of a message."""

    name: str
    size: str
    url: str


@dataclass(frozen=True, slots=True)
class ShownMessage:
    """A message of a conversation, opened or folded up."""

    id: int
    sender: str
    address: str
    to: str
    cc: str
    time: Moment
    html: SafeString | None
    text: str
    files: list[ShownFile]
    is_open: bool

    @property
    def name(self) -> str:
        """What the message is called by a screen reader."""
        return f"Message from {self.sender}, {self.time.full}"


@reader_page("GET", "HEAD")
def home(_request: SandboxRequest, _reader: Reader) -> HttpResponse:
    """Lead to the inbox."""
    return secured(HttpResponseRedirect(reverse("mail:folder", args=["inbox"])))


@reader_page("GET", "HEAD")
def folder(request: SandboxRequest, reader: Reader, name: str) -> HttpResponse:
    """List the messages of a folder."""
    if name not in queries.FOLDERS:
        return refusals.page_not_found(request)
    wanted = request.GET.get("q", "").replace("\0", "").strip()[:200]
    found = page_of(request, queries.envelopes(reader.mailbox, name, wanted))
    times = MailboxTimes(reader.mailbox)
    rows = [_row(item, name, times) for item in found.rows]
    context = {"page": found, "rows": rows, "wanted": wanted}
    title = queries.FOLDERS[name]
    return page(reader, "mail/folder.html", context, title=title, folder=name, query=wanted)


def _row(envelope: Envelope, folder: str, times: MailboxTimes) -> MessageRow:
    message = envelope.message
    sightings.note(message, "list")
    people = [message.sender] if folder == "inbox" else [*message.recipients, *message.cc]
    return MessageRow(
        id=message.id,
        who=", ".join(name_of(line) for line in people),
        subject=message.subject or "(no subject)",
        snippet=" ".join(message.text[: SNIPPET * 4].split())[:SNIPPET],
        time=times.show(message.sent_at),
        unread=folder == "inbox" and envelope.read_at is None,
        files=len(message.files),
    )


@reader_page("GET", "HEAD")
def message(request: SandboxRequest, reader: Reader, key: int) -> HttpResponse:
    """Show a message in its conversation."""
    found = queries.message(reader.mailbox, key)
    if found is None:
        return refusals.not_found()
    thread = queries.conversation(reader.mailbox, found)
    unread = {envelope.message_id for envelope in queries.unread_in(reader.mailbox, thread)}
    times = MailboxTimes(reader.mailbox)
    context = {
        "message": found,
        "subject": thread[0].subject or "(no subject)",
        "thread": [_shown(one, times, is_open=one.id == key or one.id in unread) for one in thread],
        "received": Envelope.objects.filter(
            message=found, address=reader.mailbox.address, folder="inbox"
        ).exists(),
        "is_unread": bool(unread),
        "answers_all": len([*found.recipients, *found.cc]) > 1,
        "sent": request.GET.get("sent") == "1",
    }
    mine = address_of(found.sender) == reader.mailbox.address
    title = found.subject or "(no subject)"
    folder = "sent" if mine else "inbox"
    return page(reader, "mail/message.html", context, title=title, folder=folder)


def _shown(message: Message, times: MailboxTimes, *, is_open: bool) -> ShownMessage:
    sightings.note(message, "detail")
    return ShownMessage(
        id=message.id,
        sender=name_of(message.sender),
        address=address_of(message.sender),
        to=", ".join(message.recipients),
        cc=", ".join(message.cc),
        time=times.show(message.sent_at),
        html=None if message.html is None else harmless_html(message.html),
        text=message.text,
        files=[
            ShownFile(
                file["name"],
                size_text(file["size"]),
                reverse("mail:file", args=[message.id, number]),
            )
            for number, file in enumerate(message.files)
        ],
        is_open=is_open,
    )


def size_text(size: int) -> str:
    """Return a number of bytes in words."""
    if size < 1024:
        return f"{size} B"
    if size < 1024 * 1024:
        return f"{size / 1024:.0f} KB"
    return f"{size / 1024 / 1024:.1f} MB"


@reader_page("POST")
def mark(request: SandboxRequest, reader: Reader, key: int) -> HttpResponse:
    """Mark a conversation as read, or a message as not read yet."""
    found = queries.message(reader.mailbox, key)
    if found is None:
        return refusals.not_found()
    if posted_text(request, "as") == "unread":
        rows = Envelope.objects.filter(
            message=found, address=reader.mailbox.address, folder="inbox"
        )
        for envelope in rows.order_by("id"):
            mark_read(envelope, read=False)
        return secured(HttpResponseRedirect(reverse("mail:folder", args=["inbox"])))
    for envelope in queries.unread_in(reader.mailbox, queries.conversation(reader.mailbox, found)):
        mark_read(envelope, read=True)
    if request.headers.get("HX-Request"):
        return secured(HttpResponse(status=204))
    return secured(HttpResponseRedirect(reverse("mail:message", args=[key])))


@reader_page("GET", "HEAD")
def file(_request: SandboxRequest, reader: Reader, key: int, number: int) -> HttpResponse:
    """Send a file of a message."""
    found = queries.message(reader.mailbox, key)
    if found is None or number >= len(found.files):
        return refusals.not_found()
    sightings.note(found, "detail")
    return _download(post.file_data(found.files[number]), found.files[number]["name"])


@reader_page("GET", "HEAD")
def source(_request: SandboxRequest, reader: Reader, key: int) -> HttpResponse:
    """Send a message as mail servers pass it on."""
    found = queries.message(reader.mailbox, key)
    if found is None:
        return refusals.not_found()
    sightings.note(found, "detail")
    return _download(written(found), f"message-{found.id}.eml", "message/rfc822")


def _download(data: bytes, name: str, kind: str = "application/octet-stream") -> HttpResponse:
    """Return bytes to keep, never to show: what was sent must not run as a page of ours."""
    headers: dict[str, Any] = {"Content-Disposition": f"attachment; filename*=UTF-8''{quote(name)}"}
    return secured(HttpResponse(data, content_type=kind, headers=headers))
