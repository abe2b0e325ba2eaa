"""Times as agents read them: in their own zone, relative to the sandbox's clock."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from clones.core import clock
from clones.helpdesk.models import User

MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)


@dataclass(frozen=True, slots=True)
class ShownTime:
    """A moment for a `<time>` element: machine-readable, short, and in full."""

    iso: str
    short: str
    full: str


class Times:
    """Shows moments to one reader, seen from now."""

    def __init__(self, reader: User) -> None:
        try:
            self.zone = ZoneInfo(reader.iana_time_zone)
        except (ZoneInfoNotFoundError, ValueError):
            self.zone = ZoneInfo("UTC")
        self.now = clock.now().astimezone(self.zone)

    def day(self, moment: datetime) -> date:
        """Return the day that a moment is on by the reader's own clock."""
        return moment.astimezone(self.zone).date()

    def show(self, moment: datetime) -> ShownTime:
        """Return a moment as shown."""
        local = moment.astimezone(self.zone)
        days = (self.now.date() - local.date()).days
        # A table shows many of these: formats of `strftime` take three times as long.
        hour, month = f"{local.hour:02}:{local.minute:02}", MONTHS[local.month - 1]
        if days == 0:
            short = f"Today {hour}"
        elif days == 1:
            short = f"Yesterday {hour}"
        elif local.year == self.now.year:
            short = f"{month[:3]} {local.day} {hour}"
        else:
            short = f"{month[:3]} {local.day}, {local.year}"
        return ShownTime(moment.isoformat(), short, f"{month} {local.day}, {local.year} {hour}")

    def maybe(self, moment: datetime | None) -> ShownTime | None:
        """Return a moment as shown, or None."""
        return None if moment is None else self.show(moment)
