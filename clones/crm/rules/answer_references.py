"""References to earlier answers within one request: `@{account.id}`, `@{found.records[0].Id}`.

A text that is one reference and nothing else becomes the value itself, with its type; within a
longer text a value is written out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

_REFERENCE: Final = re.compile(r"@\{([^{}]{1,1000})\}")
_STEP: Final = re.compile(r"\.([^.\[\]]+)|\[(\d{1,6})\]", re.ASCII)
_NAME: Final = re.compile(r"[^.\[\]]+")
# Characters that the references of one request may bring in.
MOST_FILLED: Final = 5_000_000


class NoValue(Exception):
    """Raised for a reference that leads to no value; the message is the vendor's."""


class TooMuch(Exception):
    """Raised where references bring in more than a request may hold."""


@dataclass(slots=True)
class Answers:
    """The bodies of earlier answers by their names, and how much of them was brought in so far."""

    bodies: dict[str, Any] = field(default_factory=dict)
    filled: int = 0

    def fill(self, value: Any) -> Any:
        """Return a value with what its references lead to.

        Raises:
            NoValue: one of them leads nowhere.
            TooMuch: they bring in too much.
        """
        if isinstance(value, str):
            return self._text(value) if "@{" in value else value
        if isinstance(value, list):
            return [self.fill(one) for one in value]
        if isinstance(value, dict):
            return {key: self.fill(one) for key, one in value.items()}
        return value

    def _text(self, text: str) -> Any:
        whole = _REFERENCE.fullmatch(text)
        if whole is not None:
            return self._value(whole[1])
        return _REFERENCE.sub(lambda found: _written(self._value(found[1])), text)

    def _value(self, reference: str) -> Any:
        found = _followed(self.bodies, reference)
        if found is None or isinstance(found, dict | list):
            name = _NAME.match(reference)
            raise NoValue(
                f"Invalid reference specified. No value for {reference} found in"
                f" {name[0] if name else reference}"
            )
        self.filled += len(found) if isinstance(found, str) else 1
        if self.filled > MOST_FILLED:
            raise TooMuch
        return found


def _written(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _followed(bodies: Mapping[str, Any], reference: str) -> Any:
    """Return what a reference leads to, None where it leads nowhere."""
    name = _NAME.match(reference)
    found: Any = bodies.get(name[0]) if name else None
    place = name.end() if name else 0
    while place < len(reference):
        step = _STEP.match(reference, place)
        if step is None:
            return None
        if step[1] is not None:
            found = found.get(step[1]) if isinstance(found, dict) else None
        else:
            at = int(step[2])
            found = found[at] if isinstance(found, list) and at < len(found) else None
        place = step.end()
    return found


def names_in(value: Any) -> Iterator[str]:
    """Yield the names of the answers that a value refers to."""
    if isinstance(value, str):
        for found in _REFERENCE.finditer(value):
            name = _NAME.match(found[1])
            if name is not None:
                yield name[0]
    elif isinstance(value, list | dict):
        for one in value.values() if isinstance(value, dict) else value:
            yield from names_in(one)
