"""Sets of records that are like one another, which rules report."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from clones.core import counters
from clones.crm.domain.duplicates.comparing import MOST, Compared
from clones.crm.domain.duplicates.rules import DuplicateRule
from clones.crm.domain.rows import add_row
from clones.crm.domain.saving.change import Change
from clones.crm.models import rows_of

_NUMBERED: Final = ("DuplicateRecordSet", "DuplicateRecordItem")


def number_records(change: Change) -> None:
    """Give a set, or a record in one, the number that it is named by."""
    if change.is_new and change.of.name in _NUMBERED:
        change.set("Name", _next_number(change.of.name))


def report(rule: DuplicateRule, change: Change, found: Sequence[Compared]) -> None:
    """Put a record, and what it is like, into one set: one of the rule that has any of them."""
    ids = [str(change.get("Id"))]
    ids += [str(match.row.pk) for one in found for match in one.matches[:MOST]]
    items = rows_of("DuplicateRecordItem").filter(RecordId__in=ids, IsDeleted=False)
    sets = rows_of("DuplicateRecordSet").filter(
        DuplicateRuleId=rule.id, IsDeleted=False, Id__in=items.values("DuplicateRecordSetId")
    )
    kept = sets.order_by("Id").first()
    if kept is None:
        kept = add_row(
            "DuplicateRecordSet",
            {"Name": _next_number("DuplicateRecordSet"), "DuplicateRuleId": rule.id},
            by=change.actor,
            now=change.now,
        )
    there = rows_of("DuplicateRecordItem").filter(DuplicateRecordSetId=kept.pk, IsDeleted=False)
    known = set(there.values_list("RecordId", flat=True))
    new = [id for id in dict.fromkeys(ids) if id not in known]
    for id in new:
        values = {
            "Name": _next_number("DuplicateRecordItem"),
            "DuplicateRecordSetId": kept.pk,
            "RecordId": id,
        }
        add_row("DuplicateRecordItem", values, by=change.actor, now=change.now)
    if new:
        kept.RecordCount = len(known) + len(new)
        kept.SystemModstamp = kept.LastModifiedDate = change.now
        kept.LastModifiedById = change.actor
        kept.save()


def recount(sets: Iterable[str]) -> None:
    """Count anew what is in some sets (by their ids)."""
    items = rows_of("DuplicateRecordItem").filter(IsDeleted=False)
    for row in rows_of("DuplicateRecordSet").filter(Id__in=sorted(set(sets))).order_by("Id"):
        count = items.filter(DuplicateRecordSetId=row.pk).count()
        if row.RecordCount != count:
            row.RecordCount = count
            row.save()


def _next_number(of: str) -> str:
    return f"{counters.take(f'crm.{of.lower()}.number'):08d}"
