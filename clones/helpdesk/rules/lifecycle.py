"""The life of a ticket: new, open, pending, hold, solved, closed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from clones.helpdesk.rules.system_fields import RANKS, choices_of

STATUSES = choices_of("status")
ORDER = RANKS["status"]
UNSOLVED = STATUSES[: ORDER["solved"]]
WAITING = frozenset({"pending", "hold", "solved"})

Writer = Literal["agent", "end-user", "system"]


class StatusRefused(Exception):
    """Raised when a status cannot follow: `description` is what the vendor says."""

    def __init__(self, description: str) -> None:
        super().__init__(description)
        self.description = description


@dataclass(frozen=True, slots=True)
class Move:
    """What an update does that bears on the status.

    `asked` is the status asked for; `public_comment` whether the writer says something in public;
    `assigned` whether the ticket has an assignee after the update, `newly` whether it just got one.
    """

    writer: Writer
    asked: str | None = None
    public_comment: bool = False
    assigned: bool = False
    newly: bool = False
    is_requester_side: bool = False


def next_status(current: str | None, move: Move) -> str:
    """Return the status after an update; `current` is None for a ticket being created.

    Raises:
        StatusRefused: the status asked for cannot follow the current one.
    """
    if current == "closed":
        raise StatusRefused("Status: closed prevents ticket update")
    asked = move.asked
    if asked is not None and asked not in ORDER:
        raise StatusRefused(f"Status: {asked} is not a valid status")
    if asked == "closed" and move.writer == "end-user":
        raise StatusRefused("Status: closed is not allowed")
    status = asked if asked is not None else current or "new"
    if current is not None and current != "new" and asked == "new":
        raise StatusRefused("Status: cannot be set to new once it has been changed")
    if status == "new" and move.assigned and (move.newly or asked == "new"):
        status = "open"
    if asked is None and move.public_comment and move.is_requester_side and current in WAITING:
        status = "open"
    return status


def is_reopening(before: str, after: str) -> bool:
    """Tell whether a change of status takes a solved ticket up again."""
    return before == "solved" and ORDER[after] < ORDER["solved"]


def status_for_customer(status: str) -> str:
    """Return the status as an end user sees it: held tickets look open."""
    return "open" if status == "hold" else status
