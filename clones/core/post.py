"""The outbox: what clones send to people, as mail-shaped messages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from clones.core import clock, ids
from clones.core.models.post import Message
from clones.core.rows import insert_row


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
    if not recipients:
        raise ValueError("a message needs a recipient")
    return insert_row(
        Message(
            id=ids.next_stamp(Message),
            direction="out",
            clone=clone,
            sent_at=clock.now(),
            sender=sender,
            recipients=list(recipients),
            subject=" ".join(subject.split())[:998],
            text=text,
            html=html,
            headers=headers or {},
            about=about,
        )
    )
