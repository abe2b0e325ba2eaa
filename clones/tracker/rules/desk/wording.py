"""How portals write dates, durations and statuses."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import Final

from clones.core.words import asked_words

CATEGORIES: Final = {
    "undefined": "UNDEFINED",
    "new": "NEW",
    "indeterminate": "INDETERMINATE",
    "done": "DONE",
}


def friendly_duration(milliseconds: int) -> str:
    """Return a duration in hours and minutes (`1h 5m`, `-40m`, `0m`); days are hours, as there."""
    sign = "-" if milliseconds < 0 else ""
    hours, minutes = divmod(abs(milliseconds) // 60_000, 60)
    if not hours:
        return f"{sign}{minutes}m" if minutes else "0m"
    return f"{sign}{hours}h {minutes}m" if minutes else f"{sign}{hours}h"


def read_duration(text: str) -> int | None:
    """Return the milliseconds of a duration in hours and minutes, None where it is none.

    >>> read_duration("4h 30m")
    16200000
    >>> read_duration("soon") is None
    True
    """
    found = _DURATION.fullmatch(text.strip().lower())
    if found is None or not (found[1] or found[2]):
        return None
    return (int(found[1] or 0) * 60 + int(found[2] or 0)) * 60_000


def friendly_moment(moment: datetime, present: datetime) -> str:
    """Return a moment as a portal says it; both are in the reader's zone.

    `Today 10:20 AM`, `Yesterday 2:42 PM`, a weekday within the week around, else
    `08/Oct/15 2:42 PM`.
    """
    hour = f"{moment.hour % 12 or 12}:{moment:%M} {'AM' if moment.hour < 12 else 'PM'}"
    away = (moment.date() - present.date()) // timedelta(days=1)
    if away in _NEAR:
        return f"{_NEAR[away]} {hour}"
    if abs(away) < 7:
        return f"{_DAYS[moment.weekday()]} {hour}"
    return f"{moment.day:02}/{_MONTHS[moment.month - 1]}/{moment.year % 100:02} {hour}"


_DURATION: Final = re.compile(r"(?:([0-9]{1,5})\s*h)?\s*(?:([0-9]{1,6})\s*m)?")
_NEAR: Final = {-1: "Yesterday", 0: "Today", 1: "Tomorrow"}
_DAYS: Final = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
_MONTHS: Final = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()


def title_words(term: str) -> list[str]:
    """Return the pieces of words that a title must have, all of them, to be found by a term.

    `*` and `?` stand for letters, whatever they are.
    """
    return asked_words(re.sub(r"[*?]", " ", term))
