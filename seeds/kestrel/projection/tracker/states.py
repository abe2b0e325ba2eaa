"""What a piece of work is while its history is replayed: its row, and its fields' values."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from seeds.kestrel.engineering.model import Work

Values = dict[str, Any]


@dataclass(slots=True)
class IssueState:
    """One issue on its way. `rows` are the keys of rows beside it whose values may still change."""

    work: Work
    row: Values
    values: Values
    rows: dict[str, int] = field(default_factory=dict)
    watching: set[int] = field(default_factory=set)

    @property
    def id(self) -> int:
        """The issue's key."""
        return int(self.row["id"])

    @property
    def key(self) -> str:
        """The key that people read."""
        return f"{self.work.space}-{self.work.number}"

    def touch(self, at: datetime) -> None:
        """Note that something was written."""
        self.row["updated"] = max(self.row["updated"], at)
