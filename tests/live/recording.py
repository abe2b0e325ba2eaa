"""The demo episode on the embedded engine, in a process of its own.

Run as `python -m tests.live.recording DATA SPACE...`: serves a new data directory, has the oracle
play the episode in each space, and prints what was recorded as one JSON line.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

SEED = 13


def main(data: Path, spaces: list[str]) -> None:
    """Play the episode in each space and print the records by space."""
    os.environ["SANDLOT_ENGINE"] = "sqlite"
    os.environ["DJANGO_SETTINGS_MODULE"] = "clones.config.settings.embedded"
    from sandlot.cli.episodes import play  # noqa: PLC0415 - after the settings are named
    from sandlot.cli.ports import free_port  # noqa: PLC0415 - the same
    from sandlot.cli.serving import RunningServer, ServeOptions  # noqa: PLC0415 - the same
    from sandlot.client import ControlClient  # noqa: PLC0415 - the same

    ports = [free_port("127.0.0.1"), free_port("127.0.0.1")]
    options = ServeOptions(data=data, port=ports[0], control_port=ports[1], workers=1)
    found: dict[str, Any] = {}
    with (
        RunningServer(options) as server,
        ControlClient(server.control_url, server.token) as client,
    ):
        for space in spaces:
            found[space] = play(client, "H05", "oracle", {"space": space, "seed": SEED})
    print(json.dumps(found))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
