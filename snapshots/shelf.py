"""Images that the servers of one machine share: what one of them has made, the others copy.

`DIR/<engine>/<name>/` is an entry: a sealed store, its manifest, the papers that go with it, and a
label with the entry's name and the hashes of these files. An entry appears under its name by one
rename. Whoever looks for one holds a lock, so that one makes it and the others wait. What is taken
is hashed first, and removed if it is not what its label and manifest say. The entries that were not
asked for longest are removed when there are more than `KEPT`.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import logging
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path

from snapshots.errors import CorruptSnapshot
from snapshots.files import TEMPORARY
from snapshots.interface import engine
from snapshots.library import Library
from snapshots.manifest import Manifest, read_manifest

KEPT = 12
LOCKS = 256
LABEL = "label.json"
MANIFEST = "manifest.json"

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ShelfImage:
    """What came from a shelf: an image that is the library's now, and the papers by name."""

    manifest: Manifest
    papers: dict[str, str]


class Shelf:
    """The shared images of one engine, in a folder that outlives every server."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / engine().name

    @contextmanager
    def holding(self, name: str) -> Iterator[None]:
        """Hold an entry for the length of the block, waiting for whoever holds it now."""
        with self._locked(name, fcntl.LOCK_EX):
            yield
        self._prune()

    def take(self, library: Library, name: str) -> ShelfImage | None:
        """Copy a held entry into a library; None if there is none, or it is not what it says."""
        entry = self.folder / name
        if not entry.exists():
            return None
        try:
            papers = _read(entry, name)
            manifest = read_manifest(entry / MANIFEST)
            if engine().seal_of(entry / _store_name()) != manifest.file_sha256:
                raise CorruptSnapshot("its store is not the one that its manifest names")
            with library.workshop() as copy:
                engine().copy_image(entry / _store_name(), copy)
                found = library.adopt(copy, manifest)
        except (CorruptSnapshot, OSError, ValueError) as error:
            logger.warning("the shared image %s is removed: %s", name, error)
            _remove(entry)
            return None
        os.utime(entry / LABEL)
        return ShelfImage(found, papers)

    def put(
        self, library: Library, name: str, manifest: Manifest, papers: Mapping[str, str]
    ) -> None:
        """Make a held entry of a library's image and of papers.

        Raises:
            NoSpace: the disk is full; nothing is left behind.
            CorruptSnapshot: the image cannot be read.
        """
        making = self.folder / (name + TEMPORARY)
        _remove(making)
        try:
            making.mkdir(parents=True)
            store = making / _store_name()
            engine().copy_image(library.store(manifest), store, shared=True)
            texts = {f"{paper}.json": text for paper, text in papers.items()}
            texts[MANIFEST] = _of(manifest, store).to_json()
            for file, text in texts.items():
                (making / file).write_text(text)
            files = {file: _hash(text) for file, text in texts.items()}
            (making / LABEL).write_text(json.dumps({"name": name, "files": files}))
            making.replace(self.folder / name)
        except BaseException:
            _remove(making)
            raise

    def names(self) -> list[str]:
        """Return the names of the entries, the one asked for last at the end."""
        found = []
        for label in self.folder.glob(f"*/{LABEL}"):
            with suppress(FileNotFoundError):  # another process has just removed it
                found.append((label.stat().st_mtime_ns, label.parent.name))
        return [name for _, name in sorted(found) if TEMPORARY not in name]

    def _prune(self) -> None:
        """Remove the entries that were not asked for longest, but for those that somebody holds."""
        for name in self.names()[:-KEPT]:
            try:
                with self._locked(name, fcntl.LOCK_EX | fcntl.LOCK_NB):
                    _remove(self.folder / name)
            except BlockingIOError:
                continue

    @contextmanager
    def _locked(self, name: str, how: int) -> Iterator[None]:
        """Lock one of a few files, so that they do not gather; its end lets go, however it comes.

        Raises:
            BlockingIOError: it is not to wait, and somebody holds the lock.
        """
        folder = self.folder / "locks"
        folder.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(folder / str(lock_of(name)), os.O_RDWR | os.O_CREAT, 0o644)
        try:
            fcntl.flock(descriptor, how)
            yield
        finally:
            os.close(descriptor)


def lock_of(name: str) -> int:
    """Return the number of the lock that an entry has, with one in 256 of the others."""
    return int(_hash(name)[:8], 16) % LOCKS


def _store_name() -> str:
    return f"store{engine().suffix}"


def _of(manifest: Manifest, store: Path) -> Manifest:
    """Return a manifest of the same content in another store."""
    return replace(manifest, file_sha256=engine().seal_of(store), bytes=engine().size_of(store))


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _read(entry: Path, name: str) -> dict[str, str]:
    """Return the papers of an entry.

    Raises:
        CorruptSnapshot: it is another's entry, or a file of it is not what was put there.
        OSError, ValueError: a file is gone, or no text.
    """
    label = json.loads((entry / LABEL).read_text())
    if not isinstance(label, dict) or label.get("name") != name:
        raise CorruptSnapshot("its label names another")
    texts = {file: (entry / file).read_text() for file in label["files"]}
    spoilt = [file for file, text in texts.items() if _hash(text) != label["files"][file]]
    if spoilt or MANIFEST not in texts:
        raise CorruptSnapshot(f"what it holds is not what its label says: {spoilt}")
    del texts[MANIFEST]
    return {file.removesuffix(".json"): text for file, text in texts.items()}


def _remove(entry: Path) -> None:
    """Remove an entry, whole or half-made; its label first, without which it is none."""
    (entry / LABEL).unlink(missing_ok=True)
    for store in entry.glob(f"store{engine().suffix}*"):
        engine().remove(store)
    shutil.rmtree(entry, ignore_errors=True)
