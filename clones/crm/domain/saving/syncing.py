"""A quote and its opportunity, kept the same: the products of one are those of the other.

An opportunity is told to follow one of its quotes by `SyncedQuoteId`. From then on what is done to
a product of either is done to its counterpart.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from clones.crm.domain.recycling import throw_away
from clones.crm.domain.saving.change import Change
from clones.crm.domain.saving.pipeline import create_record, write_values
from clones.crm.domain.saving.stages import Stage, after_recycling, step
from clones.crm.errors import RecordError
from clones.crm.models import SObjectRow, rows_of
from clones.crm.rules.schema import OrgSchema

# What a product of a quote and one of an opportunity say alike.
_ALIKE: Final = ("Quantity", "UnitPrice", "Discount", "Description", "ServiceDate")
_COPIED: Final = ("PricebookEntryId", *_ALIKE)


@step(Stage.FILLING_IN)
def check_synced_quote(change: Change) -> None:
    """See that an opportunity follows a quote of its own.

    Raises:
        RecordError: the quote is another's.
    """
    if change.of.name != "Opportunity" or not change.has_changed("SyncedQuoteId"):
        return
    quote = change.get("SyncedQuoteId")
    if quote is None:
        return
    own = rows_of("Quote").filter(Id=quote, OpportunityId=change.get("Id"), IsDeleted=False)
    if not own.exists():
        raise RecordError(
            "FIELD_INTEGRITY_EXCEPTION",
            "field integrity exception: SyncedQuoteId (quote belongs to another opportunity)",
            ["SyncedQuoteId"],
        )


@step(Stage.ROLL_UPS)
def follow_quote(change: Change) -> None:
    """Give an opportunity the products of the quote that it follows from now on."""
    if change.of.name != "Opportunity" or not change.has_changed("SyncedQuoteId"):
        return
    schema, now = change.of.schema, change.now
    for quote in rows_of("Quote").filter(OpportunityId=change.get("Id")).order_by("Id"):
        is_synced = quote.pk == change.get("SyncedQuoteId")
        if quote.IsSyncing != is_synced:
            values = {"IsSyncing": is_synced}
            write_values(schema.objects["Quote"], quote.pk, values, actor=change.actor)
    followed = change.get("SyncedQuoteId")
    if followed is None:
        return
    lines = list(rows_of("QuoteLineItem").filter(QuoteId=followed, IsDeleted=False).order_by("Id"))
    for row in lines:
        row.OpportunityLineItemId = None
        row.save()
    of = schema.objects["OpportunityLineItem"]
    for row in rows_of(of).filter(OpportunityId=change.get("Id"), IsDeleted=False).order_by("Id"):
        row.sobject = of
        throw_away(row, actor=change.actor, now=now)
    for row in lines:
        _add_counterpart(schema, row, "OpportunityLineItem", change.get("Id"), change.actor)


@step(Stage.FOLLOW_UPS)
def follow_line(change: Change) -> None:
    """Do to the counterpart of a product what was done to it."""
    name = change.of.name
    if name not in _OTHERS or not change.has_changed(*_ALIKE):
        return
    other, via = _OTHERS[name]
    parent = _followed(name, change.get(via))
    if parent is None:
        return
    counterpart = _counterpart(name, change.row, parent)
    if counterpart is None:
        if change.is_new and not _is_counterpart(change, parent):
            _add_counterpart(change.of.schema, change.row, other, parent, change.actor)
        return
    values = {
        field: change.get(field)
        for field in _ALIKE
        if getattr(counterpart, field) != change.get(field)
    }
    if values:
        of = change.of.schema.objects[other]
        write_values(of, counterpart.pk, values, actor=change.actor)


@after_recycling
def follow_deleted(rows: Sequence[SObjectRow], actor: str) -> None:
    """Delete the counterparts of products that were deleted."""
    gone = {row.pk for row in rows}
    for row in rows:
        name = row.sobject.name
        if name not in _OTHERS or not row.IsDeleted:
            continue
        other, via = _OTHERS[name]
        parent = None if getattr(row, via) in gone else _followed(name, getattr(row, via))
        if parent is None:
            continue
        counterpart = _counterpart(name, row, parent)
        if counterpart is not None and not counterpart.IsDeleted:
            counterpart.sobject = row.sobject.schema.objects[other]
            throw_away(counterpart, actor=actor, now=row.SystemModstamp)


# The counterpart's object of each kind of products, and the field by which each refers to its own.
_OTHERS: Final = {
    "QuoteLineItem": ("OpportunityLineItem", "QuoteId"),
    "OpportunityLineItem": ("QuoteLineItem", "OpportunityId"),
}


def _followed(name: str, parent: str | None) -> str | None:
    """Return what the parent of a product is kept the same as; None where it is not."""
    if name == "QuoteLineItem":
        rows, field = rows_of("Quote").filter(Id=parent, IsSyncing=True), "OpportunityId"
    else:
        rows, field = rows_of("Opportunity").filter(Id=parent), "SyncedQuoteId"
    found: str | None = rows.values_list(field, flat=True).first()
    return found


def _counterpart(name: str, row: Any, parent: str) -> Any:
    """Return what a product corresponds to among those of what its parent is kept the same as."""
    if name == "QuoteLineItem":
        wanted = {"Id": row.OpportunityLineItemId, "OpportunityId": parent}
        return rows_of("OpportunityLineItem").filter(**wanted).first()
    wanted = {"OpportunityLineItemId": row.pk, "QuoteId": parent, "IsDeleted": False}
    return rows_of("QuoteLineItem").filter(**wanted).first()


def _is_counterpart(change: Change, quote: str) -> bool:
    """Tell whether a product of an opportunity is being made for one of its quote."""
    if change.of.name != "OpportunityLineItem":
        return False
    waiting = {"QuoteId": quote, "OpportunityLineItemId": None, "IsDeleted": False}
    found: bool = rows_of("QuoteLineItem").filter(**waiting).exists()
    return found


def _add_counterpart(schema: OrgSchema, row: Any, other: str, parent: str, actor: str) -> None:
    said = {field: getattr(row, field) for field in _COPIED}
    said = {field: value for field, value in said.items() if value is not None}
    said = {**said, "ServiceDate": _day(said.get("ServiceDate"))}
    of = schema.objects[other]
    if other == "OpportunityLineItem":
        made = create_record(of, {**said, "OpportunityId": parent}, actor=actor)
        row.OpportunityLineItemId = made.pk
        row.save()
    else:
        line = {"QuoteId": parent, "OpportunityLineItemId": row.pk}
        create_record(of, {**said, **line}, actor=actor)


def _day(value: Any) -> str | None:
    return None if value is None else value.isoformat()
