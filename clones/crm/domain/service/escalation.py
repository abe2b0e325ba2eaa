"""Escalation: once an hour the open cases are looked at, and those that are too old are passed on.

A case is dealt with by the first entry of the active rule whose condition it meets. Each action of
the entry is taken once for a start of the clock: the case's creation, or its last change by a
person, which what escalation itself does is not.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from django.db import transaction

from clones.core import clock, jobs
from clones.core.calendars import AlwaysOpen, OpenTime
from clones.core.journal import act
from clones.crm.domain.service.letters import write_about
from clones.crm.domain.service.owners import addresses_of
from clones.crm.domain.service.rules import active_rule, entries_of, first_met
from clones.crm.domain.service.settings import automated_user
from clones.crm.domain.service.sweeps import HOUR, KIND
from clones.crm.models import CaseEscalation, RuleEntry, SObjectRow, rows_of
from clones.crm.queries.business_hours import calendar_of
from clones.crm.queries.custom_values import read_all_values
from clones.crm.queries.schema import org_schema


@jobs.handles(KIND, every=HOUR)
def sweep(payload: dict[str, Any]) -> None:
    """Escalate the open cases that are due; where no rule is active, look no more."""
    rule = active_rule("escalation", "Case")
    if rule is None:
        jobs.cancel(KIND)
        return
    entries = entries_of(rule)
    if not entries:
        return
    user, hours = automated_user(), dict[str | None, OpenTime]()
    taken = _taken(entries)
    read: dict[str, SObjectRow | None] = {}
    for case in _open_cases():
        entry = first_met(entries, case.sobject, partial(getattr, case), user=user, read=read)
        if entry is not None:
            _escalate(case, entry, taken, hours, user)


def _open_cases() -> Iterator[SObjectRow]:
    of = org_schema().objects["Case"]
    rows = rows_of(of).filter(IsClosed=False, IsDeleted=False).order_by("Id")
    found = {row.pk: row for row in rows}
    read_all_values(of, found)
    for row in found.values():
        row.sobject = of
        yield row


def _taken(entries: list[RuleEntry]) -> dict[tuple[str, str, int], datetime]:
    """Return the starts of the clocks for which actions were taken, by case, entry and action."""
    rows = CaseEscalation.objects.filter(entry__in=[one.id for one in entries])
    return {(row.case, row.entry, row.action): row.since for row in rows}


def _escalate(
    case: SObjectRow,
    entry: RuleEntry,
    taken: dict[tuple[str, str, int], datetime],
    hours: dict[str | None, OpenTime],
    user: str,
) -> None:
    """Take the actions of an entry that a case has come of age for."""
    values = entry.values
    was_modified = case.LastModifiedDate != case.CreatedDate
    if values["start"] == "CaseCreation" and values["ends_when_modified"] and was_modified:
        return
    since = case.CreatedDate if values["start"] == "CaseCreation" else case.LastModifiedDate
    which = {"Static": values["hours"], "Case": case.BusinessHoursId}.get(values["source"])
    if which not in hours:
        hours[which] = AlwaysOpen() if which is None else calendar_of(which)
    age = hours[which].open_time(since, clock.now())
    for place, action in enumerate(values["actions"]):
        key = (case.pk, entry.id, place)
        if age < timedelta(minutes=action["minutes"]) or taken.get(key) == since:
            continue
        with transaction.atomic(), act(actor="crm.escalation", label=f"case {case.CaseNumber}"):
            _note(key, since, is_new=key not in taken)
            _take(case, action, user)
        taken[key] = since


def _take(case: SObjectRow, action: dict[str, Any], user: str) -> None:
    case.IsEscalated = True
    if action["owner"] is not None:
        case.OwnerId = action["owner"]
    case.SystemModstamp = clock.now().replace(microsecond=0)
    case.save()
    if action["owner"] is not None and action["owner_template"] is not None:
        _tell(case, addresses_of(action["owner"]), action["owner_template"], user)
    told = [*action["mails"]]
    if action["told"] is not None:
        told += addresses_of(action["told"])
    if action["tells_owner"]:
        told += addresses_of(case.OwnerId)
    _tell(case, list(dict.fromkeys(told)), action["told_template"], user)


def _tell(case: SObjectRow, recipients: list[str], template: str | None, user: str) -> None:
    write_about(
        case,
        recipients,
        user=user,
        template=template,
        subject=f"Case {case.CaseNumber} has been escalated",
        text=f"Case {case.CaseNumber} has been escalated: {case.Subject or ''}\n",
    )


def _note(key: tuple[str, str, int], since: datetime, *, is_new: bool) -> None:
    case, entry, place = key
    row = CaseEscalation(
        id=f"{case}.{entry}.{place}", case=case, entry=entry, action=place, since=since
    )
    row.save(force_insert=is_new)
