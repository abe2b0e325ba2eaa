"""`sandlot-harbor`: the folders it writes are Harbor's, and are played as Harbor would play them.

What containers do there, processes do here: the side-car serves on ports of this machine, the
agent's and the verifier's scripts are told where it is.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import httpx
import pytest
import yaml

from sandlot.cli.ports import free_port
from sandlot.cli.serving import RunningServer
from tests.clients import client_python, python_from, run_client
from tests.live.gateway_plays import INDEX

# Each side-car is a server of its own.
pytestmark = [pytest.mark.slow(shares="folder"), pytest.mark.everything]

ROOT: Final = Path(__file__).resolve().parents[2]
PACKAGE: Final = ROOT / "integrations" / "sandlot-harbor"
HOST: Final = "127.0.0.1"
INSTANCE: Final = f"H05@1/kestrel-tiny/1/{INDEX:04d}"
PATIENCE: Final = 120.0
# What its models and its lint load; they are a small part of it.
NEEDED: Final = (
    "pydantic==2.14.3", "toml==0.10.2", "packaging", "pathspec", "PyYAML==6.0.3", "shortuuid",
    "tenacity", "python-dotenv", "jinja2", "typer", "rich", "dirhash", "semver", "filelock",
    "platformdirs", "httpx==0.28.1",
)  # fmt: skip
LINT: Final = """
import json, sys
from pathlib import Path
from harbor.lint.models import COMPOSE_RULES, LintRule
from harbor.lint.task import lint_task
from harbor.models.task.task import Task
folder = Path(sys.argv[1]).resolve()
task = Task(folder)
# Those for compose files need Docker's own compose.
found = lint_task(folder, selected_rules=set(LintRule) - COMPOSE_RULES)
print(json.dumps({
    "name": task.name,
    "schema": task.config.schema_version,
    "instruction": task.instruction,
    "user": task.config.agent.user,
    "mode": task.config.verifier.environment_mode.value,
    "tools": task.config.environment.mcp_servers[0].url,
    "findings": [f"{one.rule} {one.message}" for one in found],
}))
"""


def write(running: RunningServer, out: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run the command that writes folders."""
    command = [sys.executable, "-c", "from sandlot_harbor.main import main; main()", *words]
    return subprocess.run(
        [*command, "--url", running.control_url, "--out", str(out)],
        env={"PATH": os.environ["PATH"], "PYTHONPATH": f"{PACKAGE}:{ROOT}"}
        | {"SANDLOT_TOKEN": running.token},
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )


