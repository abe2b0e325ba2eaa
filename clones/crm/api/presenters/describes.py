"""Objects and fields, as describe shows them."""

from __future__ import annotations

from typing import Any, Final

from clones.crm.rules.schema import Field, SObject, standard_schema
from clones.crm.rules.schema.fields import SOAP_TYPES, PicklistValue
from clones.crm.rules.schema.objects import ChildRelationship

# The record type of those who have no other.
MASTER_TYPE: Final = "012000000000000AAA"
_GLOBAL: Final = (
    "activateable",
    "createable",
    "deletable",
    "feedEnabled",
    "layoutable",
    "mergeable",
    "mruEnabled",
    "queryable",
    "replicateable",
    "retrieveable",
    "searchable",
    "triggerable",
    "undeletable",
    "updateable",
)
_ONLY_WHOLE: Final = ("compactLayoutable", "searchLayoutable")
_NEVER: Final = {
    "custom": False,
    "customSetting": False,
    "deepCloneable": False,
    "deprecatedAndHidden": False,
    "hasSubtypes": False,
    "isInterface": False,
    "isSubtype": False,
}
# Bytes that a character may take, as the vendor reckons.
_BYTES: Final = 3


def present_global(of: SObject, root: str) -> dict[str, Any]:
    """Return an object as the list of all objects shows it."""
    found = {
        "associateEntityType": None,
        "associateParentEntity": None,
        **_NEVER,
        **{name: of.abilities[name] for name in _GLOBAL},
        "keyPrefix": of.prefix,
        "label": of.label,
        "labelPlural": of.plural,
        "name": of.name,
    }
    return {**dict(sorted(found.items())), "urls": _addresses(of, root)}


def present_object(of: SObject, root: str) -> dict[str, Any]:
    """Return an object with its fields and relationships."""
    found: dict[str, Any] = {
        **present_global(of, root),
        **{name: of.abilities[name] for name in _ONLY_WHOLE},
        "actionOverrides": [],
        "childRelationships": [_present_child(one) for one in standard_schema().children(of)],
        "defaultImplementation": None,
        "extendedBy": None,
        "extendsInterfaces": None,
        "fields": [present_field(field) for field in of.fields],
        "implementedBy": None,
        "implementsInterfaces": None,
        "listviewable": None,
        "lookupLayoutable": None,
        "namedLayoutInfos": [],
        "networkScopeFieldName": None,
        "recordTypeInfos": [_master_type(of, root)],
        "sobjectDescribeOption": "FULL",
        "supportedScopes": [{"label": label, "name": name} for name, label in of.scopes.items()],
    }
    for name in ("associateEntityType", "associateParentEntity"):
        found.pop(name)
    return dict(sorted(found.items()))


def present_field(field: Field) -> dict[str, Any]:
    """Return a field with all that a client may want to know of it."""
    has_bytes = field.is_text
    return dict(
        sorted(
            {
                **field.flags,
                "byteLength": 0 if not has_bytes else _bytes_of(field),
                "label": field.label,
                "length": field.length if has_bytes else 0,
                "name": field.name,
                "picklistValues": [present_picklist_value(one) for one in field.values],
                "referenceTo": list(field.reference_to),
                "relationshipName": field.relationship,
                "soapType": SOAP_TYPES.get(field.type, "xsd:string"),
                "type": field.type,
            }.items()
        )
    )


def present_picklist_value(one: PicklistValue) -> dict[str, Any]:
    """Return a value that a picklist offers."""
    return {
        "active": one.is_active,
        "defaultValue": one.is_default,
        "label": one.label,
        "validFor": None,
        "value": one.value,
    }


def _bytes_of(field: Field) -> int:
    return field.length if field.type in ("id", "reference") else field.length * _BYTES


def _present_child(one: ChildRelationship) -> dict[str, Any]:
    return {
        "cascadeDelete": one.seen.cascades,
        "childSObject": one.child.name,
        "deprecatedAndHidden": False,
        "field": one.field.name,
        "junctionIdListNames": [],
        "junctionReferenceTo": [],
        "relationshipName": one.seen.name,
        "restrictedDelete": one.seen.restricts,
    }


def _master_type(of: SObject, root: str) -> dict[str, Any]:
    return {
        "active": True,
        "available": True,
        "defaultRecordTypeMapping": True,
        "developerName": "Master",
        "master": True,
        "name": "Master",
        "recordTypeId": MASTER_TYPE,
        "urls": {"layout": f"{root}/sobjects/{of.name}/describe/layouts/{MASTER_TYPE}"},
    }


def _addresses(of: SObject, root: str) -> dict[str, str]:
    own = f"{root}/sobjects/{of.name}"
    found = {"rowTemplate": f"{own}/{{ID}}", "describe": f"{own}/describe", "sobject": own}
    if of.abilities["layoutable"]:
        found["layouts"] = f"{own}/describe/layouts"
    return found
