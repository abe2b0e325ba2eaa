"""What integrations keep with sprints."""

from __future__ import annotations

from typing import Any, Final

from clones.core.operations import Call, Reply
from clones.tracker.api.agile.sprints import SPRINT, sprint_of
from clones.tracker.api.entity_properties import drop, keep, keys_of, value_of
from clones.tracker.api.operations import actor, operation, show
from clones.tracker.domain.sprints import require_manager
from clones.tracker.models import Sprint

PATH: Final = f"{SPRINT}/properties"


@operation(
    "agile.getPropertiesKeys", "GET", PATH, summary="List the keys of a sprint's properties."
)
def list_sprint_properties(call: Call) -> dict[str, Any]:
    """List the keys."""
    sprint = sprint_of(call)
    address = show(call).at(f"/rest/agile/1.0/sprint/{sprint.id}/properties")
    return keys_of("sprint", str(sprint.id), address)


@operation("agile.getProperty", "GET", PATH + "/{property}", summary="Show a property of a sprint.")
def show_sprint_property(call: Call) -> dict[str, Any]:
    """Show a property."""
    return value_of("sprint", str(sprint_of(call).id), call.path["property"])


@operation(
    "agile.setProperty",
    "PUT",
    PATH + "/{property}",
    summary="Set a property of a sprint. The body is its value.",
    raw_body=True,
)
def set_sprint_property(call: Call) -> Reply:
    """Set a property."""
    return keep("sprint", str(_editable(call).id), call.path["property"], call.body)


@operation(
    "agile.deleteProperty",
    "DELETE",
    PATH + "/{property}",
    summary="Delete a property of a sprint.",
    status=204,
)
def delete_sprint_property(call: Call) -> Reply:
    """Delete a property."""
    return drop("sprint", str(_editable(call).id), call.path["property"])


def _editable(call: Call) -> Sprint:
    sprint = sprint_of(call)
    require_manager(sprint, actor(call))
    return sprint
