"""What a refusal of the domain says of a form of Admin Center."""

from __future__ import annotations

from typing import Final

from clones.core.web.attempts import Attempts, Refusal
from clones.helpdesk.domain.errors import (
    AccessDenied,
    CategoryRefused,
    HelpdeskError,
    InvalidAttribute,
    RecordInvalid,
)


def refusal_of(error: HelpdeskError) -> Refusal:
    """Return what a refusal of the domain says, by the attributes that it is about."""
    if isinstance(error, InvalidAttribute):
        return Refusal(fields={error.name: str(error)})
    if isinstance(error, CategoryRefused):
        return Refusal(fields={"name": error.title})
    if not isinstance(error, RecordInvalid):
        return Refusal([str(error)])
    firsts = {name: found[0].description for name, found in error.details.items() if found}
    rest = [item.description for found in error.details.values() for item in found[1:]]
    return Refusal(rest, firsts)


# What is not for the agent at all is said on a page of its own.
ATTEMPTS: Final = Attempts(
    HelpdeskError, lambda error: None if isinstance(error, AccessDenied) else refusal_of(error)
)
