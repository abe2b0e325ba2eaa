"""Run the operations of `snapshots` on a disk that is full: `full_disk.py FOLDER`.

FOLDER is mounted over by a small memory filesystem, so this runs in a mount namespace of its own.
"""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

MEBIBYTE = 1024 * 1024
SIZE = 48 * MEBIBYTE
STEP = 512 * 1024
FINE_STEP = 16 * 1024
ATTEMPTS = 50


def mount(folder: Path) -> None:
    """Mount a small filesystem on `folder` and make it the server's data directory."""
    command = ["mount", "-t", "tmpfs", "-o", f"size={SIZE}", "none", str(folder)]
    subprocess.run(command, check=True)
    os.environ["SANDLOT_DATA"] = str(folder)
    os.environ["DJANGO_SETTINGS_MODULE"] = "clones.config.settings.test"
    import django  # noqa: PLC0415 - after the settings are named

    django.setup()


class Ballast:
    """A file that leaves just so much of the disk free."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "ballast"

    def leave(self, free: int) -> None:
        """Fill the disk up to `free` bytes; others may write meanwhile, if for a moment only.

        OSError: they took of what was free at each of many attempts.
        """
        self.drop()
        for attempt in range(ATTEMPTS):
            stat = os.statvfs(self.path.parent)
            size = max(1, stat.f_bavail * stat.f_frsize - free)
            try:
                with self.path.open("wb") as file:
                    os.posix_fallocate(file.fileno(), 0, size)
            except OSError as error:
                if error.errno != errno.ENOSPC or attempt == ATTEMPTS - 1:
                    raise
                self.drop()
                time.sleep(0.05)
            else:
                return

    def drop(self) -> None:
        """Give the space back."""
        self.path.unlink(missing_ok=True)


class Trial:
    """A sandbox with a mark and changes after it, and operations tried on a full disk."""

    def __init__(self, folder: Path) -> None:
        from snapshots.conformance import build_image, digest_of, work  # noqa: PLC0415 - after Django is set up
        from snapshots.library import Library  # noqa: PLC0415 - after Django is set up
        from snapshots.sandboxes import Sandboxes  # noqa: PLC0415 - after Django is set up

        self.folder = folder
        self.ballast = Ballast(folder)
        self.library = Library(folder)
        self.sandboxes = Sandboxes(self.library)
        self.image = build_image(self.library)
        self.digest_of = digest_of
        self.row = self.sandboxes.create(self.image)
        work(self.row)
        self.sandboxes.mark(self.row.id, "marked")
        self.marked = digest_of(self.row)
        work(self.row, start=2000, count=30)
        self.present = digest_of(self.row)

    def kept(self) -> set[Path]:
        """Return the files that are there, but for the logs of open stores."""
        return {
            path
            for path in self.folder.rglob("*")
            if path.is_file() and not path.name.endswith(("-wal", "-shm"))
        } - {self.ballast.path}

    def refusals(
        self, operation: Callable[[], object], step: int, check: Callable[[], None]
    ) -> int:
        """Try with more and more space until it succeeds; check after each refusal."""
        from snapshots.errors import NoSpace  # noqa: PLC0415 - after Django is set up

        before = self.kept()
        for count, free in enumerate(range(0, SIZE, step)):
            self.ballast.leave(free)
            try:
                operation()
            except NoSpace as error:
                if "free some" not in str(error):
                    raise
                assert self.kept() == before, self.kept() ^ before
                self.ballast.drop()
                check()
            else:
                self.ballast.drop()
                return count
        raise AssertionError("it never had space enough")

    def untouched(self) -> None:
        """Check that the sandbox is in service and as it was."""
        found = self.sandboxes.get(self.row.id)
        assert (found.state, found.resetting) == ("live", False), found
        assert self.digest_of(found) == self.present

    def try_it(
        self, name: str, operation: Callable[[], object], undo: Callable[[], object]
    ) -> None:
        """Check an operation that does not change the sandbox."""
        count = self.refusals(operation, STEP, self.untouched)
        assert count > 0, f"{name} never met a full disk"
        undo()
        self.untouched()
        print(f"{name}: refused {count} times")

    def try_rewind(self) -> None:
        """Check that a rewind happens wholly or not at all, and lets requests in again."""

        def whole() -> None:
            while self.sandboxes.idle():
                pass
            found = self.sandboxes.get(self.row.id)
            assert (found.state, found.resetting) == ("live", False), found
            assert self.digest_of(found) in {self.present, self.marked}

        count = self.refusals(
            lambda: self.sandboxes.rewind(self.row.id, "marked"), FINE_STEP, whole
        )
        assert count > 0, "the rewind never met a full disk"
        assert self.digest_of(self.row) == self.marked
        assert self.sandboxes.verify(self.row.id).intact
        print(f"rewind: refused {count} times")


def exercise(folder: Path) -> None:
    """Try each operation."""
    from snapshots.interface import engine  # noqa: PLC0415 - after Django is set up
    from snapshots.transfer import export_snapshot, import_snapshot  # noqa: PLC0415 - after Django is set up

    trial = Trial(folder)
    library, sandboxes, row = trial.library, trial.sandboxes, trial.row
    new, file, shared = folder / "new", folder / "file", folder / "shared"
    export_snapshot(library, "conformance", shared)
    made: list[str] = []
    trial.try_it("new store", lambda: engine().new_store(new), new.unlink)
    trial.try_it(
        "create",
        lambda: made.append(sandboxes.create(trial.image).id),
        lambda: sandboxes.delete(made.pop()),
    )
    trial.try_it(
        "fork",
        lambda: made.append(sandboxes.fork(row.id).id),
        lambda: sandboxes.delete(made.pop()),
    )
    trial.try_it(
        "capture",
        lambda: sandboxes.capture(row.id, "captured"),
        lambda: sandboxes.delete_snapshot("captured"),
    )
    trial.try_it("pool", sandboxes.pool.refill, lambda: sandboxes.pool.discard(trial.image.digest))
    trial.try_it("verify", lambda: sandboxes.verify(row.id), lambda: None)
    trial.try_it("export", lambda: export_snapshot(library, "conformance", file), file.unlink)
    trial.try_it(
        "import",
        lambda: import_snapshot(library, shared, "imported"),
        lambda: sandboxes.delete_snapshot("imported"),
    )
    trial.try_rewind()


if __name__ == "__main__":
    target = Path(sys.argv[1])
    mount(target)
    exercise(target)
