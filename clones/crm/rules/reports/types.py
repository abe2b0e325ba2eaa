"""Report types: each is about the records of one object and what they refer to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from clones.crm.rules.schema import OrgSchema, SObject

_STANDARD: Final = {
    "AccountList": "Account",
    "ContactList": "Contact",
    "Opportunity": "Opportunity",
    "LeadList": "Lead",
    "CaseList": "Case",
    "CampaignList": "Campaign",
    "Activity": "Task",
    "ContractList": "Contract",
    "OrderList": "Order",
    "ProductList": "Product2",
    "AssetList": "Asset",
    "UserList": "User",
}
_CUSTOM: Final = "CustomEntity$"


@dataclass(frozen=True, slots=True)
class ReportType:
    """A report type: its name, its label, and the object that it is about."""

    name: str
    label: str
    of: SObject


def report_types(schema: OrgSchema) -> Iterator[ReportType]:
    """Yield the report types of an organization."""
    for name, of in _STANDARD.items():
        found = schema.find(of)
        if found is not None:
            yield ReportType(name, "Activities" if of == "Task" else found.plural, found)
    for found in schema:
        if found.is_custom:
            yield ReportType(f"{_CUSTOM}{found.name}", found.plural, found)


def report_type(name: str, schema: OrgSchema) -> ReportType | None:
    """Return the report type of a name, or of an object's; None if there is none."""
    bare = name.removesuffix("@").lower()
    for one in report_types(schema):
        if bare in (one.name.lower(), one.of.name.lower()):
            return one
    return None
