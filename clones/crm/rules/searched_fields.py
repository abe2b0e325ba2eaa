"""Which fields of an object a search looks through, by the group that it names."""

from __future__ import annotations

from typing import Final

from clones.crm.rules.schema import Field, SObject
from clones.crm.rules.soql.searches import FieldsSearched
from clones.crm.rules.soql.searching import NAME_FIELDS_TOO

# Objects that are searched in all their fields, whatever group a search names.
_WHATEVER_GROUP: Final = frozenset({"FeedComment", "FeedItem", "Product2"})


def searched_fields(of: SObject, group: FieldsSearched) -> tuple[str, ...]:
    """Return the names of the fields of an object that a group has.

    The sidebar looks through names, addresses of mail, and numbers of telephones.
    """
    if group == "ALL" or of.name in _WHATEVER_GROUP:
        return of.searched
    fields = [field for name in of.searched if (field := of.field(name)) is not None]
    return tuple(field.name for field in fields if _is_in(of, field, group))


def _is_in(of: SObject, field: Field, group: FieldsSearched) -> bool:
    is_name = (
        field.nameField
        or field.compoundFieldName == "Name"
        or field.name in NAME_FIELDS_TOO.get(of.name, ())
    )
    if group == "NAME":
        return is_name
    if group == "SIDEBAR":
        return is_name or field.type in ("email", "phone")
    return bool(field.type == group.lower())
