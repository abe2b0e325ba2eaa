"""The log of what happened: one row per event, in the transaction of what it tells of."""

from __future__ import annotations

from typing import Any

from django.db import models

from clones.billing.models import Event
from clones.core import clock, ids


def record_event(
    type: str, record: models.Model, *, actor: str, previous: dict[str, Any] | None = None
) -> Event:
    """Record that `type` happened to `record`, with the row as it is now.

    `previous` holds the values that changed, by field, as they were before.
    """
    return Event.objects.create(
        id=ids.next_code("evt_", Event),
        type=type,
        kind=record._meta.model_name or "",
        subject=str(record.pk),
        image=image_of(record),
        previous=previous,
        actor=actor,
        created=clock.now(),
    )


def image_of(record: models.Model) -> dict[str, Any]:
    """Return the fields of a row as JSON keeps them."""
    found = {}
    for field in record._meta.concrete_fields:
        value = getattr(record, field.attname)
        found[field.attname] = as_json(field, value)
    return found


def as_json(field: models.Field[Any, Any], value: Any) -> Any:
    """Return a field's value as JSON keeps it."""
    if isinstance(field, models.DateTimeField) and value is not None:
        return value.isoformat()
    return value


def save_changes(record: models.Model, changes: dict[str, Any]) -> dict[str, Any]:
    """Write the fields that differ and return what they held before, as JSON keeps it."""
    previous: dict[str, Any] = {}
    for name, value in changes.items():
        field = record._meta.get_field(name)
        if getattr(record, name) != value:
            previous[name] = as_json(field, getattr(record, name))  # type: ignore[arg-type] # concrete fields only
            setattr(record, name, value)
    if previous:
        record.save(update_fields=list(previous))
    return previous
