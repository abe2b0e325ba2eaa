"""From what the domain refuses to the vendor's error bodies: four envelopes.

1. {"error": text}                                  no credential that counts
2. {"error": {"title", "message"}}                  access, addresses, values of the wrong shape
3. {"error": code, "description", "details"...}     records
4. {"errors": [{"code", "title", ...}]}             paging, trigger categories
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from clones.core.operations import InvalidInput
from clones.core.vendors import RefusalReason
from clones.helpdesk.api.paging import PagingError
from clones.helpdesk.domain import errors

Answer = tuple[int, dict[str, Any]]


def titled(title: str, message: str) -> dict[str, Any]:
    """Return the body that has a title and a message."""
    return {"error": {"title": title, "message": message}}


def coded(code: str, description: str, **more: Any) -> dict[str, Any]:
    """Return the body that has a code and a description."""
    return {"error": code, "description": description, **more}


NO_ACCESS = titled(
    "Forbidden",
    "You do not have access to this page. "
    "Please contact the account owner of this help desk for further help.",
)
# Of a product or feature that the account lacks: clients tell by these words that they may go on.
NOT_IN_PLAN = titled(
    "Forbidden",
    "Access to this resource is restricted. "
    "Please contact the account administrator for assistance.",
)
NOT_FOUND = coded("RecordNotFound", "Not found")


def _not_found(error: errors.RecordNotFound) -> Answer:
    return 404, NOT_FOUND


def _denied(error: errors.AccessDenied) -> Answer:
    return 403, NO_ACCESS


def _invalid(error: errors.RecordInvalid) -> Answer:
    details = {
        name: [_problem(problem) for problem in problems]
        for name, problems in error.details.items()
    }
    return 422, coded("RecordInvalid", "Record validation errors", details=details)


def _problem(problem: errors.Problem) -> dict[str, Any]:
    body: dict[str, Any] = {"description": problem.description, "error": problem.error}
    if problem.field_id is not None:
        body["ticket_field_id"] = problem.field_id
        body["ticket_field_type"] = problem.field_type
    return body


def _conflict(error: errors.UpdateConflict) -> Answer:
    text = "Safe Update prevented the update because of outdated ticket data"
    return 409, coded("UpdateConflict", text)


def _too_many(error: errors.TooManyValues) -> Answer:
    if error.records is not None:
        text = f"Maximum {error.limit} {error.records} may be created per call"
        return 400, coded("TooManyValues", text)
    # The two spaces are the vendor's.
    text = f"Parameter  cannot specify more than {error.limit} values"
    return 400, coded("TooManyValues", text, max_count=error.limit)


def _missing(error: errors.MissingParameter) -> Answer:
    return 400, coded("RequiredParameterMissing", f"Required parameter missing: {error.name}")


def _attribute(error: errors.InvalidAttribute) -> Answer:
    text = (
        f"You passed an invalid value for the {error.name} attribute. "
        f"Invalid parameter: {error.name} must be {error.expected}"
    )
    return 400, titled("Invalid attribute", text)


def _search(error: errors.InvalidSearch) -> Answer:
    return 422, coded("invalid", f"Invalid search: {error.reason}")


def _too_recent(error: errors.StartTimeTooRecent) -> Answer:
    text = f"Too recent start_time. Use a start_time older than {error.seconds} seconds"
    return 400, coded("StartTimeTooRecent", text)


def _duplicate(error: errors.DuplicateRecord) -> Answer:
    return 422, coded(error.reason, error.description)


def _mismatch(error: errors.KeyMismatch) -> Answer:
    text = "Request parameters don't match the given idempotency key"
    return 400, coded("IdempotentRequestError", text)


_CATEGORY = {
    "absent": (404, "TriggerCategoryNotFound"),
    "invalid": (400, "InvalidTriggerCategory"),
    "in_use": (400, "TriggerCategoryNotEmpty"),
    "too_many": (403, "ProductLimitExceeded"),
    "others": (403, "LimitOneCategory"),
}


def _category(error: errors.CategoryRefused) -> Answer:
    status, code = _CATEGORY[error.problem]
    return status, {"errors": [{"code": code, "title": error.title}]}


_BATCH = {"trigger": "InvalidTrigger", "trigger_category": "InvalidTriggerCategory"}


def _batch(error: errors.BatchRefused) -> Answer:
    found = [
        {"code": _BATCH[item.kind], "title": item.title, f"{item.kind}_id": str(item.key)}
        for item in error.problems
    ]
    return 400, {"errors": found, "status": "failed"}


DOMAIN: dict[type[errors.HelpdeskError], Callable[[Any], Answer]] = {
    errors.RecordNotFound: _not_found,
    errors.AccessDenied: _denied,
    errors.RecordInvalid: _invalid,
    errors.UpdateConflict: _conflict,
    errors.TooManyValues: _too_many,
    errors.MissingParameter: _missing,
    errors.InvalidAttribute: _attribute,
    errors.InvalidSearch: _search,
    errors.StartTimeTooRecent: _too_recent,
    errors.DuplicateRecord: _duplicate,
    errors.KeyMismatch: _mismatch,
    errors.CategoryRefused: _category,
    errors.BatchRefused: _batch,
}


def domain_answer(error: errors.HelpdeskError) -> Answer:
    """Return the status and body of a domain error.

    Raises:
        KeyError: the error is not in the map (a test holds it complete).
    """
    return DOMAIN[type(error)](error)


def paging_answer(error: PagingError) -> Answer:
    """Return the status and body of a paging error."""
    if error.kind == "integer":
        text = f"{error.name} must be an integer"
        return 400, titled(
            "Invalid attribute",
            f"You passed an invalid value for the {error.name} attribute. "
            f"Invalid parameter: {text}",
        )
    if error.kind == "depth":
        return 400, _listed("InvalidPaginationDepth", "Limit exceeded: offset paging is too deep")
    if error.kind == "size":
        return 400, _listed("InvalidPaginationParameter", f"page[size] must be 1 to {error.name}")
    return 400, _listed("InvalidPaginationParameter", "page[after] or page[before] is not valid")


def _listed(code: str, title: str) -> dict[str, Any]:
    return {"errors": [{"code": code, "title": title, "detail": title, "status": "400"}]}


def input_answer(error: InvalidInput) -> Answer:
    """Return the status and body of a path, query or body that does not fit."""
    if error.where == "path":
        return 400, titled(
            "Invalid attribute",
            "You passed an invalid value for the id attribute. "
            "Invalid parameter: id must be an integer",
        )
    if error.error is None:
        return 422, {"error": "Unprocessable Entity", "message": "Server could not parse JSON"}
    first = error.error.errors()[0]
    name = ".".join(str(part) for part in first["loc"]) or error.where
    if first["type"] == "missing":
        return 400, coded("RequiredParameterMissing", f"Required parameter missing: {name}")
    if first["type"] == "digits":
        return _attribute(errors.InvalidAttribute(str(first["loc"][0]), "a list of integers"))
    expected = _EXPECTED.get(first["type"], "valid")
    return _attribute(errors.InvalidAttribute(name, expected))


_EXPECTED = {
    "int_parsing": "an integer",
    "int_type": "an integer",
    "int_from_float": "an integer",
    "string_type": "a string",
    "bool_parsing": "a boolean",
    "bool_type": "a boolean",
    "list_type": "an array",
    "dict_type": "an object",
    "model_type": "an object",
    "model_attributes_type": "an object",
}

_HOST = titled("No help desk at this address", "There is no help desk configured at this address.")
REFUSALS: dict[RefusalReason, Answer] = {
    "unauthenticated": (401, {"error": "Couldn't authenticate you"}),
    "unknown_sandbox": (404, _HOST),
    "unknown_path": (404, coded("InvalidEndpoint", "Not found")),
    "wrong_method": (404, coded("InvalidEndpoint", "Not found")),
    "unavailable": (503, coded("ServiceUnavailable", "Please try again in a moment")),
    "too_large": (413, coded("RequestEntityTooLarge", "The request is too large")),
    "rate_limited": (
        429,
        coded("APIRateLimitExceeded", "Number of allowed API requests per minute exceeded"),
    ),
    "failed": (500, coded("InternalError", "Internal Server Error")),
}
