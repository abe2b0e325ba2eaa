"""Durations of work: `1h 30m`, `2d`."""

from __future__ import annotations

import re
from decimal import Decimal

from clones.tracker.rules.jql.site import Viewer

_DURATION = re.compile(r"(?:\s*[0-9]{1,6}(?:\.[0-9]{1,4})?[wdhm]){1,8}")
_PART = re.compile(r"([0-9.]+)([wdhm])")
_MINUTES = re.compile(r"[0-9]{1,9}(?:\.[0-9]{1,4})?")


def work_seconds(text: str, viewer: Viewer) -> Decimal | None:
    """Return the seconds of work that a text means, None if it means none.

    A bare number is minutes; a day and a week are as long as work is done on them.
    """
    text = text.strip()
    if _MINUTES.fullmatch(text):
        return Decimal(text) * 60
    if not _DURATION.fullmatch(text):
        return None
    day = Decimal(str(viewer.hours_per_day)) * 3600
    lengths = {
        "w": day * Decimal(str(viewer.days_per_week)),
        "d": day,
        "h": Decimal(3600),
        "m": Decimal(60),
    }
    return sum((Decimal(number) * lengths[unit] for number, unit in _PART.findall(text)), Decimal())
