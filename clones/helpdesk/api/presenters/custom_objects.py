"""Custom objects, their fields and records as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from clones.helpdesk.api.presenters.context import Show, when
from clones.helpdesk.models import CustomObject, CustomObjectField, CustomObjectRecord
from clones.helpdesk.rules.custom_objects import shown_value
from clones.helpdesk.rules.profile_fields import WITH_OPTIONS


def present_object(found: CustomObject, show: Show) -> dict[str, Any]:
    """Return a custom object as JSON; its address has its id, not its key."""
    show.note(found)
    return {
        "url": show.url(f"custom_objects/{found.id}"),
        "key": found.key,
        "created_by_user_id": str(found.created_by),
        "updated_by_user_id": str(found.updated_by),
        "created_at": when(found.created_at),
        "updated_at": when(found.updated_at),
        "title": show.text(found.title),
        "raw_title": found.title,
        "title_pluralized": show.text(found.title_pluralized),
        "raw_title_pluralized": found.title_pluralized,
        "description": show.text(found.description),
        "raw_description": found.description,
        "include_in_list_view": found.include_in_list_view,
    }


def present_object_field(field: CustomObjectField, show: Show) -> dict[str, Any]:
    """Return a field of an object as JSON, with what its type has besides."""
    show.note(field)
    found: dict[str, Any] = {
        "url": show.url(f"custom_objects/{field.custom_object.key}/fields/{field.id}"),
        "id": field.id,
        "type": field.type,
        "key": field.key,
        "title": show.text(field.title),
        "raw_title": field.title,
        "description": show.text(field.description),
        "raw_description": field.description,
        "position": field.position,
        "active": field.active,
        "system": False,
        "regexp_for_validation": field.regexp_for_validation,
        "created_at": when(field.created_at),
        "updated_at": when(field.updated_at),
    }
    if field.properties:
        found["properties"] = field.properties
    if field.type in WITH_OPTIONS:
        found["custom_field_options"] = [_option(option) for option in field.options]
    if field.type == "lookup":
        found["relationship_target_type"] = field.relationship_target_type
        found["relationship_filter"] = {"all": [], "any": []}
    return found


def _option(option: dict[str, Any]) -> dict[str, Any]:
    return {
        "id": option["id"],
        "name": option["name"],
        "raw_name": option["name"],
        "value": option["value"],
    }


def present_record(
    record: CustomObjectRecord, of: CustomObject, fields: Sequence[CustomObjectField], show: Show
) -> dict[str, Any]:
    """Return a record of an object as JSON; `fields` are the object's own that are in use."""
    show.note(record)
    values = record.custom_object_fields
    return {
        "url": show.url(f"custom_objects/{of.key}/records/{record.id}"),
        "id": record.id,
        "name": record.name,
        "custom_object_key": of.key,
        "custom_object_fields": {
            field.key: shown_value(field.type, values.get(field.key)) for field in fields
        },
        "created_by_user_id": str(record.created_by),
        "updated_by_user_id": str(record.updated_by),
        "created_at": when(record.created_at),
        "updated_at": when(record.updated_at),
        "external_id": record.external_id,
    }
