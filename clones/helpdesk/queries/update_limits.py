"""How often somebody may change one ticket."""

from __future__ import annotations

import math
from datetime import timedelta

from clones.core import clock
from clones.helpdesk.models import Audit, Ticket, User

MOST_UPDATES = 30
WINDOW = timedelta(minutes=10)


def update_pause(ticket: Ticket, user: User) -> int:
    """Return in how many seconds somebody may change a ticket, 0 if at once.

    The vendor takes thirty updates of a ticket by one user in ten minutes. Only a clock that moves
    by itself says how fast they come: on others no time passes between requests.
    """
    if not clock.is_live():
        return 0
    now = clock.now()
    rows = Audit.objects.filter(ticket=ticket, author=user, created_at__gt=now - WINDOW)
    times = rows.order_by("-created_at", "-id").values_list("created_at", flat=True)
    oldest = list(times[MOST_UPDATES - 1 : MOST_UPDATES])
    return max(1, math.ceil((oldest[0] + WINDOW - now).total_seconds())) if oldest else 0
