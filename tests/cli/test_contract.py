"""Every command and flag that the design promises works, or is refused in one line and exit 2."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from clones.core.server import server
from clones.core.vendors import clones
from sandlot.cli.ports import free_port
from tests.live.apart import Apart, serve_apart, with_world

# As the design words them: alternatives with `|`, what may be left out in brackets.
CONTRACT = """
serve [--host 127.0.0.1] [--port 8800] [--control-port 8801] [--workers N] [--data DIR]
serve [--domain localhost] [--tls] [--engine sqlite|postgres]
serve [--runtime process|docker] [--gateway-port]
world list
world build NAME [--size tiny|small|standard|large] [--seed N]
sandbox create [--world NAME] [--size S] [--seed N]
sandbox list
sandbox show ID
sandbox reset ID
sandbox mark ID NAME
sandbox rewind ID NAME
sandbox fork ID
sandbox diff ID
sandbox verify ID
sandbox advance ID DURATION
sandbox publish ID
sandbox delete ID
snapshot create SANDBOX NAME
snapshot list
snapshot show NAME
snapshot export NAME FILE
snapshot import FILE
snapshot delete NAME
task list
task show ID
task certify [ID...]
episode run TASK [--agent oracle|noop|random|PATH:CALLABLE]
episode run TASK [--space api|browser|computer|hybrid] [--seed N]
episode list
episode show ID
episode replay ID
episode branch ID --step K
episode export [--format jsonl|parquet]
bench
"""

AGENT = """
def play(space):
    space.act("finish")
