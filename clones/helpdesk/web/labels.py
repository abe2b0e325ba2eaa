"""The words and marks by which agents know statuses, priorities, types and channels."""

from __future__ import annotations

from dataclasses import dataclass

from clones.helpdesk.rules.system_fields import BY_NAME

STATUS_LABELS = BY_NAME["status"].choices
PRIORITY_LABELS = BY_NAME["priority"].choices
TYPE_LABELS = BY_NAME["type"].choices
ROLE_LABELS = {"end-user": "End user", "agent": "Agent", "admin": "Admin"}
CHANNEL_LABELS = {
    "api": "API",
    "chat": "Chat",
    "closed_ticket": "Closed ticket",
    "email": "Mail",
    "mobile": "Mobile",
    "rule": "Rule",
    "system": "System",
    "voice": "Voice",
    "web": "Web form",
}
SLA_LABELS = {
    "first_reply_time": "First reply",
    "next_reply_time": "Next reply",
    "periodic_update_time": "Periodic update",
    "pausable_update_time": "Pausable update",
    "requester_wait_time": "Requester wait",
    "agent_work_time": "Agent work",
    "total_resolution_time": "Total resolution",
    "group_ownership_time": "Group ownership",
}
SUBMIT_STATUSES = ("open", "pending", "hold", "solved")


@dataclass(frozen=True, slots=True)
class Badge:
    """A status as a coloured mark: `key` for its colour, one letter, and its name."""

    key: str
    letter: str
    label: str


# What a status is called for end users where no custom status says so.
CUSTOMER_STATUSES = {
    "new": "Open",
    "open": "Open",
    "pending": "Awaiting your reply",
    "hold": "Open",
    "solved": "Solved",
    "closed": "Solved",
}


def status_badge(status: str) -> Badge:
    """Return the mark of a status."""
    label = STATUS_LABELS[status]
    return Badge(status, label[0] if status != "hold" else "H", label)


def channel_label(channel: str) -> str:
    """Return how something came, in words."""
    return CHANNEL_LABELS.get(channel, channel.replace("_", " ").capitalize())


def initials(name: str) -> str:
    """Return up to two letters of a name for an avatar."""
    words = [word for word in name.split() if word[0].isalnum()]
    return "".join(
        word[0] for word in (words[:1] + words[-1:] if len(words) > 1 else words)
    ).upper()


def hue(key: int) -> int:
    """Return which of the avatars' colours somebody has."""
    return key % 6
