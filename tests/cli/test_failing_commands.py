"""Every command in trouble: one line that says what is wrong, and no traceback."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import click
import psutil
import pytest

from clones.core.server import server
from sandlot.cli.main import cli
from sandlot.cli.output import lines
from sandlot.cli.ports import free_port
from tests.cli.test_commands import commands

# They run or stop something else than a call to a server, or take none of its flags.
OTHERS = {("serve",), ("control",), ("demo",), ("bench",), ("task", "certify"), ("task", "check")}
ARGUMENTS = {
    "DURATION": "3h",
    "FILE": "missing.sandlot",
    "ID": "sb-none",
    "[ID]": "ep-none",
    "NAME": "none",
    "NEW": "new",
    "SANDBOX": "sb-none",
    "TASK": "H05",
}


def calls() -> Iterator[tuple[str, ...]]:
    """Yield each command that talks to a server, with arguments that it takes."""
    for path in commands(cli):
        command: click.Command = cli
        for name in path:
            assert isinstance(command, click.Group)
            command = command.commands[name]
        options = {one.name for one in command.params}
        if path in OTHERS or "url" not in options:
            continue
        given = [
            ARGUMENTS.get(one.metavar or (one.name or "").upper(), "none")
            for one in command.params
            if isinstance(one, click.Argument)
        ]
        needed = ["--step", "0"] if "step" in options else []
        yield (*path, *given, *needed)


def run(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run a command line apart."""
    environment = {**os.environ, "SANDLOT_DATA": str(server().data), **variables}
    return subprocess.run(
        [sys.executable, "-m", "sandlot.cli", *arguments],
        env=environment, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip


SANDLOT = (sys.executable, "-m", "sandlot.cli")


def one_line(done: subprocess.CompletedProcess[str], words: str) -> None:
    assert "Traceback" not in done.stderr, done.stderr
    assert done.stderr.count("\n") == 1, done.stderr
    assert words in done.stderr
    assert done.returncode != 0


def test_the_sweep_is_of_many() -> None:
    assert len(list(calls())) > 25


@pytest.fixture(scope="module")
def silent() -> Iterator[int]:
    """A port at which somebody takes connections and says what no server does."""
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def answer() -> None:
            while True:
                try:
                    found, _ = listening.accept()
                except OSError:
                    return
                found.sendall(b"SSH-2.0-none\r\n")
                found.close()

        threading.Thread(target=answer, daemon=True).start()
        yield int(listening.getsockname()[1])


# One of all in each way at a merge is enough of what they share: the same three lines serve all.
IN_SHORT = list(calls())[::6]


@pytest.mark.parametrize("call", IN_SHORT, ids=" ".join)
def test_a_url_that_is_none_is_one_line(call: tuple[str, ...]) -> None:
    done = run(*call, "--url", "nonsense")
    if "snapshot import" in " ".join(call):
        assert "Traceback" not in done.stderr
        return
    one_line(done, "no address of a server")
    assert done.returncode == 2


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("http://127.0.0.1:99999", "no address of a server"),
        ("http://[::bad", "no address of a server"),
        ("ftp://127.0.0.1", "no address of a server"),
        ("http://nobody.invalid:8801", "no server at"),
    ],
)
def test_other_urls_are_one_line(url: str, words: str) -> None:
    one_line(run("sandbox", "list", "--url", url), words)


def test_what_is_no_server_is_one_line(silent: int) -> None:
    one_line(run("sandbox", "list", "--url", f"http://127.0.0.1:{silent}"), "broke off")


def test_a_token_that_cannot_be_read_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "control-token").write_bytes(b"\xff\xfe\x00")
    one_line(run("sandbox", "list", "--data", str(tmp_path)), "control-token")
    (tmp_path / "control-token").unlink()
    (tmp_path / "control-token").mkdir()
    one_line(run("sandbox", "list", "--data", str(tmp_path)), "control-token")


def test_a_folder_that_cannot_be_made_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for folder in (tmp_path / "file", tmp_path / "file" / "below", Path("/proc/none")):
        done = run("serve", "--data", str(folder), *ports())
        one_line(done, "data folder")
        assert done.returncode == 2


def ports() -> list[str]:
    host = "127.0.0.1"
    return ["--port", str(free_port(host)), "--control-port", str(free_port(host))]


def test_an_address_of_another_machine_is_said_so(tmp_path: Path) -> None:
    done = run("serve", "--data", str(tmp_path), "--host", "192.0.2.7", *ports())
    one_line(done, "192.0.2.7 is no address of this machine")


@pytest.mark.parametrize("text", ["1.2.3s", "9999999d", "1e9d", "-3h", "99999999999999999999w"])
def test_a_duration_that_is_none_is_one_line(text: str) -> None:
    done = run("sandbox", "advance", "sb-x", "--", text)
    one_line(done, "")
    assert done.returncode == 2


def test_a_snapshot_has_its_own_size_and_seed() -> None:
    for flag in (("--size", "small"), ("--seed", "7"), ("--world", "kestrel")):
        done = run("sandbox", "create", "--snapshot", "kept", *flag)
        one_line(done, "leave them out")
        assert done.returncode == 2


def test_values_of_several_lines_stay_on_theirs() -> None:
    found = lines({"changes": [{"body": "one\ntwo", "row": None}]})
    assert found == ["changes:", '  - body: "one\\ntwo"', "    row: -"]


def test_a_folder_is_its_owners_and_is_served_once(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    first = subprocess.Popen(
        [*SANDLOT, "serve", "--data", str(tmp_path), "--workers", "1", *ports()],
        env={**os.environ},
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        assert first.stderr is not None
        told = [first.stderr.readline() for _ in range(2)]
        assert "data plane" in told[0], told
        assert tmp_path.stat().st_mode & 0o777 == 0o700
        for path in tmp_path.rglob("*"):
            assert not path.stat().st_mode & 0o077, path
        done = run("serve", "--data", str(tmp_path), *ports())
        one_line(done, f"process {first.pid} serves {tmp_path} already")
        assert done.returncode == 2
    finally:
        first.send_signal(signal.SIGTERM)
        first.wait(60)
        assert first.stderr is not None
        first.stderr.close()


def test_a_killed_server_leaves_nobody_and_is_started_again_at_once(tmp_path: Path) -> None:
    flags = ["serve", "--data", str(tmp_path), "--workers", "2", *ports()]

    def start() -> subprocess.Popen[str]:
        found = subprocess.Popen(
            [sys.executable, "-m", "sandlot.cli", *flags],
            env={**os.environ},
            stderr=subprocess.PIPE,
            text=True,
        )
        assert found.stderr is not None
        line = found.stderr.readline()
        assert "data plane" in line, line
        return found

    first = start()
    children = psutil.Process(first.pid).children(recursive=True)
    assert len(children) >= 4
    first.kill()
    first.wait(60)
    second = start()
    try:
        deadline = time.monotonic() + 30
        while any(child.is_running() for child in children) and time.monotonic() < deadline:
            time.sleep(0.2)
        assert [child for child in children if child.is_running()] == []
    finally:
        second.send_signal(signal.SIGTERM)
        second.wait(60)
        for server_process in (first, second):
            assert server_process.stderr is not None
            server_process.stderr.close()
