"""What takes the place of a record that is deleted, as the question before asks for it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import QuerySet

from clones.core.web.inputs import Input, PageForm
from clones.tracker.domain.scheme_parts import Row, one_of
from clones.tracker.web.admin.inputs import select


@dataclass(frozen=True, slots=True, kw_only=True)
class HeirInput:
    """The input for what takes the place of a record that is deleted.

    Args:
        name: what the domain's function calls it, and the form sends it as.
        label: what people read beside it.
        missing: what is said where it does not exist; `{id}` is what was sent.
        hint: what stands below it.
        none: what it is called that there is none; one must be chosen unless said.
        required: whether it is marked as needed.
    """

    name: str
    label: str
    missing: str
    hint: str = ""
    none: str = ""
    required: bool = False

    def input(self, choices: Iterable[tuple[object, str]]) -> Input:
        """Return the input, with the ids and names that can be chosen."""
        return select(
            self.name,
            self.label,
            choices,
            required=self.required,
            none=self.none,
            hint=self.hint,
        )

    def chosen(self, sent: PageForm, among: QuerySet[Row]) -> dict[str, Row | None]:
        """Return what was chosen, by what the domain's function calls it.

        Raises:
            NotFound: it does not exist.
        """
        key = sent.text(self.name)
        if not key and self.none:
            return {self.name: None}
        return {self.name: one_of(among, key, self.missing.format(id=key))}
