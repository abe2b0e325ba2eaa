"""Reads of custom objects, their fields and records."""

from __future__ import annotations

from django.db.models import Q, QuerySet

from clones.core.digits import is_digits
from clones.helpdesk.domain.errors import RecordNotFound
from clones.helpdesk.models import CustomObject, CustomObjectField, CustomObjectRecord
from clones.helpdesk.queries import can_be, one


def objects() -> QuerySet[CustomObject]:
    """Return the objects that are not deleted."""
    return CustomObject.objects.filter(deleted_at=None)


def object_of_key(key: str) -> CustomObject:
    """Return an object by its key, or by its id, which its address names.

    Raises:
        RecordNotFound: there is none.
    """
    found = objects().filter(Q(key=key) | Q(id=key)).order_by("id").first() if can_be(key) else None
    if found is None:
        raise RecordNotFound("custom object", key)
    return found


def fields_of(found: CustomObject) -> QuerySet[CustomObjectField]:
    """Return an object's fields that are not deleted, the standard ones among them."""
    return CustomObjectField.objects.filter(custom_object=found, deleted_at=None)


def own_fields(found: CustomObject) -> QuerySet[CustomObjectField]:
    """Return an object's fields without the standard ones."""
    return fields_of(found).exclude(key__startswith="standard::")


def active_fields(found: CustomObject) -> list[CustomObjectField]:
    """Return the fields in use that records of an object have values in, in their order."""
    return list(own_fields(found).filter(active=True).order_by("position", "id"))


def field_of(found: CustomObject, key: str) -> CustomObjectField:
    """Return a field of an object by its key or id.

    Raises:
        RecordNotFound: there is none.
    """
    named = Q(key=key)
    if is_digits(key):
        named |= Q(id=int(key))
    field = fields_of(found).filter(named).order_by("id").first() if can_be(key) else None
    if field is None:
        raise RecordNotFound("custom object field", key)
    field.custom_object = found
    return field


def name_field(found: CustomObject) -> CustomObjectField:
    """Return the field that says what an object's records are called."""
    return fields_of(found).get(key=CustomObjectField.NAME)


def records_of(found: CustomObject) -> QuerySet[CustomObjectRecord]:
    """Return the records of an object."""
    return CustomObjectRecord.objects.filter(custom_object=found)


def record(found: CustomObject, key: str) -> CustomObjectRecord:
    """Return a record of an object.

    Raises:
        RecordNotFound: there is none of that id.
    """
    return one(records_of(found), "custom object record", key)


def record_by(found: CustomObject, column: str, value: str) -> CustomObjectRecord | None:
    """Return the first record of an object whose `name` or `external_id` is a value."""
    if not can_be(value):
        return None
    return records_of(found).filter(**{column: value}).order_by("id").first()
