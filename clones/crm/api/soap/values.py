"""Records and what became of them, in XML."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from clones.crm.api.soap.xml import XSI, Element, tag
from clones.crm.domain.saving.values import check_type
from clones.crm.errors import CrmError, DuplicatesFound, RecordError
from clones.crm.rules.record_ids import read_id
from clones.crm.rules.schema import Field, OrgSchema, SObject, standard_schema

NOT_THERE: Final = (
    " If you are attempting to use a custom {kind}, be sure to append the '__c' after the {kind}"
    " name. Please reference your WSDL or the describe call for the appropriate names."
)


@dataclass(frozen=True, slots=True)
class GivenRecord:
    """A record as a call has it: its object, its id if it says one, what is said of its fields."""

    of: SObject
    id: str
    said: dict[str, Any]


def object_named(schema: OrgSchema, name: str) -> SObject:
    """Return the object of a name.

    Raises:
        CrmError: there is none.
    """
    found = schema.find(name)
    if found is None:
        said = f"sObject type '{name}' is not supported." + NOT_THERE.format(kind="entity")
        raise CrmError(said.replace("custom entity", "custom object"), code="INVALID_TYPE")
    return found


def read_record(element: Element, schema: OrgSchema) -> GivenRecord:
    """Return a record that a call has; a field that is nil is not said.

    Raises:
        CrmError: its object or one of its fields is not there.
    """
    kind = element.child("type")
    name = element.said("type") or element.attributes.get(f"{XSI} type", "").rpartition(":")[2]
    of = object_named(schema, name)
    id, said = "", dict[str, Any]()
    for child in element.children:
        if child is kind:
            continue
        if child.name == "fieldsToNull":
            said[_field(of, child.text.strip()).name] = None
        elif child.name == "Id":
            id = "" if child.is_nil else child.text.strip()
        else:
            field = _field(of, child.name)
            if not child.is_nil:
                said[field.name] = _said(field, child.text)
    return GivenRecord(of, id, said)


def checked(given: GivenRecord) -> dict[str, Any]:
    """Return what is said of a record, each value of the type of its field.

    Raises:
        RecordError: one is of another type.
    """
    for name, value in given.said.items():
        check_type(_field(given.of, name), value)
    return given.said


def whole_id(text: str) -> str:
    """Return an id at its full length.

    Raises:
        RecordError: it is none.
    """
    found = read_id(text)
    if found is None:
        raise RecordError("MALFORMED_ID", f"malformed id {text[:200]}")
    return found


def errors_xml(errors: Sequence[CrmError], schema: OrgSchema | None = None) -> str:
    """Return what is wrong with a record."""
    found = ""
    for one in (each for error in errors for each in getattr(error, "errors", [error])):
        fields = one.fields if isinstance(one, RecordError) else []
        inner = "".join(tag("fields", name) for name in fields) or tag("fields", None)
        inner += f"{tag('message', one.message)}{tag('statusCode', one.code)}"
        kind = ""
        if isinstance(one, DuplicatesFound):
            inner += duplicate_result_xml("duplicateResult", one.result, schema)
            kind = ' xsi:type="DuplicateError"'
        found += f"<errors{kind}>{inner}</errors>"
    return found


def duplicate_result_xml(name: str, found: dict[str, Any], schema: OrgSchema | None) -> str:
    """Return what a duplicate rule found."""
    schema = schema or standard_schema()
    inner = "".join(
        tag(key, found[key])
        for key in ("allowSave", "duplicateRule", "duplicateRuleEntityType", "errorMessage")
    )
    for one in found["matchResults"]:
        records = "".join(
            f"<matchRecords>{tag('matchConfidence', each['matchConfidence'])}"
            f"{record_xml('record', each['record'], schema)}</matchRecords>"
            for each in one["matchRecords"]
        )
        inner += (
            f"<matchResults>{tag('entityType', one['entityType'])}"
            f"{tag('matchEngine', one['matchEngine'])}{records}{tag('rule', one['rule'])}"
            f"{tag('size', one['size'])}{tag('success', one['success'])}</matchResults>"
        )
    return f"<{name}>{inner}</{name}>"


def saved_xml(id: str | None, error: CrmError | None, *, created: bool | None = None) -> str:
    """Return what became of a record; `created` is for those that may have been made or changed."""
    made = "" if created is None else tag("created", created)
    errors = errors_xml([] if error is None else [error])
    return f"<result>{made}{errors}{tag('id', id)}{tag('success', error is None)}</result>"


def record_xml(
    name: str, record: dict[str, Any], schema: OrgSchema, *, id: str | None = None
) -> str:
    """Return a record as JSON has it as XML: its object, its id, and its fields.

    `id` is for a record whose id is not among them.
    """
    kind = record["attributes"]["type"]
    of = schema.find(kind)
    inner = tag("sf:type", kind) + tag("sf:Id", record.get("Id", id))
    for key, value in record.items():
        if key != "attributes":
            inner += _member(of, key, value, schema)
    return f'<{name} xsi:type="sf:sObject">{inner}</{name}>'


def _member(of: SObject | None, key: str, value: Any, schema: OrgSchema) -> str:
    if isinstance(value, dict):
        if "attributes" in value:
            return record_xml(f"sf:{key}", value, schema)
        if "records" in value:
            return result_xml(f"sf:{key}", value, schema)
        parts = "".join(tag(name, one) for name, one in value.items())
        return f'<sf:{key} xsi:type="address">{parts}</sf:{key}>'
    field = None if of is None else of.field(key)
    if field is not None and field.type == "datetime" and isinstance(value, str):
        value = value.replace("+0000", "Z")
    if field is None and isinstance(value, int | float) and not isinstance(value, bool):
        kind = "xsd:int" if isinstance(value, int) else "xsd:double"
        return tag(f"sf:{key}", value, f' xsi:type="{kind}"')
    return tag(f"sf:{key}", value)


def result_xml(
    name: str, found: dict[str, Any], schema: OrgSchema, locator: str | None = None
) -> str:
    """Return a page of records: whether it is the last, where the next is, how many there are."""
    records = "".join(record_xml("records", one, schema) for one in found["records"])
    inner = f"{tag('done', found['done'])}{tag('queryLocator', locator)}{records}"
    size = tag("size", found["totalSize"])
    return f'<{name} xsi:type="QueryResult">{inner}{size}</{name}>'


def _field(of: SObject, name: str) -> Field:
    found = of.field(name)
    if found is None:
        said = f"No such column '{name[:200]}' on entity '{of.name}'."
        raise CrmError(said + NOT_THERE.format(kind="field"), code="INVALID_FIELD")
    return found


def _said(field: Field, text: str) -> str:
    if field.type == "boolean":
        return {"1": "true", "0": "false"}.get(text.strip(), text)
    return text
