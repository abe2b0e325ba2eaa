"""Times as the owner of a mailbox reads them: in their own zone, by the sandbox's clock."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from clones.core import clock
from clones.core.vendors import zone_of
from clones.mail.models import Mailbox


@dataclass(frozen=True, slots=True)
class Moment:
    """A time for a `<time>` element: machine-readable, short, and in full."""

    iso: str
    short: str
    full: str


class MailboxTimes:
    """Shows moments to the owner of one mailbox, seen from now.

    A mailbox has no settings: its zone is that of the person who has its address in the helpdesk,
    or else in the tracker.
    """

    def __init__(self, mailbox: Mailbox) -> None:
        self.zone = zone_of(mailbox.address)
        self.now = clock.now().astimezone(self.zone)

    def local(self, moment: datetime) -> datetime:
        """Return a moment in the owner's zone."""
        return moment.astimezone(self.zone)

    def show(self, moment: datetime) -> Moment:
        """Return a moment as shown."""
        local = self.local(moment)
        if local.date() == self.now.date():
            short = f"{local:%H:%M}"
        elif local.year == self.now.year:
            short = f"{local:%b} {local.day}"
        else:
            short = f"{local:%b} {local.day}, {local.year}"
        return Moment(moment.isoformat(), short, f"{local:%a, %d %b %Y, %H:%M %Z}")
