"""What commands say while they work, and what a server answers before it is up: nothing."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar

import click
import pytest
from click.testing import CliRunner, Result

from sandlot.cli import connection, progress, serving
from sandlot.cli.main import cli
from sandlot.cli.ports import free_port
from sandlot.cli.serving import RunningServer, ServeOptions
from sandlot.client import ControlClient
from tests.cli.test_commands import commands

SLOW = 0.4


class SlowControlPlane(BaseHTTPRequestHandler):
    """Answers whatever it is asked with an object, and takes its time."""

    asked: ClassVar[list[str]] = []

    def do_POST(self) -> None:
        """Answer late."""
        time.sleep(SLOW)
        self.asked.append(self.path)
        found = json.dumps({"id": "sb-made"}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(found)))
        self.end_headers()
        self.wfile.write(found)

    do_GET = do_DELETE = do_PUT = do_POST  # noqa: N815 - the library's names

    def log_message(self, format: str, *arguments: Any) -> None:
        """Say nothing."""


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The address of a control plane that takes its time; commands soon say that they wait."""
    monkeypatch.setattr(progress, "PATIENCE", SLOW / 4)
    SlowControlPlane.asked.clear()
    with ThreadingHTTPServer(("127.0.0.1", 0), SlowControlPlane) as found:
        threading.Thread(target=found.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{found.server_port}"
        found.shutdown()


def run(*arguments: str) -> Result:
    """Run a command line in this process."""
    return CliRunner().invoke(cli, arguments)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("sandbox", "create"), "making the sandbox: "),
        (("snapshot", "migrate", "a", "b"), "migrating a: "),
        (("snapshot", "export", "a", "a.sandlot"), "exporting a: "),
    ],
)
def test_what_takes_a_while_is_said_to(
    slow: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], told: str
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run(*words, "--url", slow, "--data", str(tmp_path))
    assert told in done.stderr
    assert len(SlowControlPlane.asked) == 1


def test_a_command_waits_for_as_long_as_a_world_takes(
    slow: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The usual time-out would end it: a command line gives none."""
    given: list[float | None] = []

    def client(url: str, token: str, *, timeout: float | None = SLOW / 8) -> ControlClient:
        given.append(timeout)
        return ControlClient(url, token, timeout=timeout)

    monkeypatch.setattr(connection, "ControlClient", client)
    done = run("sandbox", "create", "--url", slow, "--data", str(tmp_path))
    assert done.exit_code == 0, done.output
    assert given == [None]


def test_a_snapshot_goes_into_a_folder_that_is_there(slow: str, tmp_path: Path) -> None:
    """Nothing is asked for before that is known."""
    file = tmp_path / "missing" / "a.sandlot"
    done = run("snapshot", "export", "a", str(file), "--url", slow, "--data", str(tmp_path))
    assert done.exit_code == 2
    assert f"there is no folder {file.parent}: make it first" in done.stderr
    assert SlowControlPlane.asked == []


@pytest.mark.parametrize("name", ["world.kestrel.tiny.1", "mine"])
def test_whoever_deletes_a_built_world_is_told(slow: str, tmp_path: Path, name: str) -> None:
    done = run("snapshot", "delete", name, "--url", slow, "--data", str(tmp_path))
    assert done.exit_code == 0, done.output
    assert ("this was a built world" in done.stderr) is name.startswith("world.")


def test_every_flag_is_in_the_help() -> None:
    """What is built is told of, and nothing is hidden."""
    shown = run("serve", "--help")
    assert "--engine" in shown.output
    assert "--gateway-port" in shown.output
    hidden = {
        option.name
        for path in commands(cli)
        for option in _command(path).params
        if isinstance(option, click.Option) and option.hidden
    }
    assert hidden == set()


def _command(path: tuple[str, ...]) -> click.Command:
    found: click.Command = cli
    for name in path:
        assert isinstance(found, click.Group)
        found = found.commands[name]
    return found


class NotYet(Exception):
    """Raised to end a start once it has been looked at."""


class LateWorkers:
    """Workers that are not up: whoever asks then whether the server is, gets no answer."""

    port: ClassVar[int]
    answered: ClassVar[bytes | None] = None

    def __init__(self, *_: Any, **__: Any) -> None:
        self.stopped = False

    def wait_ready(self) -> None:
        """Ask as a health check would."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=5) as line:
            line.sendall(b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
            line.settimeout(1)
            try:
                LateWorkers.answered = line.recv(100)
            except TimeoutError:
                LateWorkers.answered = None
        raise NotYet

    def stop(self) -> None:
        """Nothing to stop."""


def test_no_health_before_the_data_plane_is_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    port, LateWorkers.port = free_port("127.0.0.1"), free_port("127.0.0.1")
    monkeypatch.setattr(serving, "Workers", LateWorkers)
    closed: list[bool] = []
    host = SimpleNamespace(close=lambda: closed.append(True))
    monkeypatch.setattr(serving, "_host", lambda *_: host)
    monkeypatch.setattr("episodes.control.app.make_app", lambda _: healthy)
    options = ServeOptions(
        data=tmp_path, port=port, control_port=LateWorkers.port, workers=1, engine="sqlite"
    )
    with pytest.raises(NotYet):
        RunningServer(options)
    assert LateWorkers.answered is None
    assert closed == [True]


async def healthy(scope: Any, receive: Any, send: Any) -> None:
    """Answer that all is well."""
    del scope, receive
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"ok"})
