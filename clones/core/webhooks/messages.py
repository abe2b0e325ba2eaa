"""What goes out to a foreign host, and what becomes of it, as plain values."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Header:
    """A header of a request; a secret one is sent and never shown."""

    name: str
    value: str
    secret: bool = False


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A request to send."""

    method: str
    url: str
    headers: tuple[Header, ...]
    body: bytes


@dataclass(frozen=True, slots=True)
class Answer:
    """What a host answered; a long body is cut."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: str

    @property
    def is_success(self) -> bool:
        """Whether the host took it."""
        return 200 <= self.status < 300

    def header(self, name: str) -> str | None:
        """Return the first header of a name, None if there is none."""
        wanted = name.lower()
        return next((value for key, value in self.headers if key.lower() == wanted), None)


@dataclass(frozen=True, slots=True)
class NoAnswer:
    """Why there is no answer."""

    reason: str
    timed_out: bool = False


Outcome = Answer | NoAnswer
