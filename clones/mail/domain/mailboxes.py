"""Opening mailboxes, and what their owners looked at."""

from __future__ import annotations

from typing import Literal

from clones.core import clock, ids
from clones.core.accounts import open_account
from clones.core.models import Envelope
from clones.mail.models import Mailbox

Role = Literal["employee", "customer"]


def open_mailbox(address: str, name: str, *, role: Role, listed: bool = False) -> Mailbox:
    """Give an address a mailbox with a sign-in, or return the one there is.

    `listed` accounts are handed out with the sandbox.
    """
    address = address.strip().lower()
    found = Mailbox.objects.filter(address=address).first()
    if found is not None:
        return found
    now = clock.now()
    made = Mailbox.objects.create(
        id=ids.next_stamp(Mailbox), address=address, name=name[:255], created_at=now
    )
    open_account("mail", made.id, address, role=role, kinds=("password",), listed=listed)
    return made


def mark_read(envelope: Envelope, *, read: bool) -> None:
    """Note that a message was read, or that it is to be read again."""
    if (envelope.read_at is not None) != read:
        envelope.read_at = clock.now() if read else None
        envelope.save(update_fields=["read_at"])
