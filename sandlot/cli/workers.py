"""The data plane's processes as children: workers, and the front before them."""

from __future__ import annotations

import errno
import logging
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

logger = logging.getLogger(__name__)

RESTART_PAUSE = 0.5
ANYWHERE = "0.0.0.0"  # noqa: S104 - compared with, not listened on


class WorkerFailed(Exception):
    """Raised when a process of the data plane stops before it answers."""


def worker_ports(port: int, control_port: int, count: int) -> tuple[int, ...]:
    """Return one port per worker: the bare host's port first, then those after the control port."""
    return (port, *(control_port + number for number in range(1, count)))


def reachable(host: str) -> str:
    """Return where to reach, from this machine, what listens on `host`."""
    return "127.0.0.1" if host == ANYWHERE else host


def check_free(host: str, ports: tuple[int, ...], *, patience: float = 0.0) -> None:
    """Fail early when a port cannot be had.

    A server that was killed leaves its ports to workers that end a moment later: those are waited
    for, `patience` seconds at most.

    Raises:
        WorkerFailed: something listens there, or there may nobody of ours.
    """
    deadline = time.monotonic() + patience
    for port in ports:
        while (problem := _problem(host, port)) is not None:
            if problem.errno != errno.EADDRINUSE or time.monotonic() > deadline:
                raise WorkerFailed(_bind_failure(host, port, problem)) from problem
            time.sleep(0.1)


def _problem(host: str, port: int) -> OSError | None:
    """Return what hinders a port from being opened, None if nothing does."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            return error
    return None


def _bind_failure(host: str, port: int, problem: OSError) -> str:
    if problem.errno == errno.EACCES:
        return f"port {port} may not be opened: choose one above 1023"
    if problem.errno == errno.EADDRNOTAVAIL:
        return f"{host} is no address of this machine: use 127.0.0.1 or 0.0.0.0"
    if problem.errno == errno.EADDRINUSE:
        return f"port {port} is taken: choose others with --port and --control-port"
    return f"port {port} of {host} cannot be opened: {problem.strerror}"


class Workers:
    """The workers of one server and their front: started together, stopped together.

    What ends by itself, once all have been there, is started again: a worker by the one process
    that they are forked from, and that process with all of them.
    With `tls` workers listen on paths that only the front knows, and the front on the ports.
    """

    def __init__(
        self,
        data: Path,
        host: str,
        ports: tuple[int, ...],
        *,
        open_stores: int,
        store_memory: int,
        domain: str,
        tls: bool = False,
    ) -> None:
        self.host = host
        self.ports = ports
        self._data = data
        self._sockets = Path(tempfile.mkdtemp(prefix="sandlot-")) if tls else None
        self._environment = {
            **os.environ,
            "SANDLOT_DATA": str(data),
            "SANDLOT_DOMAIN": domain,
            "SANDLOT_OPEN_STORES": str(open_stores),
            "SANDLOT_STORE_MEMORY": str(store_memory),
            "SANDLOT_SCHEME": "https" if tls else "http",
        }
        self._environment.setdefault("DJANGO_SETTINGS_MODULE", "clones.config.settings.embedded")
        self._environment.pop("SANDLOT_WORLDS", None)  # what is true in a world is not for them
        self._processes: dict[str, subprocess.Popen[bytes]] = {}
        self._commands: dict[str, tuple[str, list[str]]] = {}
        self._starting = threading.Lock()
        places: list[str] = []
        for index, port in enumerate(ports):
            path = self._path(index)
            places += ["--port", str(port)] if path is None else ["--path", str(path)]
        self._commands["workers"] = ("w", ["clones.config.serve", "--host", host, *places])
        options = ["--data", str(data), "--host", host, "--domain", domain]
        for index, port in enumerate(ports):
            path = self._path(index)
            behind = f"{reachable(host)}:{port}" if path is None else f"unix:{path}"
            options += ["--worker", f"{port}={behind}"]
        front = ["clones.config.front", *options, *(["--tls"] if tls else [])]
        self._commands["front"] = ("front", front)
        self._ready = False
        self._stopping = threading.Event()
        for name in self._commands:
            self._start(name)
            threading.Thread(target=self._watch, args=[name], name=name, daemon=True).start()

    def _path(self, index: int) -> Path | None:
        return None if self._sockets is None else self._sockets / f"w{index}"

    def _start(self, name: str) -> None:
        """Start a process of the data plane, which writes to a log of its own."""
        process, command = self._commands[name]
        with (self._data / "logs" / f"{name}.log").open("ab") as log:
            self._processes[name] = subprocess.Popen(  # noqa: S603 - our own program
                [sys.executable, "-m", *command],
                env={**self._environment, "SANDLOT_PROCESS": process},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def _watch(self, name: str) -> None:
        """Start a process again when it ends by itself, once all have been there."""
        while True:
            self._processes[name].wait()
            if self._stopping.wait(RESTART_PAUSE) or not self._ready:
                return
            logger.warning("%s ended, and is started again: see logs/%s.log", name, name)
            with self._starting:
                if not self._stopping.is_set():
                    self._start(name)

    def front_pid(self) -> int:
        """Return the process id of the front."""
        return self._processes["front"].pid

    def pids(self) -> list[int]:
        """Return the process ids of the workers."""
        import psutil  # noqa: PLC0415 - who looks at them only

        return [child.pid for child in psutil.Process(self._processes["workers"].pid).children()]

    def wait_ready(self, patience: float = 90.0) -> None:
        """Wait until every port of the data plane accepts connections.

        Raises:
            WorkerFailed: a process stopped, or took too long.
        """
        deadline = time.monotonic() + patience
        for port in self.ports:
            while not _accepts(reachable(self.host), port):
                for name, process in self._processes.items():
                    if process.poll() is not None:
                        raise WorkerFailed(f"{name} stopped: see logs/{name}.log")
                if time.monotonic() > deadline:
                    raise WorkerFailed(f"port {port} does not answer after {patience:.0f} s")
                time.sleep(0.02)
        self._ready = True

    def stop(self) -> None:
        """Stop every process, by id."""
        with self._starting:
            self._stopping.set()
        for process in self._processes.values():
            if process.poll() is None:
                process.terminate()
        for process in self._processes.values():
            try:
                process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        if self._sockets is not None:
            shutil.rmtree(self._sockets, ignore_errors=True)


def _accepts(host: str, port: int) -> bool:
    with socket.socket() as probe:
        probe.settimeout(0.5)
        return probe.connect_ex((host, port)) == 0
