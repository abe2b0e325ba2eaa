"""What duplicate rules do when a record is saved, and the keys that it is found by afterwards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from clones.crm.domain.duplicates.asked import duplicate_options
from clones.crm.domain.duplicates.comparing import (
    Compared,
    compare,
    drop_keys,
    keep_keys,
)
from clones.crm.domain.duplicates.reporting import number_records, recount, report
from clones.crm.domain.duplicates.results import present_result
from clones.crm.domain.duplicates.rules import (
    DuplicateRule,
    duplicate_rules,
    match_rules,
    may_be_matched,
)
from clones.crm.domain.saving.change import Change
from clones.crm.domain.saving.stages import Stage, after_recycling, step
from clones.crm.errors import DuplicatesFound
from clones.crm.models import SObjectRow, rows_of
from clones.crm.queries.records import find_records
from clones.crm.rules.criteria import meets

_REPORTS: Final = "duplicates"
_AT_ONCE: Final = 200


@step(Stage.FILLING_IN)
def number(change: Change) -> None:
    """Give sets of duplicates, and what is in them, their numbers."""
    number_records(change)


@step(Stage.DUPLICATES)
def check_duplicates(change: Change) -> None:
    """See that a record is not like others, where a rule does not let it.

    What a rule only reports is kept for when the record is written.

    Raises:
        DuplicatesFound: it is, and a rule blocks it, or alerts and nobody said to save it anyway.
    """
    options = duplicate_options()
    if options.is_off or not may_be_matched(change.of):
        return
    for rule in duplicate_rules(change.of):
        if not _concerns(rule, change):
            continue
        found = compare(
            change.of.schema,
            rule,
            change.row,
            own=None if change.is_new else change.get("Id"),
            seen_by=change.actor if rule.shares or options.as_user else None,
        )
        if not any(one.matches for one in found):
            continue
        action = rule.on_insert if change.is_new else rule.on_update
        if action.blocks or (action.alerts and not options.allows_save):
            result = present_result(
                rule, found, allows=not action.blocks, options=options, looker=change.looker
            )
            raise DuplicatesFound(rule.alert, result)
        if action.reports:
            change.memo.setdefault(_REPORTS, []).append((rule, found))


def _concerns(rule: DuplicateRule, change: Change) -> bool:
    """Tell whether a rule looks at a change: one of the fields that it compares is touched."""
    compared = {field.partition(".")[0] for one in rule.comparisons for field in one.sources}
    names = ["AccountId" if name == "Account" else name for name in sorted(compared)]
    if not change.is_new and not change.has_changed(
        *(name for name in names if change.of.field(name) is not None)
    ):
        return False
    return not rule.items or meets(
        rule.items, rule.logic, change.of, lambda field: change.get(field.name)
    )


@step(Stage.FOLLOW_UPS)
def keep_found(change: Change) -> None:
    """Report what a record is like, and let others be found to be like it."""
    if not may_be_matched(change.of):
        return
    kept: list[tuple[DuplicateRule, list[Compared]]] = change.memo.pop(_REPORTS, [])
    for rule, found in kept:
        report(rule, change, found)
    rules = match_rules(change.of)
    if rules:
        keep_keys(change.of, [change.row], rules.values())
    if change.of.name == "Account" and not change.is_new and change.has_changed("Name"):
        _keep_keys_of_contacts(change)


def _keep_keys_of_contacts(change: Change) -> None:
    """Find the contacts of an account by its new name."""
    of = change.of.schema.objects["Contact"]
    rules = match_rules(of)
    ids = list(
        rows_of(of).filter(AccountId=change.get("Id")).order_by("Id").values_list("Id", flat=True)
    )
    for start in range(0, len(ids) if rules else 0, _AT_ONCE):
        rows = find_records(of, ids[start : start + _AT_ONCE])
        keep_keys(of, [rows[id] for id in sorted(rows)], rules.values())


@after_recycling
def follow_bin(rows: Sequence[SObjectRow], actor: str) -> None:
    """Let what lies in the bin not be found, and what came back from it be found again."""
    recount(row.DuplicateRecordSetId for row in rows if row.sobject.name == "DuplicateRecordItem")
    by_object: dict[str, list[Any]] = {}
    for row in rows:
        if may_be_matched(row.sobject):
            by_object.setdefault(row.sobject.name, []).append(row)
    for found in by_object.values():
        of = found[0].sobject
        drop_keys(row.pk for row in found if row.IsDeleted)
        ids = [str(row.pk) for row in found if not row.IsDeleted]
        if ids:
            back = find_records(of, ids)
            keep_keys(of, [back[id] for id in sorted(back)], match_rules(of).values())
