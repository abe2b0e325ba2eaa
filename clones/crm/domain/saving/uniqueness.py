"""Values that are one record's alone: of unique custom fields, of the prices of a price book.

Records in the recycle bin do not count.
"""

from __future__ import annotations

from clones.crm.domain.saving.change import Change
from clones.crm.domain.saving.lookups import ids_with
from clones.crm.domain.saving.stages import Stage, step
from clones.crm.errors import RecordError
from clones.crm.models import rows_of
from clones.crm.rules.record_ids import short_id


@step(Stage.DUPLICATES)
def check_unique(change: Change) -> None:
    """See that no other record has the value of a unique custom field.

    Raises:
        RecordError: one has.
    """
    for field in change.of.stored:
        if field.slot is None or not field.unique or not change.has_changed(field.name):
            continue
        value = change.get(field.name)
        if value is None:
            continue
        others = [id for id in ids_with(change.of, field, value) if id != change.get("Id")]
        if others:
            raise RecordError(
                "DUPLICATE_VALUE",
                f"duplicate value found: {field.name} duplicates value on record with id:"
                f" {short_id(others[0])}",
                [],
            )


@step(Stage.DUPLICATES)
def check_price(change: Change) -> None:
    """See that a product has one price in a price book, and a standard price before others.

    Raises:
        RecordError: it has one there, or no standard price yet.
    """
    if change.of.name != "PricebookEntry" or not change.is_new:
        return
    prices = rows_of("PricebookEntry").filter(Product2Id=change.get("Product2Id"), IsDeleted=False)
    if prices.filter(Pricebook2Id=change.get("Pricebook2Id")).exists():
        raise RecordError(
            "DUPLICATE_VALUE", "This price definition already exists in this price book", []
        )
    standard = rows_of("Pricebook2").filter(IsStandard=True).values("Id")
    is_standard = rows_of("Pricebook2").filter(Id=change.get("Pricebook2Id"), IsStandard=True)
    if not is_standard.exists() and not prices.filter(Pricebook2Id__in=standard).exists():
        raise RecordError(
            "STANDARD_PRICE_NOT_DEFINED",
            "Before creating a custom price, create a standard price.",
            [],
        )
