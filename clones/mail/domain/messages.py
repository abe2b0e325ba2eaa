"""Sending: what somebody wrote in their mailbox goes to everybody it names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from clones.core import post
from clones.core.addresses import split_addresses, with_name
from clones.core.mail_headers import answering
from clones.core.models import Message
from clones.mail.errors import BadAddress, EmptyMessage, NoRecipient, TooMuch
from clones.mail.models import Mailbox

MOST_RECIPIENTS = 100
TEXT_LIMIT = 1_000_000
FILES_LIMIT = 25 * 1024 * 1024
LONGEST_THREAD = 20


@dataclass(frozen=True, slots=True)
class Written:
    """What somebody wrote: `to` and `cc` as typed, with commas between."""

    to: str
    cc: str = ""
    subject: str = ""
    text: str = ""
    files: Sequence[post.File] = field(default=())


def send_message(mailbox: Mailbox, written: Written, *, answers: Message | None = None) -> Message:
    """Send a message from a mailbox, as an answer to another if given.

    Raises:
        NoRecipient: nobody is written to.
        BadAddress: something among the recipients is no address.
        EmptyMessage: it says nothing and carries nothing.
        TooMuch: it is too large, or for too many.
    """
    recipients, copies = _people("to", written.to), _people("cc", written.cc)
    if not recipients and not copies:
        raise NoRecipient("to", "Enter at least one recipient.")
    if len(recipients) + len(copies) > MOST_RECIPIENTS:
        raise TooMuch("to", f"A message goes to {MOST_RECIPIENTS} people at most.")
    if not (written.text.strip() or written.subject.strip() or written.files):
        raise EmptyMessage("text", "Write a subject or a message.")
    if len(written.text) > TEXT_LIMIT:
        raise TooMuch("text", "The message is too long.")
    if sum(len(file.data) for file in written.files) > FILES_LIMIT:
        raise TooMuch("files", "Attachments may have 25 MB together.")
    draft = post.Draft(
        sender=with_name(mailbox.name, mailbox.address),
        recipients=recipients,
        cc=copies,
        subject=written.subject.strip(),
        text=written.text.replace("\r\n", "\n").rstrip() + "\n",
        headers=_thread_of(answers) if answers is not None else {},
        files=written.files,
    )
    return post.post(draft, clone="mail", direction="in")


def _people(name: str, text: str) -> list[str]:
    good, bad = split_addresses(text)
    if bad:
        raise BadAddress(name, f"“{bad[0][:100]}” is not an email address.")
    return good


def _thread_of(answered: Message) -> dict[str, str]:
    """Return the headers by which every mail program knows what is answered."""
    before = str(answered.headers.get("References", "")).split()
    names = list(dict.fromkeys([*before, answered.message_id]))
    return answering(answered.message_id, names, most=LONGEST_THREAD)
