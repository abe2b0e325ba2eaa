"""What a snapshot engine must do: make, copy and remove stores, whatever the database.

An engine knows stores (one per sandbox, image or fork) by path and nothing of sandboxes, names or
worlds; `snapshots.library` and `snapshots.sandboxes` are written against this protocol alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Protocol

from django.conf import settings
from django.utils.module_loading import import_string

from snapshots.files import folder_going


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What an engine can do on this machine.

    `reflink`: copies share blocks, so their cost does not grow with the store's size. Of a
    database server it says that copies are made so; where its disk cannot, the kernel copies.
    """

    name: str
    reflink: bool


class SnapshotEngine(Protocol):
    """Stores on disk. A method that raises leaves nothing half-made under its target's name."""

    @property
    def name(self) -> str:
        """The engine's name, as manifests have it."""

    @property
    def suffix(self) -> str:
        """How the names of stores end, with the dot."""

    def home(self) -> str:
        """Return a name of the place outside which none of these stores can be copied."""

    def capabilities(self, folder: Path) -> Capabilities:
        """Return what the engine can do for stores in `folder`."""

    def new_store(self, target: Path, *, at: Sequence[tuple[str, str]] | None = None) -> None:
        """Make an empty store with the schema, the journal and its triggers.

        With `at`, it has the tables as they were after these migrations, and no journal.

        Raises:
            NoSpace: the disk is full.
        """

    def structure(self) -> list[str]:
        """Return what the tables of the bound store are made of, the journal's own left out.

        Stores of equal migrations have equal structures.
        """

    def seal(self, store: Path) -> None:
        """Fold a store that nobody uses into one file, ready to be copied.

        Raises:
            CorruptSnapshot: it is in use, or damaged.
            NoSpace: the disk is full.
        """

    def compacting(self, store: Path) -> AbstractContextManager[None]:
        """Rewrite a sealed store in as few bytes as it takes: what is copied often should be small.

        The block may read the store meanwhile, and has let go of it at its end.

        Raises:
            NoSpace: the disk is full; the store is as it was.
        """

    def copy_sealed(self, image: Path, target: Path) -> None:
        """Copy a sealed store.

        Raises:
            NoSpace: the disk is full.
            CorruptSnapshot: the image cannot be read.
        """

    def copy_image(self, image: Path, target: Path, *, shared: bool = False) -> None:
        """Copy an image to be another; a `shared` one is no server's own, so none sweeps it away.

        Raises:
            NoSpace: the disk is full.
            CorruptSnapshot: the image cannot be read.
        """

    def copy_live(self, store: Path, target: Path) -> None:
        """Copy a store that others read and write, as it is between two transactions; sealed.

        Raises:
            NoSpace: the disk is full.
            CorruptSnapshot: the store cannot be read.
        """

    def hand_over(self, ready: Path, target: Path) -> bool:
        """Rename a sealed store; False if it is gone (somebody else was handed it)."""

    def check(self, store: Path) -> None:
        """Examine the structure of a store that nobody uses.

        Raises:
            CorruptSnapshot: it is damaged.
        """

    def is_damage(self, error: Exception) -> bool:
        """Tell whether an error of the bound store means that its file is damaged."""

    def state_of(self, store: Path) -> tuple[object, ...]:
        """Return what changes, cheaply told, when a sealed store does.

        Raises:
            FileNotFoundError: it is gone.
            CorruptSnapshot: what it stands for is gone.
        """

    def seal_of(self, store: Path) -> str:
        """Return a hash that a sealed store keeps as long as nobody changes it.

        Raises:
            FileNotFoundError: it is gone.
            CorruptSnapshot: what it stands for is gone.
        """

    def size_of(self, store: Path) -> int:
        """Return the bytes that a sealed store takes on disk."""

    def remove(self, store: Path) -> None:
        """Remove a store and whatever belongs to it. Removing what is gone is no error."""

    def sweep(self, folder: Path) -> list[Path]:
        """Remove what a crash left half-made below `folder` and return it."""

    def building(self) -> AbstractContextManager[None]:
        """Prepare the bound store for the block, which fills it or leaves it to be removed."""

    def undoing(self) -> AbstractContextManager[None]:
        """Prepare the bound store for a rewind in the block: nothing that could wait is done."""

    def untidy(self, stores: Sequence[Path]) -> list[Path]:
        """Return those of these stores that have something for `tidy`, without opening them."""

    def tidy(self, *, limit: int | None = None) -> bool:
        """Fold the bound store's log if it has grown past `limit` bytes (by default the engine's).

        Return whether that was done; it is not while others read.
        """


def remove_stores(folder: Path) -> None:
    """Remove a folder with the stores in it, so that it is there wholly or not at all.

    It is renamed first: what a crash leaves after that is swept.
    """
    with folder_going(folder) as gone:
        for store in gone.glob(f"*{engine().suffix}"):
            engine().remove(store)


@cache
def engine() -> SnapshotEngine:
    """Return the engine that the settings name."""
    found: SnapshotEngine = import_string(settings.SNAPSHOT_ENGINE)()
    return found
