"""Why a message is not sent. The texts are for who wrote it."""

from __future__ import annotations


class MailError(Exception):
    """The base: `field` is the part of the form that is wrong, the argument says why."""

    def __init__(self, field: str, said: str) -> None:
        super().__init__(said)
        self.field = field
        self.said = said


class NoRecipient(MailError):
    """Raised when a message has no recipients."""


class BadAddress(MailError):
    """Raised when a recipient of a message is no e-mail address."""


class EmptyMessage(MailError):
    """Nothing is said and nothing sent along."""


class TooMuch(MailError):
    """The message or its files are too large, or it has too many recipients."""
