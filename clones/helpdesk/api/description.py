"""The API described in OpenAPI's terms: what it is called, how it is entered, how it refuses."""

from __future__ import annotations

from typing import Any

from clones.core.operations.openapi import document
from clones.helpdesk.api.entry import operations

TEXT = {"type": "string"}


def _object_schema(required: dict[str, Any], **optional: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {**required, **optional},
        "required": list(required),
        "additionalProperties": False,
    }


# The four envelopes of `clones.helpdesk.api.errors`, in its order.
ENVELOPES: dict[str, dict[str, Any]] = {
    "RefusalInWords": _object_schema({"error": TEXT}, message=TEXT),
    "RefusalWithTitle": _object_schema({"error": _object_schema({"title": TEXT, "message": TEXT})}),
    "RefusalOfRecord": _object_schema(
        {"error": TEXT, "description": TEXT},
        details={
            "type": "object",
            "additionalProperties": {
                "type": "array",
                "minItems": 1,
                "items": {
                    "type": "object",
                    "properties": {"description": TEXT, "error": {"type": ["string", "null"]}},
                    "required": ["description", "error"],
                },
            },
        },
        max_count={"type": "integer"},
    ),
    "RefusalAsList": _object_schema(
        {
            "errors": {
                "type": "array",
                "minItems": 1,
                "items": {
                    "type": "object",
                    "properties": {"code": TEXT, "title": TEXT},
                    "required": ["code", "title"],
                },
            }
        },
        status=TEXT,
    ),
}
SECURITY = {
    "basic": {"type": "http", "scheme": "basic"},
    "bearer": {"type": "http", "scheme": "bearer"},
}


def description() -> dict[str, Any]:
    """Return the OpenAPI document of the helpdesk's API."""
    return document(
        operations(),
        title="Sandlot helpdesk",
        version="v2",
        errors=ENVELOPES,
        security=SECURITY,
    )
