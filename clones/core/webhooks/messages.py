"""What goes out to a foreign host, and what becomes of it, as plain values."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any


def compact(body: Mapping[str, Any]) -> str:
    """Return a body as the text of JSON that is signed and sent, without spaces between."""
    return json.dumps(body, ensure_ascii=False, separators=(",", ":"))


@dataclass(frozen=True, slots=True)
class Header:
    """A header of a request; a secret one is sent and never shown."""

    name: str
    value: str
    secret: bool = False


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A request of a webhook, to be sent."""

    method: str
    url: str
    headers: tuple[Header, ...]
    body: bytes

    def as_json(self) -> dict[str, Any]:
        """Return the form in which a worker is told of it; the body is text."""
        return {**asdict(self), "body": self.body.decode("utf-8")}

    @classmethod
    def of_json(cls, told: Mapping[str, Any]) -> Outgoing:
        """Return what a worker was told of."""
        headers = tuple(Header(**header) for header in told["headers"])
        return cls(told["method"], told["url"], headers, told["body"].encode("utf-8"))


@dataclass(frozen=True, slots=True)
class Answer:
    """What a host answered; a long body is cut."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: str

    @property
    def timed_out(self) -> bool:
        """Whether the host took too long: it did not."""
        return False

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
    """Why the host gave a webhook no answer."""

    reason: str
    timed_out: bool = False

    @property
    def status(self) -> None:
        """What the host answered: nothing."""
        return None

    @property
    def is_success(self) -> bool:
        """Whether the host took it: nobody knows."""
        return False

    def header(self, name: str) -> None:
        """Return None: there are no headers."""
        return


Outcome = Answer | NoAnswer


def outcome_of_json(told: Mapping[str, Any]) -> Outcome:
    """Return what a worker says that came of a request: `asdict` of it."""
    if "reason" in told:
        return NoAnswer(**told)
    headers = tuple((name, value) for name, value in told["headers"])
    return Answer(told["status"], headers, told["body"])
