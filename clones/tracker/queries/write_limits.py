"""How often one issue may be written to."""

from __future__ import annotations

import math
from datetime import timedelta
from itertools import chain

from clones.core import clock
from clones.tracker.models import ChangeGroup, Comment, Issue, Worklog

# So many writes in so many seconds.
LIMITS = ((20, 2), (100, 30))
LONGEST = timedelta(seconds=max(seconds for _, seconds in LIMITS))


def write_pause(issue: Issue) -> int:
    """Return in how many seconds an issue takes a write again, 0 if at once.

    The vendor takes twenty writes of an issue in two seconds and a hundred in thirty, by whomever.
    Counted are the changes in its history, comments and worklogs, on a clock that moves by itself:
    on others no time passes between requests.
    """
    if not clock.is_live():
        return 0
    now = clock.now()
    times = sorted(
        chain.from_iterable(
            table.objects.filter(issue=issue, created__gt=now - LONGEST).values_list(
                "created", flat=True
            )
            for table in (ChangeGroup, Comment, Worklog)
        ),
        reverse=True,
    )
    pauses = [0]
    for most, seconds in LIMITS:
        if len(times) >= most:
            left = (times[most - 1] + timedelta(seconds=seconds) - now).total_seconds()
            pauses.append(math.ceil(left))
    return max(pauses)
