"""Images by content, and the names people give them.

`images/<digest>/` holds a sealed store and its manifest; `names/<name>` holds a digest. An image
appears under its digest by one rename, so it is there wholly or not at all. A name is written
before its image appears and removed after it is gone, so a crash leaves at most a name of nothing,
which `sweep` forgets. `scratch/` holds what is being made; `sweep` empties it unless a process is
at work there.
"""

from __future__ import annotations

import re
import secrets
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from clones.core import clock
from clones.core.journal import digests, journal, schema_version
from clones.core.server import server
from clones.core.tenancy import unit_of_work
from snapshots.errors import CorruptSnapshot, NameTaken, SchemaMismatch, UnknownSnapshot
from snapshots.files import TEMPORARY, locked, out_of_space, write_new
from snapshots.interface import engine, remove_stores
from snapshots.manifest import Manifest, read_manifest

MANIFEST = "manifest.json"
NAME = re.compile(r"^[a-z0-9][a-z0-9._-]{0,79}$")


class Library:
    """The images of one server."""

    def __init__(self, data: Path) -> None:
        self.data = data
        self.images = data / "images"
        self.names = data / "names"
        self.scratch = data / "scratch"
        # Held while an image is put to use or taken away, so that neither happens during the other.
        self.lock = threading.RLock()
        self._checked: dict[str, tuple[object, ...]] = {}

    @contextmanager
    def workshop(self) -> Iterator[Path]:
        """Give a path for a store in the making; what is left there is removed at the end.

        Raises:
            NoSpace: the disk is full.
        """
        store = self.scratch / f"{secrets.token_hex(8)}{engine().suffix}"
        with out_of_space(store):
            store.parent.mkdir(parents=True, exist_ok=True)
        with locked(self.scratch, shared=True):
            try:
                yield store
            finally:
                server().stores.discard(store)
                engine().remove(store)

    def add(
        self,
        store: Path,
        *,
        world: str,
        size: str,
        seed: int,
        parent: str | None,
        name: str | None = None,
    ) -> Manifest:
        """Take in a sealed store, which moves, and return its manifest; `name` it if asked to.

        The image starts here: the store's journal is dropped. An image of the same content is kept
        as it is and returned.

        Raises:
            NameTaken: the name is in use.
            NoSpace: the disk is full; nothing is left behind.
        """
        with out_of_space(self.images):
            made = _describe(store, world=world, size=size, seed=seed, parent=parent)
            with self.lock:
                if name is not None:
                    self._reserve(name, made.digest)
                try:
                    return self._keep(store, made)
                except BaseException:
                    if name is not None:
                        (self.names / name).unlink(missing_ok=True)
                    raise

    def adopt(self, store: Path, manifest: Manifest) -> Manifest:
        """Take in a copy of another library's image, which moves, and return its manifest here.

        Raises:
            NoSpace: the disk is full; nothing is left behind.
        """
        with out_of_space(self.images), self.lock:
            here = replace(
                manifest, file_sha256=engine().seal_of(store), bytes=engine().size_of(store)
            )
            return self._keep(store, here)

    def _keep(self, store: Path, made: Manifest) -> Manifest:
        target = self.images / made.digest
        if target.exists():
            try:
                kept = self.get(made.digest)
            except CorruptSnapshot:
                remove_stores(target)  # this one is what that one should have been
            else:
                engine().remove(store)
                return kept
        making = self.images / (made.digest + TEMPORARY)
        shutil.rmtree(making, ignore_errors=True)
        try:
            making.mkdir(parents=True)
            (making / MANIFEST).write_text(made.to_json())
            store.replace(making / _store_name())
            making.replace(target)
        except BaseException:
            shutil.rmtree(making, ignore_errors=True)
            raise
        return made

    def get(self, key: str, *, any_schema: bool = False) -> Manifest:
        """Return the manifest of a snapshot by name or digest; of any schema for who migrates it.

        Raises:
            UnknownSnapshot: there is none.
            SchemaMismatch: another schema made it.
            CorruptSnapshot: its file is not what the manifest says.
        """
        digest = self._digest(key)
        path = self.images / digest / MANIFEST
        if not re.fullmatch(r"[0-9a-f]{64}", digest) or not path.exists():
            raise UnknownSnapshot(f"there is no snapshot {key}: see `sandlot snapshot list`")
        manifest = read_manifest(path)
        if manifest.schema != schema_version() and not any_schema:
            raise SchemaMismatch(
                f"snapshot {key} was made by schema {manifest.schema}, this build has"
                f" {schema_version()}: build the world again, use the build that made it, or try"
                f" `sandlot snapshot migrate {key} NEW`"
            )
        if manifest.engine != engine().name:
            raise SchemaMismatch(
                f"snapshot {key} was made on engine {manifest.engine}, this is {engine().name}:"
                " name another data directory, or delete it"
            )
        self._check(manifest, key)
        return manifest

    def schema_of(self, digest: str) -> str | None:
        """Return the schema of an image, None if there is no such image."""
        path = self.images / digest / MANIFEST
        return read_manifest(path).schema if path.exists() else None

    def _check(self, manifest: Manifest, key: str) -> None:
        """Hash an image's file, unless it is the very file that was hashed before."""
        damaged = CorruptSnapshot(f"the image of {key} has been damaged: delete and rebuild it")
        try:
            state = engine().state_of(self.store(manifest))
            if self._checked.get(manifest.digest) == state:
                return
            if engine().seal_of(self.store(manifest)) != manifest.file_sha256:
                raise damaged
        except FileNotFoundError as error:
            raise damaged from error
        self._checked[manifest.digest] = state

    def store(self, manifest: Manifest) -> Path:
        """Return the sealed store of an image."""
        return self.images / manifest.digest / _store_name()

    def holds(self, digest: str) -> bool:
        """Tell whether there is an image of that digest."""
        return (self.images / digest / MANIFEST).exists()

    def name(self, name: str, digest: str) -> None:
        """Name an image.

        Raises:
            NameTaken: the name is in use.
            UnknownSnapshot: there is no such image.
            ValueError: the name has characters that file names should not.
        """
        with self.lock:
            if not self.holds(digest):
                raise UnknownSnapshot(f"there is no snapshot {digest}")
            self._reserve(name, digest)

    def require_free(self, name: str) -> None:
        """Check that a name can be given.

        Raises:
            NameTaken: the name is in use.
            ValueError: the name has characters that file names should not.
        """
        if not NAME.match(name) or name.endswith(TEMPORARY):
            raise ValueError(f"{name!r} is no snapshot name: use a-z, 0-9, dot, dash, underscore")
        if (self.names / name).exists():
            raise NameTaken(f"a snapshot named {name} exists: choose another name or delete it")

    def _reserve(self, name: str, digest: str) -> None:
        self.require_free(name)
        self.names.mkdir(parents=True, exist_ok=True)
        try:
            write_new(self.names / name, digest + "\n")
        except FileExistsError as error:
            raise NameTaken(
                f"a snapshot named {name} exists: choose another name or delete it"
            ) from error

    def _digest(self, key: str) -> str:
        if NAME.match(key):
            try:
                return (self.names / key).read_text().strip()
            except FileNotFoundError:
                pass
        return key

    def named(self) -> dict[str, str]:
        """Return the digests by name."""
        if not self.names.exists():
            return {}
        found = {}
        for path in sorted(self.names.iterdir()):
            if TEMPORARY not in path.name:
                digest = self._digest(path.name)
                if self.holds(digest):
                    found[path.name] = digest
        return found

    def delete(self, name: str, *, in_use: set[str]) -> None:
        """Forget a name, and its image unless another name or a sandbox needs it.

        `in_use` are the digests that sandboxes need (`Sandboxes.delete_snapshot` knows them).

        Raises:
            UnknownSnapshot: there is none of that name.
        """
        with self.lock:
            named = self.named()
            digest = named.pop(name, None)
            if digest is None:
                raise UnknownSnapshot(f"there is no snapshot {name}: see `sandlot snapshot list`")
            if digest not in in_use and digest not in named.values():
                self._checked.pop(digest, None)
                remove_stores(self.images / digest)
            (self.names / name).unlink()

    def sweep(self) -> list[Path]:
        """Remove what a crash left: images and stores half-made, names without an image."""
        removed = [*self._sweep_scratch(), *_cleared(self.images, f"*{TEMPORARY}")]
        named = self.named()
        for path in sorted(self.names.glob("*")):
            if path.name not in named:
                path.unlink()
                removed.append(path)
        return removed

    def _sweep_scratch(self) -> list[Path]:
        """Empty the scratch folder, unless another process (`sandlot world build`) uses it."""
        if not self.scratch.exists():
            return []
        try:
            with locked(self.scratch, shared=False):
                return _cleared(self.scratch, "*")
        except BlockingIOError:
            return []


def _cleared(folder: Path, pattern: str) -> list[Path]:
    """Remove what fits a pattern in a folder, and return it."""
    removed = list(folder.glob(pattern))
    for path in removed:
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink()
    return removed


def _describe(store: Path, *, world: str, size: str, seed: int, parent: str | None) -> Manifest:
    with server().stores.bind(store), unit_of_work("write"):
        position = journal().forget()
    server().stores.discard(store)
    engine().seal(store)
    with engine().compacting(store):
        with server().stores.bind(store), unit_of_work("read"):
            digest, rows_digest = digests()
            described = Manifest(
                digest=digest,
                rows_digest=rows_digest,
                file_sha256="",
                bytes=0,
                world=world,
                size=size,
                seed=seed,
                schema=schema_version(),
                engine=engine().name,
                clock=clock.now().isoformat(),
                position=position,
                parent=parent,
            )
        server().stores.discard(store)
    return replace(described, file_sha256=engine().seal_of(store), bytes=engine().size_of(store))


def _store_name() -> str:
    return f"store{engine().suffix}"
