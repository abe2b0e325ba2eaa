"""Sandboxes lent to one test after the other: where making one is slow, a reset makes it as new."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress

from clones.core.tenancy import SandboxRow, UnknownSandbox
from snapshots.interface import engine
from snapshots.manifest import Manifest
from snapshots.sandboxes import Sandboxes

# A clone of a file takes a millisecond, one of a database a hundred.
REUSES = {"sqlite": False, "postgres": True}


class SandboxPool:
    """Keeps the sandboxes that nobody uses just now, by their images."""

    def __init__(self, sandboxes: Sandboxes) -> None:
        self.sandboxes = sandboxes
        self._free: dict[str, SandboxRow] = {}

    @contextmanager
    def borrow(self, manifest: Manifest) -> Iterator[SandboxRow]:
        """Give a sandbox that is as its image is, for the length of the block."""
        row = self._free.pop(manifest.digest, None) or self.sandboxes.create(manifest)
        yield row
        with suppress(UnknownSandbox):  # the test has deleted it
            # A reset does not undo what the registry knows of it.
            if REUSES[engine().name] and self.sandboxes.get(row.id) == row:
                self.sandboxes.reset(row.id, rotate=True)
                self._free[manifest.digest] = self.sandboxes.get(row.id)
            else:
                self.sandboxes.delete(row.id)
