"""Worlds as images: built once per (name, size, seed, schema, generators), then cloned.

Where `SANDLOT_WORLDS` names a folder, once for all servers that are told of it (`snapshots.shelf`).
"""

from __future__ import annotations

import hashlib
import json
import logging
import threading
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings

from clones.core import jobs
from clones.core.garbage import uncollected
from clones.core.journal import journal, schema_version
from clones.core.server import server
from clones.core.tenancy import unit_of_work
from episodes.sources import ChangedSources, made_by
from seeds.worlds import WORLDS, build_world, world_version
from snapshots.errors import NameTaken, NoSpace, UnknownSnapshot
from snapshots.files import write_whole
from snapshots.interface import engine
from snapshots.library import Library
from snapshots.manifest import Manifest
from snapshots.shelf import Shelf

logger = logging.getLogger(__name__)

_building = threading.Lock()


class UnknownWorld(Exception):
    """Raised when no world has that name or size."""


@dataclass(frozen=True, slots=True)
class WorldKey:
    """What names a world."""

    name: str = "kestrel"
    size: str = "tiny"
    seed: int = 1

    def image_name(self) -> str:
        """Return the snapshot name of this world in this build."""
        version = hashlib.sha256(f"{schema_version()}|{world_version()}".encode()).hexdigest()[:12]
        return f"world.{self.name}.{self.size}.{self.seed}.{version}"


def world_image(library: Library, key: WorldKey) -> Manifest:
    """Return the image of a world, building it the first time.

    Raises:
        UnknownWorld: there is no such world or size.
    """
    spec = WORLDS.get(key.name)
    if spec is None:
        raise UnknownWorld(f"there is no world {key.name}: choose one of {', '.join(WORLDS)}")
    if key.size not in spec.sizes:
        raise UnknownWorld(
            f"world {key.name} has no size {key.size}: choose one of {', '.join(spec.sizes)}"
        )
    # Who wants a world that there is does not wait for others that are being built.
    with suppress(UnknownSnapshot):
        return library.get(key.image_name())
    with _building:
        try:
            return library.get(key.image_name())
        except UnknownSnapshot:
            return _shared(library, key) or _build(library, key)


def world_cards() -> dict[str, Any]:
    """Return the worlds this build can make, and the names of those that are built."""
    library = Library(server().data)
    return {
        "worlds": [
            {"name": spec.name, "sizes": list(spec.sizes), "title": spec.title}
            for spec in WORLDS.values()
        ],
        "built": [name for name in library.named() if name.startswith("world.")],
    }


def world_papers(library: Library, manifest: Manifest) -> dict[str, Any]:
    """Return the story and the ledger of a world: what is true, and what was corrupted."""
    folder = _papers(library, manifest.digest)
    return {path.stem: json.loads(path.read_text()) for path in sorted(folder.glob("*.json"))}


def _shared(library: Library, key: WorldKey) -> Manifest | None:
    """Return a world that servers of this machine share, building it if none of them has.

    None where they share none.
    """
    if settings.WORLDS_DIR is None:
        return None
    try:
        version = hashlib.sha256(f"{made_by()}|{engine().home()}".encode()).hexdigest()[:12]
    except ChangedSources as error:
        logger.warning("%s is built for this server alone: %s", key.image_name(), error)
        return None
    shelf, name = Shelf(Path(settings.WORLDS_DIR)), f"{key.image_name()}.{version}"
    with shelf.holding(name):
        taken = shelf.take(library, name)
        if taken is not None:
            _keep(library, key, taken.manifest, taken.papers)
            return taken.manifest
        manifest = _build(library, key)
        papers = _papers(library, manifest.digest).glob("*.json")
        try:
            shelf.put(library, name, manifest, {path.stem: path.read_text() for path in papers})
        except (NoSpace, OSError) as error:
            logger.warning("%s is not shared: %s", key.image_name(), error)
        return manifest


def _build(library: Library, key: WorldKey) -> Manifest:
    with library.workshop() as store, uncollected():
        engine().new_store(store)
        with server().stores.bind(store):
            with engine().building(), unit_of_work("write"):
                report = build_world(key.name, key.size, key.seed)
                jobs.observe()
            position = journal().position()
        server().stores.discard(store)
        engine().seal(store)
        manifest = library.add(store, world=key.name, size=key.size, seed=key.seed, parent=None)
    papers = {"facts": report.facts, "ledger": report.ledger, "counts": report.counts}
    texts = {
        name: json.dumps({"position": position, name: paper}) for name, paper in papers.items()
    }
    _keep(library, key, manifest, texts)
    return manifest


def _keep(library: Library, key: WorldKey, manifest: Manifest, papers: Mapping[str, str]) -> None:
    """Put a world's papers beside its image, and name that."""
    folder = _papers(library, manifest.digest)
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in papers.items():
        write_whole(folder / f"{name}.json", text)
    with suppress(NameTaken):  # another process has built the same world meanwhile
        library.name(key.image_name(), manifest.digest)


def _papers(library: Library, digest: str) -> Path:
    return library.data / "worlds" / digest
