"""Skills and what became of them as JSON."""

from __future__ import annotations

from typing import Any

from clones.helpdesk.api.presenters.context import Show, when
from clones.helpdesk.models import RoutingAttribute, RoutingChange, RoutingValue


def present_attribute(attribute: RoutingAttribute, show: Show) -> dict[str, Any]:
    """Return a kind of skill as JSON."""
    show.note(attribute)
    return {
        "url": show.url(f"routing/attributes/{attribute.id}"),
        "id": attribute.id,
        "name": attribute.name,
        "created_at": when(attribute.created_at),
        "updated_at": when(attribute.updated_at),
    }


def present_value(value: RoutingValue, show: Show) -> dict[str, Any]:
    """Return a skill as JSON; its conditions are not shown."""
    show.note(value)
    return {
        "url": show.url(f"routing/attributes/{value.attribute_id}/values/{value.id}"),
        "id": value.id,
        "name": value.name,
        "attribute_id": value.attribute_id,
        "created_at": when(value.created_at),
        "updated_at": when(value.updated_at),
    }


def present_change(change: RoutingChange) -> dict[str, Any]:
    """Return one row of an export as JSON."""
    return {"id": change.key, "type": change.type, "time": when(change.time), **change.body}
