"""Tasks and events: when they are, and when something was last done with what they are about."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from typing import Any, Final

from clones.crm.domain.saving.change import Change
from clones.crm.domain.saving.stages import Stage, step
from clones.crm.errors import RecordError
from clones.crm.models import rows_of

_WHOLE_DAY: Final = 24 * 60
_LONGEST: Final = 14 * _WHOLE_DAY
_ABOUT: Final = ("WhoId", "WhatId", "AccountId")
_LAST: Final = "LastActivityDate"


@step(Stage.FILLING_IN)
def fill_in_activity(change: Change) -> None:
    """Say how long an event is and on which day; when a task was closed.

    Raises:
        RecordError: an event has no time, or ends before it begins, or lasts too long.
    """
    if change.of.name == "Event":
        _times(change)
    elif change.of.name == "Task" and change.has_changed("IsClosed"):
        change.set("CompletedDateTime", change.now if change.get("IsClosed") else None)


def _times(change: Change) -> None:
    if not change.is_new and not change.has_changed(
        *("StartDateTime", "ActivityDateTime", "ActivityDate", "EndDateTime", "DurationInMinutes"),
        "IsAllDayEvent",
    ):
        return
    start = _start(change)
    if start is None:
        raise RecordError(
            "FIELD_INTEGRITY_EXCEPTION",
            "StartDateTime or ActivityDateTime or ActivityDate and DurationInMinutes required",
            ["ActivityDate"],
        )
    minutes = _minutes(change, start)
    if minutes is None:
        raise RecordError(
            "REQUIRED_FIELD_MISSING",
            "Required fields are missing: [DurationInMinutes]",
            ["DurationInMinutes"],
        )
    if minutes < 0:
        raise RecordError(
            "FIELD_INTEGRITY_EXCEPTION",
            "End Date/Time cannot be earlier than Start Date/Time",
            ["EndDateTime"],
        )
    if minutes > _LONGEST:
        raise RecordError(
            "NUMBER_OUTSIDE_VALID_RANGE",
            f"Duration: value outside of valid range on numeric field: {minutes}",
            ["DurationInMinutes"],
        )
    end = start + timedelta(minutes=minutes)
    change.set("StartDateTime", start)
    change.set("ActivityDateTime", start)
    change.set("ActivityDate", start.date())
    change.set("DurationInMinutes", minutes)
    change.set("EndDateTime", end)
    change.set("EndDate", (end - timedelta(days=1) if _is_whole(change) else end).date())


def _is_whole(change: Change) -> bool:
    return bool(change.get("IsAllDayEvent"))


def _start(change: Change) -> datetime | None:
    """Return when an event begins: by whichever of its fields says it, the one last said first."""
    for name in ("StartDateTime", "ActivityDateTime", "ActivityDate"):
        value = change.get(name)
        if value is not None and change.has_changed(name):
            return _moment(value)
    before: datetime | None = change.get("StartDateTime")
    return before


def _moment(value: Any) -> datetime:
    return value if isinstance(value, datetime) else datetime.combine(value, time(), UTC)


def _minutes(change: Change, start: datetime) -> int | None:
    if "EndDateTime" in change.said and change.get("EndDateTime") is not None:
        return int((change.get("EndDateTime") - start).total_seconds() // 60)
    minutes: int | None = change.get("DurationInMinutes")
    return _WHOLE_DAY if minutes is None and _is_whole(change) else minutes


@step(Stage.FOLLOW_UPS)
def follow_activity(change: Change) -> None:
    """Say on what an activity is about when something was last done with it.

    That is the day of a task that is closed or of an event that is over.
    """
    day = _done_on(change)
    if day is None:
        return
    for name in _ABOUT:
        id = change.get(name)
        of = change.of.schema.of_id(id) if id else None
        if of is None or of.is_custom or of.field(_LAST) is None:
            continue
        row = rows_of(of).filter(Id=id, IsDeleted=False).first()
        if row is not None and (row.LastActivityDate is None or row.LastActivityDate < day):
            row.LastActivityDate = day
            row.save()


def _done_on(change: Change) -> Any:
    """Return the day of an activity that is done; None where it is not, or nothing new."""
    if change.of.name == "Task" and change.get("IsClosed"):
        return change.get("ActivityDate") or change.now.date()
    if change.of.name == "Event" and change.get("ActivityDate") is not None:
        is_over = change.get("EndDateTime") is not None and change.get("EndDateTime") <= change.now
        return change.get("ActivityDate") if is_over else None
    return None
