"""Write what a page asked for; what the domain refuses is said on the page, and nothing stays."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from django.db import transaction

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class FormErrors:
    """What is wrong with a form: sentences about the whole, and by the field that they are about.

    `ordered` are all of them as a page lists them, where that is not the whole first.
    """

    messages: Sequence[str] = ()
    fields: Mapping[str, str] = field(default_factory=dict)
    ordered: Sequence[str] = ()

    def beside(self, placed: Mapping[str, object] | Sequence[str]) -> list[str]:
        """Return the sentences that no control stands beside."""
        return [*self.messages, *(text for id, text in self.fields.items() if id not in placed)]

    @property
    def sentences(self) -> list[str]:
        """All sentences."""
        return list(self.ordered) or self.beside(())


@dataclass(frozen=True, slots=True)
class Attempts:
    """How the errors of a clone's domain become those of a form.

    Args:
        errors: the base of what its domain raises.
        errors_of: what an error says of which field; None for one that no form has a place for.
    """

    errors: type[Exception]
    errors_of: Callable[[Any], FormErrors | None]

    def attempt(self, write: Callable[[], Result]) -> tuple[Result | None, FormErrors | None]:
        """Carry out a write; nothing of one that is refused stays."""
        try:
            with transaction.atomic():
                return write(), None
        except self.errors as error:
            found = self.errors_of(error)
            if found is None:
                raise
            return None, found

    def rehearse(self, write: Callable[[], Result]) -> tuple[Result | None, FormErrors | None]:
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
