"""A pytest plugin: servers over the test run's data directory that many tests share.

One is the data plane alone, in a process of its own; the other a whole server, whose control plane
is in this one.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from clones.core.server import server
from sandlot.cli.ports import free_port
from sandlot.cli.serving import RunningServer, ServeOptions
from tests.resting import CARETAKERS

ROOT = Path(__file__).resolve().parents[1]
HOST = "127.0.0.1"
PATIENCE = 180.0


class NotServing(Exception):
    """Raised when the server ends, or answers nothing in time; its log is in the message."""


@pytest.fixture(scope="session")
def running() -> Iterator[RunningServer]:
    """A whole server with two workers, and gateways."""
    ports = [free_port(HOST), free_port(HOST), free_port(HOST)]
    options = ServeOptions(
        data=server().data, port=ports[0], control_port=ports[1], workers=2, gateway_port=ports[2]
    )
    with RunningServer(options) as found:
        CARETAKERS.append(found.host.caretaker)
        yield found
        CARETAKERS.remove(found.host.caretaker)


@pytest.fixture(scope="session")
def data_plane() -> Iterator[str]:
    """The data plane's base address: one server for all tests that need nothing else of it."""
    with serving() as address:
        yield address


@pytest.fixture(scope="session")
def port(data_plane: str) -> str:
    """The port that the data plane is served on."""
    return data_plane.rpartition(":")[2]


@contextmanager
def serving() -> Iterator[str]:
    """Serve the data plane for the length of the block and return its base address.

    On that address the credential names the sandbox; a sandbox's own addresses are
    `http://<clone>.<sandbox>.localhost:<the same port>/`.

    Raises:
        NotServing: it did not start.
    """
    port = free_port(HOST)
    with tempfile.TemporaryFile(mode="w+") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "clones.config.serve", "--host", HOST, "--port", str(port)],
            cwd=ROOT,
            env={
                **os.environ,
                "SANDLOT_DATA": str(server().data),
                "SANDLOT_PROCESS": f"served{port}",
                "DJANGO_SETTINGS_MODULE": "clones.config.settings.test",
            },
            stdout=log,
            stderr=subprocess.STDOUT,
        )
        try:
            if not _answers(process, port):
                log.seek(0)
                raise NotServing(log.read()[-4000:])
            yield f"http://{HOST}:{port}"
        finally:
            _stop(process)


def _answers(process: subprocess.Popen[bytes], port: int) -> bool:
    """Wait until the server takes connections; tell whether it does."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline and process.poll() is None:
        with socket.socket() as probe:
            probe.settimeout(1)
            if probe.connect_ex((HOST, port)) == 0:
                return True
        time.sleep(0.05)
    return False


def _stop(process: subprocess.Popen[bytes]) -> None:
    """End the server, which ends its worker; kill it when it does not listen."""
    if process.poll() is not None:
        return
    process.send_signal(signal.SIGTERM)
    try:
        process.wait(timeout=15)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
