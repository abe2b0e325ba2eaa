"""One data-plane worker: one process, one thread that answers, one port of its own.

Every worker answers for every sandbox; the one that owns a sandbox keeps its connection warm.
"""

from __future__ import annotations

import argparse
import os
import resource
import signal
import threading
import time
from pathlib import Path

from granian.constants import Interfaces
from granian.server import Server

PARENT_PAUSE = 1.0
# Seconds for which requests under way may hold up the end: some are never answered on purpose.
END_PATIENCE = 3
# Threads that read requests; started as they are needed. So many clients may be slow at a time.
READERS = 64


def main() -> None:
    """Serve until told to stop."""
    parser = argparse.ArgumentParser(description="Serve the data plane on one port or path.")
    parser.add_argument("--host", default="127.0.0.1")
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("--port", type=int)
    where.add_argument("--path", type=Path, help="a socket's, for the process before this one")
    options = parser.parse_args()
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
    Server(
        "clones.config.line:application",
        address=options.host,
        port=options.port or 0,
        uds=options.path,
        interface=Interfaces.WSGI,
        workers=1,
        blocking_threads=READERS,
        websockets=False,
        log_access=False,
        respawn_failed_workers=True,
        respawn_interval=0.1,
        workers_kill_timeout=END_PATIENCE,
        process_name=None,
    ).serve()


def _end_with(parent: int) -> None:
    """Stop serving when the process that started this one is gone: nobody would stop it later."""
    while os.getppid() == parent:
        time.sleep(PARENT_PAUSE)
    os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    main()
