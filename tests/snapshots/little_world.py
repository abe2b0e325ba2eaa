"""A world of one row, for tests of how worlds are kept; two processes can ask for it at once.

`little_world.py DATA FOLDER MINE OTHER` asks for the world of seed 1 as the server of DATA. If it
has to build it, it waits until the other process has begun to ask, which `FOLDER/asking-OTHER`
says. It prints how many worlds it has built, and the digest of the one that it got.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from unittest.mock import patch

PATIENCE = 60.0

if __name__ == "__main__":
    from sandlot.cli.serving import setup_django

    setup_django(Path(sys.argv[1]))

from clones.core.models import SandboxState  # noqa: E402 - after Django is set up
from clones.core.server import server  # noqa: E402 - after Django is set up
from episodes.worlds import WorldKey, world_image  # noqa: E402 - after Django is set up
from seeds.kestrel.catalogue import PRESENT  # noqa: E402 - after Django is set up
from seeds.worlds import BuildReport, world_version  # noqa: E402 - after Django is set up
from snapshots.library import Library  # noqa: E402 - after Django is set up


def build_little_world(name: str, size: str, seed: int) -> BuildReport:
    """Write the row of clock and chance that every world has into the bound store."""
    SandboxState.objects.create(id=1, now=PRESENT, seed=f"{name}|{size}|{seed}")
    counts, facts = {"core.SandboxState": 1}, {"seed": seed}
    return BuildReport(name, size, seed, "train", world_version(), [], facts, counts)


def main(folder: Path, mine: str, other: str) -> None:
    """Ask for the world beside another process."""
    built = []

    def build(name: str, size: str, seed: int) -> BuildReport:
        built.append(seed)
        until = time.monotonic() + PATIENCE
        while not (folder / f"asking-{other}").exists() and time.monotonic() < until:
            time.sleep(0.01)
        return build_little_world(name, size, seed)

    (folder / f"asking-{mine}").touch()
    with patch("episodes.worlds.build_world", build):
        manifest = world_image(Library(server().data), WorldKey())
    print(len(built), manifest.digest)


if __name__ == "__main__":
    main(Path(sys.argv[2]), sys.argv[3], sys.argv[4])
