"""Cumulative flow: how many issues were in each column of a board, moment by moment."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import accumulate

from clones.tracker.rules.reports.courses import Course


@dataclass(frozen=True, slots=True)
class StatusPath:
    """The way of an issue through the statuses, from when it was made."""

    created: datetime
    status: Course[int]


def cumulative_flow(
    ways: Iterable[StatusPath], columns: Sequence[Collection[int]], moments: Sequence[datetime]
) -> list[list[int]]:
    """Return the counts of each column, in the order of the columns, at each of some moments.

    An issue counts from when it was made; in a status that no column shows, nowhere.

    Args:
        ways: of the issues.
        columns: the statuses of each.
        moments: in the order of time.
    """
    column_of = {status: at for at, statuses in enumerate(columns) for status in statuses}
    changes = [[0] * (len(moments) + 1) for _ in columns]
    for way in ways:
        for since, until, status in _stays(way):
            column = column_of.get(status)
            # What changes at a moment counts at it.
            first = bisect_left(moments, since)
            last = len(moments) if until is None else bisect_left(moments, until)
            if column is not None and first < last:
                changes[column][first] += 1
                changes[column][last] -= 1
    return [list(accumulate(line[:-1])) for line in changes]


def _stays(way: StatusPath) -> Iterable[tuple[datetime, datetime | None, int]]:
    """Return the statuses that an issue was in: from when, until when (None: still), which."""
    since, status = way.created, way.status.first
    for at, after in way.status.steps:
        if at > since:
            yield since, at, status
            since = at
        status = after
    yield since, None, status
