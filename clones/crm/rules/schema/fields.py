"""A field of an object: its type, what it holds, and the flags that a describe shows.

The files in `objects/` say of each field only what differs from others of its type.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

# What each kind of text holds at most, where its field says nothing else (characters).
LENGTHS: Final = {
    "string": 255,
    "picklist": 255,
    "multipicklist": 4099,
    "combobox": 255,
    "email": 80,
    "phone": 40,
    "url": 255,
    "textarea": 32000,
    "reference": 18,
    "id": 18,
}
SOAP_TYPES: Final = {
    "id": "tns:ID",
    "reference": "tns:ID",
    "boolean": "xsd:boolean",
    "int": "xsd:int",
    "double": "xsd:double",
    "currency": "xsd:double",
    "percent": "xsd:double",
    "date": "xsd:date",
    "datetime": "xsd:dateTime",
    "time": "xsd:time",
    "address": "urn:address",
    "base64": "xsd:base64Binary",
    "anyType": "xsd:anyType",
}
NUMBERS: Final = frozenset({"int", "double", "currency", "percent"})
_FLAGS: Final[dict[str, Any]] = {
    "aggregatable": True,
    "aiPredictionField": False,
    "autoNumber": False,
    "byteLength": None,
    "calculated": False,
    "calculatedFormula": None,
    "cascadeDelete": False,
    "caseSensitive": False,
    "compoundFieldName": None,
    "controllerName": None,
    "createable": True,
    "custom": False,
    "defaultValue": None,
    "defaultValueFormula": None,
    "defaultedOnCreate": False,
    "dependentPicklist": False,
    "deprecatedAndHidden": False,
    "digits": 0,
    "displayLocationInDecimal": False,
    "encrypted": False,
    "externalId": False,
    "extraTypeInfo": None,
    "filterable": True,
    "filteredLookupInfo": None,
    "formulaTreatNullNumberAsZero": False,
    "groupable": True,
    "highScaleNumber": False,
    "htmlFormatted": False,
    "idLookup": False,
    "inlineHelpText": None,
    "mask": None,
    "maskType": None,
    "nameField": False,
    "namePointing": False,
    "nillable": True,
    "permissionable": True,
    "polymorphicForeignKey": False,
    "precision": 0,
    "queryByDistance": False,
    "referenceTargetField": None,
    "relationshipOrder": None,
    "restrictedDelete": False,
    "restrictedPicklist": False,
    "scale": 0,
    "searchPrefilterable": False,
    "sortable": True,
    "unique": False,
    "updateable": True,
    "writeRequiresMasterRead": False,
}
_NOT_WRITTEN: Final = {"createable": False, "updateable": False, "permissionable": False}
_BY_TYPE: Final[dict[str, dict[str, Any]]] = {
    "id": {**_NOT_WRITTEN, "nillable": False, "idLookup": True, "defaultedOnCreate": True},
    "boolean": {
        **_NOT_WRITTEN,
        "aggregatable": False,
        "nillable": False,
        "defaultedOnCreate": True,
        "defaultValue": False,
    },
    "datetime": {**_NOT_WRITTEN, "groupable": False},
    "double": {"groupable": False, "precision": 18, "scale": 15},
    "currency": {"groupable": False, "precision": 18, "scale": 2},
    "percent": {"groupable": False, "precision": 3},
    "address": {
        **_NOT_WRITTEN,
        "aggregatable": False,
        "groupable": False,
        "sortable": False,
        "queryByDistance": True,
    },
    "textarea": {"aggregatable": False, "filterable": False, "groupable": False, "sortable": False},
    "int": {"digits": 8},
    "base64": {"aggregatable": False, "filterable": False, "groupable": False, "sortable": False},
    "anyType": {"aggregatable": False, "filterable": False, "groupable": False, "sortable": False},
}


@dataclass(frozen=True, slots=True)
class PicklistValue:
    """A value that a picklist offers."""

    value: str
    label: str
    is_active: bool = True
    is_default: bool = False


@dataclass(frozen=True, slots=True)
class Child:
    """How a record is seen from what one of its fields refers to.

    `name` is the relationship's, None where queries cannot follow it. `cascades` deletes the
    children with their parent, `restricts` refuses to delete a parent that has any.
    """

    name: str | None
    cascades: bool = False
    restricts: bool = False


@dataclass(frozen=True)
class Field:
    """One field of an object.

    `flags` has every flag of a describe under the vendor's name. `reference_to` names the objects
    that a reference may lead to, `children` how each of them sees the records that refer to it.
    `slot` names the column of a custom field's values, None where the field has its own or is
    worked out by a formula. `summary` is what a field sums up of its record's children
    (`clones.crm.rules.summaries`), None where it does not. `is_tracked` says that an administrator
    wants its changes kept.
    """

    name: str
    type: str
    label: str
    length: int
    flags: Mapping[str, Any]
    values: tuple[PicklistValue, ...] = ()
    reference_to: tuple[str, ...] = ()
    relationship: str | None = None
    children: Mapping[str, Child] | None = None
    slot: str | None = None
    summary: Mapping[str, Any] | None = None
    is_tracked: bool = False

    def __getattr__(self, name: str) -> Any:
        """Return a flag of the describe by its name there."""
        try:
            return self.flags[name]
        except KeyError:
            raise AttributeError(name) from None

    @property
    def is_stored(self) -> bool:
        """Whether the record has a column for it: all but what is put together from others."""
        return self.type != "address" and self.formula is None

    @property
    def formula(self) -> str | None:
        """The formula that its values are worked out by, None where they are kept."""
        found: str | None = self.flags["calculatedFormula"]
        return found

    @property
    def is_text(self) -> bool:
        """Whether its values are texts."""
        return self.type in LENGTHS

    @property
    def is_number(self) -> bool:
        """Whether its values are numbers."""
        return self.type in NUMBERS

    @property
    def is_polymorphic(self) -> bool:
        """Whether it may refer to records of several objects."""
        return len(self.reference_to) > 1

    @cached_property
    def default(self) -> Any:
        """What a new record has here if nothing is said: the default value of its picklist."""
        for one in self.values:
            if one.is_default:
                return one.value
        return self.flags["defaultValue"]

    @cached_property
    def is_required(self) -> bool:
        """Whether a new record must say it."""
        flags = self.flags
        return not flags["nillable"] and flags["createable"] and not flags["defaultedOnCreate"]


def read_field(given: Mapping[str, Any]) -> Field:
    """Return the field that a line of a file in `objects/` describes.

    Raises:
        ValueError: it names a flag that no describe has.
    """
    kind = given["type"]
    own = {
        key: value
        for key, value in given.items()
        if key not in ("name", "type", "label", "length", "values", "referenceTo")
        and key not in ("relationshipName", "children", "slot", "summary", "trackHistory")
    }
    unknown = own.keys() - _FLAGS.keys()
    if unknown:
        raise ValueError(f"{given['name']}: no such flag: {', '.join(sorted(unknown))}")
    children = {target: Child(*seen) for target, seen in given.get("children", {}).items()}
    return Field(
        name=given["name"],
        type=kind,
        label=given["label"],
        length=given.get("length", LENGTHS.get(kind, 0)),
        flags={**_FLAGS, **_BY_TYPE.get(kind, {}), **own},
        values=tuple(_value(one) for one in given.get("values", ())),
        reference_to=tuple(given.get("referenceTo", ())),
        relationship=given.get("relationshipName"),
        children=children or None,
        slot=given.get("slot"),
        summary=given.get("summary"),
        is_tracked=bool(given.get("trackHistory")),
    )


def _value(given: str | Mapping[str, Any]) -> PicklistValue:
    if isinstance(given, str):
        return PicklistValue(given, given)
    return PicklistValue(
        given["value"],
        given.get("label", given["value"]),
        given.get("active", True),
        given.get("defaultValue", False),
    )
