"""The API described in OpenAPI's terms: what it is called, how it is entered, how it refuses."""

from __future__ import annotations

from typing import Any

from clones.core.operations.openapi import document
from clones.tracker.api.entry import operations

TEXT = {"type": "string"}


def _object_schema(**required: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": required,
        "required": list(required),
        "additionalProperties": False,
    }


TEXTS = {"type": "array", "items": TEXT}
MANY = {"type": "array", "items": {"type": "object"}}
# The two envelopes of `clones.tracker.api.errors`, in its order, and those of a few operations:
# changes of many issues, many new issues of which none could be made, a task past cancelling.
ENVELOPES: dict[str, dict[str, Any]] = {
    "Refusal": _object_schema(
        errorMessages=TEXTS,
        errors={"type": "object", "additionalProperties": TEXT},
    ),
    "RefusalOfBody": _object_schema(errorMessages=TEXTS),
    "RefusalOfBearer": _object_schema(error=TEXT),
    "Problem": _object_schema(
        type=TEXT, title=TEXT, status={"type": "integer"}, detail=TEXT, instance=TEXT
    ),
    "RefusalOfDesk": _object_schema(
        errorMessage=TEXT,
        i18nErrorMessage=_object_schema(i18nKey=TEXT, parameters=TEXTS),
    ),
    "RefusalOfBulk": _object_schema(
        errors={"type": "array", "items": _object_schema(message=TEXT)}
    ),
    "RefusalOfBatch": _object_schema(issues={"type": "array", "maxItems": 0}, errors=MANY),
    "RefusalOfTask": TEXTS,
}
SECURITY = {
    "basic": {"type": "http", "scheme": "basic"},
    "bearer": {"type": "http", "scheme": "bearer"},
}


def description() -> dict[str, Any]:
    """Return the OpenAPI document of the tracker's API, in its third version."""
    return document(
        operations(),
        title="Sandlot tracker",
        version="3",
        errors=ENVELOPES,
        security=SECURITY,
    )
