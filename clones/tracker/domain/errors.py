"""What the tracker refuses, and why: in the vendor's own words wherever they are known.

TrackerError
├── Unauthenticated   nobody signed in, where somebody must have
├── NotFound          no such thing, or none that the caller may see
├── Forbidden         the caller sees it and may not do that
├── Invalid           values break rules: messages for all, or one for each field
├── Conflict          somebody else changed it meanwhile, or it is in use
├── Gone              the address was given up by the vendor
├── TooLarge          more than a request may carry
└── Unprocessable     what is asked cannot be done as things are
"""

from __future__ import annotations

from collections.abc import Mapping

ISSUE_GONE = "Issue does not exist or you do not have permission to see it."


class TrackerError(Exception):
    """Base of the tracker's errors.

    `messages` are sentences about the whole, `fields` one by the field that it is about.
    `i18n_key` is what service desks name the sentence by.
    """

    status = 400
    i18n_key: str | None = None

    def __init__(
        self,
        *messages: str,
        fields: Mapping[str, str] | None = None,
        i18n_key: str | None = None,
    ) -> None:
        super().__init__("; ".join([*messages, *(fields or {}).values()]))
        self.messages = messages
        self.fields = dict(fields or {})
        if i18n_key is not None:
            self.i18n_key = i18n_key


class Unauthenticated(TrackerError):
    """Raised when nobody signed in, where somebody must have."""

    status = 401


class NotFound(TrackerError):
    """Raised when there is no such thing, or none that the caller may see."""

    status = 404


class Forbidden(TrackerError):
    """Raised when the caller sees a thing and may not do what was asked."""

    status = 403


class Invalid(TrackerError):
    """Raised when values break rules."""

    status = 400


class Conflict(TrackerError):
    """Raised when a thing was changed meanwhile, or is in use."""

    status = 409


class Gone(TrackerError):
    """Raised at addresses that the vendor gave up."""

    status = 410


class TooLarge(TrackerError):
    """Raised when a request carries more than it may."""

    status = 413


class Unprocessable(TrackerError):
    """Raised when what is asked cannot be done as things are."""

    status = 422
