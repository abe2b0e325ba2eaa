"""On whose behalf records are read and written: a user's, within that user's rights, or nobody's.

An operation of the API runs in the mode of the user who asks. Whatever follows from a save, and
whatever no user asks for, runs in the mode of the system, to which everything is open.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cached_property
from typing import TYPE_CHECKING, Final

from clones.crm.queries.access.rights import Rights, rights_of

if TYPE_CHECKING:
    from clones.crm.queries.access.sharing import SharedRecords


class Viewer:
    """A user on whose behalf something is done; the rights are read once, when first asked for.

    `shared` is kept by `clones.crm.queries.access.sharing`.
    """

    def __init__(self, user: str) -> None:
        self.user = user
        self.shared: SharedRecords | None = None

    @cached_property
    def rights(self) -> Rights:
        """What the user may do."""
        return rights_of(self.user)


_VIEWER: Final[ContextVar[Viewer | None]] = ContextVar("crm_viewer", default=None)


def viewer() -> Viewer | None:
    """Return the user on whose behalf something is done; None for the system."""
    return _VIEWER.get()


@contextmanager
def user_mode(user: str) -> Iterator[Viewer]:
    """Do something on behalf of a user (by id), within that user's rights."""
    found = Viewer(user)
    token = _VIEWER.set(found)
    try:
        yield found
    finally:
        _VIEWER.reset(token)


@contextmanager
def system_mode() -> Iterator[Viewer | None]:
    """Do something to which everything is open, and yield who was asking for it."""
    asking = _VIEWER.get()
    token = _VIEWER.set(None)
    try:
        yield asking
    finally:
        _VIEWER.reset(token)
