"""Measure copies of stores on an XFS of our own, without reflinks and with them.

    python -m tools.reflinks [--quick]

Makes a file system in a sparse file for each, mounts it, runs `sandlot bench --copies` with all
data (PostgreSQL's too) there, and removes it. Needs root, and installs mkfs.xfs where it can; where
it cannot, says so.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tools.services import ServiceError, program_named

HERE = Path(__file__).parents[1]
SIZE = 8 << 30  # sparse


@contextmanager
def xfs(*, reflink: bool) -> Iterator[Path]:
    """Mount a new XFS for the length of the block.

    Raises:
        CalledProcessError: it cannot be made or mounted.
    """
    with tempfile.TemporaryDirectory(prefix="sandlot-xfs-") as folder:
        disk, place = Path(folder) / "disk", Path(folder) / "mounted"
        with disk.open("wb") as file:
            file.truncate(SIZE)
        place.mkdir()
        Path(folder).chmod(0o755)  # PostgreSQL runs as somebody else
        subprocess.run(["mkfs.xfs", "-q", "-m", f"reflink={int(reflink)}", str(disk)], check=True)
        subprocess.run(["mount", "-o", "loop", str(disk), str(place)], check=True)
        try:
            yield place
        finally:
            subprocess.run(["umount", str(place)], check=True)


def main(arguments: list[str]) -> int:
    """Measure both; return 0 where it was done or cannot be here."""
    unmeasured = "copies with and without reflink: not measured"
    if os.geteuid() != 0 or shutil.which("mount") is None:
        print(f"{unmeasured}, needs root and mount")
        return 0
    try:
        program_named("mkfs.xfs", "xfsprogs")
    except ServiceError as error:
        print(f"{unmeasured}: {error}")
        return 0
    for reflink in (False, True):
        print(f"\ncopies on a loop-mounted XFS, {'with' if reflink else 'without'} reflinks")
        sys.stdout.flush()
        with xfs(reflink=reflink) as place:
            command = [sys.executable, str(HERE / "tools" / "services.py"), "postgres", "--",
                       str(Path(sys.executable).with_name("sandlot")), "bench", "--copies",
                       "--folder", str(place), *arguments]  # fmt: skip
            done = subprocess.run(command, env={**os.environ, "TMPDIR": str(place)}, check=False)
        if done.returncode:
            return done.returncode
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
