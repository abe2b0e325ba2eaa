"""How mail comes to the tracker: what is sent to it becomes the issue or comment that it is for."""

from __future__ import annotations

from clones.core import arrivals
from clones.core.models import Message
from clones.tracker.domain.mail import addresses
from clones.tracker.domain.mail.intake import take_message


def register() -> None:
    """Let the tracker receive what is written to its addresses. Called at start."""
    arrivals.register_receiver("tracker", takes=addresses.takes, take=_take)


def _take(message: Message) -> str | None:
    """Take in a message; what another clone sent stays about its own record."""
    taken = take_message(message)
    if taken.issue is None or message.about is not None:
        return None
    return f"tracker.issue:{taken.issue.id}"
