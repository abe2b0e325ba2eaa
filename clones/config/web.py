"""The data-plane workers of one container: one process per port, started and ended together.

Run `python -m clones.config.web --host 0.0.0.0 --ports 8800-8803`.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import threading
from types import FrameType

PATIENCE = 20.0


def ports_of(text: str) -> list[int]:
    """Return the ports that `8800` or `8800-8803` names.

    Raises:
        ValueError: it is neither.
    """
    first, dash, last = text.partition("-")
    found = list(range(int(first), int(last if dash else first) + 1))
    if not found or not all(0 < port < 65536 for port in found):
        raise ValueError(f"{text!r} names no ports: use 8800 or 8800-8803")
    return found


def main() -> int:
    """Serve until told to stop (0), or until a worker ends by itself (1)."""
    parser = argparse.ArgumentParser(description="Serve the data plane, one process per port.")
    parser.add_argument("--host", required=True)
    parser.add_argument("--ports", required=True, type=ports_of)
    options = parser.parse_args()
    told = threading.Event()
    ended = threading.Event()

    def stop(number: int, _: FrameType | None) -> None:
        told.set()
        ended.set()

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    name = os.environ.get("SANDLOT_PROCESS", "w")
    workers = [
        _worker(options.host, port, f"{name}{index}") for index, port in enumerate(options.ports)
    ]
    for worker in workers:
        threading.Thread(target=_watch, args=(worker, ended), daemon=True).start()
    ended.wait()
    for worker in workers:
        worker.terminate()
    for worker in workers:
        try:
            worker.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            worker.kill()
    return 0 if told.is_set() else 1


def _worker(host: str, port: int, name: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(  # noqa: S603 - our own program
        [sys.executable, "-m", "clones.config.serve", "--host", host, "--port", str(port)],
        env={**os.environ, "SANDLOT_PROCESS": name},
        stdin=subprocess.DEVNULL,
    )


def _watch(worker: subprocess.Popen[bytes], ended: threading.Event) -> None:
    """Note the end of a worker: a container that serves by half is better started anew."""
    worker.wait()
    ended.set()


if __name__ == "__main__":
    raise SystemExit(main())
