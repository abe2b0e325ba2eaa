"""What bulk jobs are refused with: the vendor's reasons, which both of its APIs know."""

from __future__ import annotations

from clones.crm.errors import CrmError


class BulkError(CrmError):
    """A request to a job is refused, or its work cannot be done.

    `reason` is the code of the older API (`InvalidJob`), in capitals that of the newer one. `named`
    is the message with its reason before it, as jobs and batches keep it.
    """

    def __init__(self, reason: str, message: str, *, names_reason: bool = False) -> None:
        self.reason = reason
        self.named = f"{reason} : {message}"
        self.plain = message
        super().__init__(self.named if names_reason else message, code=reason.upper())


def invalid_job(message: str) -> BulkError:
    """Return the error of a job that cannot be made."""
    return BulkError("InvalidJob", message, names_reason=True)


def invalid_state(message: str) -> BulkError:
    """Return the error of what a job's state does not allow."""
    return BulkError("InvalidJobState", message)


def invalid_value(value: object, name: str) -> CrmError:
    """Return the error of a property whose value is none that it knows."""
    said = str(value)[:200]
    return CrmError(f"Invalid value: '{said}' supplied for property: '{name}'", code="API_ERROR")
