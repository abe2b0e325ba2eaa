"""What every engine's connection to a store can do besides what Django's can."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Literal

from django.db.backends.base.base import BaseDatabaseWrapper

from clones.core.tenancy.errors import RowGone


class StoreWrapper(BaseDatabaseWrapper):
    """A connection to one sandbox's store, or to none. An engine's backend derives from it."""

    def wake(self) -> None:
        """Close the connection if the engine has ended it while it was idle: it opens anew."""

    def prepare_unit(self, kind: Literal["read", "write"]) -> None:
        """Get ready for a transaction: readers see one moment and cannot write."""
        raise NotImplementedError

    def enter_unit(self, kind: Literal["read", "write"], first: str | None) -> Any:
        """Wait, at the beginning of a write transaction, until no other writer is at work.

        Return the first row of the statement `first`, None if there is none.

        Raises:
            ConnectionEnded: the engine has ended the connection; another one may be opened.
        """
        raise NotImplementedError

    def enqueue(self, statement: str, params: Sequence[Any], rows: int | None = None) -> None:
        """Run a statement in a transaction whose answer nobody reads; it may be put off.

        It is run before the next statement, or before the transaction ends, which then raises what
        went wrong. `rows` is how many rows it has to touch.

        Raises:
            RowGone: it touched others.
        """
        with self.cursor() as cursor:
            cursor.execute(statement, params)
            if rows is not None and cursor.rowcount != rows:
                raise RowGone(f"{cursor.rowcount} rows were there in place of {rows}")

    def loading(self) -> AbstractContextManager[None]:
        """Prepare for the very many rows that the block writes."""
        return nullcontext()

    def check_waiting(self) -> None:
        """Check the rows whose references are checked when the transaction ends.

        An engine that keeps a list of them alters no table until then.
        """

    def memory_of(self, connections: int) -> int:
        """Return the bytes of this process's memory that so many open connections take."""
        return 0

    def interrupt(self) -> None:
        """End the statement at hand, asked from another thread than the one that waits for it."""

    def is_fit(self) -> bool:
        """Tell whether the connection can be used again: it is open, with no transaction left."""
        raise NotImplementedError
