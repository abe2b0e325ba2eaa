"""Write what a page asked for; what the domain refuses is said on the page, and nothing stays."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from django.db import transaction

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


@dataclass(frozen=True, slots=True)
class Attempts:
    """How the errors of a clone's domain become refusals.

    Args:
        errors: the base of what its domain raises.
        said: what an error says of which field; None for one that is no refusal of a form.
    """

    errors: type[Exception]
    said: Callable[[Any], Refusal | None]

    def attempt(self, write: Callable[[], Result]) -> tuple[Result | None, Refusal | None]:
        """Carry out a write; nothing of one that is refused stays."""
        try:
            with transaction.atomic():
                return write(), None
        except self.errors as error:
            refusal = self.said(error)
            if refusal is None:
                raise
            return None, refusal

    def rehearse(self, write: Callable[[], Result]) -> tuple[Result | None, Refusal | None]:
        """Carry out a write and undo it: what it would return, or why it would be refused.

        Rows that the write changed in memory are not as they are stored afterwards: read them
        again.
        """

        def undone() -> Result:
            raise _Undone(write())

        try:
            return self.attempt(undone)
        except _Undone as undo:
            found: Result = undo.result
            return found, None


class _Undone(Exception):
    """Raised to undo a rehearsal; carries what the write returned."""

    def __init__(self, result: Any) -> None:
        super().__init__()
        self.result = result
