"""The rules of records that have a name, which is no other's, and a description."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Generic

from clones.core.resources import ResourceField
from clones.tracker.domain.errors import Invalid, TrackerError
from clones.tracker.domain.scheme_parts import Row, checked_name, checked_text, note_act
from clones.tracker.queries.rights import Rights


@dataclass(frozen=True, slots=True)
class NameRules(Generic[Row]):
    """How admins name one kind of record, and how the site's record of acts calls it.

    Args:
        model: the records' table.
        called: what the record of acts begins with: "Screen" of "Screen created".
        category: where the record of acts files it.
        taken: what is said of a name that another has, in any case.
        refusal: how that is said.
        limit: how many characters a name may have.
        about_limit: how many a description may have.
        kind: the vendor's word for what the act was done to.
    """

    model: type[Row]
    called: str
    category: str
    taken: str
    _: KW_ONLY
    refusal: type[TrackerError] = Invalid
    limit: int = 255
    about_limit: int = 255
    kind: str = "SCHEME"

    @property
    def fields(self) -> tuple[ResourceField, ...]:
        """The name and the description, as a resource declares them."""
        return (
            ResourceField("name", limit=self.limit, required=True),
            ResourceField("description", "text", limit=self.about_limit),
        )

    def set(self, row: Row, name: str | None, description: str | None) -> None:
        """Give a record its name and description; what is None stays, so a new one needs a name.

        Raises:
            Invalid: the name is empty, or a text is too long.
            TrackerError: the name is taken.
        """
        texts: dict[str, str] = {}
        if name is not None:
            others = self.model._default_manager.exclude(pk=row.pk)
            taken = self.refusal(self.taken)
            texts["name"] = checked_name(name, others, taken=taken, limit=self.limit)
        if description is not None:
            texts["description"] = checked_text(description, limit=self.about_limit)
        for column, text in texts.items():
            setattr(row, column, text)

    def note(
        self,
        done: str,
        row: Row,
        *,
        actor: Rights,
        changes: Sequence[tuple[str, str | None, str | None]] = (),
    ) -> None:
        """Record that an admin "created", "updated" or "deleted" a record."""
        summary = f"{self.called} {done}"
        note_act(summary, self.category, row, actor=actor, kind=self.kind, changes=changes)
