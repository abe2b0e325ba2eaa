"""What the CRM refuses, by the vendor's codes. The texts are the vendor's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


class CrmError(Exception):
    """The base: a request is refused. `extra` has what a body says beside code and message."""

    code = "UNKNOWN_EXCEPTION"
    status = 400

    def __init__(
        self,
        message: str,
        *,
        code: str | None = None,
        status: int | None = None,
        extra: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code or self.code
        self.status = status or self.status
        self.extra = extra or {}


class RecordError(CrmError):
    """A record cannot be written as asked; `fields` are those that are to blame."""

    def __init__(
        self, code: str, message: str, fields: Sequence[str] = (), *, status: int = 400
    ) -> None:
        super().__init__(message, code=code, status=status)
        self.fields = list(fields)


class RecordErrors(RecordError):
    """A record cannot be written as asked, for several reasons; the first stands for all."""

    def __init__(self, errors: Sequence[RecordError]) -> None:
        first = errors[0]
        super().__init__(first.code, first.message, first.fields, status=first.status)
        self.errors = list(errors)


class DuplicatesFound(RecordError):
    """A record is like others that are there; `result` is what was found, as answers have it."""

    def __init__(self, message: str, result: dict[str, Any]) -> None:
        super().__init__("DUPLICATES_DETECTED", message)
        self.result = result


class NotFound(CrmError):
    """There is no such resource, or nobody may see it."""

    code = "NOT_FOUND"
    status = 404

    def __init__(self, message: str = "The requested resource does not exist") -> None:
        super().__init__(message)


class IsDeleted(CrmError):
    """The record lies in the recycle bin."""

    code = "ENTITY_IS_DELETED"
    status = 404

    def __init__(self) -> None:
        super().__init__("entity is deleted")


class UnreadableBody(CrmError):
    """A body is not what it has to be."""

    code = "JSON_PARSER_ERROR"


class OAuthError(CrmError):
    """A sign-in is refused, in the body that OAuth has for it."""

    def __init__(self, error: str, description: str, *, status: int = 400) -> None:
        super().__init__(description, code=error, status=status)
