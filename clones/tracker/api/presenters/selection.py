"""Which fields of issues an answer is to have: the vendor's little language of `fields`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from clones.tracker.rules.field_catalogue import custom_number
from clones.tracker.rules.field_kinds.system import NOT_NAVIGABLE, SYSTEM

ALL: Final = "*all"
NAVIGABLE: Final = "*navigable"


@dataclass(frozen=True, slots=True)
class Selection:
    """The fields that were asked for: all, those of lists, and single ones; none of `without`."""

    everything: bool
    navigable: bool
    named: frozenset[str]
    without: frozenset[str]

    def has(self, id: str) -> bool:
        """Tell whether a field was asked for."""
        if id in self.without:
            return False
        return self.everything or id in self.named or (self.navigable and id not in NOT_NAVIGABLE)

    @property
    def system(self) -> list[str]:
        """The fields of every site that were asked for, in their order."""
        return [id for id in SYSTEM if self.has(id)]

    @property
    def has_custom(self) -> bool:
        """Whether custom fields may be among them."""
        wide = self.everything or self.navigable
        return wide or any(custom_number(id) is not None for id in self.named)

    @property
    def only_id(self) -> bool:
        """Whether no more was asked for than the issue's id."""
        return self.named == {"id"} and not (self.everything or self.navigable)

    @property
    def only_itself(self) -> bool:
        """Whether nothing was asked for that is a field: id and key are none."""
        return self.named <= {"id", "key", "issuekey"} and not (self.everything or self.navigable)


def select(fields: Iterable[str] | None, default: str = ALL) -> Selection:
    """Return what `fields` asks for: None, or fields that are only taken away, is the default.

    Each item may have several between commas; a minus takes a field away. An empty list asks for
    nothing.
    """
    wanted = [default] if fields is None else [one for item in fields for one in item.split(",")]
    wanted = [part.strip() for part in wanted if part.strip()]
    without = frozenset(part[1:] for part in wanted if part.startswith("-"))
    named = [part for part in wanted if not part.startswith("-")]
    if without and not named:
        named = [default]
    return Selection(ALL in named, NAVIGABLE in named, frozenset(named) - {ALL, NAVIGABLE}, without)
