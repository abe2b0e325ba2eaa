"""Rules over rows that hold in more than one clone; each clone says of which of its rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime

from clones.core.models import Job


def wrong_timers(
    kind: str, *, key: str, wanted: Mapping[int, datetime | None], called: str
) -> Iterator[str]:
    """Tell of each row whose timer is missing, doubled, or set for another time than it should be.

    Args:
        kind: of which jobs the timers are.
        key: under which name their payload has the row's id.
        wanted: the rows that need a timer, by id, and when each is due; no others may have one.
        called: what a row is, as in `clock`.
    """
    due_at: dict[int, datetime] = {}
    waiting = Job.objects.filter(kind=kind, state="pending").order_by("id")
    for payload, due in waiting.values_list("payload", "due"):
        row = payload[key]
        if row in due_at:
            yield f"{called} {row} has two timers"
        due_at[row] = due
    for row in sorted(wanted.keys() | due_at.keys()):
        if wanted.get(row) != due_at.get(row):
            yield f"{called} {row} is due {wanted.get(row)}, its timer {due_at.get(row)}"
