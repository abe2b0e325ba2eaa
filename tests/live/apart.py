"""A server of its own: the command line in another process, over a data directory of its own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx

from episodes.worlds import WorldKey, world_image
from sandlot.cli.ports import free_port
from sandlot.client import ControlClient
from snapshots.library import Library

PATIENCE = 180.0


@dataclass(frozen=True, slots=True)
class Apart:
    """A running `sandlot serve`: its control plane, its folder, its ports and what it said."""

    control: ControlClient
    data: Path
    port: int
    control_port: int
    log: Path
    pid: int

    def said(self) -> str:
        """Return what the server has written to stderr."""
        return self.log.read_text()

    def token(self) -> str:
        """Return the control plane's token."""
        return (self.data / "control-token").read_text().strip()


def with_world(data: Path) -> None:
    """Put the tiny world into a data directory, where stores are files: no server has to own it."""
    if os.environ.get("SANDLOT_ENGINE") == "postgres":
        return  # taken from the shared worlds when first asked for
    world_image(Library(data), WorldKey("kestrel", "tiny", 1))


@contextmanager
def serve_apart(
    data: Path, *flags: str, control: str = "127.0.0.1", **environment: str
) -> Iterator[Apart]:
    """Serve from a data directory for the length of a block.

    `control` is where the control plane is to be found, and `environment` is added to ours.
    """
    port, control_port = free_port("127.0.0.1"), free_port("127.0.0.1")
    command = [sys.executable, "-m", "sandlot.cli", "serve", "--data", str(data)]
    command += ["--port", str(port), "--control-port", str(control_port), *flags]
    log = data / "said.log"
    # What the test run says of itself is not for the server.
    own = {name: value for name, value in os.environ.items() if name != "DJANGO_SETTINGS_MODULE"}
    with log.open("w") as file:
        process = subprocess.Popen(command, env={**own, **environment}, stdout=file, stderr=file)
    try:
        _wait(process, f"http://{control}:{control_port}/healthz", log)
        token = (data / "control-token").read_text().strip()
        with ControlClient(f"http://{control}:{control_port}", token) as client:
            yield Apart(client, data, port, control_port, log, process.pid)
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=30)


def _wait(process: subprocess.Popen[bytes], url: str, log: Path) -> None:
    """Wait until the server says that it is ready."""
    deadline = time.monotonic() + PATIENCE
    while "ready in" not in log.read_text():
        assert process.poll() is None, log.read_text()
        assert time.monotonic() < deadline, log.read_text()
        time.sleep(0.05)
    httpx.get(url, trust_env=False).raise_for_status()
