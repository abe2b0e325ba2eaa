"""Writing from a form: what the domain refuses is shown where it was typed."""

from __future__ import annotations

from typing import Final

from clones.core.web.attempts import Attempts, FormErrors
from clones.tracker.domain.errors import Forbidden, TrackerError

__all__ = ["ATTEMPTS", "FormErrors", "attempt", "refusal_of", "rehearse"]


def refusal_of(error: TrackerError) -> FormErrors:
    """Return what an error says, each sentence once."""
    return FormErrors(list(dict.fromkeys(error.messages)), error.fields)


# What is not for the visitor at all is said on a page of its own.
ATTEMPTS: Final = Attempts(
    TrackerError, lambda error: None if isinstance(error, Forbidden) else refusal_of(error)
)
attempt = ATTEMPTS.attempt
rehearse = ATTEMPTS.rehearse
