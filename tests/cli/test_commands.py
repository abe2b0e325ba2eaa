"""The command line: help for everything, one line for what is wrong, exit codes."""

from __future__ import annotations

import json
import os
import resource
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import click
import psutil
import pytest

from clones.core.server import server
from sandlot.cli.main import cli
from sandlot.cli.output import duration, lines
from sandlot.cli.ports import free_port
from sandlot.cli.serving import CannotServe, control_token, memory_limit, stores_each

CONTRACT = """serve
bench
demo
world list
world build
sandbox create
sandbox list
sandbox show
sandbox reset
sandbox mark
sandbox rewind
sandbox fork
sandbox diff
sandbox verify
sandbox advance
sandbox publish
sandbox unpublish
sandbox delete
snapshot create
snapshot list
snapshot show
snapshot export
snapshot import
snapshot delete
task list
task show
episode run
episode list
episode show
episode replay
episode branch
episode export"""


def run(*arguments: str, data: Path | None = None) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "SANDLOT_DATA": str(data or server().data), "COLUMNS": "100"}
    return subprocess.run(
        [sys.executable, "-m", "sandlot.cli", *arguments],
        env=environment, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip


def commands(group: click.Group, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    for name, command in sorted(group.commands.items()):
        if isinstance(command, click.Group):
            yield from commands(command, (*path, name))
        else:
            yield (*path, name)


@pytest.mark.parametrize("path", list(commands(cli)), ids=" ".join)
def test_every_command_and_option_says_what_it_does(path: tuple[str, ...]) -> None:
    command: click.Command = cli
    for name in path:
        assert isinstance(command, click.Group)
        command = command.commands[name]
    assert command.help
    obvious = {"size", "world", "seed", "engine", "runtime", "space", "as_json", "form"}
    for parameter in command.params:
        if isinstance(parameter, click.Option) and parameter.name not in obvious:
            assert parameter.help, (path, parameter.name)


def test_the_nouns_of_the_contract_are_there() -> None:
    found = {" ".join(path) for path in commands(cli)}
    assert found >= set(CONTRACT.split("\n"))


def test_no_server_is_one_line_and_exit_3() -> None:
    done = run("sandbox", "list", "--url", "http://127.0.0.1:9")
    assert done.returncode == 3
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert "sandlot serve" in done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ("sandbox", "advance", "sb-x", "soon"),
        ("sandbox", "frobnicate"),
        ("serve", "--workers", "0"),
        ("serve", "--engine", "postgres"),
        ("serve", "--runtime", "docker", "--host", "127.0.0.2"),
        ("serve", "--memory", "2g"),
        ("serve", "--webhook-hosts", "hooks.example.com"),
        ("serve", "--webhook-hosts", "https://hooks.example.com/"),
        ("world", "build", "atlantis"),
        ("world", "build", "kestrel", "--size", "enormous"),
        ("episode", "run", "H05", "--space", "computer"),
    ],
)
def test_a_wrong_argument_is_one_line_and_exit_2(
    arguments: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SANDLOT_POSTGRES", raising=False)
    done = run(*arguments)
    assert done.returncode == 2, done.stderr
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("sandlot: ")


@pytest.mark.parametrize(
    ("missing", "flags", "variables", "words"),
    [
        ("trustme", ("--tls",), {}, "--tls needs the extra `tls`"),
        (
            "opentelemetry",
            (),
            {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:9"},
            "OTEL_ variables need the extra `stack`",
        ),
    ],
)
def test_an_extra_that_is_not_installed_is_one_line_and_exit_2(
    tmp_path: Path, missing: str, flags: tuple[str, ...], variables: dict[str, str], words: str
) -> None:
    (tmp_path / f"{missing}.py").write_text("raise ImportError('not installed')\n")
    path = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    ports = ("--port", str(free_port("127.0.0.1")), "--control-port", str(free_port("127.0.0.1")))
    done = subprocess.run(
        [sys.executable, "-m", "sandlot.cli", "serve", *ports, *flags],
        env={**os.environ, "PYTHONPATH": path, "SANDLOT_DATA": str(tmp_path), **variables},
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 2, done.stderr
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith(f"sandlot: {words}")


def test_a_data_directory_of_another_build_is_one_line_and_exit_1(tmp_path: Path) -> None:
    path = tmp_path / "registry.sqlite"
    with closing(sqlite3.connect(path)) as raw:
        raw.execute("CREATE TABLE sandbox (id TEXT PRIMARY KEY, generation INTEGER) STRICT")
    ports = ("--port", str(free_port("127.0.0.1")), "--control-port", str(free_port("127.0.0.1")))
    for command in (("serve", "--workers", "1", *ports), ("world", "build", "kestrel")):
        done = run(*command, data=tmp_path)
        assert done.returncode == 1, done.stderr
        assert done.stdout == ""
        assert done.stderr.count("\n") == 1
        assert done.stderr.startswith(f"sandlot: {path} was made by another build")
    with closing(sqlite3.connect(path)) as raw:
        assert raw.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall() == [
            ("sandbox",)
        ]


def test_worlds_need_no_server() -> None:
    done = run("world", "list", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["worlds"][0]["name"] == "kestrel"


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("90", 90), ("30s", 30), ("15m", 900), ("2h", 7200), ("3d", 259200), ("1h30m", 5400)],
)
def test_durations(text: str, seconds: float) -> None:
    assert duration(text) == seconds


def test_data_is_shown_as_lines() -> None:
    shown = lines({"id": "sb-1", "marks": [], "apps": {"a": [{"x": 1, "ok": True}]}, "none": None})
    assert shown == ["id: sb-1", "marks: (none)", "apps:", "  a:", "    - x: 1", "      ok: yes",
                     "none: -"]  # fmt: skip


@pytest.mark.parametrize(
    ("descriptors", "stores"),
    [(resource.RLIM_INFINITY, 1000), (10**6, 1000), (1024, 174), (256, 20)],
)
def test_workers_keep_as_many_stores_open_as_they_may_open_files(
    descriptors: int, stores: int
) -> None:
    assert stores_each(descriptors) == stores


def test_a_container_has_the_memory_that_it_is_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    limit = tmp_path / "memory.max"
    monkeypatch.setattr("sandlot.cli.serving.MEMORY_LIMIT", limit)
    whole = memory_limit()
    assert whole == psutil.virtual_memory().total
    for told, memory in (("max\n", whole), ("123456789\n", 123456789), (f"{whole * 2}\n", whole)):
        limit.write_text(told)
        assert memory_limit() == memory


@pytest.mark.parametrize("name", ["server-key", "control-token"])
def test_a_server_with_an_empty_secret_does_not_start(tmp_path: Path, name: str) -> None:
    """A first start on a full disk once left such files, by which anybody could sign."""
    (tmp_path / name).touch()
    ports = ("--port", str(free_port("127.0.0.1")), "--control-port", str(free_port("127.0.0.1")))
    done = run("serve", *ports, data=tmp_path)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert f"{tmp_path / name} holds no secret of" in done.stderr
    assert (tmp_path / name).read_bytes() == b""


@pytest.mark.parametrize(
    ("held", "told"),
    [
        (b"", "holds no secret of 16 bytes: write one into it"),
        (b"short\n", "holds no secret of 16 bytes: write one into it"),
        (b"\n" * 40, "holds no secret of 16 bytes: write one into it"),
        (b"short" + b" " * 40, "holds no secret of 16 bytes without blanks around it"),
        ("\u00e9".encode() * 20, "holds no token: it is to be of ASCII alone"),
        (None, "cannot be read: No such file or directory"),
    ],
)
def test_a_token_of_another_place_is_one_or_no_server_starts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, held: bytes | None, told: str
) -> None:
    token = tmp_path / "token"
    if held is not None:
        token.write_bytes(held)
    monkeypatch.setenv("SANDLOT_TOKEN_FILE", str(token))
    with pytest.raises(CannotServe, match=told):
        control_token(tmp_path)
    assert not (tmp_path / "control-token").exists()


def test_a_token_of_another_place_is_used_as_it_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = tmp_path / "token"
    token.write_text(" a token of the operator's \n")
    monkeypatch.setenv("SANDLOT_TOKEN_FILE", str(token))
    assert control_token(tmp_path) == "a token of the operator's"


def test_an_empty_token_is_none(tmp_path: Path) -> None:
    """Without one nothing is sent in its place, and what is wrong is told in one line."""
    (tmp_path / "control-token").touch()
    address = f"http://127.0.0.1:{free_port('127.0.0.1')}"
    done = run("sandbox", "list", "--url", address, data=tmp_path)
    assert done.returncode == 3
    told = f"sandlot: no server at {address}: start one with `sandlot serve`"
    assert done.stderr.splitlines() == [told]
