"""What clients say of work: the time that was spent, when, and what it does to the estimate."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, cast

from clones.tracker.domain.errors import Invalid
from clones.tracker.queries.work_time import work_time
from clones.tracker.rules.durations_of_work import NotADuration, parse
from clones.tracker.rules.estimates import Adjustment, Way

MISSING: Final = "Worklog must not be null."
TWICE: Final = "Only one of timeSpent and timeSpentSeconds may be given."
LONGEST: Final = 2**53
KEPT: Final = object()  # what is not to be changed
WAYS: Final = ("new", "leave", "manual", "auto")
_STARTED: Final = re.compile(
    r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:?\d{2})"
)


@dataclass(frozen=True, slots=True)
class Work:
    """What a work log is to say; None is what is not said."""

    seconds: int | None = None
    started: datetime | None = None
    comment: Any = KEPT
    visibility: Any = KEPT
    properties: Any = ()


def read_seconds(text: str | None, seconds: int | None) -> int | None:
    """Return the time spent, of which clients say one form or the other.

    Raises:
        Invalid: it says no duration, nothing was spent, or both forms are there.
    """
    if text is None and seconds is None:
        return None
    if text is not None and seconds is not None:
        raise Invalid(MISSING, fields={"timeLogged": TWICE})
    try:
        found = parse(text, work_time()) if text is not None else int(seconds or 0)
    except NotADuration as error:
        raise Invalid(MISSING, fields={"timeLogged": "Invalid time duration entered."}) from error
    if found <= 0 or found > LONGEST:
        wrong = "Time Spent can not be zero." if found == 0 else "Invalid time duration entered."
        raise Invalid(MISSING, fields={"timeLogged": wrong})
    return found - found % 60 if found >= 60 else 60


def read_started(text: str | None) -> datetime | None:
    """Return the time at which work began.

    Raises:
        Invalid: it is no time with an offset.
    """
    if text is None:
        return None
    try:
        if not _STARTED.fullmatch(text):
            raise ValueError(text)
        return datetime.fromisoformat(text)
    except ValueError as error:
        wrong = "The value must be a date and time of the form yyyy-MM-dd'T'HH:mm:ss.SSSZ."
        raise Invalid(fields={"started": wrong}) from error


def read_adjustment(
    way: str | None, *, new: str | None, amount: str | None = None, by: str = "adjustmentAmount"
) -> Adjustment:
    """Return how the estimate is to be adjusted: `new` and `amount` are durations.

    Raises:
        Invalid: an unknown way, or its duration is missing or says none.
    """
    name = (way or "auto").lower()
    if name not in WAYS:
        raise Invalid(f"The value '{way}' is invalid for the parameter 'adjustEstimate'.")
    if name == "new":
        wrong = {"newEstimate": "You must supply a valid new estimate."}
        return Adjustment("new", _seconds(new, wrong))
    if name == "manual":
        wrong = {by: "You must supply a valid amount of time to adjust the estimate by."}
        return Adjustment("manual", _seconds(amount, wrong))
    return Adjustment(cast(Way, name))


def _seconds(text: str | None, wrong: dict[str, str]) -> int:
    try:
        return parse(text or "", work_time())
    except NotADuration as error:
        raise Invalid(MISSING, fields=wrong) from error
