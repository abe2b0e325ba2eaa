"""The surface `search_call`: two tools, one to look operations up and one to call them."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from typing import Any, Final

from clones.core.operations import Operation
from episodes.spaces.errors import BadCall
from episodes.spaces.names import NAME_LENGTH
from episodes.spaces.surfaces.flat import find_by_name, flat_name, operations_of
from episodes.spaces.surfaces.operation_search import OperationIndex
from episodes.spaces.surfaces.outlines import outline
from episodes.spaces.surfaces.requests import Lookup, OperationRequest
from sandlot.service import Act

# How many operations an answer tells of, and how much of the arguments of each.
FOUND: Final = 6
LENGTH: Final = 1500

FIND_OPERATION: Final[dict[str, Any]] = {
    "name": "find_operation",
    "description": "Look up operations of the applications' APIs by words, best first:"
    " their names, what they do, and their arguments (those with ! are required).",
    "input_schema": {
        "type": "object",
        "properties": {"text": {"type": "string", "description": "What you want to do."}},
        "required": ["text"],
        "additionalProperties": False,
    },
}
CALL: Final[dict[str, Any]] = {
    "name": "call",
    "description": "Call an operation of the applications' APIs by its name.",
    "input_schema": {
        "type": "object",
        "properties": {
            "operation": {"type": "string", "description": "A name that find_operation told."},
            "arguments": {"type": "object", "description": "The operation's arguments by name."},
        },
        "required": ["operation"],
        "additionalProperties": False,
    },
}


@cache
def _index(names: tuple[str, ...]) -> OperationIndex:
    return OperationIndex(operations_of(names))


def described(operation: Operation) -> str:
    """Return an operation in a few lines: its name, method and path, what it does, arguments."""
    schema = operation.schema()
    lines = [f"{flat_name(operation)}: {operation.method} {operation.template}", operation.summary]
    properties = dict(schema["properties"])
    if operation.raw_body:
        properties["body"] = {"type": "string"}
    for name, field in properties.items():
        must = "!" if name in schema["required"] else ""
        told = outline(field, schema.get("$defs", {}))
        cut = "..." if len(told) > LENGTH else ""
        lines.append(f"{name}{must}: {told[:LENGTH]}{cut}")
    return "\n  ".join(lines)


class SearchCallTools:
    """The two tools, over the operations of the clones with those names."""

    def __init__(self, names: Collection[str]) -> None:
        self._names = tuple(sorted(names))

    def tools(self) -> list[dict[str, Any]]:
        """Return the two tools."""
        return [FIND_OPERATION, CALL]

    def request(self, act: Act) -> OperationRequest | Lookup:
        """Return the operation that is called, or what was found.

        Raises:
            BadCall: there is no such tool or operation, or the arguments do not fit.
        """
        if act.tool == "find_operation":
            return Lookup(self._found(_only(act, {"text"}).get("text")))
        if act.tool != "call":
            raise BadCall(f"there is no tool {act.tool!r}: use find_operation and call")
        asked = _only(act, {"operation", "arguments"})
        name, arguments = asked.get("operation"), asked.get("arguments")
        operation = find_by_name(self._names, name) if isinstance(name, str) else None
        if operation is None:
            raise BadCall(f"there is no operation {name!r}: look it up with find_operation")
        if arguments is not None and not isinstance(arguments, dict):
            raise BadCall("arguments must be an object: the operation's arguments by name")
        return OperationRequest(operation, arguments or {})

    def _found(self, text: Any) -> str:
        if not isinstance(text, str) or not text.strip():
            raise BadCall("find_operation needs a text")
        found = _index(self._names).find(text, most=FOUND)
        if not found:
            return "no operation was found: use other words"
        return "\n".join(map(described, found))

    def name_of(self, act: Act) -> str:
        """Return the operation that is called."""
        name = act.arguments.get("operation") if act.tool == "call" else None
        return (name if isinstance(name, str) else act.tool)[:NAME_LENGTH]


def _only(act: Act, names: set[str]) -> dict[str, Any]:
    unknown = sorted(set(act.arguments) - names)
    if unknown:
        raise BadCall(f"{act.tool} has no argument {unknown[0]!r}")
    return act.arguments
