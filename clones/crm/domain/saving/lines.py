"""Lines of what is sold: those of opportunities, quotes, orders and service contracts.

A line takes its product and list price from an entry of the price book that its parent sells by,
and works out its totals; its parent sums them up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import Count, Sum

from clones.crm.domain.saving.change import Change
from clones.crm.domain.saving.pipeline import write_values
from clones.crm.domain.saving.stages import Stage, after_recycling, step
from clones.crm.errors import RecordError
from clones.crm.models import SObjectRow, rows_of
from clones.crm.rules.schema import OrgSchema

Values = dict[str, Any]
ACTIVATED: Final = "Activated"
# Lines that cost what the price book says where nothing else is said.
_PRICED_BY_LIST: Final = frozenset({"OpportunityLineItem", "OrderItem"})


@dataclass(frozen=True, slots=True)
class Lines:
    """The lines of an object: the field by which they refer to it, and what it sums up of them."""

    parent: str
    via: str
    sum_up: Callable[[Values], Values]


def _opportunity(sums: Values) -> Values:
    return {
        "Amount": sums["total"],
        "TotalOpportunityQuantity": sums["quantity"],
        "HasOpportunityLineItem": sums["count"] > 0,
    }


def _order(sums: Values) -> Values:
    return {"TotalAmount": sums["total"]}


def _offer(sums: Values) -> Values:
    return {
        "Subtotal": sums["subtotal"],
        "TotalPrice": sums["total"],
        "LineItemCount": sums["count"],
    }


LINES: Final[dict[str, Lines]] = {
    "OpportunityLineItem": Lines("Opportunity", "OpportunityId", _opportunity),
    "QuoteLineItem": Lines("Quote", "QuoteId", _offer),
    "OrderItem": Lines("Order", "OrderId", _order),
    "ContractLineItem": Lines("ServiceContract", "ServiceContractId", _offer),
}


@step(Stage.FILLING_IN)
def fill_in_line(change: Change) -> None:
    """Take what a line says from its price book, and work out its totals.

    Raises:
        RecordError: it is of another price book than its parent, or that is not to be changed.
    """
    lines = LINES.get(change.of.name)
    if lines is None:
        return
    if change.is_new:
        _take_entry(change, lines)
    _work_out(change)


def _take_entry(change: Change, lines: Lines) -> None:
    parent = rows_of(lines.parent).filter(Id=change.get(lines.via)).first()
    if parent is None:
        return  # what is missing is said later
    _check_open(lines, parent)
    entry = _entry(change, parent)
    if entry is None:
        return
    if not entry.IsActive:
        raise _refused("PricebookEntryId", "pricebook entry is inactive")
    if parent.Pricebook2Id is not None and parent.Pricebook2Id != entry.Pricebook2Id:
        raise _refused(
            "PricebookEntryId",
            "pricebook entry is in a different pricebook than the one assigned to the"
            f" {lines.parent.lower()}",
        )
    if parent.Pricebook2Id is None:
        said = {"Pricebook2Id": entry.Pricebook2Id}
        write_values(change.of.schema.objects[lines.parent], parent.pk, said, actor=change.actor)
    change.set("PricebookEntryId", entry.pk)
    change.set("Product2Id", entry.Product2Id)
    change.set("ListPrice", entry.UnitPrice)
    has_price = change.get("UnitPrice") is not None or change.get("TotalPrice") is not None
    if change.of.name in _PRICED_BY_LIST and not has_price:
        change.set("UnitPrice", entry.UnitPrice)
    if change.of.name == "OpportunityLineItem":
        product = rows_of("Product2").filter(Id=entry.Product2Id).first()
        if product is not None:
            change.set("Name", f"{parent.Name} {product.Name}"[:255])
            change.set("ProductCode", product.ProductCode)


def _entry(change: Change, parent: Any) -> Any:
    """Return the entry of a price book that a line is of: the one said, or that of its product."""
    said = change.get("PricebookEntryId")
    if said is not None:
        return rows_of("PricebookEntry").filter(Id=said).first()
    product = change.get("Product2Id")
    if product is None or parent.Pricebook2Id is None:
        return None
    rows = rows_of("PricebookEntry").filter(Product2Id=product, Pricebook2Id=parent.Pricebook2Id)
    return rows.order_by("Id").first()


def _check_open(lines: Lines, parent: Any) -> None:
    if lines.parent == "Order" and str(parent.StatusCode or "").startswith(ACTIVATED):
        raise locked_order()


def locked_order() -> RecordError:
    """Return the error of what nobody does to an order that is activated."""
    return RecordError(
        "ENTITY_IS_LOCKED",
        "Unable to modify activated or superseded Order:  cannot delete Order, or add or remove"
        " Order Products",
    )


def _work_out(change: Change) -> None:
    """Set the totals of a line by price, quantity and discount; its price by a total said."""
    quantity, price = change.get("Quantity"), change.get("UnitPrice")
    if quantity is None:
        return
    has_discount = change.of.field("Discount") is not None
    discount = change.get("Discount") if has_discount else None
    kept = 1 - (discount or 0) / 100
    said = change.said
    if "TotalPrice" in said and "UnitPrice" not in said:
        total = change.get("TotalPrice")
        if total is not None and quantity and kept:
            price = round(total / quantity / kept, 2)
            change.set("UnitPrice", price)
    if price is None:
        return
    subtotal = round(price * quantity, 2)
    change.set("TotalPrice", round(subtotal * kept, 2))
    if change.of.field("Subtotal") is not None:
        change.set("Subtotal", subtotal)
    if change.of.field("AvailableQuantity") is not None and change.is_new:
        change.set("AvailableQuantity", quantity)


@step(Stage.ROLL_UPS)
def sum_up_line(change: Change) -> None:
    """Let the parent of a line sum up what it has."""
    lines = LINES.get(change.of.name)
    if lines is not None and change.has_changed("Quantity", "TotalPrice", lines.via):
        _sum_up(change.of.schema, change.of.name, [change.get(lines.via)], change.actor)


@after_recycling
def keep_activated(rows: Sequence[SObjectRow], actor: str) -> None:
    """See that neither an activated order nor a product of one is deleted.

    Raises:
        RecordError: one is.
    """
    gone = {row.pk for row in rows if getattr(row, "IsDeleted", False)}
    orders = {row.pk for row in rows if row.sobject.name == "Order"} & gone
    orders |= {row.OrderId for row in rows if row.sobject.name == "OrderItem" and row.pk in gone}
    if orders and rows_of("Order").filter(Id__in=orders, StatusCode=ACTIVATED).exists():
        raise locked_order()


@after_recycling
def sum_up_recycled(rows: Sequence[SObjectRow], actor: str) -> None:
    """Let the parents of lines that were deleted, or brought back, sum up what they have."""
    gone = {row.pk for row in rows}
    for name, lines in LINES.items():
        of_it = [row for row in rows if row.sobject.name == name]
        ids = sorted({getattr(row, lines.via) for row in of_it} - {None} - gone)
        if ids:
            _sum_up(of_it[0].sobject.schema, name, ids, actor)


def _sum_up(schema: OrgSchema, name: str, parents: Iterable[str], actor: str) -> None:
    lines = LINES[name]
    of = schema.objects[lines.parent]
    has_subtotal = schema.objects[name].field("Subtotal") is not None
    rows = rows_of(name).filter(**{f"{lines.via}__in": list(parents), "IsDeleted": False})
    found = {
        row[lines.via]: row
        for row in rows.order_by()
        .values(lines.via)
        .annotate(
            total=Sum("TotalPrice"),
            subtotal=Sum("Subtotal" if has_subtotal else "TotalPrice"),
            quantity=Sum("Quantity"),
            count=Count("Id"),
        )
    }
    for id, row in sorted(rows_of(of).in_bulk(list(parents)).items()):
        if row.IsDeleted:
            continue
        sums = found.get(id, {})
        rounded = {key: round(sums.get(key) or 0, 2) for key in ("total", "subtotal", "quantity")}
        values = lines.sum_up({**rounded, "count": sums.get("count", 0)})
        if any(getattr(row, key) != value for key, value in values.items()):
            write_values(of, id, values, actor=actor)


def _refused(field: str, why: str) -> RecordError:
    return RecordError(
        "FIELD_INTEGRITY_EXCEPTION", f"field integrity exception: {field} ({why})", [field]
    )
