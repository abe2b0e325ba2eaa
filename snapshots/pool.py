"""Clones of images made ahead, in idle time, so that a caller who wants one does not wait.

`pool/<digest>/<token>`, with the engine's suffix, is a sealed store ready to be renamed into a
sandbox's folder. It is there wholly or not at all, so what a crash leaves is as good as what it
found.
"""

from __future__ import annotations

import secrets
import shutil
import threading
from collections import OrderedDict
from pathlib import Path

from clones.core.server import server
from snapshots.errors import SnapshotError
from snapshots.files import out_of_space
from snapshots.interface import engine
from snapshots.library import Library
from snapshots.manifest import Manifest


class ClonePool:
    """At most `size` ready clones, shared among the images that were asked for last."""

    def __init__(self, library: Library, *, size: int) -> None:
        self.library = library
        self.size = size
        self.folder = server().data / "pool"
        self._wanted: OrderedDict[str, None] = OrderedDict()  # digests, the newest last
        self._lock = threading.Lock()

    def take(self, manifest: Manifest, target: Path) -> bool:
        """Hand a ready clone over to `target`, or return False if there is none.

        Either way the image counts as asked for: `refill` makes clones of it.
        """
        with self._lock:
            self._wanted.pop(manifest.digest, None)
            self._wanted[manifest.digest] = None
            while len(self._wanted) > max(self.size, 1):
                self._wanted.popitem(last=False)
        return any(engine().hand_over(ready, target) for ready in self.ready(manifest.digest))

    def ready(self, digest: str | None = None) -> list[Path]:
        """Return the ready clones, of one image or of all."""
        return sorted(self.folder.glob(f"{digest or '*'}/*{engine().suffix}"))

    def refill(self) -> bool:
        """Make one clone, of the image asked for last that lacks one; tell whether any was made.

        A clone that nobody asked for makes room for it.
        """
        with self._lock:
            wanted = list(reversed(self._wanted))
        share = max(1, self.size // len(wanted)) if wanted else 0
        for digest in wanted[: self.size]:
            if len(self.ready(digest)) < share:
                return self._make_room(wanted, share) and self._make(digest)
        return False

    def discard(self, digest: str) -> None:
        """Remove the ready clones of an image."""
        with self._lock:
            self._wanted.pop(digest, None)
        for ready in self.ready(digest):
            engine().remove(ready)
        shutil.rmtree(self.folder / digest, ignore_errors=True)

    def sweep(self) -> list[Path]:
        """Remove what a crash left half-made, and clones whose image is gone or of old schema."""
        if not self.folder.exists():
            return []
        removed = engine().sweep(self.folder)
        for folder in sorted(self.folder.iterdir()):
            try:
                self.library.get(folder.name)
            except SnapshotError:
                removed.extend(self.ready(folder.name))
                shutil.rmtree(folder)
        return removed

    def _make(self, digest: str) -> bool:
        try:
            manifest = self.library.get(digest)
        except SnapshotError:  # gone or damaged meanwhile: whoever asks for it will be told
            self.discard(digest)
            return False
        target = self.folder / digest / f"{secrets.token_hex(8)}{engine().suffix}"
        with out_of_space(target):
            target.parent.mkdir(parents=True, exist_ok=True)
        try:
            engine().copy_sealed(self.library.store(manifest), target)
        except FileNotFoundError:
            if target.parent.exists():
                raise
            return False  # discarded meanwhile
        return True

    def _make_room(self, wanted: list[str], share: int) -> bool:
        """Keep the pool within its size; False if every clone in it is as wanted as a new one."""
        everything = self.ready()
        if len(everything) < self.size:
            return True
        held: dict[str, list[Path]] = {}
        for ready in everything:
            held.setdefault(ready.parent.name, []).append(ready)
        for digest, clones in held.items():
            if digest not in wanted or len(clones) > share:
                engine().remove(clones[0])
                return True
        return False
