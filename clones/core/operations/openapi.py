"""An OpenAPI document of a vendor's operations, made from their registry."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import TypeAdapter

from clones.core.operations.registry import Operation, Operations

VERSION = "3.1.0"
COMPONENTS = "#/components/schemas/{model}"
JSON = "application/json"
FORM = "application/x-www-form-urlencoded"
BYTES = "application/octet-stream"


def document(
    operations: Operations,
    *,
    title: str,
    version: str,
    errors: Mapping[str, Mapping[str, Any]],
    security: Mapping[str, Mapping[str, Any]],
    open_to: str = "anyone",
) -> dict[str, Any]:
    """Return the document of every operation of a registry.

    `errors` are the schemas of the vendor's error bodies and `security` its ways to send a
    credential, both by name. Operations whose access is `open_to` need none.
    """
    bodies, components = _bodies(operations)
    components |= {name: dict(schema) for name, schema in errors.items()}
    names = list(errors)
    paths: dict[str, dict[str, Any]] = {}
    for operation in operations.all.values():
        described = _described(operation, bodies.get(operation.id), components)
        described["responses"]["default"] = {
            "description": "Refused.",
            "content": {JSON: {"schema": {"oneOf": [_ref(name) for name in names]}}},
        }
        described["security"] = [{name: []} for name in security]
        if operation.access == open_to:
            described["security"].append({})
        paths.setdefault(operation.template, {})[operation.method.lower()] = described
    return {
        "openapi": VERSION,
        "info": {"title": title, "version": version},
        "paths": dict(sorted(paths.items())),
        "components": {
            "schemas": dict(sorted(components.items())),
            "securitySchemes": {name: dict(scheme) for name, scheme in security.items()},
        },
    }


def _ref(name: str) -> dict[str, str]:
    return {"$ref": COMPONENTS.format(model=name)}


def _bodies(operations: Operations) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the schemas of bodies by operation, and the components that they refer to.

    All are made at once: two models of one name get names that tell them apart.
    """
    inputs: list[tuple[str, Literal["validation"], TypeAdapter[Any]]] = [
        (operation.id, "validation", operation.body_adapter)
        for operation in operations.all.values()
        if operation.body is not None
    ]
    found, whole = TypeAdapter.json_schemas(inputs, by_alias=True, ref_template=COMPONENTS)
    return {name: schema for (name, _), schema in found.items()}, dict(whole.get("$defs", {}))


def _described(operation: Operation, body: Any, components: dict[str, Any]) -> dict[str, Any]:
    """Return an operation's own part of the document."""
    found: dict[str, Any] = {
        "operationId": operation.id,
        "summary": operation.summary,
        "parameters": [*_in_path(operation), *_in_query(operation, components)],
        "responses": {str(operation.status): _success(operation)},
    }
    content: dict[str, Any] = {}
    if operation.raw_body:
        content[BYTES] = {"schema": {"type": "string", "format": "binary"}}
    if body is not None:
        content[FORM if operation.form_body else JSON] = {"schema": body}
    if content:
        found["requestBody"] = {"required": True, "content": content}
    return found


def _in_path(operation: Operation) -> list[dict[str, Any]]:
    kinds = {int: {"type": "integer", "minimum": 1}, str: {"type": "string", "minLength": 1}}
    return [
        {"name": name, "in": "path", "required": True, "schema": kinds[kind]}
        for name, kind in operation.parameters.items()
    ]


def _in_query(operation: Operation, components: dict[str, Any]) -> list[dict[str, Any]]:
    if operation.query is None:
        return []
    whole = operation.query.model_json_schema(by_alias=True, ref_template=COMPONENTS)
    components |= whole.get("$defs", {})
    required = whole.get("required", [])
    return [
        {"name": name, "in": "query", "required": name in required, "schema": _sent(schema)}
        for name, schema in whole.get("properties", {}).items()
    ]


def _sent(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a parameter without null, which no query can say."""
    found = {name: value for name, value in schema.items() if name not in ("default", "title")}
    choices = [item for item in found.pop("anyOf", []) if item != {"type": "null"}]
    if len(choices) == 1:
        return {**choices[0], **found}
    return {**found, "anyOf": choices} if choices else found


def _success(operation: Operation) -> dict[str, Any]:
    if operation.status == 204:
        return {"description": "Done."}
    return {
        "description": "Done.",
        "content": {JSON: {"schema": {"type": "object"}}},
    }
