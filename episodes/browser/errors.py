"""What can go wrong in the browser, and whose fault it is.

A `BadAct` is the agent's: it is told, and the episode goes on. A `BrowserError` is ours: it is
raised to the caller, who records a harness error and never scores the episode.
"""

from __future__ import annotations


class BrowserError(Exception):
    """Raised when the browser, not the agent, failed. `code` is stable."""

    code = "browser"


class BrowserMissing(BrowserError):
    """Raised when there is no browser to start, or nothing that could steer it."""

    code = "browser_missing"


class BrowserLost(BrowserError):
    """Raised when the browser, or the page's process, died."""

    code = "browser_lost"


class BrowserTimeout(BrowserError):
    """Raised when the browser did not answer in time and the page gives the agent no blame."""

    code = "browser_timeout"


class BrowserFull(BrowserError):
    """Raised when the pool holds as many episodes as it may."""

    code = "browser_full"


class BadAct(Exception):
    """Raised inside the driver when an act cannot be done as asked. `code` is stable."""

    def __init__(self, message: str, code: str = "bad_act") -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class StaleRef(BadAct):
    """Raised when a ref or a handle names nothing on the page as it is now."""

    def __init__(self, message: str) -> None:
        super().__init__(message, "stale_ref")


class NotVisible(BadAct):
    """Raised when the element is there and cannot be reached: hidden, covered or without size."""

    def __init__(self, message: str) -> None:
        super().__init__(message, "not_visible")


class NotAllowed(BadAct):
    """Raised when an act would leave the episode's own origins. `origin` is where it led."""

    def __init__(self, origin: str) -> None:
        super().__init__(f"{origin} cannot be reached from here", "not_allowed")
        self.origin = origin


class PageUnanswered(BadAct):
    """Raised when an address did not answer in time: whose doing that is, is not known here."""

    def __init__(self, message: str) -> None:
        super().__init__(message, "no_answer")
