"""Replays in a process of their own, with nothing of the machine to draw on.

Run as `python -m tests.live.replaying FOLDER COUNT`: reads the recorded episode and plays it again
in fresh sandboxes of the server whose data directory SANDLOT_DATA names, over WSGI. The first
replay is the process's own; each other is a fork's, which has what the first one imported and
compiled but opens the data directory anew. What came of each is printed as one JSON line. While
rows are written, `os.urandom`, `uuid`, `random` and `time.time` raise.
"""

from __future__ import annotations

import gc
import json
import multiprocessing
import os
import sys
import threading
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import psutil


def main(folder: Path, count: int) -> None:
    """Replay the episode recorded in `folder` so many times."""
    from sandlot.cli.serving import setup_django  # noqa: PLC0415 - settings are named by the caller

    setup_django(Path(os.environ["SANDLOT_DATA"]))
    from django.conf import settings  # noqa: PLC0415 - needs Django set up

    own = settings.PROCESS_NAME
    replay_once(folder, own)
    # Connections and threads do not survive a fork, and a fork would close what is garbage.
    gc.collect()
    assert threading.active_count() == 1, threading.enumerate()
    assert not open_stores(), open_stores()
    forks = multiprocessing.get_context("fork")
    for number in range(1, count):
        fork = forks.Process(target=replay_once, args=(folder, f"{own}-{number}"))
        fork.start()
        fork.join()
        if fork.exitcode != 0:
            sys.exit(f"replay {number} ended with {fork.exitcode}")


def replay_once(folder: Path, process: str) -> None:
    """Replay in the process that this is, under a name of its own, and leave nothing open."""
    from django.conf import settings  # noqa: PLC0415 - needs Django set up

    from clones.config.wsgi import application  # noqa: PLC0415 - needs Django set up
    from clones.core.server import forget  # noqa: PLC0415 - needs Django set up
    from episodes.control_plane import ControlPlane  # noqa: PLC0415 - needs Django set up
    from episodes.presentation import Addresses  # noqa: PLC0415 - needs Django set up
    from episodes.replay import replay  # noqa: PLC0415 - needs Django set up
    from sandlot.trajectory import read_trajectory  # noqa: PLC0415 - beside the others
    from tests.determinism import no_machine_inputs  # noqa: PLC0415 - beside the others

    def guarded(environ: dict[str, Any], start: Any) -> Any:
        with no_machine_inputs():
            return application(environ, start)

    settings.PROCESS_NAME = process
    host = ControlPlane(
        Addresses("127.0.0.1", "localhost", (8800,)),
        "token",
        http=lambda: httpx.Client(transport=httpx.WSGITransport(app=guarded)),
    )
    again, differences = replay(host.episodes, read_trajectory(folder))
    host.close()
    forget()
    print(
        json.dumps(
            {
                "episode": again,
                "process": os.getpid(),
                "differences": [f"step {found.step}: {found.what}" for found in differences],
                "machine_day": datetime.now(UTC).date().isoformat(),
                "hash_of_a": hash("a"),
            }
        ),
        flush=True,
    )


def open_stores() -> list[str]:
    """Return the files of the data directory that this process has open."""
    found = [entry.path for entry in psutil.Process().open_files()]
    return [path for path in found if path.startswith(os.environ["SANDLOT_DATA"])]


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
