"""Writing the records of custom objects."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from clones.core import clock, ids
from clones.helpdesk.domain.changes import plain_text
from clones.helpdesk.domain.errors import InvalidAttribute, Problem, RecordInvalid, RecordNotFound
from clones.helpdesk.domain.object_access import check_scope
from clones.helpdesk.models import CustomObject, CustomObjectField, CustomObjectRecord, User
from clones.helpdesk.queries.custom_objects import (
    active_fields,
    name_field,
    record_by,
    records_of,
)
from clones.helpdesk.queries.lookup_targets import target_key
from clones.helpdesk.rules import custom_objects as rules

Changes = Mapping[str, Any]
Column = Literal["external_id", "name"]
WRITTEN = ("name", "external_id", "custom_object_fields")


def create_record(found: CustomObject, *, actor: User, changes: Changes) -> CustomObjectRecord:
    """Create a record; where names are numbered, it is given the next one.

    Raises:
        AccessDenied: the actor's role does not allow it.
        RecordInvalid: a value breaks a rule.
        InvalidAttribute: a value has the wrong shape.
    """
    check_scope(actor, found, "create")
    if CustomObjectRecord.objects.count() >= rules.RECORDS:
        raise RecordInvalid.of("base", f"Custom object records: limit of {rules.RECORDS} reached")
    now = clock.now()
    record = CustomObjectRecord(
        id=ids.next_ulid(CustomObjectRecord),
        custom_object=found,
        created_by=actor.id,
        created_at=now,
    )
    naming = name_field(found)
    if naming.properties["autoincrement_enabled"]:
        _refuse_name(changes)
        changes = {**changes, "name": rules.numbered_name(naming.properties)}
        _count_up(naming)
    _set_record(record, {"name": None, **changes}, naming)
    record.updated_by, record.updated_at = actor.id, now
    record.save(force_insert=True)
    return record


def update_record(
    record: CustomObjectRecord, *, actor: User, changes: Changes
) -> CustomObjectRecord:
    """Change a record; what is not given stays.

    Raises:
        AccessDenied: the actor's role does not allow it.
        RecordInvalid: a value breaks a rule.
        InvalidAttribute: a value has the wrong shape.
    """
    check_scope(actor, record.custom_object, "update")
    naming = name_field(record.custom_object)
    if naming.properties["autoincrement_enabled"] and changes.get("name") != record.name:
        _refuse_name(changes)
    _set_record(record, changes, naming)
    record.updated_by, record.updated_at = actor.id, clock.now()
    record.save()
    return record


def save_record(
    found: CustomObject, column: Column, value: str, *, actor: User, changes: Changes
) -> CustomObjectRecord:
    """Change the record that an external id or a name stands for, or create one that has it.

    Raises:
        AccessDenied: the actor's role does not allow it.
        RecordInvalid: a value breaks a rule, or names need not be unique.
        InvalidAttribute: a value has the wrong shape.
    """
    check_by_name(found, column)
    record = record_by(found, column, value)
    if record is None:
        return create_record(found, actor=actor, changes={**changes, column: value})
    return update_record(record, actor=actor, changes=changes)


def delete_record(record: CustomObjectRecord, *, actor: User) -> None:
    """Delete a record for good.

    Raises:
        AccessDenied: the actor's role does not allow it.
    """
    check_scope(actor, record.custom_object, "delete")
    record.delete()


def delete_record_by(found: CustomObject, column: Column, value: str, *, actor: User) -> str:
    """Delete the record that an external id or a name stands for; return its id.

    Raises:
        AccessDenied: the actor's role does not allow it.
        RecordInvalid: names need not be unique.
        RecordNotFound: there is none.
    """
    check_scope(actor, found, "delete")
    check_by_name(found, column)
    record = record_by(found, column, value)
    if record is None:
        raise RecordNotFound("custom object record", value)
    key = record.id
    delete_record(record, actor=actor)
    return key


def check_by_name(found: CustomObject, column: Column) -> None:
    """Refuse to look a record up by its name where several may have the same.

    Raises:
        RecordInvalid: names need not be unique.
    """
    if column == "name" and not name_field(found).properties["is_unique"]:
        raise RecordInvalid.of("name", "Name: is not unique for this object", "InvalidValue")


def _refuse_name(changes: Changes) -> None:
    if changes.get("name"):
        raise RecordInvalid.of("name", "Name: is generated automatically", "InvalidValue")


def _count_up(naming: CustomObjectField) -> None:
    number = naming.properties["autoincrement_next_sequence"] + 1
    naming.properties = {**naming.properties, "autoincrement_next_sequence": number}
    naming.save(update_fields=["properties"])


def _set_record(record: CustomObjectRecord, changes: Changes, naming: CustomObjectField) -> None:
    if "name" in changes:
        record.name = _name(record, changes["name"], naming)
    if "external_id" in changes:
        record.external_id = _external_id(record, changes["external_id"])
    if changes.get("custom_object_fields") is not None:
        _set_values(record, changes["custom_object_fields"])
    if rules.size_of(record.name, record.custom_object_fields) > rules.RECORD_SIZE:
        raise RecordInvalid.of("base", "Custom object record: exceeds 32 KB", "ValueTooLong")


def _name(record: CustomObjectRecord, given: Any, naming: CustomObjectField) -> str:
    text = (plain_text("name", given, 255) or "").strip()
    if not text:
        raise RecordInvalid.of("name", "Name: cannot be blank", "BlankValue")
    if naming.properties["is_unique"]:
        others = records_of(record.custom_object).filter(name=text)
        if others.exclude(id=record.id).exists():
            raise RecordInvalid.of("name", "Name: has already been taken", "DuplicateValue")
    return text


def _external_id(record: CustomObjectRecord, given: Any) -> str | None:
    text = plain_text("external_id", given, 255) or None
    if text is not None:
        others = records_of(record.custom_object).filter(external_id=text)
        if others.exclude(id=record.id).exists():
            raise RecordInvalid.of(
                "external_id", "External: has already been taken", "DuplicateValue"
            )
    return text


def _set_values(record: CustomObjectRecord, given: Any) -> None:
    """Set a record's values; keys of no field in use are passed over."""
    if not isinstance(given, Mapping):
        raise InvalidAttribute("custom_object_fields", "an object")
    values, problems = dict(record.custom_object_fields), list[Problem]()
    for field in active_fields(record.custom_object):
        if field.key not in given:
            continue
        try:
            values[field.key] = _value(field, given[field.key])
        except ValueError:
            problems.append(Problem(f"{field.title}: is invalid", "InvalidValue"))
    if problems:
        raise RecordInvalid({"base": problems})
    record.custom_object_fields = {key: item for key, item in values.items() if item is not None}


def _value(field: CustomObjectField, given: Any) -> Any:
    if field.type == "lookup":
        return target_key(field.relationship_target_type or "", given)
    options = [option["value"] for option in field.options]
    return rules.kept_value(field.type, given, options, field.regexp_for_validation)
