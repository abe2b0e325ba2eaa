"""The door through which mail comes: a job for each message that is sent to the tracker."""

from __future__ import annotations

from typing import Any, Final

from clones.core import jobs, post
from clones.core.journal import act
from clones.core.models import Message
from clones.core.rows import update_row
from clones.tracker.domain.mail import addresses
from clones.tracker.domain.mail.intake import take_message

ARRIVAL: Final = "tracker.mail_arrival"


def open_door() -> None:
    """Let the tracker receive what is written to its addresses. Called at start."""
    post.receive_at("tracker", takes=addresses.takes, job=ARRIVAL)


@jobs.handles(ARRIVAL)
def arrive(payload: dict[str, Any]) -> None:
    """Take in a message that was sent to the tracker."""
    message = Message.objects.filter(id=payload["message"]).first()
    if message is None:
        return
    with act(actor="tracker.mail", label=f"mail from {message.sender}"[:200]):
        taken = take_message(message)
        if taken.issue is not None and message.about is None:
            message.about = f"tracker.issue:{taken.issue.id}"
            update_row(message, ("about",))
