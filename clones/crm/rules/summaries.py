"""What a roll-up summary field sums up: children of a record, by one of their references to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from clones.crm.rules.criteria import Item, condition_text, read_items
from clones.crm.rules.schema import Field, SObject

OPERATIONS: Final = ("count", "sum", "min", "max")
# What there is nothing of is zero, where it is counted or added up.
ZERO_OF_NOTHING: Final = frozenset({"count", "sum"})
# Standard references whose children can be summed up, as those of a master and its details.
_DETAILS: Final = frozenset(
    {
        ("Opportunity", "AccountId"),
        ("OpportunityLineItem", "OpportunityId"),
        ("CampaignMember", "CampaignId"),
        ("OrderItem", "OrderId"),
        ("QuoteLineItem", "QuoteId"),
        ("ContractLineItem", "ServiceContractId"),
    }
)


@dataclass(frozen=True, slots=True)
class Summary:
    """An operation over children: `child` refers to the parent by `via`; `field` is of the child.

    `field` is None where children are counted. `items` say which of them count.
    """

    child: str
    via: str
    operation: str
    field: str | None
    items: tuple[Item, ...]

    def as_json(self) -> dict[str, Any]:
        """Return it as the definition of a field keeps it."""
        items = [
            {"field": one.field, "operation": one.operation, "value": one.value}
            for one in self.items
        ]
        return {
            "child": self.child,
            "via": self.via,
            "operation": self.operation,
            "field": self.field,
            "items": items,
        }

    @property
    def nothing(self) -> float | None:
        """What it comes to without any children."""
        return 0.0 if self.operation in ZERO_OF_NOTHING else None

    def query(self, of: SObject) -> str:
        """Return the query that yields a parent's id and the sum of its children's values."""
        what = "COUNT(Id)" if self.field is None else f"{self.operation.upper()}({self.field})"
        condition = condition_text(self.items, of)
        where = f" WHERE {condition}" if condition else ""
        return f"SELECT {self.via}, {what} value FROM {self.child}{where} GROUP BY {self.via}"  # noqa: S608 - the query language of the CRM, names and literals of a checked definition


def read_summary(given: Mapping[str, Any]) -> Summary:
    """Return the summary that a definition keeps."""
    return Summary(
        given["child"],
        given["via"],
        given["operation"],
        given["field"],
        read_items(given["items"]),
    )


def is_detail(child: SObject, via: Field) -> bool:
    """Tell whether children by a reference can be summed up: those of a master, and some others."""
    if (child.name, via.name) in _DETAILS:
        return True
    return via.slot is not None and any(seen.cascades for seen in (via.children or {}).values())


@lru_cache(maxsize=512)
def summed_up(child: SObject) -> tuple[tuple[SObject, Field, Summary], ...]:
    """Return the fields of parents that sum up records of an object, by their parents' names."""
    return tuple(
        (parent, field, summary)
        for parent in sorted(child.schema, key=lambda one: one.name)
        for field in parent.fields
        if field.summary is not None
        and (summary := read_summary(field.summary)).child == child.name
    )
