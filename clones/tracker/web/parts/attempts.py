"""Writing from a form: what the domain refuses is shown where it was typed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from django.db import transaction

from clones.tracker.domain.errors import Forbidden, TrackerError

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Refusal:
    """What the domain said: sentences about the whole, and by the field that they are about."""

    messages: Sequence[str] = ()
    fields: Mapping[str, str] = field(default_factory=dict)

    def beside(self, placed: Mapping[str, object] | Sequence[str]) -> list[str]:
        """Return the sentences that no control stands beside."""
        return [*self.messages, *(text for id, text in self.fields.items() if id not in placed)]

    @property
    def sentences(self) -> list[str]:
        """All that was said."""
        return self.beside(())


def attempt(write: Callable[[], Result]) -> tuple[Result | None, Refusal | None]:
    """Carry out a write; nothing of one that is refused stays.

    Raises:
        Forbidden: it is not for the visitor at all.
    """
    try:
        with transaction.atomic():
            return write(), None
    except Forbidden:
        raise
    except TrackerError as error:
        return None, Refusal(list(dict.fromkeys(error.messages)), error.fields)


class _Undone(Exception):
    """Raised to undo a rehearsal; carries what the write returned."""

    def __init__(self, result: Any) -> None:
        super().__init__()
        self.result = result


def rehearse(write: Callable[[], Result]) -> tuple[Result | None, Refusal | None]:
    """Carry out a write and undo it: what it would return, or why it would be refused.

    Rows that the write changed in memory are not as they are stored afterwards: read them again.

    Raises:
        Forbidden: it is not for the visitor at all.
    """

    def undone() -> Result:
        raise _Undone(write())

    try:
        return attempt(undone)
    except _Undone as undo:
        found: Result = undo.result
        return found, None
