"""What administrators define by the tooling resources: custom fields, validation rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from clones.core.operations import Call, Reply
from clones.crm.api.bodies import without_nul
from clones.crm.api.operations import root, versioned
from clones.crm.api.views.rows import members
from clones.crm.domain.customizing import define_field, remove_field
from clones.crm.domain.validation_rules import change_rule, define_rule, remove_rule
from clones.crm.errors import NotFound, RecordError, UnreadableBody
from clones.crm.models import CustomField, ValidationRule
from clones.crm.rules.record_ids import read_id
from clones.crm.rules.schema.custom import SUFFIX

# What the metadata of a field calls its options, and what the domain calls them.
_OPTIONS: Final = {
    "length": ("length", int),
    "precision": ("precision", int),
    "scale": ("scale", int),
    "required": ("required", bool),
    "unique": ("unique", bool),
    "trackHistory": ("track", bool),
    "externalId": ("external_id", bool),
    "referenceTo": ("to", str),
    "relationshipName": ("children", str),
    "formula": ("formula", str),
    "inlineHelpText": ("help", str),
}


@versioned(
    "PostToolingCustomField",
    "POST",
    "/tooling/sobjects/CustomField",
    summary="Define a field.",
    body=Any,
    status=201,
)
def make_field(call: Call) -> Reply:
    """Answer with the id of the definition."""
    body = members(call.body)
    of, _, name = str(body.get("FullName") or "").partition(".")
    metadata = without_nul(body.get("Metadata"))
    if not of or not name or not isinstance(metadata, dict):
        raise RecordError(
            "REQUIRED_FIELD_MISSING", "Required fields are missing: [FullName, Metadata]", []
        )
    made = define_field(
        of,
        name.removesuffix(SUFFIX),
        _text(metadata, "type"),
        _text(metadata, "label"),
        actor=call.actor.subject,
        **_options(metadata),
    )
    where = f"{root(call)}/tooling/sobjects/CustomField/{made.id}"
    body = {"id": made.id, "success": True, "errors": [], "warnings": [], "infos": []}
    return Reply(body, 201, {"Location": where})


@versioned(
    "GetToolingCustomField",
    "GET",
    "/tooling/sobjects/CustomField/{id}",
    summary="Show the definition of a field.",
)
def show_field(call: Call) -> dict[str, Any]:
    """Answer with the definition."""
    found = _found(call)
    url = f"{root(call)}/tooling/sobjects/CustomField/{found.id}"
    return {
        "attributes": {"type": "CustomField", "url": url},
        "Id": found.id,
        "TableEnumOrId": found.object,
        "DeveloperName": found.name.removesuffix(SUFFIX),
        "FullName": f"{found.object}.{found.name}",
    }


@versioned(
    "DeleteToolingCustomField",
    "DELETE",
    "/tooling/sobjects/CustomField/{id}",
    summary="Take a field away.",
    status=204,
)
def drop_field(call: Call) -> None:
    """Answer with nothing."""
    remove_field(_found(call), actor=call.actor.subject)


def _found(call: Call) -> CustomField:
    found = CustomField.objects.filter(id=read_id(call.path["id"]) or "").first()
    if found is None:
        raise NotFound
    return found


def _text(metadata: dict[str, Any], name: str) -> str:
    found = metadata.get(name)
    if not isinstance(found, str):
        raise RecordError(
            "REQUIRED_FIELD_MISSING", f"Required fields are missing: [{name}]", [name]
        )
    return found


def _options(metadata: dict[str, Any]) -> dict[str, Any]:
    """Return what a field's metadata say of it, under the domain's names.

    Raises:
        UnreadableBody: an option is of another type than it has to be.
    """
    found = _known(metadata, _OPTIONS)
    choices = metadata.get("valueSet")
    if choices is not None:
        found |= _choices(choices)
    default = metadata.get("defaultValue")
    if isinstance(default, str | bool):
        if metadata["type"] == "Checkbox":
            found["default"] = str(default).lower() == "true"
        else:
            found["default_formula"] = str(default)
    if metadata["type"] == "Summary":
        found["summary"] = {
            "of": metadata.get("summaryForeignKey"),
            "field": metadata.get("summarizedField"),
            "operation": metadata.get("summaryOperation"),
            "items": metadata.get("summaryFilterItems"),
        }
    if metadata.get("formulaTreatBlanksAs") is not None:
        found["zeroes"] = metadata["formulaTreatBlanksAs"] == "BlankAsZero"
    return found


def _known(metadata: dict[str, Any], names: Mapping[str, tuple[str, type]]) -> dict[str, Any]:
    """Return the values that are there of some names, under the domain's own.

    Raises:
        UnreadableBody: one is of another type than it has to be.
    """
    found: dict[str, Any] = {}
    for name, (own, kind) in names.items():
        value = metadata.get(name)
        if value is None:
            continue
        if type(value) is not kind:
            raise UnreadableBody(f"Cannot deserialize instance of {kind.__name__}: {name}")
        found[own] = value
    return found


def _choices(given: Any) -> dict[str, Any]:
    try:
        values = given["valueSetDefinition"]["value"]
        names = [str(one["fullName"]) for one in values]
        default = next((str(one["fullName"]) for one in values if one.get("default")), None)
    except (KeyError, TypeError, AttributeError):
        raise UnreadableBody("Cannot deserialize instance of ValueSet") from None
    return {"values": names, "default": default, "restricted": bool(given.get("restricted"))}


_RULE: Final = {
    "active": ("is_active", bool),
    "errorConditionFormula": ("formula", str),
    "errorMessage": ("message", str),
    "errorDisplayField": ("field", str),
    "description": ("description", str),
}


@versioned(
    "PostToolingValidationRule",
    "POST",
    "/tooling/sobjects/ValidationRule",
    summary="Give an object a validation rule.",
    body=Any,
    status=201,
)
def make_rule(call: Call) -> Reply:
    """Answer with the id of the rule."""
    body = members(call.body)
    of, _, name = str(body.get("FullName") or "").partition(".")
    made = define_rule(of, name, _rule_values(body), actor=call.actor.subject)
    where = f"{root(call)}/tooling/sobjects/ValidationRule/{made.id}"
    body = {"id": made.id, "success": True, "errors": [], "warnings": [], "infos": []}
    return Reply(body, 201, {"Location": where})


@versioned(
    "GetToolingValidationRule",
    "GET",
    "/tooling/sobjects/ValidationRule/{id}",
    summary="Show a validation rule.",
)
def show_rule(call: Call) -> dict[str, Any]:
    """Answer with the rule."""
    found = _rule(call)
    url = f"{root(call)}/tooling/sobjects/ValidationRule/{found.id}"
    return {
        "attributes": {"type": "ValidationRule", "url": url},
        "Id": found.id,
        "ValidationName": found.name,
        "Active": found.is_active,
        "Description": found.description,
        "EntityDefinitionId": found.object,
        "ErrorDisplayField": found.field,
        "ErrorMessage": found.message,
        "FullName": f"{found.object}.{found.name}",
        "Metadata": {name: getattr(found, own) for name, (own, _) in _RULE.items()},
    }


@versioned(
    "PatchToolingValidationRule",
    "PATCH",
    "/tooling/sobjects/ValidationRule/{id}",
    summary="Change a validation rule.",
    body=Any,
    status=204,
)
def alter_rule(call: Call) -> None:
    """Answer with nothing."""
    change_rule(_rule(call), _rule_values(members(call.body)), actor=call.actor.subject)


@versioned(
    "DeleteToolingValidationRule",
    "DELETE",
    "/tooling/sobjects/ValidationRule/{id}",
    summary="Take a validation rule away.",
    status=204,
)
def drop_rule(call: Call) -> None:
    """Answer with nothing."""
    remove_rule(_rule(call), actor=call.actor.subject)


def _rule(call: Call) -> ValidationRule:
    found = ValidationRule.objects.filter(id=read_id(call.path["id"]) or "").first()
    if found is None:
        raise NotFound
    return found


def _rule_values(body: dict[str, Any]) -> dict[str, Any]:
    metadata = body.get("Metadata")
    if not isinstance(metadata, dict):
        raise RecordError("REQUIRED_FIELD_MISSING", "Required fields are missing: [Metadata]", [])
    return _known(metadata, _RULE)
