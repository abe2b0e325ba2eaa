"""Fields of lists: by their names, through one parent, or by the names that metadata has."""

from __future__ import annotations

import re
from typing import Final

from clones.crm.rules.schema import Field, SObject

# Words that metadata has between a prefix and a field, where they are not the field's own name.
_LEGACY: Final[dict[str, dict[str, str]]] = {
    "Account": {"NAME": "Name", "PHONE1": "Phone", "PHONE2": "Fax", "URL": "Website"},
    "Contact": {"NAME": "Name", "PHONE1": "Phone", "PHONE3": "MobilePhone"},
    "Lead": {"NAME": "Name", "PHONE1": "Phone", "UNREAD": "IsUnreadByOwner"},
    "Opportunity": {"NAME": "Name", "CLOSED": "IsClosed", "WON": "IsWon"},
    "Case": {"CLOSED": "IsClosed"},
    "Campaign": {"NAME": "Name", "ACTIVE": "IsActive"},
}
_COMMON: Final = {
    "FULL_NAME": "Name",
    "LAST_UPDATE": "LastModifiedDate",
    "CREATED_DATE": "CreatedDate",
    "CREATEDBY_USER.ALIAS": "CreatedBy.Alias",
    "UPDATEDBY_USER.ALIAS": "LastModifiedBy.Alias",
    "CORE.USERS.ALIAS": "Owner.Alias",
    "CORE.USERS.FULL_NAME": "Owner.Name",
    "OWNER_NAME": "Owner.Name",
}
_ADDRESS: Final = re.compile(r"ADDRESS([12])_(STREET|CITY|STATE|ZIP|COUNTRY)(?:_CODE)?")
_PARTS: Final = {"ZIP": "PostalCode"}
_STEMS: Final = {
    "Account": ("Billing", "Shipping"),
    "Contact": ("Mailing", "Other"),
    "Lead": ("", ""),
}


def field_at(of: SObject, path: str) -> Field | None:
    """Return the field that a path leads to, through at most one parent; None if there is none."""
    relationship, _, name = path.rpartition(".")
    if not relationship:
        return of.field(name)
    reference = of.reference(relationship)
    if reference is None:
        return None
    targets = reference.reference_to
    target = of.schema.objects.get("User" if "User" in targets else targets[0])
    return None if target is None else target.field(name)


def column_path(of: SObject, name: str) -> str | None:
    """Return the path of a column by its path in any case, or by the name that metadata has for it.

    None if it is no column of the object's lists.
    """
    known = _COMMON.get(name.upper())
    if known is not None and field_at(of, known) is not None:
        return known
    found = field_at(of, name)
    if found is not None:
        relationship, _, _ = name.rpartition(".")
        reference = of.reference(relationship) if relationship else None
        return found.name if reference is None else f"{reference.relationship}.{found.name}"
    return _legacy_path(of, name)


def _legacy_path(of: SObject, name: str) -> str | None:
    prefix, _, rest = name.upper().partition(".")
    rest, owner = (rest, _named(of, prefix)) if rest else (prefix, of)
    if owner is None:
        return None
    field = _legacy_field(owner, rest)
    if field is None:
        return None
    if owner is of:
        return field.name
    through = next((one for one in of.fields if one.reference_to == (owner.name,)), None)
    return None if through is None else f"{through.relationship}.{field.name}"


def _named(of: SObject, prefix: str) -> SObject | None:
    """Return the object that a prefix names: `ACCOUNT`, `CASES`."""
    own = {of.name.upper(), of.plural.upper().replace(" ", "_")}
    if prefix in own:
        return of
    return next(
        (one for one in of.schema if prefix in (one.name.upper(), one.plural.upper())), None
    )


def _legacy_field(of: SObject, rest: str) -> Field | None:
    own = _LEGACY.get(of.name, {}).get(rest) or _COMMON.get(rest)
    if own is not None:
        return of.field(own)
    address = _ADDRESS.fullmatch(rest)
    if address is not None and of.name in _STEMS:
        stem = _STEMS[of.name][int(address[1]) - 1]
        return of.field(f"{stem}{_PARTS.get(address[2], address[2])}")
    return of.field(rest.replace("_", ""))
