"""What every engine's connection to a store can do besides what Django's can."""

from __future__ import annotations

from typing import Literal

from django.db.backends.base.base import BaseDatabaseWrapper


class StoreWrapper(BaseDatabaseWrapper):
    """A connection to one sandbox's store, or to none. An engine's backend derives from it."""

    def wake(self) -> None:
        """Close the connection if the engine has ended it while it was idle: it opens anew."""

    def prepare_unit(self, kind: Literal["read", "write"]) -> None:
        """Get ready for a transaction: readers see one moment and cannot write."""
        raise NotImplementedError

    def enter_unit(self, kind: Literal["read", "write"]) -> None:
        """Wait, at the beginning of a write transaction, until no other writer is at work.

        Raises:
            ConnectionEnded: the engine has ended the connection; another one may be opened.
        """
        raise NotImplementedError

    def is_fit(self) -> bool:
        """Tell whether the connection can be used again: it is open, with no transaction left."""
        raise NotImplementedError
