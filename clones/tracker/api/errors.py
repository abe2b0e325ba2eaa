"""From what the domain refuses to the vendor's error bodies: three shapes.

1. {"errorMessages": [text], "errors": {field: text}}                    the platform and boards
2. {"errorMessage": text, "i18nErrorMessage": {"i18nKey", "parameters"}}  service desks
3. RFC 7807's problem                         what reaches no operation: paths, methods, media types

A body that cannot be read has the first without `errors`. Who has to sign in is told it in plain
text. (Recorded from a site in September 2026: brekkylab/backlot, issues 123, 191, 212, 233, 315.)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from clones.core.operations import InvalidInput
from clones.core.vendors import RefusalReason
from clones.tracker.domain.errors import Invalid, TrackerError, Unauthenticated
from clones.tracker.rules.jql import JqlError

Answer = tuple[int, dict[str, Any]]
DESK = "/rest/servicedeskapi/"
SIGN_IN = "Client must be authenticated to access this resource."
PARSING = "There was an error parsing JSON. Check that your request body is valid."
UNREADABLE_TOKEN = "Failed to parse Connect Session Auth Token"  # noqa: S105 - a sentence
PAYLOAD = "Invalid request payload. Refer to the REST API documentation and try again."
NOT_ADMIN = "You are not authorized to perform this action. Administrator privileges are required."


class Unreadable(Invalid):
    """Raised when a body is none that an operation reads; it is told without `errors`."""


def envelope(messages: Sequence[str], fields: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Return the platform's body of an error."""
    return {"errorMessages": list(messages), "errors": dict(fields or {})}


def desk_envelope(message: str, key: str | None = None) -> dict[str, Any]:
    """Return a service desk's body of an error."""
    key = key or "sd.error"
    return {"errorMessage": message, "i18nErrorMessage": {"i18nKey": key, "parameters": []}}


def problem(path: str, status: int, title: str, detail: str) -> dict[str, Any]:
    """Return the body of an error that RFC 7807 describes."""
    return {
        "type": "about:blank",
        "title": title,
        "status": status,
        "detail": detail,
        "instance": path,
    }


def unreadable(path: str, message: str) -> dict[str, Any]:
    """Return the body of an error about a body that cannot be read."""
    return desk_envelope(message) if path.startswith(DESK) else {"errorMessages": [message]}


def body(path: str, messages: Sequence[str], fields: Mapping[str, str], key: str | None) -> Any:
    """Return the body of an error at a path."""
    if path.startswith(DESK):
        return desk_envelope(" ".join([*messages, *fields.values()]), key)
    return envelope(messages, fields)


def domain_answer(path: str, error: TrackerError) -> Answer:
    """Return the status and body of a domain error."""
    if isinstance(error, Unreadable):
        return error.status, unreadable(path, " ".join(error.messages))
    if isinstance(error, Unauthenticated) and not error.messages:
        return error.status, body(path, [SIGN_IN], {}, error.i18n_key)
    return error.status, body(path, error.messages, error.fields, error.i18n_key)


def jql_answer(path: str, error: JqlError) -> Answer:
    """Return the status and body of a query that cannot be run."""
    return 400, body(path, error.texts, {}, None)


def input_answer(path: str, error: InvalidInput) -> Answer:
    """Return the status and body of a path, query or body that does not fit."""
    if error.where == "path":
        return 404, body(path, ["The requested resource was not found."], {}, None)
    if error.error is None:
        return 400, unreadable(path, PARSING)
    first = error.error.errors()[0]
    name = ".".join(str(part) for part in first["loc"])
    if not name:
        return 400, unreadable(path, PAYLOAD)
    if error.where == "query":
        if first["type"] == "digits":
            name = str(first["loc"][0])
            text = (
                f"{first['input']} is not a valid value. {name} must be zero or a positive integer."
            )
            return 400, body(path, [text], {}, None)
        text = f"The value of the query parameter '{name}' is invalid."
        return 400, body(path, [text], {}, None)
    if first["type"] == "missing":
        return 400, body(path, [], {name: f"{name} is required."}, None)
    return 400, body(path, [], {name: f"The value of '{name}' is invalid."}, None)


REFUSALS: dict[RefusalReason, tuple[int, str]] = {
    "unauthenticated": (401, SIGN_IN),
    "unknown_sandbox": (404, "Site temporarily unavailable"),
    "unknown_path": (404, "The requested resource was not found."),
    "wrong_method": (405, "The method is not allowed for this resource."),
    "unavailable": (503, "The service is temporarily unavailable."),
    "too_large": (413, "The request is too large."),
    "rate_limited": (429, "Rate limit exceeded."),
    "failed": (500, "Internal server error"),
}
