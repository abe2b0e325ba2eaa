"""Data-plane workers as child processes."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from pathlib import Path


class WorkerFailed(Exception):
    """Raised when a worker stops before it answers."""


def worker_ports(port: int, control_port: int, count: int) -> tuple[int, ...]:
    """Return one port per worker: the bare host's port first, then those after the control port."""
    return (port, *(control_port + number for number in range(1, count)))


def free_port(host: str) -> int:
    """Return a port that nothing listens on just now."""
    with socket.socket() as probe:
        probe.bind((host, 0))
        return int(probe.getsockname()[1])


def check_free(host: str, ports: tuple[int, ...]) -> None:
    """Fail early when a port is taken.

    Raises:
        WorkerFailed: something listens there.
    """
    for port in ports:
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((host, port))
            except OSError as error:
                raise WorkerFailed(
                    f"port {port} is taken: choose others with --port and --control-port"
                ) from error


class Workers:
    """The workers of one server: started together, stopped together."""

    def __init__(
        self, data: Path, host: str, ports: tuple[int, ...], *, open_stores: int, domain: str
    ) -> None:
        self.host = host
        self.ports = ports
        self._processes: list[subprocess.Popen[bytes]] = []
        for index, port in enumerate(ports):
            environment = {
                **os.environ,
                "SANDLOT_DATA": str(data),
                "SANDLOT_DOMAIN": domain,
                "SANDLOT_PROCESS": f"w{index}",
                "SANDLOT_OPEN_STORES": str(open_stores),
            }
            environment.setdefault("DJANGO_SETTINGS_MODULE", "clones.config.settings.embedded")
            log = (data / "logs" / f"worker-{index}.log").open("ab")
            self._processes.append(
                subprocess.Popen(  # noqa: S603 - our own program
                    [
                        sys.executable,
                        "-m",
                        "clones.config.serve",
                        "--host",
                        host,
                        "--port",
                        str(port),
                    ],
                    env=environment,
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                    start_new_session=True,
                )
            )
            log.close()

    def pids(self) -> list[int]:
        """Return the process ids of the workers."""
        return [process.pid for process in self._processes]

    def wait_ready(self, patience: float = 30.0) -> None:
        """Wait until every worker accepts connections.

        Raises:
            WorkerFailed: one stopped, or took too long.
        """
        deadline = time.monotonic() + patience
        for index, port in enumerate(self.ports):
            while not _accepts(self.host, port):
                if self._processes[index].poll() is not None:
                    raise WorkerFailed(f"worker {index} stopped: see logs/worker-{index}.log")
                if time.monotonic() > deadline:
                    raise WorkerFailed(f"worker {index} does not answer after {patience:.0f} s")
                time.sleep(0.02)

    def stop(self) -> None:
        """Stop every worker, by id."""
        for process in self._processes:
            if process.poll() is None:
                process.terminate()
        for process in self._processes:
            try:
                process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _accepts(host: str, port: int) -> bool:
    with socket.socket() as probe:
        probe.settimeout(0.5)
        return probe.connect_ex((host, port)) == 0
