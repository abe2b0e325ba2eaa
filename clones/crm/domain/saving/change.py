"""A record that is being saved: what it was, what it becomes, what its caller said."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Any

from clones.crm.models import SObjectRow
from clones.crm.queries.formulas import Looker
from clones.crm.rules.schema import SObject


@dataclass
class Change:
    """One record on its way through the stages of a save.

    `row` has the new values; `before` the columns as they were, None for a new record; `said` what
    the caller gave, by the names of its fields. `actor` is the id of the user who saves.
    `is_touched` tells that a value was set since the row was last written. A `is_quiet` save is one
    within another: not all stages look at it (`stages.NOT_AGAIN`). `memo` keeps what steps read of
    the organization, for those that come after them.
    """

    of: SObject
    row: SObjectRow
    before: Mapping[str, Any] | None
    said: Mapping[str, Any]
    actor: str
    now: datetime
    is_touched: bool = False
    is_quiet: bool = False
    memo: dict[str, Any] = field(default_factory=dict)

    @cached_property
    def looker(self) -> Looker:
        """For whom formulas over the record are worked out: who saves it, at the moment of that."""
        return Looker(self.actor, self.now)

    @property
    def is_new(self) -> bool:
        """Whether the record is being created."""
        return self.before is None

    def get(self, name: str) -> Any:
        """Return the new value of a field."""
        return getattr(self.row, name)

    def set(self, name: str, value: Any) -> None:
        """Give a field a value; once the row is written, it is written again after the stage."""
        self.is_touched = self.is_touched or getattr(self.row, name, None) != value
        setattr(self.row, name, value)

    def was(self, name: str) -> Any:
        """Return the value that a field had, None in a new record."""
        return None if self.before is None else self.before[name]

    def has_changed(self, *names: str) -> bool:
        """Tell whether one of some fields has another value than before, or any in a new record."""
        return any(self.get(name) != self.was(name) for name in names)
