"""Tables of the mail clone. Messages and where they lie are `core.post`'s."""

from clones.mail.models.mailboxes import Mailbox

__all__ = ["Mailbox"]
