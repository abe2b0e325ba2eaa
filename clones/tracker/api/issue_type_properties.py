"""What integrations keep with types of issues."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from clones.core.operations import Call, Reply
from clones.tracker.api.issue_types import type_of
from clones.tracker.api.operations import operation, show
from clones.tracker.domain import properties

KIND = "issuetype"
PATH = "/rest/api/3/issuetype/{issueTypeId}/properties"


def _entity(call: Call) -> str:
    return str(type_of(call, call.path["issueTypeId"]).id)


@operation(
    "getIssueTypePropertyKeys",
    "GET",
    PATH,
    summary="List the keys of a type's properties.",
    access="anyone",
)
def list_keys(call: Call) -> dict[str, Any]:
    """List the keys of a type's properties."""
    entity, reading = _entity(call), show(call)
    return {
        "keys": [
            {"self": reading.url(f"issuetype/{entity}/properties/{quote(key)}"), "key": key}
            for key in properties.list_keys(KIND, entity)
        ]
    }


@operation(
    "getIssueTypeProperty",
    "GET",
    PATH + "/{propertyKey}",
    summary="Show a property of a type.",
    access="anyone",
)
def show_property(call: Call) -> dict[str, Any]:
    """Show a property of a type."""
    key = call.path["propertyKey"]
    return {"key": key, "value": properties.get_property(KIND, _entity(call), key)}


@operation(
    "setIssueTypeProperty",
    "PUT",
    PATH + "/{propertyKey}",
    summary="Set a property of a type.",
    access="admin",
    raw_body=True,
)
def set_property(call: Call) -> Reply:
    """Set a property of a type: 201 if it is new."""
    entity = _entity(call)
    value = properties.read_value(call.body)
    new = properties.set_property(KIND, entity, call.path["propertyKey"], value)
    return Reply(status=201 if new else 200)


@operation(
    "deleteIssueTypeProperty",
    "DELETE",
    PATH + "/{propertyKey}",
    summary="Delete a property of a type.",
    access="admin",
    status=204,
)
def delete_property(call: Call) -> None:
    """Delete a property of a type."""
    properties.delete_property(KIND, _entity(call), call.path["propertyKey"])
