"""An episode's tools as tools of Inspect."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from inspect_ai.tool import Tool, ToolDef, ToolParams

Call = Callable[[str, dict[str, Any]], Awaitable[str]]


def tool_of(told: Mapping[str, Any], call: Call) -> Tool:
    """Return a tool of an episode, which is called by `call` with its name and arguments.

    What it says is never cut: what a record says is part of the task.
    """
    name = str(told["name"])
    schema = told["input_schema"]
    parameters = ToolParams.model_validate(inlined(schema, schema.get("$defs", {})))
    for argument, parameter in parameters.properties.items():
        # Inspect has no tools with arguments that are not described.
        parameter.description = parameter.description or argument.replace("_", " ")

    # Inspect hands whatever a tool's schema allows to arguments of this name.
    async def execute(**kwargs: Any) -> str:
        return await call(name, kwargs)

    return ToolDef(
        execute,
        name=name,
        description=told["description"],
        parameters=parameters,
        max_output=0,
    ).as_tool()


def inlined(schema: Any, definitions: Mapping[str, Any], within: tuple[str, ...] = ()) -> Any:
    """Return a JSON Schema with its definitions in their places, since Inspect reads no `$ref`.

    What is defined by itself may be anything where it comes again.
    """
    if isinstance(schema, list):
        return [inlined(item, definitions, within) for item in schema]
    if not isinstance(schema, dict):
        return schema
    if isinstance(schema.get("$ref"), str):
        name = schema["$ref"].rpartition("/")[2]
        if name in within:
            return {}
        return inlined(definitions.get(name, {}), definitions, (*within, name))
    found = {key: inlined(value, definitions, within) for key, value in schema.items()}
    if "const" in schema:
        found["enum"] = [schema["const"]]
    return found
