"""Fields whose changes are kept: which, where, and how a row of the history calls them."""

from __future__ import annotations

from typing import Final

from clones.crm.rules.schema import Field, SObject

# What an organization tracks of each object until it says otherwise.
TRACKED: Final[dict[str, tuple[str, ...]]] = {
    "Account": (
        *("Name", "OwnerId", "ParentId", "Type", "Industry", "Rating", "Phone", "Website"),
        "AnnualRevenue",
    ),
    "Asset": ("OwnerId", "AccountId", "ContactId", "Product2Id", "Status"),
    "Campaign": ("Name", "OwnerId", "Status", "StartDate", "EndDate", "IsActive"),
    "Case": (
        *("OwnerId", "AccountId", "ContactId", "Status", "Priority", "Type", "Reason", "Origin"),
        "IsEscalated",
    ),
    "ChangeRequest": ("OwnerId", "Status", "Priority"),
    "Contact": ("OwnerId", "AccountId", "ReportsToId", "LastName", "Title", "Email", "Phone"),
    "Contract": ("OwnerId", "Status", "StartDate", "ContractTerm"),
    "ContractLineItem": ("Quantity", "UnitPrice", "Discount"),
    "Entitlement": ("StartDate", "EndDate", "Type"),
    "Incident": ("OwnerId", "Status", "Priority", "Impact", "Urgency"),
    "Lead": ("OwnerId", "Company", "Status", "Rating", "LeadSource", "Email", "Phone"),
    "Opportunity": (
        *("Name", "OwnerId", "AccountId", "StageName", "Amount", "CloseDate", "Probability"),
        *("ForecastCategoryName", "NextStep"),
    ),
    "Order": ("OwnerId", "Status", "EffectiveDate", "EndDate"),
    "OrderItem": ("Quantity", "UnitPrice"),
    "Pricebook2": ("Name", "IsActive"),
    "Problem": ("OwnerId", "Status", "Priority", "Impact", "Urgency"),
    "Product2": ("Name", "ProductCode", "IsActive"),
    "Quote": ("OwnerId", "Status", "ExpirationDate"),
    "ServiceContract": ("OwnerId", "ApprovalStatus", "StartDate", "EndDate"),
}
# What the vendor calls the kinds of values of a history.
_KINDS: Final = {
    "boolean": "Boolean",
    "currency": "Currency",
    "date": "DateOnly",
    "datetime": "DateTime",
    "double": "Double",
    "email": "Email",
    "int": "Integer",
    "percent": "Percent",
    "phone": "Phone",
    "picklist": "DynamicEnum",
    "multipicklist": "MultiEnum",
    "reference": "EntityId",
    "textarea": "TextArea",
    "url": "Url",
}
# Texts that are longer are not kept: that they changed is.
LONGEST: Final = 255


def history_of(of: SObject) -> tuple[SObject, str] | None:
    """Return the object that keeps the changes of another, and the field by which it refers to it.

    None where no changes of it are kept.
    """
    name = "OpportunityFieldHistory" if of.name == "Opportunity" else f"{of.name}History"
    found = of.schema.find(name)
    return None if found is None or not is_history(found) else (found, f"{of.name}Id")


def is_history(of: SObject) -> bool:
    """Tell whether the records of an object are changes of others."""
    return of.field("OldValue") is not None and of.field("NewValue") is not None


def tracked_fields(of: SObject) -> list[Field]:
    """Return the fields of an object whose changes are kept."""
    names = TRACKED.get(of.name, ())
    return [one for one in of.fields if one.name in names or one.is_tracked]


def name_in_history(field: Field) -> str:
    """Return what a history calls a field: a reference by what it leads to."""
    if field.type == "reference" and field.relationship and not field.custom:
        return field.relationship
    return field.name


def kind_in_history(field: Field) -> str:
    """Return what kind of values a history says a field has."""
    return _KINDS.get(field.type, "Text")
