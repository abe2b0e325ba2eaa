"""Messages as mail servers pass them on: read from RFC 5322, and written in it."""

from __future__ import annotations

import email
import email.policy
import re
from collections.abc import Mapping
from email.headerregistry import Address
from email.message import EmailMessage, MIMEPart
from email.utils import format_datetime
from typing import Any

from clones.core import post
from clones.core.addresses import address_of, name_of, split_addresses, with_name
from clones.core.models.post import Message

# What a message has columns for, or what only says how its body was packed.
TOLD = frozenset(
    {"from", "to", "cc", "bcc", "subject", "date", "message-id", "mime-version"}
    | {"content-type", "content-transfer-encoding", "content-disposition", "content-id"}
)
ADDRESS_LINES = frozenset({"from", "to", "cc", "reply-to", "sender"})
PLAIN_TYPE = "application/octet-stream"
_TYPE = re.compile(r"[\w.+-]+/[\w.+-]+", re.ASCII)


class NotAMessage(Exception):
    """Raised when bytes are no message: no sender, no recipient, or parts too deep to be read."""


def take_in(data: bytes) -> Message:
    """Take in a message from outside: it goes to its recipients' mailboxes and clones.

    Raises:
        NotAMessage: nobody sent it, or to nobody, or its parts are too deep.
    """
    return post.post(read(data), clone="outside", direction="in")


def read(data: bytes) -> post.Draft:
    """Return what a message says.

    Raises:
        NotAMessage: it has no sender or no recipient, or parts within parts without end.
    """
    try:
        return _read(email.message_from_bytes(data, policy=email.policy.default))
    except RecursionError as error:
        raise NotAMessage("the parts of a message are too deep within each other") from error


def _read(parsed: EmailMessage) -> post.Draft:
    senders, _ = split_addresses(_header(parsed, "From"))
    recipients, _ = split_addresses(_header(parsed, "To"))
    copies, _ = split_addresses(_header(parsed, "Cc"))
    if not senders or not (recipients or copies):
        raise NotAMessage("a message needs a sender and a recipient")
    text, html = _body(parsed, "plain"), _body(parsed, "html")
    return post.Draft(
        sender=senders[0],
        recipients=recipients,
        cc=copies,
        subject=_header(parsed, "Subject"),
        text=text or "",
        html=html,
        message_id=_header(parsed, "Message-ID") or None,
        headers=_others(parsed),
        files=_files(parsed),
    )


def written(message: Message) -> bytes:
    """Return a message as the bytes that a mail server passes on."""
    made = EmailMessage(policy=email.policy.SMTP)
    for name, lines in (
        ("From", [message.sender]),
        ("To", message.recipients),
        ("Cc", message.cc),
    ):
        people = [_address(line) for line in lines if address_of(line)]
        if people:
            made[name] = people
    made["Subject"] = message.subject
    made["Date"] = format_datetime(message.sent_at)
    if message.message_id:
        made["Message-ID"] = message.message_id
    for name, value in message.headers.items():
        if name.lower() not in TOLD:
            made[name] = (
                with_name(name_of(value), address_of(value)) if _is_line(name, value) else value
            )
    made.set_content(message.text)
    pictures = [file for file in message.files if file["cid"] and message.html is not None]
    if message.html is not None:
        made.add_alternative(message.html, subtype="html")
        _add_pictures(made, pictures)
    for file in message.files:
        if file not in pictures:
            kind, subtype = _type_of(file)
            made.add_attachment(
                post.file_data(file), maintype=kind, subtype=subtype, filename=file["name"]
            )
    return made.as_bytes()


def _add_pictures(made: EmailMessage, pictures: list[Mapping[str, Any]]) -> None:
    for part in made.iter_parts():
        if part.get_content_type() == "text/html":
            for file in pictures:
                kind, subtype = _type_of(file)
                part.add_related(
                    post.file_data(file),
                    maintype=kind,
                    subtype=subtype,
                    cid=f"<{file['cid']}>",
                    filename=file["name"],
                )


def _type_of(file: Mapping[str, Any]) -> tuple[str, str]:
    text = file["content_type"] if _TYPE.fullmatch(file["content_type"]) else PLAIN_TYPE
    kind, _, subtype = text.partition("/")
    # A part of these kinds is more than its bytes.
    return (
        (kind, subtype) if kind not in ("message", "multipart") else ("application", "octet-stream")
    )


def _is_line(name: str, value: str) -> bool:
    return name.lower() in ADDRESS_LINES and bool(address_of(value))


def _address(line: str) -> Address:
    address = address_of(line)
    name = name_of(line)
    user, _, domain = address.rpartition("@")
    return Address("" if name.lower() == address else name, user, domain)


def _header(parsed: EmailMessage, name: str) -> str:
    """Return a header's value on one line, empty if there is none or it cannot be read."""
    try:
        value = parsed.get(name)
    except (ValueError, IndexError, AttributeError):
        return ""
    return " ".join(str(value or "").replace("\0", "").split())


def _others(parsed: EmailMessage) -> dict[str, str]:
    """Return the headers that a message has no columns for; of several of a name the first."""
    found: dict[str, str] = {}
    for name in parsed.keys():  # noqa: SIM118 - a message is no mapping: it iterates otherwise
        if name.lower() not in TOLD:
            found.setdefault(name, _header(parsed, name))
    content = _header(parsed, "Content-Type")
    if "report-type" in content.lower():
        found["Content-Type"] = content.replace('"', "")
    return found


def _body(parsed: EmailMessage, kind: str) -> str | None:
    part = parsed.get_body((kind,))
    return None if part is None else _text(part)


def _text(part: MIMEPart) -> str:
    """Return the text of a part, whatever it says of its letters."""
    data = part.get_payload(decode=True)
    if not isinstance(data, bytes):
        return ""
    for charset in (part.get_content_charset(), "utf-8"):
        try:
            return data.decode(charset or "utf-8").replace("\r\n", "\n")
        except (LookupError, ValueError):
            continue
    return data.decode("latin-1").replace("\r\n", "\n")


def _files(parsed: EmailMessage) -> list[post.File]:
    bodies = {
        id(part) for part in (parsed.get_body(("plain",)), parsed.get_body(("html",))) if part
    }
    found = []
    for number, part in enumerate(parsed.walk(), 1):
        if part.is_multipart() or id(part) in bodies:
            continue
        data = part.get_payload(decode=True)
        if not isinstance(data, bytes) or not data:
            continue
        cid = str(part.get("Content-ID", "")).strip("<> ") or None
        name = part.get_filename() or f"file-{number}"
        found.append(post.File(str(name), part.get_content_type(), data, cid))
    return found
