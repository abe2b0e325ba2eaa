"""One replay in a process of its own, with nothing of the machine to draw on.

Run as `python -m tests.live.replaying FOLDER`: reads the recorded episode, plays it again in a
fresh sandbox of the server whose data directory SANDLOT_DATA names, over WSGI in this process, and
prints what came of it as one JSON line. While rows are written, `os.urandom`, `uuid`, `random` and
`time.time` raise.
"""

from __future__ import annotations

import json
import os
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx


def main(folder: Path) -> None:
    """Replay the episode recorded in `folder`."""
    from sandlot.cli.serving import setup_django  # noqa: PLC0415 - settings are named by the caller

    setup_django(Path(os.environ["SANDLOT_DATA"]))
    from clones.config.wsgi import application  # noqa: PLC0415 - needs Django set up
    from episodes.host import Host  # noqa: PLC0415 - needs Django set up
    from episodes.presentation import Addresses  # noqa: PLC0415 - needs Django set up
    from episodes.replay import replay  # noqa: PLC0415 - needs Django set up
    from sandlot.trajectory import read_trajectory  # noqa: PLC0415 - beside the others
    from tests.determinism import no_machine_inputs  # noqa: PLC0415 - beside the others

    def guarded(environ: dict[str, Any], start: Any) -> Any:
        with no_machine_inputs():
            return application(environ, start)

    host = Host(
        Addresses("127.0.0.1", "localhost", (8800,)),
        "token",
        http=lambda: httpx.Client(transport=httpx.WSGITransport(app=guarded)),
    )
    _, differences = replay(host.episodes, read_trajectory(folder))
    host.close()
    print(
        json.dumps(
            {
                "differences": [f"step {found.step}: {found.what}" for found in differences],
                "machine_day": datetime.now(UTC).date().isoformat(),
                "hash_of_a": hash("a"),
            }
        )
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
