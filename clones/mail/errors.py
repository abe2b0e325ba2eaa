"""Why a message is not sent. The texts are for who wrote it."""

from __future__ import annotations


class MailError(Exception):
    """The base: `field` is the part of the form that is wrong, the argument says why."""

    def __init__(self, field: str, said: str) -> None:
        super().__init__(said)
        self.field = field
        self.said = said


class NoRecipient(MailError):
    """Nobody is written to."""


class BadAddress(MailError):
    """Something among the recipients is no address."""


class EmptyMessage(MailError):
    """Nothing is said and nothing sent along."""


class TooMuch(MailError):
    """The message or its files are too large, or it has too many recipients."""
