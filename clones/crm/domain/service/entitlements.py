"""Entitlements: whether one is in force by its days, and how many cases are left of it."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from typing import Any, Final
from zoneinfo import ZoneInfo

from clones.core import clock, jobs
from clones.core.journal import act
from clones.crm.domain.saving.change import Change
from clones.crm.domain.saving.stages import Stage, step
from clones.crm.models import rows_of

KIND: Final = "crm.entitlement"
ACTIVE, EXPIRED, INACTIVE = "Active", "Expired", "Inactive"
_DAY: Final = timedelta(days=1)


def organization_zone() -> ZoneInfo:
    """Return the time zone whose days the organization goes by."""
    found = rows_of("Organization").values_list("TimeZoneSidKey", flat=True).first()
    return ZoneInfo(found or "UTC")


def status_on(day: date, starts: date | None, ends: date | None) -> str:
    """Return the status of an entitlement on a day by its first and last days."""
    if ends is not None and day > ends:
        return EXPIRED
    return INACTIVE if starts is not None and day < starts else ACTIVE


@step(Stage.FILLING_IN)
def fill_in_entitlement(change: Change) -> None:
    """Say whether an entitlement is in force, and what is left of one that counts its cases."""
    if change.of.name != "Entitlement":
        return
    today = change.now.astimezone(organization_zone()).date()
    change.set("Status", status_on(today, change.get("StartDate"), change.get("EndDate")))
    counted, told = change.get("CasesPerEntitlement"), "RemainingCases" in change.said
    if change.get("IsPerIncident") and change.has_changed("CasesPerEntitlement") and not told:
        used = (change.was("CasesPerEntitlement") or 0) - (change.was("RemainingCases") or 0)
        left = None if counted is None else max(counted - max(used, 0), 0)
        change.set("RemainingCases", left)


@step(Stage.ENTITLEMENTS)
def set_timers(change: Change) -> None:
    """Set when an entitlement comes into force and when it expires; count a new case of it."""
    if change.of.name == "Entitlement" and change.has_changed("StartDate", "EndDate"):
        _set_timers(change.get("Id"), change.get("StartDate"), change.get("EndDate"))
    elif change.of.name == "Case" and change.is_new and change.get("EntitlementId") is not None:
        _count_case(change.get("EntitlementId"))


@jobs.handles(KIND)
def turn(payload: dict[str, Any]) -> None:
    """Say anew whether an entitlement is in force."""
    row = rows_of("Entitlement").filter(Id=payload["entitlement"], IsDeleted=False).first()
    if row is None:
        return
    now = clock.now().replace(microsecond=0)
    status = status_on(now.astimezone(organization_zone()).date(), row.StartDate, row.EndDate)
    if status != row.Status:
        with act(actor="crm.entitlement", label=f"{row.Name} is {status.lower()}"[:200]):
            row.Status, row.SystemModstamp = status, now
            row.save()


def _set_timers(id: str, starts: date | None, ends: date | None) -> None:
    jobs.cancel(key := f"{KIND}:{id}")
    zone = organization_zone()
    days = [starts, None if ends is None or ends == date.max else ends + _DAY]
    for day in days:
        if day is None:
            continue
        due = datetime.combine(day, time(), zone)
        if due > clock.now():
            jobs.enqueue(KIND, due=due, payload={"entitlement": id}, key=key)


def _count_case(id: str) -> None:
    row = rows_of("Entitlement").filter(Id=id, IsPerIncident=True).first()
    if row is not None and (row.RemainingCases or 0) > 0:
        row.RemainingCases -= 1
        row.save()
