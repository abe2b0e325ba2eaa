"""What the rules and a held mail say, to whoever reads them: no clone, no database."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

# What customers write about.
OURS: Final = re.compile(
    r"\b(?:kite|merlin|osprey|swift|harrier|studio|warranty)\b|\bKL-\d+", re.IGNORECASE
)
TRAP: Final = re.compile(r"\bpassword|\bbank details", re.IGNORECASE)
ORDER: Final = re.compile(r"^Purchase order \d+")
SHIPMENT: Final = re.compile(r"^Shipment \d+")
DOUBTFUL: Final = ("Detected as spam", "Email authentication failed")
REPLY: Final = "Unknown user tried to update existing ticket"
AUTOMATIC: Final = "Automated response mail"
NO_REPLY: Final = 'Email from "noreply" address'


@dataclass(frozen=True, slots=True)
class Rules:
    """What the rules say of the doubtful sorts."""

    orders: bool
    carriers: bool
    outsiders: bool


def rules_of(text: str) -> Rules:
    """Read the rules for held mail."""
    return Rules(
        orders="send by themselves are let in" in text,
        carriers="about one of our shipments is let in" in text,
        outsiders="whatever its domain" in text,
    )


@dataclass(frozen=True, slots=True)
class HeldMail:
    """A held mail as it is read; `owner` is the address of the requester of what it answers."""

    cause: str
    sender: str
    subject: str
    content: str
    owner: str | None = None


def is_real(mail: HeldMail, rules: Rules) -> bool:
    """Tell whether the rules let a mail in."""
    if mail.cause in DOUBTFUL:
        text = f"{mail.subject}\n{mail.content}"
        return OURS.search(text) is not None and TRAP.search(text) is None
    if mail.cause == REPLY:
        same = mail.owner is not None and _domain(mail.owner) == _domain(mail.sender)
        return same or rules.outsiders
    if mail.cause == AUTOMATIC:
        return rules.orders and ORDER.search(mail.subject) is not None
    if mail.cause == NO_REPLY:
        return rules.carriers and SHIPMENT.search(mail.subject) is not None
    return False


def _domain(address: str) -> str:
    return address.rpartition("@")[2].lower()
