"""Objects and fields, as describe shows them."""

from __future__ import annotations

from typing import Any, Final

from clones.crm.queries.record_types import record_types_of
from clones.crm.rules.record_types import RecordTypeInfo
from clones.crm.rules.schema import Field, SObject
from clones.crm.rules.schema.fields import SOAP_TYPES, PicklistValue
from clones.crm.rules.schema.objects import ChildRelationship

# The record type of those who have no other.
MASTER_TYPE: Final = "012000000000000AAA"
_GLOBAL: Final = (
    "activateable",
    "createable",
    "deepCloneable",
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
    "customSetting": False,
    "deprecatedAndHidden": False,
    "hasSubtypes": False,
    "isInterface": False,
    "isSubtype": False,
}
# What a describe says since a version between the two that were seen: 48 without, 59 with.
_NEWER: Final = ("associateEntityType", "associateParentEntity", "sobjectDescribeOption")
_NEWER_FROM: Final = 49.0
_WITHOUT_ACTIONS: Final = frozenset({"CampaignMember"})
_WITHOUT_LIST_VIEWS: Final = frozenset({"Event", "Task", "User"})
# Addresses that one object has, below its own.
_MORE: Final[dict[str, dict[str, str]]] = {
    "Case": {
        "caseArticleSuggestions": "suggestedArticles",
        "caseRowArticleSuggestions": "{ID}/suggestedArticles",
    },
    "Event": {"eventSeriesUpdates": "{ID}/fromThisEventOnwards"},
    "User": {
        "namedLayouts": "describe/namedLayouts/{LayoutName}",
        "passwordUtilities": "{ID}/password",
    },
}
# Bytes that a character may take, as the vendor reckons.
_BYTES: Final = 3


def present_global(of: SObject, root: str) -> dict[str, Any]:
    """Return an object as the list of all objects shows it."""
    return {**_in_short(of), "urls": _addresses(of, root)}


def _in_short(of: SObject) -> dict[str, Any]:
    found = {
        "associateEntityType": None,
        "associateParentEntity": None,
        **_NEVER,
        "custom": of.is_custom,
        **{name: of.abilities[name] for name in _GLOBAL},
        "keyPrefix": of.prefix or None,
        "label": of.label,
        "labelPlural": of.plural,
        "name": of.name,
    }
    return dict(sorted(found.items()))


def present_object(of: SObject, root: str, site: str) -> dict[str, Any]:
    """Return an object with its fields and relationships; `site` is the address of the pages."""
    found: dict[str, Any] = {
        **_in_short(of),
        **{name: of.abilities[name] for name in _ONLY_WHOLE},
        "actionOverrides": [],
        "childRelationships": [_present_child(one) for one in of.schema.children(of)],
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
        "recordTypeInfos": _record_types(of, root),
        "sobjectDescribeOption": "FULL",
        "supportedScopes": [{"label": label, "name": name} for name, label in of.scopes.items()],
        "urls": {**_addresses(of, root), **_pages(of, site)},
    }
    if _is_older(root):
        for name in _NEWER:
            del found[name]
        found["urls"]["defaultValues"] = (
            f"{root}/sobjects/{of.name}/defaultValues?recordTypeId&fields"
        )
    return dict(sorted(found.items()))


def has_record_types(of: SObject) -> bool:
    """Tell whether records of an object are of record types."""
    return of.abilities["mruEnabled"] or of.field("RecordTypeId") is not None


def _is_older(root: str) -> bool:
    return float(root.rpartition("v")[2]) < _NEWER_FROM


def present_field(field: Field) -> dict[str, Any]:
    """Return a field with all that a client may want to know of it."""
    return dict(
        sorted(
            {
                **field.flags,
                "byteLength": _bytes_of(field),
                "label": field.label,
                "length": field.length if field.is_text else 0,
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
    if not field.is_text:
        return 0
    if field.byteLength is not None:
        return int(field.byteLength)
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


def _record_types(of: SObject, root: str) -> list[dict[str, Any]]:
    if not has_record_types(of):
        return []
    return [present_record_type(of, one, root) for one in record_types_of(of)]


def present_record_type(of: SObject, one: RecordTypeInfo, root: str) -> dict[str, Any]:
    """Return a type of records of an object, as it is open to the user at hand."""
    return {
        "active": one.is_active,
        "available": one.is_available,
        "defaultRecordTypeMapping": one.is_default,
        "developerName": one.developer_name,
        "master": one.is_master,
        "name": one.name,
        "recordTypeId": one.id,
        "urls": {"layout": f"{root}/sobjects/{of.name}/describe/layouts/{one.id}"},
    }


def _addresses(of: SObject, root: str) -> dict[str, str]:
    own = f"{root}/sobjects/{of.name}"
    found = {"rowTemplate": f"{own}/{{ID}}", "describe": f"{own}/describe", "sobject": own}
    if of.abilities["compactLayoutable"]:
        found["compactLayouts"] = f"{own}/describe/compactLayouts"
    if has_list_views(of):
        found["approvalLayouts"] = f"{own}/describe/approvalLayouts"
        found["listviews"] = f"{own}/listviews"
    if of.abilities["layoutable"]:
        found["layouts"] = f"{own}/describe/layouts"
        if of.name not in _WITHOUT_ACTIONS:
            found["quickActions"] = f"{own}/quickActions"
    return found | {name: f"{own}/{path}" for name, path in _MORE.get(of.name, {}).items()}


def has_list_views(of: SObject) -> bool:
    """Tell whether records of an object are listed by views."""
    return of.abilities["mruEnabled"] and of.name not in _WITHOUT_LIST_VIEWS


def _pages(of: SObject, site: str) -> dict[str, str]:
    found = {"uiDetailTemplate": f"{site}/{{ID}}", "uiEditTemplate": f"{site}/{{ID}}/e"}
    return {**found, "uiNewRecord": f"{site}/{of.prefix}/e"} if of.abilities["layoutable"] else {}