@pytest.fixture(scope="module")
def folder(running: RunningServer, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A task folder of H05."""
    place = tmp_path_factory.mktemp("tasks")
    done = write(running, place, "h05", "--first", str(INDEX), "--json")
    assert done.returncode == 0, done.stderr
    (made,) = json.loads(done.stdout)["folders"]
    return Path(made)


@dataclass(frozen=True, slots=True)
class Sidecar:
    """A side-car that serves, what its scripts are told, and the folder's place."""

    folder: Path
    data: Path
    environment: dict[str, str]

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        """Run a command as in one of the containers."""
        return subprocess.run(
            command,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=PATIENCE,
        )

    def sidecar(self, word: str) -> subprocess.CompletedProcess[str]:
        """Run a command of the side-car."""
        script = self.folder / "environment" / "sandlot" / "sidecar.py"
        return self.run(sys.executable, str(script), word)

    def act(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Run the agent's command."""
        return self.run("act", *words)

    def verify(self) -> tuple[int, str | None]:
        """Run the verifier; return how it ended and what reward it wrote."""
        reward = self.data / "reward.txt"
        reward.unlink(missing_ok=True)
        done = self.run("bash", str(self.folder / "tests" / "test.sh"))
        return done.returncode, reward.read_text() if reward.exists() else None


@contextmanager
def serving(folder: Path, data: Path) -> Iterator[tuple[Sidecar, subprocess.Popen[bytes]]]:
    """Serve a folder's side-car for the length of a block."""
    compose = yaml.safe_load((folder / "environment" / "docker-compose.yaml").read_text())
    assert compose["services"]["main"]["depends_on"]["sandlot"]["condition"] == "service_healthy"
    told = compose["services"]["sandlot"]["environment"]
    assert told == {"SANDLOT_TASK": INSTANCE, "SANDLOT_SURFACE": "search_call"}
    door = free_port(HOST)
    programs = (Path(sys.executable).parent, folder / "environment")
    environment = {
        **told,
        "PATH": ":".join([*map(str, programs), os.environ["PATH"]]),
        "HOME": str(data),
        "SANDLOT_DATA": str(data),
        "SANDLOT_WORLDS": os.environ["SANDLOT_WORLDS"],
        "SANDLOT_PORTS": " ".join(str(free_port(HOST)) for _ in range(3)),
        "SANDLOT_DOOR_PORT": str(door),
        "SANDLOT_DOOR": f"http://{HOST}:{door}/mcp",
        "SANDLOT_SCORE": str(data / "score.json"),
        "SANDLOT_REWARD": str(data / "reward.txt"),
    }
    found = Sidecar(folder, data, environment)
    script = folder / "environment" / "sandlot" / "sidecar.py"
    process = subprocess.Popen([sys.executable, str(script), "serve"], env=environment)
    try:
        deadline = time.monotonic() + PATIENCE
        while found.sidecar("health").returncode:
            assert process.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.2)
        yield found, process
    finally:
        process.terminate()
        process.wait(timeout=60)


def test_the_solution_is_paid_and_a_server_that_is_gone_gives_no_number(
    folder: Path, tmp_path: Path
) -> None:
    with serving(folder, tmp_path) as (sidecar, process):
        assert sidecar.run("bash", str(folder / "solution" / "solve.sh")).returncode == 0
        over = sidecar.act("call", '{"operation": "helpdesk_ShowCurrentUser"}')
        assert (over.returncode, "is over" in over.stderr) == (2, True)
        assert sidecar.sidecar("score").returncode == 0
        score = json.loads((tmp_path / "score.json").read_text())
        assert score["task"] == INSTANCE
        assert (score["status"], score["success"]) == ("completed", True)
        assert score["reward"] >= 0.95
        assert sidecar.verify() == (0, f"{score['reward']!r}\n")
        metadata = (folder / "task.toml").read_text()
        assert f"oracle_reward = {score['reward']!r}\n" in metadata

        process.terminate()
        process.wait(timeout=60)
        gone = sidecar.sidecar("score")
        assert (gone.returncode, "there is no score" in gone.stderr) == (1, True)
        assert sidecar.verify() == (1, None)


def test_who_does_nothing_is_paid_nothing_and_reaches_nothing_else(
    folder: Path, tmp_path: Path
) -> None:
    with serving(folder, tmp_path) as (sidecar, _):
        listed = json.loads(sidecar.act("--tools").stdout)
        names = [tool["name"] for tool in listed]
        assert names == ["find_operation", "call", "wait", "say", "finish"]
        refused = sidecar.act("call", '{"operation": "helpdesk_Nothing"}')
        assert (refused.returncode, "there is no operation" in refused.stdout) == (1, True)
        assert sidecar.act("call", "{").returncode == 2
        assert sidecar.act("--all", "x").returncode == 2
        door = sidecar.environment["SANDLOT_DOOR"].removesuffix("/mcp")
        for path in ("/v1/episodes", "/openenv/h05/ws", "/mcp/../v1/episodes", "/mcp/x"):
            assert httpx.post(f"{door}{path}", json={}).status_code == 404
        assert httpx.get(f"{door}/mcp").status_code == 405
        assert sidecar.sidecar("score").returncode == 0
        score: dict[str, Any] = json.loads((tmp_path / "score.json").read_text())
        assert (score["status"], score["success"]) == ("completed", False)
        assert sidecar.verify() == (0, "0.0\n")


def test_a_folder_is_not_written_over_and_mistakes_are_one_line(
    running: RunningServer, folder: Path, tmp_path: Path
) -> None:
    again = write(running, folder.parent, "H05", "--first", str(INDEX))
    assert (again.returncode, again.stderr.count("\n")) == (2, 1)
    assert "is there already" in again.stderr
    unknown = write(running, tmp_path, "Z99")
    assert (unknown.returncode, unknown.stderr.count("\n")) == (2, 1)
    assert "there is no family Z99" in unknown.stderr
    assert list(tmp_path.iterdir()) == []


def test_harbor_reads_the_folder_and_its_lint_finds_nothing(folder: Path, tmp_path: Path) -> None:
    newer = python_from(3, 12)
    if newer is None:
        pytest.skip("no Python 3.12 or newer, which Harbor needs")
    python = client_python("harbor", NEEDED, alone=("harbor==0.26.0",), by=newer)
    script = tmp_path / "lint.py"
    script.write_text(LINT)
    done = run_client(python, script, str(folder))
    assert done.returncode == 0, done.stderr[-3000:]
    found = json.loads(done.stdout)
    assert found.pop("instruction") == (folder / "instruction.md").read_text()
    assert found == {
        "name": f"sandlot/h05-train-{INDEX:04d}",
        "schema": "1.4",
        "user": "agent",
        "mode": "separate",
        "tools": "http://sandlot:8910/mcp",
        "findings": [],
    }
