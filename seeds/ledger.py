"""The ledger: every corruption of a world, with what is true.

Graders and realism checks read it; it is kept beside an image, never in it.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Corruption:
    """One wrong value: `old` is true, `new` is what the row says."""

    kind: str
    table: str
    key: str
    field: str
    old: Any
    new: Any


@dataclass(slots=True)
class Ledger:
    """The corruptions of a world, in the order in which they were made."""

    entries: list[Corruption] = field(default_factory=list)

    def add(  # noqa: PLR0917 - in the order of the entry's columns
        self, kind: str, table: str, key: object, field: str, old: Any, new: Any
    ) -> None:
        """Record a corruption."""
        self.entries.append(Corruption(kind, table, str(key), field, old, new))

    def counts(self) -> dict[str, int]:
        """Return how many corruptions of each kind there are, by kind."""
        found: dict[str, int] = {}
        for entry in self.entries:
            found[entry.kind] = found.get(entry.kind, 0) + 1
        return dict(sorted(found.items()))

    def plain(self) -> list[dict[str, Any]]:
        """Return the ledger as plain data."""
        return [asdict(entry) for entry in self.entries]
