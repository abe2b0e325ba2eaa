"""How an answer begins: to whom it goes, what it is called, and what it quotes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from clones.core.addresses import address_of, without


@dataclass(frozen=True, slots=True)
class Received:
    """The message that is answered or forwarded, its lines as they came.

    `sent_at` is in the zone of who answers: what is quoted tells it by their clock.
    """

    sender: str
    reply_to: str
    recipients: Sequence[str]
    cc: Sequence[str]
    subject: str
    text: str
    sent_at: datetime


@dataclass(frozen=True, slots=True)
class Beginning:
    """What stands in the form before anything is typed."""

    to: str
    cc: str
    subject: str
    text: str


def reply_to(received: Received, me: str, *, everybody: bool) -> Beginning:
    """Return the beginning of a reply from `me`; to all whom the message names if `everybody`.

    Who answers their own message writes to the same people again.
    """
    mine = address_of(received.sender) == me
    direct = list(received.recipients) if mine else [received.reply_to or received.sender]
    taken = [me, *(address_of(line) for line in direct), address_of(received.sender)]
    others = [*received.cc] if mine else [*received.recipients, *received.cc]
    copies = without(others, *taken) if everybody else []
    heading = f"On {_moment(received.sent_at)}, {received.sender} wrote:"
    return Beginning(
        to=", ".join(direct),
        cc=", ".join(copies),
        subject=_prefixed("Re:", received.subject),
        text=f"\n\n{heading}\n{_quoted(received.text)}",
    )


def forward(received: Received) -> Beginning:
    """Return the beginning of a forwarded message."""
    lines = [
        "---------- Forwarded message ---------",
        f"From: {received.sender}",
        f"Date: {_moment(received.sent_at)}",
        f"Subject: {received.subject}",
        f"To: {', '.join(received.recipients)}",
    ]
    if received.cc:
        lines.append(f"Cc: {', '.join(received.cc)}")
    text = "\n\n" + "\n".join(lines) + f"\n\n{received.text.rstrip()}"
    return Beginning("", "", _prefixed("Fwd:", received.subject), text)


def _prefixed(prefix: str, subject: str) -> str:
    return subject if subject.lower().startswith(prefix.lower()) else f"{prefix} {subject}"


def _moment(moment: datetime) -> str:
    return f"{moment:%a, %d %b %Y at %H:%M}"


def _quoted(text: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in text.rstrip().split("\n"))
