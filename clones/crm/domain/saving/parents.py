"""Parents that a body names by a value of theirs: `"Account": {"Number__c": "7"}`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from clones.crm.domain.saving.lookups import SeveralMatch, finds_records, ids_with
from clones.crm.errors import RecordError, UnreadableBody
from clones.crm.rules.schema import Field, OrgSchema, SObject


def with_parents(of: SObject, said: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is said of a record, parents by their ids wherever a relationship names them.

    Raises:
        RecordError: a parent is named by no value that finds records, or by that of none.
        UnreadableBody: a relationship is said to be something else.
    """
    found = {}
    for name, value in said.items():
        field = of.reference(name) if of.field(name) is None else None
        if field is None:
            found[name] = value
        else:
            found[field.name] = None if value is None else _id_of(of.schema, field, value)
    return found


def _id_of(schema: OrgSchema, field: Field, value: Any) -> str:
    if not isinstance(value, dict):
        raise UnreadableBody(
            "Cannot deserialize instance of reference from VALUE_STRING"
            " or request may be missing a required field at [line:1, column:2]"
        )
    parent = _named(schema, field, value.get("attributes"))
    keys = [key for key in value if key != "attributes"]
    key = parent.field(keys[0]) if len(keys) == 1 else None
    if key is None or not finds_records(key):
        raise RecordError(
            "INVALID_FIELD",
            f"Field name provided, {', '.join(keys)} does not match an External ID, Salesforce Id,"
            f" or indexed field for {parent.name}",
        )
    sought = value[keys[0]]
    ids = ids_with(parent, key, sought)
    if len(ids) > 1:
        raise SeveralMatch(key, ids)
    if not ids:
        raise RecordError(
            "INVALID_FIELD",
            f"Foreign key external ID: {str(sought)[:255]} not found for field {key.name} in"
            f" entity {parent.name}",
        )
    return ids[0]


def _named(schema: OrgSchema, field: Field, attributes: Any) -> SObject:
    """Return the object of a parent: what its attributes say, else the only one it can be.

    Raises:
        RecordError: it is none that the field may refer to.
    """
    said = attributes.get("type") if isinstance(attributes, dict) else None
    name = said if isinstance(said, str) else field.reference_to[0]
    found = schema.find(name)
    if found is None or found.name not in field.reference_to:
        raise RecordError(
            "INVALID_FIELD", f"{name} is no object that {field.name} may refer to", [field.name]
        )
    return found
