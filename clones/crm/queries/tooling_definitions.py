"""Objects and their fields, as objects that queries know: the organization's own dictionary."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from clones.crm.models import SharingDefault
from clones.crm.rules.access.sharing import sharing_of
from clones.crm.rules.schema import Field, OrgSchema, SObject
from clones.crm.rules.schema.custom import SUFFIX
from clones.crm.rules.soql.errors import malformed
from clones.crm.rules.soql.plan import Chain, Compare, OneOf, PlanAll, PlanNode

ENTITY: Final = "EntityDefinition"
FIELD: Final = "FieldDefinition"
PARTICLE: Final = "EntityParticle"
_NO_ID: Final = "000000000000000AAA"
# Flags of a field that a row has under a name of its own, by the name that a describe has.
_OF_FIELDS: Final[Mapping[str, str]] = {
    "IsAiPredictionField": "aiPredictionField",
    "IsApiFilterable": "filterable",
    "IsApiGroupable": "groupable",
    "IsApiSortable": "sortable",
    "IsCalculated": "calculated",
    "IsHighScaleNumber": "highScaleNumber",
    "IsHtmlFormatted": "htmlFormatted",
    "IsNameField": "nameField",
    "IsNillable": "nillable",
    "IsPolymorphicForeignKey": "polymorphicForeignKey",
    "IsSearchPrefilterable": "searchPrefilterable",
}
_OF_PARTICLES: Final[Mapping[str, str]] = {
    **{key: _OF_FIELDS[key] for key in _OF_FIELDS if key.startswith(("IsApi", "IsC", "IsH"))},
    "IsAutonumber": "autoNumber",
    "IsCaseSensitive": "caseSensitive",
    "IsCreatable": "createable",
    "IsDefaultedOnCreate": "defaultedOnCreate",
    "IsDependentPicklist": "dependentPicklist",
    "IsDeprecatedAndHidden": "deprecatedAndHidden",
    "IsEncrypted": "encrypted",
    "IsIdLookup": "idLookup",
    "IsNameField": "nameField",
    "IsNamePointing": "namePointing",
    "IsNillable": "nillable",
    "IsPermissionable": "permissionable",
    "IsUnique": "unique",
    "IsUpdatable": "updateable",
    "IsWriteRequiresMasterRead": "writeRequiresMasterRead",
}
_OF_ENTITIES: Final[Mapping[str, str]] = {
    "IsApexTriggerable": "triggerable",
    "IsCompactLayoutable": "compactLayoutable",
    "IsCustomizable": "layoutable",
    "IsEverCreatable": "createable",
    "IsEverDeletable": "deletable",
    "IsEverUpdatable": "updateable",
    "IsFeedEnabled": "feedEnabled",
    "IsLayoutable": "layoutable",
    "IsMruEnabled": "mruEnabled",
    "IsProcessEnabled": "layoutable",
    "IsQueryable": "queryable",
    "IsReplicateable": "replicateable",
    "IsRetrieveable": "retrieveable",
    "IsSearchable": "searchable",
    "IsSearchLayoutable": "searchLayoutable",
    "IsTriggerable": "triggerable",
    "IsWorkflowEnabled": "layoutable",
}


def _booleans(names: Mapping[str, str]) -> str:
    return " ".join(f"{name}:boolean" for name in sorted(names))


_NAMES: Final = (
    "Id:id DurableId:string QualifiedApiName:string DeveloperName:string MasterLabel:string"
    " Label:string NamespacePrefix:string LastModifiedDate:datetime LastModifiedById:string"
)
_OF_BOTH: Final = (
    "Length:int Precision:int Scale:int ExtraTypeInfo:string RelationshipName:string"
    " ReferenceTargetField:string ReferenceTo:complexvalue ServiceDataTypeId:string"
    " ValueTypeId:string IsCompound:boolean IsFieldHistoryTracked:boolean IsListVisible:boolean"
    " IsWorkflowFilterable:boolean IsCompactLayoutable:boolean DataType:string EntityDefinitionId:>"
)
DEFINITION_TABLES: Final[Mapping[str, str]] = {
    ENTITY: f"{_NAMES} {_booleans(_OF_ENTITIES)} PluralLabel:string KeyPrefix:string"
    " IsCustomSetting:boolean IsDeprecatedAndHidden:boolean IsIdEnabled:boolean"
    " DeploymentStatus:string InternalSharingModel:string ExternalSharingModel:string"
    " PublisherId:string HasSubtypes:boolean IsSubtype:boolean IsInterface:boolean",
    FIELD: f"{_NAMES} {_OF_BOTH} {_booleans(_OF_FIELDS)} IsIndexed:boolean"
    " IsListFilterable:boolean IsListSortable:boolean ControllingFieldDefinitionId:string"
    " Description:string BusinessStatus:string SecurityClassification:string"
    " ComplianceGroup:string PublisherId:string",
    PARTICLE: f"{_NAMES} {_OF_BOTH} {_booleans(_OF_PARTICLES)} FieldDefinitionId:string Name:string"
    " ByteLength:int Digits:int InlineHelpText:string DefaultValueFormula:string Mask:string"
    " MaskType:string RelationshipOrder:int IsComponent:boolean IsLayoutable:boolean",
}
# What a query of an object has to find its rows by, one of these at least.
_FOUND_BY: Final = {
    FIELD: ("EntityDefinitionId", "DurableId"),
    PARTICLE: ("EntityDefinitionId", "FieldDefinitionId", "DurableId"),
}


def check_filtered(name: str, where: PlanNode | None) -> None:
    """See that a query of fields says whose, as the vendor requires.

    Raises:
        SoqlError: it does not.
    """
    wanted = _FOUND_BY.get(name)
    if wanted is not None and not _names_one(where, wanted):
        raise malformed(f"{name}: a filter on a reified column is required [{','.join(wanted)}]")


def _names_one(node: PlanNode | None, wanted: tuple[str, ...]) -> bool:
    if isinstance(node, PlanAll):
        return any(_names_one(one, wanted) for one in node.nodes)
    if isinstance(node, Compare):
        is_one = node.operator == "="
    else:
        is_one = isinstance(node, OneOf) and not node.negated
    if not is_one or not isinstance(node, Compare | OneOf) or not isinstance(node.left, Chain):
        return False
    left = node.left
    if left.hops:
        return left.hops[0].target == ENTITY and left.field.name in (
            "QualifiedApiName",
            "DurableId",
            "DeveloperName",
        )
    return left.field.name in wanted


def definition_rows(name: str, schema: OrgSchema) -> Iterator[dict[str, Any]]:
    """Yield the rows of one of `DEFINITION_TABLES`, those of fields with that of their object."""
    entities = entities_of(schema)
    if name == ENTITY:
        yield from entities.values()
        return
    make = _field if name == FIELD else _particle
    for of in schema:
        for field in of.fields:
            yield {**make(of, field), ENTITY: entities[of.name]}


def entities_of(schema: OrgSchema) -> dict[str, dict[str, Any]]:
    """Return the row of each object, by its name."""
    defaults = dict(SharingDefault.objects.values_list("object", "model"))
    found = {}
    for of in schema:
        model = defaults.get(of.name, sharing_of(of).default)
        found[of.name] = {
            **_named(of.name, of.name, of.label),
            "PluralLabel": of.plural,
            "KeyPrefix": of.prefix or None,
            **{name: bool(of.abilities[own]) for name, own in _OF_ENTITIES.items()},
            "IsCustomSetting": False,
            "IsDeprecatedAndHidden": False,
            "IsIdEnabled": of.field("Id") is not None,
            "DeploymentStatus": "Deployed" if of.is_custom else None,
            "InternalSharingModel": model,
            "ExternalSharingModel": model,
            "PublisherId": "<local>" if of.is_custom else "System",
            "HasSubtypes": False,
            "IsSubtype": False,
            "IsInterface": False,
        }
    return found


def _named(durable: str, name: str, label: str) -> dict[str, Any]:
    return {
        "Id": _NO_ID,
        "DurableId": durable,
        "QualifiedApiName": name,
        "DeveloperName": name.removesuffix(SUFFIX),
        "MasterLabel": label,
        "Label": label,
        "NamespacePrefix": None,
        "LastModifiedDate": None,
        "LastModifiedById": None,
    }


def _of_both(of: SObject, field: Field) -> dict[str, Any]:
    compound = field.flags["compoundFieldName"]
    return {
        **_named(f"{of.name}.{field.name}", field.name, field.label),
        "Length": field.length if field.is_text else 0,
        "Precision": field.precision,
        "Scale": field.scale,
        "ExtraTypeInfo": field.flags["extraTypeInfo"],
        "RelationshipName": field.relationship,
        "ReferenceTargetField": field.flags["referenceTargetField"],
        "ReferenceTo": {"referenceTo": list(field.reference_to) or None},
        "ServiceDataTypeId": None,
        "ValueTypeId": "id" if field.type in ("id", "reference") else field.type,
        "IsCompound": field.type == "address" or compound == field.name,
        "IsFieldHistoryTracked": field.is_tracked,
        "IsListVisible": True,
        "IsWorkflowFilterable": bool(field.filterable),
        "IsCompactLayoutable": field.type != "textarea",
        "EntityDefinitionId": of.name,
    }


def _field(of: SObject, field: Field) -> dict[str, Any]:
    return {
        **_of_both(of, field),
        **{name: bool(field.flags[own]) for name, own in _OF_FIELDS.items()},
        "DataType": _data_type(field),
        "IsIndexed": field.type in ("id", "reference") or bool(field.nameField or field.externalId),
        "IsListFilterable": bool(field.filterable),
        "IsListSortable": bool(field.sortable),
        "ControllingFieldDefinitionId": None,
        "Description": None,
        "BusinessStatus": None,
        "SecurityClassification": None,
        "ComplianceGroup": None,
        "PublisherId": "<local>" if field.custom else "System",
    }


def _particle(of: SObject, field: Field) -> dict[str, Any]:
    flags = field.flags
    compound = flags["compoundFieldName"]
    return {
        **_of_both(of, field),
        **{name: bool(flags[own]) for name, own in _OF_PARTICLES.items()},
        "DataType": field.type,
        "FieldDefinitionId": f"{of.name}.{field.name}",
        "Name": field.name,
        "ByteLength": field.length * 3 if field.is_text else 0,
        "Digits": flags["digits"],
        "InlineHelpText": flags["inlineHelpText"],
        "DefaultValueFormula": flags["defaultValueFormula"],
        "Mask": flags["mask"],
        "MaskType": flags["maskType"],
        "RelationshipOrder": flags["relationshipOrder"],
        "IsComponent": compound is not None and compound != field.name,
        "IsLayoutable": of.abilities["layoutable"],
    }


def _data_type(field: Field) -> str:
    if field.type == "string":
        return f"Text({field.length})"
    if field.type == "reference":
        return f"Lookup({','.join(field.reference_to)})"
    if field.is_number:
        name = "Number" if field.type in ("double", "int") else field.type.title()
        return f"{name}({field.precision - field.scale}, {field.scale})"
    named = {"boolean": "Checkbox", "datetime": "Date/Time", "textarea": "Long Text Area"}
    return named.get(field.type, field.type.title())
