"""Skills and what became of them, queues, and who is at work, as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from clones.helpdesk.api.presenters.context import Show, when
from clones.helpdesk.models import (
    AgentAvailability,
    Queue,
    RoutingAttribute,
    RoutingChange,
    RoutingValue,
    User,
)
from clones.helpdesk.rules.routing import OFFLINE, STATUSES


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


def present_queue(queue: Queue, names: Mapping[int, str], show: Show) -> dict[str, Any]:
    """Return a queue as JSON; `names` are those of the groups that are not deleted."""
    show.note(queue)
    return {
        "url": show.url(f"queues/{queue.id}"),
        "id": queue.id,
        "name": queue.name,
        "description": queue.description,
        "definition": queue.definition,
        "priority": queue.priority,
        "order": queue.order,
        "primary_groups": _groups(queue.primary_group_ids, names),
        "secondary_groups": _groups(queue.secondary_group_ids, names),
        "created_at": when(queue.created_at),
        "updated_at": when(queue.updated_at),
    }


def _groups(keys: Iterable[int], names: Mapping[int, str]) -> dict[str, Any]:
    found = [{"id": key, "name": names[key]} for key in keys if key in names]
    return {"count": len(found), "groups": found}


def present_statuses() -> dict[str, Any]:
    """Return the statuses that every account has, and those of its own: none."""
    return {
        "default": [
            {"id": key, "attributes": {"name": name, "description": description}}
            for key, (name, description) in STATUSES.items()
        ],
        "custom": [],
    }


def present_status(row: AgentAvailability) -> dict[str, Any]:
    """Return an agent's unified status as JSON."""
    return {
        "type": "agent_availabilities",
        "id": f"agent_availabilities|{row.id}",
        "attributes": {
            "agent_id": row.id,
            "agent_status": {"id": row.status, "name": STATUSES[row.status][0]},
        },
    }


def present_availability(
    agent: User,
    row: AgentAvailability | None,
    groups: Sequence[int],
    skills: Sequence[str],
    show: Show,
) -> dict[str, Any]:
    """Return whether an agent is at work as JSON; one of whom nothing is known is offline."""
    show.note(agent)
    status = row.status if row is not None else OFFLINE
    return {
        "type": "agent_availabilities",
        "id": f"agent_availabilities|{agent.id}",
        "attributes": {
            "agent_id": agent.id,
            "agent_status": {
                "id": status,
                "name": STATUSES[status][0],
                "reason": row.reason if row is not None else "UNKNOWN",
                "updated_at": when(row.updated_at) if row is not None else None,
            },
            "group_ids": list(groups),
            "skills": [{"id": key} for key in skills],
        },
        "links": {"self": f"{show.root}/api/v2/agent_availabilities/{agent.id}"},
    }
