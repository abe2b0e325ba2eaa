"""One data-plane worker: one process, one thread, one port of its own.

Every worker answers for every sandbox; the one that owns a sandbox keeps its connection warm.
"""

from __future__ import annotations

import argparse
import resource

from granian.constants import Interfaces
from granian.server import Server


def main() -> None:
    """Serve until told to stop."""
    parser = argparse.ArgumentParser(description="Serve the data plane on one port.")
    parser.add_argument("--host", required=True)
    parser.add_argument("--port", type=int, required=True)
    options = parser.parse_args()
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    Server(
        "clones.config.wsgi:application",
        address=options.host,
        port=options.port,
        interface=Interfaces.WSGI,
        workers=1,
        blocking_threads=1,
        websockets=False,
        log_access=False,
        respawn_failed_workers=True,
        respawn_interval=0.1,
        process_name=None,
    ).serve()


if __name__ == "__main__":
    main()
