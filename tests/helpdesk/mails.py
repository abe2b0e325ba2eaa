"""What a message of the desk says, without the form in which it is sent."""

from __future__ import annotations

from clones.core.models import Message
from clones.helpdesk.rules.mail.quoting import DELIMITER
from clones.helpdesk.rules.mail.template import LINE


def said_in(message: Message) -> str:
    """Return what a rule's text became in a message."""
    head, _, rest = message.text.partition(f"{DELIMITER}\n\n")
    body, footer, _ = rest.partition(f"\n\n{LINE}\nThis email is a service from ")
    assert (head, bool(footer)) == ("", True)
    return body
