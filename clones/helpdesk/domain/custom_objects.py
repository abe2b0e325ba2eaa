"""Writing custom objects: what an account calls its own kinds of records."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from clones.core import clock, ids
from clones.core.resources import Resource
from clones.helpdesk.domain.audit_logs import logged
from clones.helpdesk.domain.changes import plain_text
from clones.helpdesk.domain.errors import RecordInvalid
from clones.helpdesk.domain.object_access import admins_only
from clones.helpdesk.models import CustomObject, CustomObjectField, CustomObjectRecord, User
from clones.helpdesk.queries.custom_objects import objects
from clones.helpdesk.rules import custom_objects as rules

TITLES = {"title": "Title", "title_pluralized": "Title pluralized"}
STANDARD = ((CustomObjectField.NAME, "Name"), (CustomObjectField.EXTERNAL_ID, "External ID"))
Changes = Mapping[str, Any]


@logged("create")
def create_object(*, actor: User, changes: Changes) -> CustomObject:
    """Create a custom object with the two fields that every object has.

    Raises:
        AccessDenied: the actor is no admin.
        RecordInvalid: a value breaks a rule, the key was used before, or there are too many.
    """
    admins_only(actor)
    if objects().count() >= rules.OBJECTS:
        raise RecordInvalid.of("base", f"Custom objects: limit of {rules.OBJECTS} reached")
    now = clock.now()
    found = CustomObject(
        id=ids.next_ulid(CustomObject),
        key=_key(changes.get("key")),
        created_by=actor.id,
        updated_by=actor.id,
        created_at=now,
        updated_at=now,
    )
    _set_object(found, {**dict.fromkeys(TITLES), **changes})
    found.save(force_insert=True)
    for position, (key, title) in enumerate(STANDARD):
        CustomObjectField.objects.create(
            id=ids.next_stamp(CustomObjectField),
            custom_object=found,
            key=key,
            type="text",
            title=title,
            description=title,
            position=position,
            properties=dict(rules.PROPERTIES) if key == CustomObjectField.NAME else {},
            created_at=now,
            updated_at=now,
        )
    return found


@logged("update")
def update_object(found: CustomObject, *, actor: User, changes: Changes) -> CustomObject:
    """Change what a custom object is called; its key stays.

    Raises:
        AccessDenied: the actor is no admin.
        RecordInvalid: a value breaks a rule.
    """
    admins_only(actor)
    _set_object(found, changes)
    found.updated_at, found.updated_by = clock.now(), actor.id
    found.save()
    return found


@logged("destroy")
def delete_object(found: CustomObject, *, actor: User) -> None:
    """Delete a custom object with its fields and records for good; its key stays taken.

    Raises:
        AccessDenied: the actor is no admin.
        RecordInvalid: lookups of other objects refer to its records.
    """
    admins_only(actor)
    target = rules.target_of(found.key)
    users = CustomObjectField.objects.filter(relationship_target_type=target, deleted_at=None)
    first = users.exclude(custom_object=found).order_by("id").first()
    if first is not None:
        raise RecordInvalid.of(
            "base", f"{found.title}: the lookup field {first.title} refers to it"
        )
    CustomObjectRecord.objects.filter(custom_object=found).delete()
    CustomObjectField.objects.filter(custom_object=found).delete()
    found.deleted_at = found.updated_at = clock.now()
    found.updated_by = actor.id
    found.save()


def _key(given: Any) -> str:
    text = (plain_text("key", given, 100) or "").strip()
    if not text:
        raise RecordInvalid.of("key", "Key: cannot be blank", "BlankValue")
    if not rules.is_key(text):
        raise RecordInvalid.of("key", "Key: is invalid", "InvalidValue")
    if CustomObject.objects.filter(key__iexact=text).exists():
        raise RecordInvalid.of("key", "Key: has already been taken", "DuplicateValue")
    return text


def _set_object(found: CustomObject, changes: Changes) -> None:
    for name, label in TITLES.items():
        if name in changes:
            text = (plain_text(name, changes[name], 255) or "").strip()
            if not text:
                raise RecordInvalid.of(name, f"{label}: cannot be blank", "BlankValue")
            setattr(found, name, text)
    if "description" in changes:
        found.description = plain_text("description", changes["description"], 65_535) or ""
    if changes.get("include_in_list_view") is not None:
        found.include_in_list_view = bool(changes["include_in_list_view"])


CUSTOM_OBJECT: Final = Resource(
    CustomObject,
    "custom object",
    order=("created_at", "id"),
    among=objects,
    create=create_object,
    update=update_object,
    delete=delete_object,
)
