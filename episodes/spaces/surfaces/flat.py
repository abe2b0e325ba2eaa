"""The surface `flat`: one tool for each operation of the vendors, and one for raw requests."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from clones.core.operations import Operation
from clones.core.vendors import clone_named, clones
from episodes.spaces.errors import BadCall
from episodes.spaces.names import NAME_LENGTH, path_name
from episodes.spaces.surfaces.requests import METHODS, OperationRequest, RawRequest, raw_request
from sandlot.service import Act

HTTP_REQUEST: dict[str, Any] = {
    "name": "http_request",
    "description": "Send one HTTP request to a clone's API with your own credentials.",
    "input_schema": {
        "type": "object",
        "properties": {
            "clone": {"type": "string", "description": "Which application to call."},
            "method": {"type": "string", "enum": list(METHODS)},
            "path": {"type": "string", "description": "Path and query, starting with a slash."},
            "body": {"description": "JSON body, or form fields where the API takes forms."},
            "headers": {"type": "object", "additionalProperties": {"type": "string"}},
        },
        "required": ["clone", "method", "path"],
        "additionalProperties": False,
    },
}


def flat_name(operation: Operation) -> str:
    """Return the name by which agents call an operation."""
    return f"{operation.clone}_{operation.id}"


def operations_of(names: Collection[str]) -> Iterator[Operation]:
    """Yield the operations of the clones with those names, clone by clone."""
    for clone in clones():
        if clone.name in names and clone.operations is not None:
            yield from clone.operations.all.values()


def find_by_name(names: Collection[str], name: str) -> Operation | None:
    """Return the operation that agents call so, None where these clones have none."""
    clone_name, _, operation_id = name.partition("_")
    clone = clone_named(clone_name) if clone_name in names else None
    if clone is None or clone.operations is None:
        return None
    return clone.operations.all.get(operation_id)


class FlatTools:
    """The tools of the clones with those names."""

    def __init__(self, names: Collection[str]) -> None:
        self._names = names

    def tools(self) -> list[dict[str, Any]]:
        """Return a tool for each operation, and the one for raw requests."""
        found = [
            {
                "name": flat_name(operation),
                "description": operation.summary,
                "input_schema": operation.schema(),
            }
            for operation in operations_of(self._names)
        ]
        return [*found, HTTP_REQUEST]

    def request(self, act: Act) -> OperationRequest | RawRequest:
        """Return the request of an act.

        Raises:
            BadCall: there is no such tool, or the arguments do not fit.
        """
        if act.tool == "http_request":
            clone = act.arguments.get("clone")
            if not isinstance(clone, str) or clone not in self._names:
                raise BadCall(f"there is no clone {clone!r}: choose one of {sorted(self._names)}")
            asked = {name: value for name, value in act.arguments.items() if name != "query"}
            return raw_request(clone, asked)
        operation = find_by_name(self._names, act.tool)
        if operation is None:
            raise BadCall(f"there is no tool {act.tool!r}")
        return OperationRequest(operation, act.arguments)

    def name_of(self, act: Act) -> str:
        """Return the tool, and of raw requests what they ask."""
        if act.tool != "http_request":
            return act.tool[:NAME_LENGTH]
        asked = act.arguments
        return f"{asked.get('clone')} {asked.get('method')} {path_name(str(asked.get('path')))}"
