"""Images by content, and the names people give them.

`images/<digest>/` holds a sealed store and its manifest; `names/<name>` holds a digest. An image
appears under its digest by one rename, so it is there wholly or not at all.
"""

from __future__ import annotations

import hashlib
import re
import shutil
from dataclasses import replace
from pathlib import Path

from clones.core import clock
from clones.core.journal import content_digest, journal, schema_version, store_digest
from clones.core.server import server
from snapshots.errors import CorruptSnapshot, NameTaken, SchemaMismatch, UnknownSnapshot
from snapshots.files import TEMPORARY, write_whole
from snapshots.interface import engine
from snapshots.manifest import Manifest, read_manifest

STORE = "store.sqlite"
NAME = re.compile(r"^[a-z0-9][a-z0-9._-]{0,79}$")


class Library:
    """The images of one server."""

    def __init__(self, data: Path) -> None:
        self.images = data / "images"
        self.names = data / "names"
        self._checked: set[str] = set()

    def add(self, store: Path, *, world: str, size: str, seed: int, parent: str | None) -> Manifest:
        """Take in a sealed store, which moves, and return its manifest.

        An image of the same content is kept as it is and returned.
        """
        manifest = self._describe(store, world=world, size=size, seed=seed, parent=parent)
        target = self.images / manifest.digest
        if target.exists():
            engine().remove(store)
            return self.get(manifest.digest)
        making = self.images / (manifest.digest + TEMPORARY)
        shutil.rmtree(making, ignore_errors=True)
        making.mkdir(parents=True)
        store.replace(making / STORE)
        (making / "manifest.json").write_text(manifest.to_json())
        making.replace(target)
        return manifest

    def _describe(
        self, store: Path, *, world: str, size: str, seed: int, parent: str | None
    ) -> Manifest:
        with server().stores.bind(store):
            described = Manifest(
                digest=content_digest(),
                rows_digest=store_digest(),
                file_sha256="",
                bytes=0,
                world=world,
                size=size,
                seed=seed,
                schema=schema_version(),
                engine=engine().capabilities(store.parent).name,
                clock=clock.now().isoformat(),
                position=journal().position(),
                parent=parent,
            )
        server().stores.discard(store)
        engine().seal(store)
        return replace(described, file_sha256=_sha256(store), bytes=store.stat().st_size)

    def get(self, key: str) -> Manifest:
        """Return the manifest of a snapshot by name or digest.

        Raises:
            UnknownSnapshot: there is none.
            SchemaMismatch: another schema made it.
            CorruptSnapshot: its file is not what the manifest says.
        """
        named = self.names / key
        digest = named.read_text().strip() if NAME.match(key) and named.is_file() else key
        path = self.images / digest / "manifest.json"
        if not re.fullmatch(r"[0-9a-f]{64}", digest) or not path.exists():
            raise UnknownSnapshot(f"there is no snapshot {key}: see `sandlot snapshot list`")
        manifest = read_manifest(path)
        if manifest.schema != schema_version():
            raise SchemaMismatch(
                f"snapshot {key} was made by schema {manifest.schema}, this build has"
                f" {schema_version()}: build the world again, or use the build that made it"
            )
        if digest not in self._checked:
            if _sha256(self.store(manifest)) != manifest.file_sha256:
                raise CorruptSnapshot(f"the image of {key} has been damaged: delete and rebuild it")
            self._checked.add(digest)
        return manifest

    def store(self, manifest: Manifest) -> Path:
        """Return the sealed store of an image."""
        return self.images / manifest.digest / STORE

    def name(self, name: str, digest: str) -> None:
        """Name an image.

        Raises:
            NameTaken: the name is in use.
            ValueError: the name has characters that file names should not.
        """
        if not NAME.match(name):
            raise ValueError(f"{name!r} is no snapshot name: use a-z, 0-9, dot, dash, underscore")
        if (self.names / name).exists():
            raise NameTaken(f"a snapshot named {name} exists: choose another name or delete it")
        self.names.mkdir(parents=True, exist_ok=True)
        write_whole(self.names / name, digest + "\n")

    def named(self) -> dict[str, str]:
        """Return the digests by name."""
        if not self.names.exists():
            return {}
        return {
            path.name: path.read_text().strip()
            for path in sorted(self.names.iterdir())
            if TEMPORARY not in path.name
        }

    def delete(self, name: str, *, in_use: set[str]) -> None:
        """Forget a name, and its image unless another name or a sandbox needs it.

        Raises:
            UnknownSnapshot: there is none of that name.
        """
        digest = self.named().get(name)
        if digest is None:
            raise UnknownSnapshot(f"there is no snapshot {name}: see `sandlot snapshot list`")
        (self.names / name).unlink()
        if digest not in in_use and digest not in self.named().values():
            gone = self.images / (digest + TEMPORARY)
            (self.images / digest).replace(gone)
            shutil.rmtree(gone)

    def sweep(self) -> list[Path]:
        """Remove images that a crash left half-made."""
        removed = [path for path in self.images.glob(f"*{TEMPORARY}") if path.is_dir()]
        for path in removed:
            shutil.rmtree(path)
        return removed + engine().sweep(self.names)


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
