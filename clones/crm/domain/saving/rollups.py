"""Sums that parents keep of their children, brought up to date by whatever changes a child.

A parent whose sums change goes through a save of its own, with its rules: what they refuse undoes
the change of the child.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from clones.crm.domain.saving.change import Change
from clones.crm.domain.saving.pipeline import write_values
from clones.crm.domain.saving.stages import Stage, after_recycling, step
from clones.crm.models import SObjectRow
from clones.crm.queries.custom_values import read_values
from clones.crm.queries.formulas import Looker
from clones.crm.queries.records import find_records
from clones.crm.queries.summaries import sums_of
from clones.crm.rules.schema import Field, SObject
from clones.crm.rules.summaries import Summary, summed_up

Sums = list[tuple[Field, Summary]]


@step(Stage.ROLL_UPS)
def roll_up(change: Change) -> None:
    """Bring the sums of a record's parents up to date: of those it has, and of those it had."""
    for parent, via, sums in _by_parent(change.of):
        ids = {id for id in (change.get(via), change.was(via)) if id is not None}
        asked = [one for one in sums if _matters(change, one[1])]
        if ids and asked:
            _sum_up(change.of, parent, asked, ids, change.looker)


@after_recycling
def roll_up_recycled(rows: Sequence[SObjectRow], actor: str) -> None:
    """Bring the sums of parents up to date whose children were deleted, brought back or moved."""
    waiting: dict[tuple[SObject, str, str], set[str]] = {}
    for row in rows:
        for parent, via, _ in _by_parent(row.sobject):
            read_values(row)
            id = getattr(row, via)
            if id is not None:
                waiting.setdefault((row.sobject, parent.name, via), set()).add(id)
    for (child, name, via), ids in waiting.items():
        for parent, other, sums in _by_parent(child):
            if (parent.name, other) == (name, via):
                _sum_up(child, parent, sums, ids, _looker(rows[0], actor))


def _looker(row: SObjectRow, actor: str) -> Looker:
    return Looker(actor, row.SystemModstamp)


def _by_parent(child: SObject) -> list[tuple[SObject, str, Sums]]:
    """Return the objects that sum up records of another, the references they go by, their sums."""
    found: dict[tuple[str, str], tuple[SObject, str, Sums]] = {}
    for parent, field, summary in summed_up(child):
        key = (parent.name, summary.via)
        found.setdefault(key, (parent, summary.via, []))[2].append((field, summary))
    return list(found.values())


def _matters(change: Change, summary: Summary) -> bool:
    """Tell whether a change may change a sum: it touches what the sum looks at, or a formula."""
    named = [summary.via, summary.field, *(item.field for item in summary.items)]
    for name in named:
        field = change.of.field(name) if name is not None else None
        if field is not None and (field.formula is not None or change.has_changed(field.name)):
            return True
    return change.is_new


def _sum_up(
    child: SObject, parent: SObject, sums: Sums, ids: Collection[str], looker: Looker
) -> None:
    values = {field.name: sums_of(child, field, one, ids, looker) for field, one in sums}
    for id, row in sorted(find_records(parent, ids).items()):
        changed = {
            name: found[id] for name, found in values.items() if getattr(row, name) != found[id]
        }
        if changed:
            write_values(parent, id, changed, actor=looker.user)
