"""Writing the fields of custom objects."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from clones.core import clock, ids
from clones.core.patterns import is_pattern
from clones.core.resources import Resource
from clones.helpdesk.domain.audit_logs import logged
from clones.helpdesk.domain.changes import plain_text
from clones.helpdesk.domain.errors import RecordInvalid
from clones.helpdesk.domain.field_parts import (
    LAST,
    check_pattern,
    kept_options,
    left_of,
    title_of,
)
from clones.helpdesk.domain.object_access import admins_only
from clones.helpdesk.domain.positions import position_of, set_order
from clones.helpdesk.models import CustomObject, CustomObjectField, User
from clones.helpdesk.queries.custom_objects import fields_of, objects, own_fields, records_of
from clones.helpdesk.rules import custom_objects as rules
from clones.helpdesk.rules import profile_fields

OF_STANDARD = frozenset({"title", "description", "properties"})
Changes = Mapping[str, Any]


@logged("create")
def create_field(of: CustomObject, *, actor: User, changes: Changes) -> CustomObjectField:
    """Create a field of a custom object's records.

    Raises:
        AccessDenied: the actor is no admin.
        RecordInvalid: a value breaks a rule, the key was used before, or there are too many.
    """
    admins_only(actor)
    kind = changes.get("type") or "text"
    if kind not in rules.TYPES:
        raise RecordInvalid.of("type", f"Type: {kind} is not a valid type", "InvalidValue")
    _check_room(of, kind)
    now = clock.now()
    field = CustomObjectField(
        id=ids.next_stamp(CustomObjectField),
        custom_object=of,
        key=_key(of, changes.get("key")),
        type=kind,
        position=LAST,
        created_at=now,
        updated_at=now,
    )
    if kind == "lookup":
        field.relationship_target_type = _target(of, changes.get("relationship_target_type"))
    _set_field(field, {"title": None, "custom_field_options": [], **changes})
    check_pattern(kind, field.regexp_for_validation)
    field.save(force_insert=True)
    return field


@logged("update")
def update_field(field: CustomObjectField, *, actor: User, changes: Changes) -> CustomObjectField:
    """Change a field; its key, type and target stay. Choices left out go, with their values.

    Of a standard field only the texts change, and of the name its properties while there are no
    records.

    Raises:
        AccessDenied: the actor is no admin.
        RecordInvalid: a value breaks a rule.
    """
    admins_only(actor)
    if field.is_standard:
        changes = {name: value for name, value in changes.items() if name in OF_STANDARD}
    offered = {option["value"] for option in field.options}
    _set_field(field, changes)
    check_pattern(field.type, field.regexp_for_validation)
    field.updated_at = clock.now()
    field.save()
    gone = offered - {option["value"] for option in field.options}
    if gone:
        _forget(field, gone)
    return field


@logged("destroy")
def delete_field(field: CustomObjectField, *, actor: User) -> None:
    """Delete a field and its values; its key stays taken.

    Raises:
        AccessDenied: the actor is no admin.
        RecordInvalid: every object has it.
    """
    admins_only(actor)
    if field.is_standard:
        raise RecordInvalid.of("base", f"{field.title}: standard fields cannot be deleted")
    _forget(field, None)
    field.deleted_at = field.updated_at = clock.now()
    field.save()


def reorder_fields(found: CustomObject, order: Sequence[int], *, actor: User) -> None:
    """Give an object's fields the positions 1, 2, 3... in this order; those not named come after.

    Raises:
        AccessDenied: the actor is no admin.
        RecordNotFound: one does not exist.
    """
    admins_only(actor)
    set_order(fields_of(found), order, "custom object field", actor=actor)


def _check_room(of: CustomObject, kind: str) -> None:
    own = own_fields(of)
    if own.count() >= rules.FIELDS:
        raise RecordInvalid.of("base", f"Fields: limit of {rules.FIELDS} reached")
    if kind == "lookup" and own.filter(type="lookup").count() >= rules.LOOKUPS:
        raise RecordInvalid.of("base", f"Lookup fields: limit of {rules.LOOKUPS} reached")


def _key(of: CustomObject, given: Any) -> str:
    text = (plain_text("key", given, 255) or "").strip()
    if not text:
        raise RecordInvalid.of("key", "Key: cannot be blank", "BlankValue")
    if not profile_fields.is_key(text):
        raise RecordInvalid.of("key", "Key: is invalid", "InvalidValue")
    if CustomObjectField.objects.filter(custom_object=of, key__iexact=text).exists():
        raise RecordInvalid.of("key", "Key: has already been taken", "DuplicateValue")
    return text


def _target(of: CustomObject, given: Any) -> str:
    text = plain_text("relationship_target_type", given, 125) or ""
    key = text.removeprefix(rules.OBJECT_TARGET)
    known = text in rules.STANDARD_TARGETS or (
        key != text and (key == of.key or objects().filter(key=key).exists())
    )
    if not known:
        raise RecordInvalid.of(
            "relationship_target_type", "Relationship target type: is invalid", "InvalidValue"
        )
    return text


def _set_field(field: CustomObjectField, changes: Changes) -> None:
    if "title" in changes:
        field.title = title_of(changes["title"])
    if "description" in changes:
        field.description = plain_text("description", changes["description"], 65_535) or ""
    if changes.get("active") is not None:
        field.active = bool(changes["active"])
    if changes.get("position") is not None:
        field.position = position_of(changes["position"])
    if "regexp_for_validation" in changes:
        field.regexp_for_validation = _pattern(changes["regexp_for_validation"])
    if changes.get("relationship_filter") and field.type == "lookup":
        _refuse_filter(changes["relationship_filter"])
    if "custom_field_options" in changes and field.type in profile_fields.WITH_OPTIONS:
        field.options = kept_options(
            field.options,
            changes["custom_field_options"] or [],
            taken=(),
            next_id=lambda: ids.next_stamp(CustomObjectField),
        )
    if changes.get("properties") is not None and field.key == CustomObjectField.NAME:
        field.properties = _properties(field, changes["properties"])


def _refuse_filter(given: Any) -> None:
    """Refuse conditions on what lookups offer: nothing here would go by them."""
    if not isinstance(given, Mapping) or any(given.values()):
        raise RecordInvalid.of(
            "relationship_filter", "Relationship filter: is invalid", "InvalidValue"
        )


def _properties(field: CustomObjectField, given: Any) -> dict[str, Any]:
    try:
        found = rules.checked_properties(given, field.properties)
    except (TypeError, ValueError) as error:
        raise RecordInvalid.of("properties", f"Properties: {error}", "InvalidValue") from error
    if found != field.properties and records_of(field.custom_object).exists():
        raise RecordInvalid.of(
            "properties", "Properties: cannot be changed if any records exist", "InvalidValue"
        )
    return found


def _pattern(given: Any) -> str | None:
    text = plain_text("regexp_for_validation", given, 1024)
    if text and not is_pattern(text, "ruby"):
        raise RecordInvalid.of(
            "regexp_for_validation", "Regexp for validation: is invalid", "InvalidValue"
        )
    return text


def _forget(field: CustomObjectField, values: Collection[str] | None) -> None:
    """Take values of a field (None: all) out of the records."""
    key = field.key
    having = records_of(field.custom_object).filter(custom_object_fields__has_key=key)
    for record in list(having.order_by("id")):
        kept = record.custom_object_fields
        left = None if values is None else left_of(kept[key], values)
        if left != kept[key]:
            others = {name: item for name, item in kept.items() if name != key}
            record.custom_object_fields = others if left is None else {**others, key: left}
            record.save(update_fields=["custom_object_fields"])


CUSTOM_OBJECT_FIELD: Final = Resource(
    CustomObjectField,
    "custom object field",
    order=("position", "id"),
    create=create_field,
    update=update_field,
    delete=delete_field,
    move=reorder_fields,
)
