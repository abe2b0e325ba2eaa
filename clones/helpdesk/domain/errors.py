"""What the helpdesk refuses, and why.

HelpdeskError
├── RecordNotFound        no such record, or none that the actor may see
├── AccessDenied          the actor may not do that
├── RecordInvalid         values break rules; `details` says which
├── UpdateConflict        a safe update came too late
├── TooManyValues         more records in one call than allowed
├── MissingParameter      a value without which nothing can be done
├── InvalidAttribute      a value of the wrong shape
├── InvalidSearch         a query that cannot be read or answered
├── DuplicateRecord       the record exists already
├── StartTimeTooRecent    an export from so late a time would miss what is being written
├── KeyMismatch           a request came with a key that another request had
├── CategoryRefused       a trigger category cannot be what was asked
└── BatchRefused          a batch of triggers and their categories was not done
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal


class HelpdeskError(Exception):
    """Base of the helpdesk's errors."""

    code = "helpdesk_error"


class RecordNotFound(HelpdeskError):
    """Raised when a record does not exist or the actor may not see it."""

    code = "record_not_found"

    def __init__(self, kind: str, key: object = None) -> None:
        super().__init__(f"no {kind} {key}")
        self.kind = kind
        self.key = key


class AccessDenied(HelpdeskError):
    """Raised when the actor may not do what was asked."""

    code = "access_denied"

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class KeyMismatch(HelpdeskError):
    """Raised when a request carries the idempotency key of one with other parameters."""

    code = "key_mismatch"


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong with a record. `field_id` and `field_type` name a ticket field."""

    description: str
    error: str | None = None
    field_id: int | None = None
    field_type: str | None = None


class RecordInvalid(HelpdeskError):
    """Raised when values break rules. `details` maps attributes (`base` for all) to problems."""

    code = "record_invalid"

    def __init__(self, details: Mapping[str, Sequence[Problem]]) -> None:
        texts = [problem.description for problems in details.values() for problem in problems]
        super().__init__("; ".join(texts))
        self.details = {name: tuple(problems) for name, problems in details.items()}

    @classmethod
    def of(cls, attribute: str, description: str, error: str | None = None) -> RecordInvalid:
        """Return the error of one problem."""
        return cls({attribute: (Problem(description, error),)})


class UpdateConflict(HelpdeskError):
    """Raised when a safe update finds a record that changed meanwhile."""

    code = "update_conflict"


class TooManyValues(HelpdeskError):
    """Raised when one call names more records than allowed. `records` is their plural name."""

    code = "too_many_values"

    def __init__(self, limit: int, records: str | None = None) -> None:
        super().__init__(f"more than {limit} {records or 'values'}")
        self.limit = limit
        self.records = records


class MissingParameter(HelpdeskError):
    """Raised when a value is absent without which nothing can be done."""

    code = "missing_parameter"

    def __init__(self, name: str) -> None:
        super().__init__(f"{name} is missing")
        self.name = name


class InvalidAttribute(HelpdeskError):
    """Raised when a value has the wrong shape: `expected` says what it must be."""

    code = "invalid_attribute"

    def __init__(self, name: str, expected: str) -> None:
        super().__init__(f"{name} must be {expected}")
        self.name = name
        self.expected = expected


class InvalidSearch(HelpdeskError):
    """Raised when a query cannot be read or answered."""

    code = "invalid_search"

    def __init__(self, reason: str, *, too_deep: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.too_deep = too_deep


class StartTimeTooRecent(HelpdeskError):
    """Raised when an export shall begin within the latest `seconds`."""

    code = "start_time_too_recent"

    def __init__(self, seconds: int) -> None:
        super().__init__(f"start_time lies within the latest {seconds} seconds")
        self.seconds = seconds


class DuplicateRecord(HelpdeskError):
    """Raised when a record exists already; `reason` is the vendor's word for what it is."""

    code = "duplicate_record"

    def __init__(self, description: str, *, reason: str = "RecordInvalid") -> None:
        super().__init__(description)
        self.description = description
        self.reason = reason


class CategoryRefused(HelpdeskError):
    """Raised when a trigger category cannot be what was asked: `problem` is why, `title` says it.

    It does not exist (`absent`), a value is wrong (`invalid`), it has active triggers (`in_use`),
    or there are too many (`too_many`), or more than the one that is allowed here (`others`).
    """

    code = "category_refused"

    def __init__(
        self, problem: Literal["absent", "invalid", "in_use", "too_many", "others"], title: str
    ) -> None:
        super().__init__(title)
        self.problem = problem
        self.title = title


@dataclass(frozen=True, slots=True)
class BatchProblem:
    """What is wrong with one record of a batch."""

    kind: Literal["trigger", "trigger_category"]
    key: int
    title: str


class BatchRefused(HelpdeskError):
    """Raised when a batch was not done, since some of its records cannot be what was asked."""

    code = "batch_refused"

    def __init__(self, problems: Sequence[BatchProblem]) -> None:
        super().__init__("; ".join(f"{item.kind} {item.key}: {item.title}" for item in problems))
        self.problems = tuple(problems)
