"""The data-plane workers of one server: one process, one thread that answers and one port each.

Every worker answers for every sandbox; the one that owns a sandbox keeps its connection warm.
The clones are loaded once, before the workers are forked: they share the work and the memory.
"""

from __future__ import annotations

import argparse
import os
import resource
import signal
import sys
from collections.abc import Sequence
from multiprocessing import connection, get_context
from multiprocessing.process import BaseProcess
from pathlib import Path
from types import FrameType

from granian.constants import HTTPModes, Interfaces
from granian.server import Server

from clones.config.orphans import end_with

# Seconds for which requests under way may hold up the end: some are never answered on purpose.
END_PATIENCE = 3
# Seconds until workers that were told to stop are killed.
STOP_PATIENCE = 20.0
# Threads that read requests; started as they are needed. So many clients may be slow at a time, of
# which one may be an eighth (`clones.config.connection_guard`).
READERS = 256
# Connections at a time, idle ones with them: past so many granian takes none. Those that wait to be
# taken come on top.
CONNECTIONS = 8192
BACKLOG = 4096
STOPPING = (signal.SIGTERM, signal.SIGINT)

# A port, or a socket's path for the process before this one.
Place = int | Path


def main() -> int:
    """Serve until told to stop (0), or until a worker ends by itself (1)."""
    parser = argparse.ArgumentParser(description="Serve the data plane, one worker for each place.")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, action="append", default=[], dest="places")
    parser.add_argument(
        "--path", type=Path, action="append", dest="places", help="a socket's, in a port's place"
    )
    options = parser.parse_args()
    if not options.places:
        parser.error("name a --port or a --path")
    return serve(options.host, options.places)


def serve(host: str, places: Sequence[Place]) -> int:
    """Serve on each place by a process of its own: started and ended together.

    Returns 0 when told to stop, 1 when a worker ended by itself.
    """
    parent = os.getppid()
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    forks = sys.platform == "linux"  # elsewhere system libraries do not survive a fork
    if forks:
        import clones.config.granian_adapter  # noqa: F401, PLC0415 - what the workers share
    process = get_context("fork").Process if forks else get_context("spawn").Process
    told: list[int] = []
    workers: list[BaseProcess] = []

    def stop(number: int, _: FrameType | None) -> None:
        told.append(number)
        for worker in workers:
            worker.terminate()

    for number in STOPPING:
        signal.signal(number, stop)
    name = os.environ.get("SANDLOT_PROCESS", "w")
    for index, place in enumerate(places):
        if told:
            break
        worker: BaseProcess = process(
            target=_work, args=(host, place, f"{name}{index}", os.getpid())
        )
        worker.start()
        workers.append(worker)
    end_with(parent)
    if not told:
        connection.wait([worker.sentinel for worker in workers])
    for worker in workers:
        worker.terminate()
    for worker in workers:
        worker.join(STOP_PATIENCE)
        worker.kill()
    return 0 if told else 1


def connections_at_most(descriptors: int) -> int:
    """Return how many connections a worker takes, which may open so many files."""
    if descriptors == resource.RLIM_INFINITY:
        return CONNECTIONS
    return max(256, min(CONNECTIONS, descriptors // 3))


def _work(host: str, place: Place, name: str, parent: int) -> None:
    """Serve on one place: the worker is a child, which is started again when it ends."""
    for number in STOPPING:
        signal.signal(number, signal.SIG_DFL)
    from django.conf import settings  # noqa: PLC0415 - named in the environment by now

    settings.PROCESS_NAME = name
    end_with(parent, at_once=True)
    Server(
        "clones.config.granian_adapter:application",
        address=host,
        port=place if isinstance(place, int) else 0,
        uds=place if isinstance(place, Path) else None,
        interface=Interfaces.WSGI,
        workers=1,
        blocking_threads=READERS,
        websockets=False,
        # Else granian waits for ever for the first byte, by which it would tell HTTP/2. Now a
        # connection by which no request comes ends after 30 seconds.
        http=HTTPModes.http1,
        backlog=BACKLOG,
        backpressure=connections_at_most(resource.getrlimit(resource.RLIMIT_NOFILE)[0]),
        log_access=False,
        respawn_failed_workers=True,
        respawn_interval=0.1,
        workers_kill_timeout=END_PATIENCE,
        process_name=None,
    ).serve()


if __name__ == "__main__":
    raise SystemExit(main())
