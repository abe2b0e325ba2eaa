"""Reads: what lies in a mailbox, newest first."""

from __future__ import annotations

from django.db.models import Q, QuerySet

from clones.core.models import Envelope, Message
from clones.core.prepared import Prepared
from clones.core.words import asked_words
from clones.mail.models import Mailbox

LARGEST_KEY = 2**63 - 1
FOLDERS = {"inbox": "Inbox", "sent": "Sent"}
NAME_OF_MAILBOX: Prepared[str] = Prepared(
    lambda key: Mailbox.objects.filter(id=key).values_list("name", flat=True), int
)


def envelopes(mailbox: Mailbox, folder: str, wanted: str = "") -> QuerySet[Envelope]:
    """Return the messages of a folder, those alone that have all words of `wanted`."""
    rows = Envelope.objects.filter(address=mailbox.address, folder=folder)
    for word in asked_words(wanted):
        rows = rows.filter(
            Q(message__subject__icontains=word)
            | Q(message__sender__icontains=word)
            | Q(message__text__icontains=word)
        )
    return rows.select_related("message").order_by("-message_id", "id")


def unread_count(mailbox: Mailbox) -> int:
    """Count what was not read yet."""
    rows = Envelope.objects.filter(address=mailbox.address, folder="inbox", read_at=None)
    return rows.count()


def message(mailbox: Mailbox, key: int) -> Message | None:
    """Return a message that lies in a mailbox, in whichever folder, None if none does."""
    if key > LARGEST_KEY:
        return None
    return Message.objects.filter(id=key, envelopes__address=mailbox.address).first()


def conversation(mailbox: Mailbox, found: Message) -> list[Message]:
    """Return what a mailbox has of a message's conversation, oldest first."""
    keys = Envelope.objects.filter(address=mailbox.address).values("message_id")
    return list(Message.objects.filter(thread=found.thread, id__in=keys).order_by("id"))


def unread_in(mailbox: Mailbox, messages: list[Message]) -> list[Envelope]:
    """Return the envelopes of received messages that were not read yet."""
    rows = Envelope.objects.filter(
        address=mailbox.address, folder="inbox", read_at=None, message__in=messages
    )
    return list(rows.order_by("message_id", "id"))
