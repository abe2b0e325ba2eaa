"""Bind a sandbox's store and open one transaction on it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

from django.db import DatabaseError, transaction

from clones.core.server import server
from clones.core.tenancy import SandboxRow, UnknownSandbox, unit_of_work
from episodes.spaces.errors import HarnessFailure


@contextmanager
def bound_unit(
    row: SandboxRow, kind: Literal["read", "write"], *, undone: bool = False
) -> Iterator[None]:
    """Bind the sandbox for the length of one transaction.

    What is to be `undone` is taken back at the block's end, and no receiver hears of it: a store
    that is bound as nobody's sends nothing.

    Raises:
        HarnessFailure: the sandbox is gone, was reset meanwhile, or its store failed.
    """
    found = server().registry.find(row.id)
    if found is None or found.state != "live":
        raise HarnessFailure("harness_lost", f"sandbox {row.id} is gone")
    if found.generation != row.generation:
        raise HarnessFailure("harness_reset", f"sandbox {row.id} was reset under the episode")
    try:
        with (
            server().stores.bind(row.store, None if undone else row.id),
            unit_of_work(kind),
        ):
            yield
            if undone:
                transaction.set_rollback(True)
    except UnknownSandbox as error:
        raise HarnessFailure("harness_lost", str(error)) from error
    except DatabaseError as error:
        raise HarnessFailure("harness_5xx", f"the store of {row.id} failed: {error}") from error
