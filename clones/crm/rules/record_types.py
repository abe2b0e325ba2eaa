"""Of which types records can be, and what their picklists offer. Pure."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from clones.crm.rules.record_ids import MASTER_RECORD_TYPE
from clones.crm.rules.schema import Field
from clones.crm.rules.schema.fields import PicklistValue

RECORD_TYPE: Final = "RecordTypeId"
_PICKLISTS: Final = frozenset({"picklist", "multipicklist"})
# The field whose values a business process chooses, by the objects that have processes.
PROCESS_FIELDS: Final[Mapping[str, str]] = {
    "Case": "Status",
    "Lead": "Status",
    "Opportunity": "StageName",
}
# What an object that has record types says of the field which names them.
RECORD_TYPE_FIELD: Final[Mapping[str, Any]] = {
    "name": RECORD_TYPE,
    "type": "reference",
    "label": "Record Type ID",
    "custom": False,
    "permissionable": False,
    "referenceTo": ["RecordType"],
    "relationshipName": "RecordType",
    "children": {"RecordType": [None, False, False]},
}


@dataclass(frozen=True, slots=True)
class RecordTypeInfo:
    """A type of records of an object, as it is open to a user.

    `is_available` says that the user may make such records, `is_default` that those of which the
    user says nothing are such.
    """

    id: str
    name: str
    developer_name: str
    is_active: bool
    is_available: bool
    is_default: bool

    @property
    def is_master(self) -> bool:
        """Whether it is that of records which have no other."""
        return self.id == MASTER_RECORD_TYPE


@dataclass(frozen=True, slots=True)
class Offer:
    """What a picklist offers to records of a type, and what new ones begin with."""

    values: frozenset[str]
    default: str | None


Offers = Mapping[str, Offer]


def master_type(*, is_default: bool) -> RecordTypeInfo:
    """Return the type of records that have no other."""
    return RecordTypeInfo(
        MASTER_RECORD_TYPE,
        "Master",
        "Master",
        is_active=True,
        is_available=True,
        is_default=is_default,
    )


def is_picklist(field: Field) -> bool:
    """Tell whether a field offers values."""
    return field.type in _PICKLISTS


def offered(field: Field, offers: Offers) -> tuple[PicklistValue, ...]:
    """Return the values that a field offers to records of a type; all where nothing is said."""
    found = offers.get(field.name)
    if found is None:
        return field.values
    return tuple(
        dataclasses.replace(one, is_default=one.value == found.default)
        for one in field.values
        if one.value in found.values
    )
