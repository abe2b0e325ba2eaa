"""A whole stack of its own, whose parts can be killed.

They are PostgreSQL, Redis, the control process, web, a queue's worker and beat.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import psutil

from sandlot.cli.ports import free_port
from sandlot.client import ControlClient
from sandlot.client.control import ControlError, NoServer
from tools import services

PATIENCE = 60.0
QUEUE = ("celery", "-A", "clones.config.queue")
# As `make test-stack` runs it, but for one thing: what is committed outlives a killed server.
DURABLE = {**services.SETTINGS, "synchronous_commit": "on", "max_connections": "120"}


def until(holds: Callable[[], Any], what: str, seconds: float = PATIENCE) -> None:
    """Wait until something holds.

    Raises:
        AssertionError: it does not in time.
    """
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, f"{what}: not after {seconds:.0f} s"
        time.sleep(0.1)


class Postgres:
    """A PostgreSQL server with a data directory that outlives it."""

    def __init__(self, folder: Path, running: ExitStack) -> None:
        self.folder, self.port, self._running = folder, free_port("127.0.0.1"), running
        self._programs = services.postgres_programs()
        self.url = f"postgresql://sandlot@127.0.0.1:{self.port}"
        services._run(
            [self._programs / "initdb", "-D", folder / "data", "-U", "postgres", "-A", "trust",
             "-E", "UTF8", "--locale=C", "--no-sync"],
        )  # fmt: skip
        self.start()
        services._run([self._programs / "psql", "-q", "-h", "127.0.0.1", "-p", str(self.port),
                       "-U", "postgres", "-c", "CREATE ROLE sandlot LOGIN CREATEDB"])  # fmt: skip

    def is_ready(self) -> bool:
        """Tell whether it takes connections."""
        ready = [str(self._programs / "pg_isready"), "-q", "-h", "127.0.0.1", "-p", str(self.port)]
        return subprocess.run(ready, check=False).returncode == 0

    def start(self) -> None:
        """Start it, and wait until it takes connections."""
        options = [text for name, value in DURABLE.items() for text in ("-c", f"{name}={value}")]
        place: list[str | Path] = ["-D", self.folder / "data", "-k", self.folder]
        command = [self._programs / "postgres", *place, "-p", str(self.port), *options]
        self.process = self._running.enter_context(
            services._serving(command, self.folder / "log", self.is_ready)
        )

    def kill(self) -> None:
        """Kill it and everything it has started."""
        family = [psutil.Process(self.process.pid)]
        family += family[0].children(recursive=True)
        for process in family:
            process.kill()
        self.process.wait()
        psutil.wait_procs(family, timeout=10)


class Redis:
    """A Redis server on one port."""

    def __init__(self, folder: Path, running: ExitStack) -> None:
        self.folder, self.port, self._running = folder, free_port("127.0.0.1"), running
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self.start()

    def start(self) -> None:
        """Start it."""
        command = [services.program_named("redis-server"), "--port", str(self.port), "--save", "",
                   "--bind", "127.0.0.1", "--dir", str(self.folder)]  # fmt: skip
        connects = ["redis-cli", "-p", str(self.port), "ping"]
        self.process = self._running.enter_context(
            services._serving(
                command,
                self.folder / "log",
                lambda: subprocess.run(connects, capture_output=True, check=False).returncode == 0,
            )
        )

    def kill(self) -> None:
        """Kill it."""
        self.process.kill()
        self.process.wait()


class Stack:
    """Everything, started; `control` reaches the control plane."""

    def __init__(self, folder: Path, running: ExitStack) -> None:
        self.postgres = Postgres(running.enter_context(services._folder("outage-pg-")), running)
        self.redis = Redis(running.enter_context(services._folder("outage-redis-")), running)
        self.data = folder / "data"
        self._environment = {
            **os.environ,
            "SANDLOT_POSTGRES": self.postgres.url,
            "SANDLOT_REDIS": self.redis.url,
            "SANDLOT_DATA": str(self.data),
            "DJANGO_SETTINGS_MODULE": "clones.config.settings.stack",
        }
        self._ports = [free_port("127.0.0.1"), free_port("127.0.0.1")]
        self._running, self._folder = running, folder
        self.start_server()
        self.worker = self._process(
            *QUEUE, "worker", "--concurrency", "1", "--without-gossip", "--without-mingle"
        )
        self.start_beat()

    def start_server(self) -> None:
        """Start the control process, which starts web, and wait until it answers."""
        self.server = self._process(
            "sandlot.cli", "serve", "--engine", "postgres", "--workers", "1",
            "--data", str(self.data),
            "--port", str(self._ports[0]), "--control-port", str(self._ports[1]),
        )  # fmt: skip
        token = self.data / "control-token"
        until(token.exists, "the server's token")
        self.token = token.read_text().strip()
        address = f"http://127.0.0.1:{self._ports[1]}"
        self.control = self._running.enter_context(ControlClient(address, self.token))
        until(self._is_up, "the server")

    def start_beat(self) -> None:
        """Start beat."""
        self.beat = self._process(*QUEUE, "beat", "--schedule", str(self._folder / "beat"))

    def _is_up(self) -> bool:
        assert self.server.poll() is None, "the server stopped"
        try:
            self.control.get("/v1/sandboxes")
        except (ControlError, NoServer):
            return False
        return True

    def _process(self, module: str, *options: str) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            [sys.executable, "-m", module, *options],
            env=self._environment,
            cwd=Path(__file__).parents[2],
        )
        self._running.callback(stop, process)
        return process

    def web(self) -> psutil.Process | None:
        """Return the process that serves the data plane, None between two."""
        for child in psutil.Process(self.server.pid).children():
            with suppress(psutil.Error):  # it may be gone by now
                if "clones.config.serve" in child.cmdline():
                    return child
        return None

    def working_child(self) -> psutil.Process | None:
        """Return the process in which the queue's worker runs its jobs, None between two."""
        return next(iter(psutil.Process(self.worker.pid).children()), None)


def kill(process: subprocess.Popen[bytes]) -> None:
    """Kill a process of ours; whatever it has started ends by itself."""
    family = psutil.Process(process.pid).children(recursive=True)
    process.kill()
    process.wait()
    _, left = psutil.wait_procs(family, timeout=30)
    assert left == [], "processes outlive who started them"


def stop(process: subprocess.Popen[bytes]) -> None:
    """Stop a process of ours."""
    process.send_signal(signal.SIGTERM)
    try:
        process.wait(timeout=20)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


@contextmanager
def stack(folder: Path) -> Iterator[Stack]:
    """Run a stack of its own in the block."""
    with ExitStack() as running:
        yield Stack(folder, running)
