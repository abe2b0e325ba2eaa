"""Tools as methods: typed and documented, as TRL reads the tools of an environment."""

from __future__ import annotations

import keyword
import re
from collections.abc import Callable, Mapping
from inspect import Parameter, Signature
from typing import Any, Final, Literal

TYPES: Final[Mapping[str, Any]] = {
    "string": str,
    "integer": int,
    "number": float,
    "boolean": bool,
    "array": list[Any],
    "object": dict[str, Any],
}


def method_of(tool: Mapping[str, Any]) -> Callable[..., str]:
    """Return a method that calls a tool by `self._call(name, arguments)`.

    Its name, its parameters with their types and its docstring are the tool's. A parameter whose
    name is none in Python has an underscore for each letter that is not.
    """
    schema = tool["input_schema"]
    definitions = schema.get("$defs", {})
    names = {parameter_name(name): name for name in schema["properties"]}

    def method(self: Any, /, **arguments: Any) -> str:
        given = {names.get(name, name): value for name, value in arguments.items()}
        answer: str = self._call(tool["name"], given)
        return answer

    required = schema.get("required", ())
    kinds = {
        given: annotation(schema["properties"][name], definitions, needed=name in required)
        for given, name in names.items()
    }
    ordered = sorted(names, key=lambda given: names[given] not in required)
    parameters = [
        Parameter(
            given,
            Parameter.KEYWORD_ONLY,
            default=Parameter.empty if names[given] in required else None,
            annotation=kinds[given],
        )
        for given in ordered
    ]
    itself = Parameter("self", Parameter.POSITIONAL_ONLY)
    method.__name__ = method.__qualname__ = parameter_name(tool["name"])
    method.__doc__ = documented(tool, ordered, names)
    method.__annotations__ = {**kinds, "return": str}
    vars(method)["__signature__"] = Signature([itself, *parameters], return_annotation=str)
    return method


def parameter_name(name: str) -> str:
    """Return a name as Python can have it."""
    found = re.sub(r"\W", "_", name, flags=re.ASCII)
    return f"{found}_" if keyword.iskeyword(found) or found[:1].isdigit() else found


def documented(tool: Mapping[str, Any], ordered: list[str], names: Mapping[str, str]) -> str:
    """Return a tool's docstring: what it does, and what its arguments are."""
    properties = tool["input_schema"]["properties"]
    lines = [tool["description"], ""]
    if ordered:
        lines.append("Args:")
    for given in ordered:
        told = properties[names[given]].get("description") or names[given].replace("_", " ")
        lines.append(f"    {given}: {' '.join(told.split())}")
    return "\n".join([*lines, "", "Returns:", "    What the tool says."])


def annotation(schema: Mapping[str, Any], definitions: Mapping[str, Any], *, needed: bool) -> Any:
    """Return the Python type of a JSON Schema."""
    found = _type(schema, definitions)
    return found if needed or found is Any else found | None


def _type(schema: Mapping[str, Any], definitions: Mapping[str, Any]) -> Any:
    if "$ref" in schema:
        return _type(definitions.get(schema["$ref"].rpartition("/")[2], {}), definitions)
    if "enum" in schema and all(isinstance(choice, str) for choice in schema["enum"]):
        return Literal[tuple(schema["enum"])]
    kinds = [
        _type(item, definitions) for item in schema.get("anyOf", ()) if item != {"type": "null"}
    ]
    if kinds and Any not in kinds:
        found = kinds[0]
        for kind in kinds[1:]:
            found = found | kind
        return found
    return TYPES.get(str(schema.get("type")), Any)
