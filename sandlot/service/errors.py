"""Errors of the episode contract: each has a stable `code` and an HTTP status.

ServiceError
├── NotFound        nothing has that id
├── Conflict        not in this state
├── Invalid         the request does not fit
├── Refused         this build cannot do that
├── Gone            it was there and has ended
├── EpisodeFailed   a failure of the environment ended the episode
└── Unavailable     the server cannot do it now
    ├── AtCapacity          as many sessions are held as may be
    └── TooManyFailures     the environment failed too often of late
"""

from __future__ import annotations


class ServiceError(Exception):
    """Base: `str(error)` is one line that says what is wrong and what to do."""

    code = "error"
    status = 500


class NotFound(ServiceError):
    """Raised when nothing has the id asked for."""

    code = "not_found"
    status = 404


class Conflict(ServiceError):
    """Raised when the thing asked about is not in a state for it."""

    code = "conflict"
    status = 409


class Busy(ServiceError):
    """Raised when what is asked has to wait for longer than the caller would."""

    code = "busy"
    status = 409


class Invalid(ServiceError):
    """Raised when a request does not fit."""

    code = "invalid"
    status = 422


class Refused(ServiceError):
    """Raised when this build cannot do what is asked."""

    code = "refused"
    status = 501


class Unavailable(ServiceError):
    """Raised when the server cannot do it now."""

    code = "unavailable"
    status = 503


class TooManyFailures(Unavailable):
    """Raised when the environment failed in so many of the last episodes that no new one starts."""

    code = "too_many_failures"


class AtCapacity(Unavailable):
    """Raised when as many sessions are held as may be: one has to end before another begins."""

    code = "at_capacity"


class Gone(ServiceError):
    """Raised when what is asked for was there and has ended."""

    code = "gone"
    status = 410


class EpisodeFailed(ServiceError):
    """Raised when an episode was ended by a failure of the environment: it has no number."""

    code = "harness_error"
