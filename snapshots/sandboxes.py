"""Live sandboxes: create, reset, mark, rewind, fork, diff, verify, delete."""

from __future__ import annotations

import logging
import secrets
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.db import IntegrityError

from clones.core import jobs
from clones.core.journal import RewindReport, canonical_changes, fingerprint, journal, store_digest
from clones.core.server import server
from clones.core.tenancy import SandboxRow, unit_of_work
from snapshots.errors import RewindFailed, UnknownMark
from snapshots.interface import engine
from snapshots.library import Library
from snapshots.manifest import Manifest

logger = logging.getLogger(__name__)

BASE = "base"
LETTERS = "abcdefghijklmnopqrstuvwxyz234567"
VERIFY_EVERY = 500


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a full verification found: the rewound copy's digest against the image's."""

    sandbox: str
    intact: bool
    expected: str
    found: str
    replaced: bool


class Sandboxes:
    """The sandboxes of one server, over its library of images."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self.folder = server().data / "sandboxes"

    def create(self, manifest: Manifest, *, worker: int = 0) -> SandboxRow:
        """Make a live sandbox of an image.

        Raises:
            NoSpace: the disk is full; nothing is left behind.
        """
        name = _new_id()
        store = self.folder / name / "1.sqlite"
        store.parent.mkdir(parents=True)
        try:
            engine().copy_sealed(self.library.store(manifest), store)
            return self._register(name, store, manifest, worker)
        except BaseException:
            shutil.rmtree(store.parent, ignore_errors=True)
            raise

    def _register(self, name: str, store: Path, manifest: Manifest, worker: int) -> SandboxRow:
        return server().registry.add(
            id=name,
            store=store,
            engine=manifest.engine,
            world=manifest.world,
            size=manifest.size,
            seed=manifest.seed,
            template=manifest.digest,
            worker=worker,
            base=manifest.position,
        )

    def mark(self, sandbox: str, name: str) -> int:
        """Name the sandbox's present and return its journal position."""
        row = server().registry.get(sandbox)
        if name == BASE:
            raise ValueError("`base` is the mark of the sandbox's beginning: choose another name")
        with server().stores.bind(row.store, sandbox), unit_of_work("write"):
            jobs.observe()
            position = journal().position()
        server().registry.set_mark(sandbox, name, position)
        return position

    def reset(self, sandbox: str, *, rotate: bool = False) -> RewindReport:
        """Rewind to the beginning; with `rotate` every credential ends too."""
        report = self.rewind(sandbox, BASE)
        if rotate:
            server().registry.rotate_credentials(sandbox)
        return report

    def rewind(self, sandbox: str, mark: str) -> RewindReport:
        """Undo everything after a mark; marks after it vanish.

        Raises:
            UnknownMark: the sandbox has no such mark.
            RewindFailed: rows did not come back; the sandbox has a fresh store now.
        """
        registry = server().registry
        row = registry.get(sandbox)
        position = registry.mark(sandbox, mark)
        if position is None:
            raise UnknownMark(f"sandbox {sandbox} has no mark {mark}")
        try:
            with server().stores.bind(row.store, sandbox):
                with unit_of_work("write"):
                    registry.begin_reset(sandbox)
                    report = journal().rewind(position)
                    if report.mismatches:
                        raise RewindFailed("; ".join(report.mismatches))
                registry.drop_marks_after(sandbox, position)
                registry.end_reset(sandbox)
                engine().tidy()
        except (RewindFailed, IntegrityError) as error:
            logger.exception("sandbox %s did not come back whole: replacing its store", sandbox)
            self._replace(row)
            raise RewindFailed(f"sandbox {sandbox} has a fresh store: {error}") from error
        return report

    def fork(self, sandbox: str, *, worker: int = 0) -> SandboxRow:
        """Make another sandbox with the same present, past and marks."""
        registry = server().registry
        row = registry.get(sandbox)
        manifest = self.library.get(row.template)
        name = _new_id()
        store = self.folder / name / "1.sqlite"
        store.parent.mkdir(parents=True)
        try:
            marks = registry.marks(sandbox)
            engine().copy_live(row.store, store)
            made = self._register(name, store, manifest, worker)
        except BaseException:
            shutil.rmtree(store.parent, ignore_errors=True)
            raise
        for mark, position in marks.items():
            registry.set_mark(name, mark, position)
        return made

    def capture(self, sandbox: str, name: str) -> Manifest:
        """Keep the sandbox's present as a named snapshot."""
        row = server().registry.get(sandbox)
        making = self.library.images / f"{sandbox}-capture.sqlite"
        making.parent.mkdir(parents=True, exist_ok=True)
        engine().copy_live(row.store, making)
        try:
            manifest = self.library.add(
                making, world=row.world, size=row.size, seed=row.seed, parent=row.template
            )
        finally:
            engine().remove(making)
        self.library.name(name, manifest.digest)
        return manifest

    def diff(self, sandbox: str, since: str = BASE) -> list[dict[str, Any]]:
        """Return the net change since a mark, canonical, in (table, key) order."""
        position = self._position(sandbox, since)
        row = server().registry.get(sandbox)
        with server().stores.bind(row.store, sandbox), unit_of_work("read"):
            return canonical_changes(journal().changes(position))

    def fingerprint(self, sandbox: str, since: str = BASE) -> str:
        """Return the hash of the net change since a mark."""
        position = self._position(sandbox, since)
        row = server().registry.get(sandbox)
        with server().stores.bind(row.store, sandbox), unit_of_work("read"):
            return fingerprint(position)

    def verify(self, sandbox: str) -> Verdict:
        """Rewind a copy to the beginning and compare every row with the image.

        A sandbox that does not match is quarantined and gets a fresh store.
        """
        row = server().registry.get(sandbox)
        manifest = self.library.get(row.template)
        position = self._position(sandbox, BASE)
        copy = row.store.with_name("verify.sqlite")
        engine().copy_live(row.store, copy)
        try:
            with server().stores.bind(copy), unit_of_work("write"):
                journal().rewind(position)
                found = store_digest()
        finally:
            server().stores.discard(copy)
            engine().remove(copy)
        intact = found == manifest.rows_digest
        if not intact:
            logger.error("sandbox %s does not match its image: replacing its store", sandbox)
            self._replace(row)
        return Verdict(sandbox, intact, manifest.rows_digest, found, replaced=not intact)

    def verify_due(self) -> list[str]:
        """Return the sandboxes whose resets call for a full verification in idle time."""
        return [row.id for row in server().registry.all() if row.resets >= VERIFY_EVERY]

    def delete(self, sandbox: str) -> None:
        """Forget a sandbox, then remove its files."""
        row = server().registry.remove(sandbox)
        server().stores.discard(row.store)
        shutil.rmtree(row.store.parent, ignore_errors=True)

    def recover(self) -> list[Path]:
        """Put things right after a crash: finish or forget what was under way. Return what went."""
        registry = server().registry
        registry.clear_resetting()
        removed = engine().sweep(self.folder) + self.library.sweep()
        known = {row.store for row in registry.all()}
        for folder in self.folder.iterdir() if self.folder.exists() else []:
            stores = set(folder.glob("*.sqlite"))
            for orphan in sorted(stores - known):
                engine().remove(orphan)
                removed.append(orphan)
            if not stores & known:
                shutil.rmtree(folder)
        for row in registry.all():
            if not row.store.exists():
                registry.remove(row.id)
        return removed

    def _position(self, sandbox: str, mark: str) -> int:
        server().registry.get(sandbox)
        position = server().registry.mark(sandbox, mark)
        if position is None:
            raise UnknownMark(f"sandbox {sandbox} has no mark {mark}")
        return position

    def _replace(self, row: SandboxRow) -> None:
        registry = server().registry
        registry.quarantine(row.id)
        manifest = self.library.get(row.template)
        store = row.store.with_name(f"{int(row.store.stem) + 1}.sqlite")
        engine().copy_sealed(self.library.store(manifest), store)
        registry.replace_store(row.id, store, manifest.position)
        server().stores.discard(row.store)


def _new_id() -> str:
    return "sb-" + "".join(secrets.choice(LETTERS) for _ in range(10))
