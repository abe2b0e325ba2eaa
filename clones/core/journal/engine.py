"""What a journal must do, whatever the database under it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any, Literal, Protocol

from django.conf import settings
from django.utils.module_loading import import_string

from clones.core.journal.layout import TableLayout

Operation = Literal["insert", "update", "delete"]


@dataclass(frozen=True, slots=True)
class ActRow:
    """Who wrote, when and why: one per request, rule or job that wrote.

    `cause` is the act that led to this one (the request that fired a rule, the act that set a
    timer); following it leads to a credential, a person or nothing (the world's own doing).
    """

    id: int
    at: datetime
    step: int
    request: str | None
    actor: str
    cause: int | None
    label: str


@dataclass(frozen=True, slots=True)
class JournalRow:
    """One row change as the database recorded it.

    `before` holds the stored column values in model order; it is None for inserts.
    """

    seq: int
    act: int | None
    table: TableLayout
    operation: Operation
    key: Any
    before: tuple[Any, ...] | None


@dataclass(frozen=True, slots=True)
class RowChange:
    """The net change of one row between two journal positions: stored values or None if absent."""

    table: TableLayout
    key: Any
    before: tuple[Any, ...] | None
    after: tuple[Any, ...] | None

    @property
    def operation(self) -> Operation:
        """What became of the row."""
        if self.before is None:
            return "insert"
        return "delete" if self.after is None else "update"


@dataclass(frozen=True, slots=True)
class RewindReport:
    """What a rewind did: journal rows undone, tables touched, and rows that did not come back."""

    changes: int
    tables: int
    mismatches: tuple[str, ...]


class JournalEngine(Protocol):
    """The journal of the bound store. Every method works on the connection in `default`."""

    def install(self) -> None:
        """Create the journal's own tables and a trigger on every table of the layout."""

    def uninstall(self) -> None:
        """Remove the journal's tables and triggers, from a store that is to have other tables."""

    def missing_triggers(self) -> list[str]:
        """Return the journaled tables that lack a trigger."""

    # The position as an expression, for statements that read more besides.
    position_sql: str

    def position(self) -> int:
        """Return the sequence of the newest row ever written, counting undone ones."""

    def committed(self) -> int:
        """Return a position that a transaction has to see if it is begun after this call.

        It is 0 where the engine itself vouches that a transaction sees what was committed before.
        """

    def open_act(
        self,
        *,
        at: datetime,
        step: int,
        request: str | None,
        actor: str,
        cause: int | None,
        label: str,
    ) -> int:
        """Record an act and return its id. Triggers name it once `attribute` says so."""

    def attribute(self, act: int | None) -> None:
        """Attribute the rows written from now on to `act`."""

    def settle(self) -> int:
        """Return the present position, for a mark: acts are numbered alike after each rewind to it.

        The caller holds the write transaction.
        """

    def forget(self) -> int:
        """Drop the row changes so far, for a store that starts here, and return the position.

        They can then not be undone; acts stay, since rows name them as causes. The caller holds
        the write transaction.
        """

    def acts(self, after: int = 0, until: int | None = None) -> dict[int, ActRow]:
        """Return the acts that wrote rows between two positions, by id."""

    def act(self, act: int) -> ActRow | None:
        """Return one act."""

    def rows(self, after: int, until: int | None = None) -> Iterator[JournalRow]:
        """Yield the row changes after a position, in order."""

    def changes(self, after: int, until: int | None = None) -> list[RowChange]:
        """Return the net row changes between two positions, in (table, key) order."""

    def live(
        self, rows: Iterable[tuple[str, Any]]
    ) -> dict[tuple[str, Any], tuple[Any, ...] | None]:
        """Return rows by (table, key) as they stand: stored values, None for absent ones."""

    def load(self, table: TableLayout, rows: Sequence[Sequence[Any]]) -> None:
        """Insert stored rows, in model order, into a store that is being made.

        Raises:
            IntegrityError: a key or unique value stands twice, or a value is none for its column.
        """

    def export_acts(self) -> list[list[Any]]:
        """Return every act as plain data, for `import_acts`."""

    def import_acts(self, acts: Sequence[Sequence[Any]]) -> None:
        """Put acts into a store that is being made, as its past."""

    def rewind(self, position: int) -> RewindReport:
        """Undo everything after `position`. The caller holds the write transaction."""

    def dump(self) -> Iterator[tuple[str, Sequence[Any]]]:
        """Yield (table, stored values) of every journaled row, in (table, key) order."""


@cache
def journal() -> JournalEngine:
    """Return the journal engine that the settings name."""
    engine: JournalEngine = import_string(settings.JOURNAL_ENGINE)()
    return engine
