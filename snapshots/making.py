"""Make a sandbox's folder and store, and note it in the registry: wholly or not at all."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from clones.core.server import server
from clones.core.tenancy import SandboxRow
from snapshots.errors import UnknownSnapshot
from snapshots.files import out_of_space
from snapshots.interface import engine, remove_stores
from snapshots.library import Library
from snapshots.manifest import Manifest

LETTERS = "abcdefghijklmnopqrstuvwxyz234567"


@contextmanager
def making(folder: Path) -> Iterator[tuple[str, Path]]:
    """Give a new sandbox's id and store in `folder`; if the block fails nothing of it is left."""
    name = "sb-" + "".join(secrets.choice(LETTERS) for _ in range(10))
    store = folder / name / f"1{engine().suffix}"
    try:
        with out_of_space(store):
            store.parent.mkdir(parents=True)
            yield name, store
    except BaseException:
        remove_stores(store.parent)
        raise


def register(
    library: Library,
    name: str,
    store: Path,
    manifest: Manifest,
    *,
    worker: int,
    marks: Mapping[str, int],
) -> SandboxRow:
    """Note a sandbox of an image, which is kept for it from now on.

    Raises:
        UnknownSnapshot: the image has just been deleted.
    """
    with library.lock:
        if not library.holds(manifest.digest):
            raise UnknownSnapshot(f"snapshot {manifest.digest} has just been deleted")
        return server().registry.add(
            id=name,
            store=store,
            engine=manifest.engine,
            world=manifest.world,
            size=manifest.size,
            seed=manifest.seed,
            template=manifest.digest,
            worker=worker,
            marks=marks,
        )
