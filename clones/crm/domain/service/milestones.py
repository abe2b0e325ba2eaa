"""Milestones of cases: made by an entitlement process, timed by its clocks, completed by people.

A case is in the process of its entitlement while that is in force. A milestone begins when the case
meets its criteria; its target lies so much open time later. While the case is stopped, its clocks
stand still. Warnings and violations are jobs, each at its own time.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any, Final

from clones.core import clock, jobs
from clones.core.calendars import OpenTime
from clones.core.journal import act
from clones.crm.domain.new_ids import new_id
from clones.crm.domain.saving.change import Change
from clones.crm.domain.saving.stages import Stage, step
from clones.crm.domain.service.conditions import is_met
from clones.crm.domain.service.entitlements import ACTIVE
from clones.crm.domain.service.milestone_actions import run_actions
from clones.crm.models import (
    MilestoneClock,
    SlaExit,
    SlaStep,
    SObjectRow,
    model_of,
    rows_of,
)
from clones.crm.queries.business_hours import calendar_of
from clones.crm.queries.milestone_times import hundredths

KIND: Final = "crm.milestone"
NONE, SEQUENTIAL = "none", "recursChained"
_VIOLATION: Final = -1
_SECOND: Final = timedelta(seconds=1)


@step(Stage.ENTITLEMENTS)
def follow_process(change: Change) -> None:
    """Take a case through the process of its entitlement: in, out, to its milestones."""
    if change.of.name != "Case":
        return
    entitlement = change.get("EntitlementId")
    if entitlement is None and change.was("EntitlementId") is None:
        return
    if change.has_changed("EntitlementId") and not change.is_new:
        _drop_open(change.get("Id"))
        change.set("SlaExitDate", None)
    row = rows_of("Entitlement").filter(Id=entitlement, Status=ACTIVE).first()
    process = None
    if row is not None and row.SlaProcessId is not None:
        process = rows_of("SlaProcess").filter(Id=row.SlaProcessId, IsActive=True).first()
    if row is None or process is None:
        return
    if change.get("SlaStartDate") is None:
        change.set("SlaStartDate", change.get("CreatedDate"))
    if change.get("SlaExitDate") is not None:
        return
    leaving = SlaExit.objects.filter(id=process.pk).first()
    if leaving is not None and is_met(leaving.condition, change.of, change.get, user=change.actor):
        change.set("SlaExitDate", change.now)
        _cancel(one.pk for one in _open(change.get("Id")))
        return
    if bool(change.get("IsStopped")) != bool(change.was("IsStopped")) and not change.is_new:
        (_stop if change.get("IsStopped") else _go_on)(change.get("Id"))
    if not change.get("IsStopped"):
        _begin(change, process, row.BusinessHoursId)
        _say_status(change)


@step(Stage.FILLING_IN)
def complete(change: Change) -> None:
    """Say of a milestone that is completed how long it took, and whether that was too long."""
    if change.of.name != "CaseMilestone":
        return
    clock_ = MilestoneClock.objects.filter(id=change.get("Id")).first()
    open_ = calendar_of(change.get("BusinessHoursId"))
    starts = change.get("StartDate")
    if starts is not None and starts != change.was("StartDate") and clock_ is not None:
        seconds = clock_.minutes * 60 + clock_.stopped_seconds
        target = open_.open_time_ends(starts, seconds * _SECOND)
        change.set("TargetDate", target or change.get("TargetDate"))
    done = change.get("CompletionDate")
    if done == change.was("CompletionDate"):
        return
    change.set("IsCompleted", done is not None)
    late = done if done is not None else change.now
    change.set("IsViolated", late > change.get("TargetDate"))
    taken = None
    if done is not None and starts is not None:
        stopped = 0 if clock_ is None else clock_.stopped_seconds
        taken = max(open_.open_time(starts, done).total_seconds() - stopped, 0)
    change.set("ElapsedTimeInMins", None if taken is None else int(taken // 60))
    change.set("ElapsedTimeInHrs", None if taken is None else hundredths(taken, 3600))
    change.set("ElapsedTimeInDays", None if taken is None else hundredths(taken, 86400))


@step(Stage.ENTITLEMENTS)
def follow_completion(change: Change) -> None:
    """Stop the clock of a milestone that is completed, and do what follows its success."""
    if change.of.name != "CaseMilestone" or not change.has_changed("CompletionDate", "StartDate"):
        return
    row = change.row
    _cancel([row.pk])
    _set_status(row.CaseId)
    if not change.get("IsCompleted"):
        _set_timers(row)
    elif change.has_changed("CompletionDate"):
        found = _step_of(row.pk)
        if found is not None:
            run_actions(found.success, row.CaseId)


@jobs.handles(KIND)
def strike(payload: dict[str, Any]) -> None:
    """Mark a milestone as violated, or do what is due so long before or after its target."""
    row = rows_of("CaseMilestone").filter(Id=payload["milestone"], IsCompleted=False).first()
    clock_ = MilestoneClock.objects.filter(id=payload["milestone"]).first()
    if row is None or clock_ is None or row.IsDeleted:
        return
    found, place = _step_of(row.pk), payload["place"]
    with act(actor="crm.milestone", label=f"milestone {row.pk} of case {row.CaseId}"):
        if place == _VIOLATION:
            row.IsViolated, row.SystemModstamp = True, clock.now().replace(microsecond=0)
            row.save()
            _set_status(row.CaseId)
            return
        clock_.fired = [*clock_.fired, place]
        clock_.save()
        if found is not None and place < len(found.triggers):
            run_actions(found.triggers[place]["actions"], row.CaseId)


def _begin(change: Change, process: SObjectRow, hours: str | None) -> None:
    """Begin the milestones whose criteria a case meets, unless they are running or were to come."""
    steps = list(SlaStep.objects.filter(process=process.pk).order_by("position"))
    if not steps:
        return
    last: dict[str, SObjectRow] = {}
    for row in rows_of("CaseMilestone").filter(CaseId=change.get("Id")).order_by("StartDate", "Id"):
        last[row.MilestoneTypeId] = row
    kinds = rows_of("MilestoneType").filter(Id__in=[one.type for one in steps])
    recurs = dict(kinds.values_list("Id", "RecurrenceType"))
    for one in steps:
        before, recurrence = last.get(one.type), recurs.get(one.type) or NONE
        if before is not None and (recurrence == NONE or not before.IsCompleted):
            continue
        if not is_met(one.condition, change.of, change.get, user=change.actor):
            continue
        starts = change.now
        if before is None and recurrence == NONE and not one.from_criteria:
            starts = change.get("SlaStartDate")
        elif before is not None and recurrence == SEQUENTIAL:
            starts = max(starts, before.TargetDate)
        own = one.hours or process.BusinessHoursId or hours or change.get("BusinessHoursId")
        _make(change, one, starts, own)


def _make(change: Change, one: SlaStep, starts: datetime, hours: str | None) -> None:
    target = calendar_of(hours).open_time_ends(starts, timedelta(minutes=one.minutes))
    if target is None:
        return  # its hours never open
    model = model_of("CaseMilestone")
    stamps: dict[str, Any] = {"CreatedById": change.actor, "LastModifiedById": change.actor}
    stamps |= dict.fromkeys(("CreatedDate", "LastModifiedDate", "SystemModstamp"), change.now)
    row = model(
        Id=new_id(model.sobject.prefix, model),
        CaseId=change.get("Id"),
        MilestoneTypeId=one.type,
        StartDate=starts,
        TargetDate=target,
        BusinessHoursId=hours,
        TargetResponseInMins=one.minutes,
        TargetResponseInHrs=hundredths(one.minutes, 60),
        TargetResponseInDays=hundredths(one.minutes, 1440),
        **stamps,
    )
    row.save(force_insert=True)
    MilestoneClock(id=row.pk, step=one.id, minutes=one.minutes, fired=[]).save(force_insert=True)
    _set_timers(row)


def _set_timers(row: SObjectRow) -> None:
    """Set the jobs of an open milestone: its violation, and what is due around its target."""
    clock_ = MilestoneClock.objects.filter(id=row.pk).first()
    found = _step_of(row.pk)
    if clock_ is None or found is None or clock_.stopped_since is not None:
        return
    open_ = calendar_of(row.BusinessHoursId)
    if not row.IsViolated:
        _enqueue(row.pk, row.TargetDate, _VIOLATION)
    for place, one in enumerate(found.triggers):
        if place not in clock_.fired:
            _enqueue(row.pk, _due(row, clock_, open_, one["seconds"]), place)


def _due(row: SObjectRow, clock_: MilestoneClock, open_: OpenTime, seconds: int) -> datetime | None:
    """Return when so much open time before (negative) or after the target of a milestone it is."""
    if seconds > 0:
        return open_.open_time_ends(row.TargetDate, seconds * _SECOND)
    whole = clock_.minutes * 60 + clock_.stopped_seconds + seconds
    return open_.open_time_ends(row.StartDate, max(whole, 0) * _SECOND)


def _enqueue(id: str, due: datetime | None, place: int) -> None:
    if due is not None:
        payload = {"milestone": id, "place": place}
        jobs.enqueue(KIND, due=max(due, clock.now()), payload=payload, key=f"{KIND}:{id}")


def _stop(case: str) -> None:
    """Let the clocks of a case stand still."""
    rows = _open(case)
    _cancel(row.pk for row in rows)
    for one in MilestoneClock.objects.filter(id__in=[row.pk for row in rows]).order_by("id"):
        one.stopped_since = clock.now()
        one.save()


def _go_on(case: str) -> None:
    """Let the clocks of a case run on: targets move by the open time that did not count."""
    for row in _open(case):
        one = MilestoneClock.objects.filter(id=row.pk).first()
        if one is None or one.stopped_since is None:
            continue
        open_ = calendar_of(row.BusinessHoursId)
        since = max(one.stopped_since, row.StartDate)
        one.stopped_seconds += int(open_.open_time(since, clock.now()).total_seconds())
        one.stopped_since = None
        one.save()
        seconds = one.minutes * 60 + one.stopped_seconds
        target = open_.open_time_ends(row.StartDate, seconds * _SECOND)
        if target is not None and not row.IsViolated:
            row.TargetDate, row.SystemModstamp = target, clock.now().replace(microsecond=0)
            row.save()
        _set_timers(row)


def _open(case: str) -> list[SObjectRow]:
    return list(rows_of("CaseMilestone").filter(CaseId=case, IsCompleted=False).order_by("Id"))


def _drop_open(case: str) -> None:
    """Take away the milestones of a case that are not completed: it has another entitlement."""
    rows = _open(case)
    _cancel(row.pk for row in rows)
    MilestoneClock.objects.filter(id__in=[row.pk for row in rows]).delete()
    for row in rows:
        row.delete()


def _cancel(ids: Iterable[str]) -> None:
    for id in ids:
        jobs.cancel(f"{KIND}:{id}")


def _step_of(milestone: str) -> SlaStep | None:
    found = MilestoneClock.objects.filter(id=milestone).values_list("step", flat=True).first()
    return None if found is None else SlaStep.objects.filter(id=found).first()


def _status_of(case: str) -> str | None:
    """Return what the milestones of a case come to: None where there are none."""
    rows = rows_of("CaseMilestone").filter(CaseId=case)
    found = set(rows.values_list("IsViolated", "IsCompleted"))
    if (True, False) in found:
        return "Open Violation"
    if (True, True) in found:
        return "Closed Violation"
    return "Compliant" if found else None


def _say_status(change: Change) -> None:
    change.set("MilestoneStatus", _status_of(change.get("Id")))


def _set_status(case: str) -> None:
    rows_of("Case").filter(Id=case).update(MilestoneStatus=_status_of(case))
