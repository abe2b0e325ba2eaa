"""The surface `app`: named tools for what work is mostly done with; and tools that do not help."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from random import Random
from typing import Any, Final

from clones.core.operations import Operation
from clones.core.vendors import clones
from episodes.spaces.errors import BadCall
from episodes.spaces.names import NAME_LENGTH
from episodes.spaces.surfaces.flat import flat_name, operations_of
from episodes.spaces.surfaces.named_tools import NamedTool, tool_name
from episodes.spaces.surfaces.requests import (
    Lookup,
    OperationRequest,
    RawRequest,
    ToolSurface,
)
from sandlot.service import Act

# What models may be given as the name of a tool, in letters.
LONGEST_NAME: Final = 64


def app_operations(names: Collection[str]) -> list[Operation]:
    """Return the operations that the clones with those names declare as `app_tools`."""
    return [
        clone.operations.all[id]
        for clone in clones()
        if clone.name in names and clone.operations is not None
        for id in clone.app_tools
    ]


def distractors(names: Collection[str], count: int, chance: Random) -> list[Operation]:
    """Draw operations of the clones that are none of their `app_tools`.

    Of the same chance more are those of fewer, and others.
    """
    helpful = set(map(flat_name, app_operations(names)))
    others = [
        found
        for found in operations_of(names)
        if flat_name(found) not in helpful and len(tool_name(found)) <= LONGEST_NAME
    ]
    chance.shuffle(others)
    return others[:count]


class NamedTools:
    """Operations as named tools, beside those of another surface where one is given."""

    def __init__(self, operations: Iterable[Operation], beside: ToolSurface | None = None) -> None:
        named = [NamedTool(operation) for operation in operations]
        self._named = {tool.name: tool for tool in named}
        self._beside = beside

    def tools(self) -> list[dict[str, Any]]:
        """Return the tools by name: where one stands says nothing of it."""
        others = [] if self._beside is None else self._beside.tools()
        found = [*others, *(tool.tool() for tool in self._named.values())]
        return sorted(found, key=lambda tool: str(tool["name"]))

    def request(self, act: Act) -> OperationRequest | RawRequest | Lookup:
        """Return the request of an act.

        Raises:
            BadCall: there is no such tool, or the arguments do not fit.
        """
        tool = self._named.get(act.tool)
        if tool is not None:
            return OperationRequest(tool.operation, tool.arguments(act.arguments))
        if self._beside is None:
            raise BadCall(f"there is no tool {act.tool!r}")
        return self._beside.request(act)

    def name_of(self, act: Act) -> str:
        """Return the tool, or what the other surface calls it."""
        if self._beside is None or act.tool in self._named:
            return act.tool[:NAME_LENGTH]
        return self._beside.name_of(act)