"""


class Console:
    """The command line of a server, and which words of it were used."""

    def __init__(self, server: Apart, folder: Path) -> None:
        self.server = server
        self.folder = folder
        self.used: list[tuple[str, ...]] = []

    def run(
        self, *words: str, code: int = 0, remote: bool = True
    ) -> subprocess.CompletedProcess[str]:
        """Run a command; what it says when it is refused is one line."""
        self.used.append(words)
        place = (
            ["--url", self.server.control.url, "--data", str(self.server.data)] if remote else []
        )
        done = subprocess.run(
            [sys.executable, "-m", "sandlot.cli", *words, *place],
            env={**os.environ, "SANDLOT_DATA": str(self.server.data)}, cwd=self.folder,
            capture_output=True, text=True, timeout=280, check=False,
        )  # fmt: skip
        assert done.returncode == code, (words, done.stdout[-500:], done.stderr[-2000:])
        if code == 2:
            assert done.stdout == ""
            assert done.stderr.count("\n") == 1, done.stderr
            assert done.stderr.startswith("sandlot: ")
        return done

    def json(self, *words: str) -> Any:
        """Run a command and return what it prints as JSON."""
        return json.loads(self.run(*words, "--json").stdout)

    def refused(self, *words: str, remote: bool = True) -> None:
        """Run a command that this build refuses."""
        self.run(*words, code=2, remote=remote)


@pytest.fixture(scope="module")
def console(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Console]:
    data = tmp_path_factory.mktemp("contract")
    with_world(data)
    flags = ("--workers", "1", "--runtime", "process", "--host", "127.0.0.1")
    gateways = ("--gateway-port", str(free_port("127.0.0.1")))
    with serve_apart(data, *flags, *gateways) as found:
        console = Console(found, tmp_path_factory.mktemp("folder"))
        console.used.append(
            tuple(
                "serve --host --port --control-port --workers --data --runtime process"
                " --gateway-port".split()
            )
        )
        yield console


def try_serving(console: Console) -> None:
    for words in (
        ("--gateway-port", "0"),
        ("--gateway-port", "65535"),
        ("--gateway-port", "8800"),
        ("--gateway-port", "8800", "--port", "8801", "--control-port", "8802"),
        ("--gateway-port", "8700", "--gateway-sessions", "0"),
        ("--gateway-port", "8700", "--runtime", "docker"),
        ("--runtime", "kubernetes"),
        ("--host", "localhost"),
        ("--host", "::1"),
        ("--domain", "no domain"),
        ("--domain", "10.0.0.1"),
        ("--port", "0"),
        ("--port", "65536"),
        ("--port", "8801", "--control-port", "8801"),
        ("--port", "8802", "--control-port", "8801", "--workers", "2"),
        ("--control-port", "65535", "--workers", "2"),
        ("--workers", "0"),
        ("--engine", "oracle"),
    ):
        console.refused("serve", *words, remote=False)


def try_worlds(console: Console) -> None:
    console.run("world", "list", "--data", str(server().data), remote=False)
    console.run("world", "build", "kestrel", "--size", "tiny", "--seed", "1",
                "--data", str(server().data), remote=False)  # fmt: skip
    console.refused("world", "build", "kestrel", "--size", "vast", remote=False)


def try_sandboxes(console: Console) -> None:
    made = console.json("sandbox", "create", "--world", "kestrel", "--size", "tiny", "--seed", "1")
    name = made["id"]
    assert console.json("sandbox", "show", name)["id"] == name
    assert name in [found["id"] for found in console.json("sandbox", "list")["sandboxes"]]
    console.json("sandbox", "mark", name, "before")
    assert console.json("sandbox", "advance", name, "2h")["jobs"] is not None
    assert "changes" in console.json("sandbox", "diff", name, "--since", "before")
    console.json("sandbox", "rewind", name, "before")
    console.json("sandbox", "reset", name)
    assert console.json("sandbox", "verify", name)["intact"]
    fork = console.json("sandbox", "fork", name)["id"]
    published = console.json("sandbox", "publish", name)["published"]
    assert sorted(published) == sorted(clone.name for clone in clones())
    console.json("sandbox", "unpublish", name)
    console.json("snapshot", "create", fork, "kept")
    assert console.json("snapshot", "show", "kept")["world"] == "kestrel"
    console.json("snapshot", "list")
    file = str(console.folder / "kept.sandlot")
    console.json("snapshot", "export", "kept", file)
    console.json("snapshot", "import", file, "--name", "again")
    console.run("snapshot", "migrate", "kept", "migrated", code=1)
    for snapshot in ("kept", "again"):
        console.json("snapshot", "delete", snapshot)
    for sandbox in (name, fork):
        console.json("sandbox", "delete", sandbox)
    console.refused("sandbox", "advance", name, "soon")
    console.refused("sandbox", "publish", name, "--port", "70000")


def try_tasks(console: Console) -> None:
    tasks = console.json("task", "list")["tasks"]
    assert console.json("task", "show", tasks[0]["id"])["id"] == tasks[0]["id"]
    console.run("task", "certify", "H05", "--instances", "0", "--deep", "", "--checks", "1",
                "--no-browser", remote=False)  # fmt: skip
    console.refused("task", "certify", "H99", remote=False)


def try_episodes(console: Console) -> None:
    (console.folder / "mine.py").write_text(AGENT)
    played = [
        console.json("episode", "run", "H05", "--agent", agent, "--space", "api", "--seed", "13")
        for agent in ("oracle", "noop", "random", "mine.py:play")
    ]
    first = played[0]["manifest"]["id"]
    assert played[0]["manifest"]["success"]
    assert console.json("episode", "show", first)["manifest"]["id"] == first
    assert len(console.json("episode", "list")["episodes"]) >= len(played)
    assert console.json("episode", "replay", first)["equal"]
    branched = console.json("episode", "branch", first, "--step", "1")
    console.server.control.post(f"/v1/episodes/{branched['id']}/abandon")
    lines = console.run("episode", "export", "--format", "jsonl").stdout.splitlines()
    ids = [json.loads(line).get("id") for line in lines]
    assert {found["manifest"]["id"] for found in played} <= set(ids)
    alone = console.run("episode", "export", first).stdout.splitlines()
    assert json.loads(alone[0])["id"] == first
    console.refused("episode", "export", "--format", "parquet")
    for space in ("computer", "hybrid"):
        console.refused("episode", "run", "H05", "--space", space)
    for agent in ("nobody", "mine.py:nothing", "gone.py:play", "no.such.module:play"):
        console.refused("episode", "run", "H05", "--agent", agent)


@pytest.mark.browser
def test_an_episode_in_a_browser(console: Console) -> None:
    words = ("episode", "run", "H05", "--agent", "noop", "--space", "browser")
    assert console.json(*words)["manifest"]["space"] == "browser"


# Elsewhere: servers of their own, PostgreSQL, containers, and measurements of minutes.
ELSEWHERE = {
    ("serve", "--domain"): "tests/live/test_serving.py",
    ("serve", "--tls"): "tests/live/test_tls.py",
    ("serve", "postgres"): "tests/live/test_engines_postgres.py",
    ("serve", "sqlite"): "the default",
    ("serve", "docker"): "refused, or tested with containers",
    ("world build", "small"): "as tiny, in minutes",
    ("world build", "standard"): "the same",
    ("world build", "large"): "the same",
    ("episode run", "browser"): "above, where there is a browser",
    ("bench", ""): "make bench",
}


@pytest.mark.in_turn
@pytest.mark.slow
def test_every_command_and_flag_works_or_is_refused_in_one_line(console: Console) -> None:
    for part in (try_serving, try_worlds, try_sandboxes, try_tasks, try_episodes):
        part(console)
    missing = []
    for line in CONTRACT.strip().splitlines():
        found = re.match(r"[a-z]+(?: [a-z]+)?", line)
        assert found is not None
        command = found[0]
        used = {
            word for words in console.used if " ".join(words).startswith(command) for word in words
        }
        wanted = set(re.findall(r"--[a-z-]+", line))
        for values in re.findall(r"--[a-z]+ ([\w:]+(?:\|[\w:]+)+)", line):
            wanted |= {value for value in values.split("|") if value.islower()}
        if not used and (command, "") not in ELSEWHERE:
            missing.append(command)
        missing += [
            f"{command} {word}" for word in wanted - used if (command, word) not in ELSEWHERE
        ]
    assert missing == []
