"""Arguments in short: what a JSON Schema says, in as few words as a caller needs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

# How deep fields are named, and how many choices.
DEPTH: Final = 4
CHOICES: Final = 12


def outline(schema: Mapping[str, Any], definitions: Mapping[str, Any], depth: int = DEPTH) -> str:
    """Return a schema in short: `{subject: string, tags: [string]}`; a `!` marks what must be."""
    schema = _resolved(schema, definitions)
    if "enum" in schema:
        named = [str(choice) for choice in schema["enum"][:CHOICES]]
        return "|".join([*named, "..."] if len(schema["enum"]) > CHOICES else named)
    if "const" in schema:
        return str(schema["const"])
    kinds = [item for item in schema.get("anyOf", []) if item != {"type": "null"}]
    if kinds:
        told = dict.fromkeys(outline(item, definitions, depth) for item in kinds)
        return " or ".join(told)
    if schema.get("type") == "array":
        return f"[{outline(schema.get('items', {}), definitions, depth)}]"
    fields = schema.get("properties")
    if not fields:
        return str(schema.get("type", "any"))
    if depth == 0:
        return "object"
    required = schema.get("required", ())
    inner = (
        f"{name}{'!' if name in required else ''}: {outline(field, definitions, depth - 1)}"
        for name, field in fields.items()
    )
    return "{" + ", ".join(inner) + "}"


def _resolved(schema: Mapping[str, Any], definitions: Mapping[str, Any]) -> Mapping[str, Any]:
    """Follow references, and leave null out where something else may be."""
    while True:
        if "$ref" in schema:
            schema = definitions.get(schema["$ref"].rpartition("/")[2], {})
            continue
        choices = [item for item in schema.get("anyOf", []) if item != {"type": "null"}]
        if len(choices) != 1:
            return schema
        schema = choices[0]
