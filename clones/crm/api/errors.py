"""What errors are in the bodies of the API: `[{"message", "errorCode", "fields"}]`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from clones.core.operations import InvalidInput
from clones.core.vendors import RefusalReason
from clones.crm.domain.bulk.errors import BulkError
from clones.crm.errors import (
    CrmError,
    DuplicatesFound,
    OAuthError,
    RecordError,
    RecordErrors,
    UnreadableBody,
)

REFUSALS: Final[dict[RefusalReason, tuple[int, str, str]]] = {
    "unauthenticated": (401, "INVALID_SESSION_ID", "Session expired or invalid"),
    "unknown_sandbox": (404, "NOT_FOUND", "The requested resource does not exist"),
    "unknown_path": (404, "NOT_FOUND", "The requested resource does not exist"),
    "wrong_method": (405, "METHOD_NOT_ALLOWED", "HTTP Method '{method}' not allowed."),
    "unavailable": (503, "SERVER_UNAVAILABLE", "We are experiencing technical difficulties."),
    "too_large": (431, "REQUEST_HEADER_TOO_LARGE", "Request header is too large"),
    "rate_limited": (403, "REQUEST_LIMIT_EXCEEDED", "TotalRequests Limit exceeded."),
    "failed": (500, "UNKNOWN_EXCEPTION", "An unexpected error occurred."),
}
NO_SESSION: Final = "This session is not valid for use with the REST API"


_METHODS: Final = ("HEAD", "GET", "PATCH", "POST", "PUT", "DELETE")


@dataclass(frozen=True, slots=True)
class Answer:
    """A refusal as it is sent."""

    status: int
    body: Any


def answer_to(error: CrmError) -> Answer:
    """Return the answer to what the domain refuses."""
    if isinstance(error, OAuthError):
        return Answer(error.status, {"error": error.code, "error_description": error.message})
    if isinstance(error, RecordErrors):
        return Answer(error.status, [one for each in error.errors for one in answer_to(each).body])
    if isinstance(error, DuplicatesFound):
        # The key is the vendor's, and so is its spelling.
        found = {"duplicateResut": error.result, "errorCode": error.code, "message": error.message}
        return Answer(error.status, [found])
    if isinstance(error, BulkError):
        return Answer(error.status, [{"errorCode": error.code, "message": error.message}])
    body: dict[str, Any] = {"message": error.message, "errorCode": error.code}
    if isinstance(error, RecordError):
        body["fields"] = error.fields
    return Answer(error.status, [{**body, **error.extra}])


def refusal(reason: RefusalReason, method: str, allowed: str = "") -> Answer:
    """Return the answer to what never reached an operation."""
    status, code, message = REFUSALS[reason]
    message = message.format(method=method)
    if allowed:
        message += f" Allowed are {allowed}"
    return Answer(status, [{"message": message, "errorCode": code}])


def in_order(methods: Iterable[str]) -> str:
    """Return methods as a refusal lists those that an address takes."""
    return ",".join(sorted(methods, key=_METHODS.index))


def from_input(error: InvalidInput) -> CrmError:
    """Return the error for input that does not fit its operation."""
    if error.error is None:
        return UnreadableBody(
            "Unexpected character: was expecting a valid value at [line:1, column:1]"
        )
    first = error.error.errors(include_url=False)[0]
    name = ".".join(map(str, first["loc"]))
    return CrmError(f"{name}: {first['msg']}", code="INVALID_QUERY_VALUE")
