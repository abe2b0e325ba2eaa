"""The snippets of docs/train.md run as they stand, at the address of the tests' server."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
import types
from pathlib import Path
from typing import Any, ClassVar, Final

import pytest

from clones.core.server import server
from episodes.browser.finding import find_browser
from sandlot.cli.serving import RunningServer
from tests.clients import client_python, run_client
from tests.live.integration_packages import installed_packages
from tests.live.test_gymnasium import REQUIREMENTS
from tests.live.test_integrations_browsergym import PACKAGE as BROWSERGYM
from tests.live.test_integrations_browsergym import REQUIREMENTS as REQUIREMENTS_OF_BROWSERGYM
from tests.live.test_integrations_harbor import write
from tests.live.test_integrations_inspect import INSPECT
from tests.live.test_openenv_clients import OPENENV

ROOT: Final = Path(__file__).resolve().parents[2]
PAGE: Final = (ROOT / "docs" / "train.md").read_text()
ADDRESS: Final = "http://127.0.0.1:8801"
GATEWAY: Final = "http://127.0.0.1:8900/openenv"


def snippets(section: str, language: str = "python") -> list[str]:
    """Return the snippets of a section."""
    text = PAGE.partition(f"\n## {section}\n")[2].partition("\n## ")[0]
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


class Dataset(list[dict[str, Any]]):
    """What the snippet needs of `datasets`."""

    @classmethod
    def from_list(cls, rows: list[dict[str, Any]]) -> Dataset:
        """Return the rows."""
        return cls(rows)


class GRPOTrainer:
    """What TRL 1.16 does with a factory: it looks for methods, resets, calls, asks for rewards."""

    rewards: ClassVar[list[float | None]] = []

    def __init__(self, *, train_dataset: Dataset, environment_factory: Any, **_: Any) -> None:
        self._rows = train_dataset
        self._factory = environment_factory

    def train(self) -> None:
        """Let nobody play the first two rows, but for a look."""
        for row in self._rows[:2]:
            environment = self._factory()
            tools = [
                getattr(environment, name)
                for name, _ in inspect.getmembers(type(environment), inspect.isfunction)
                if name not in ("reset", "get_reward") and not name.startswith("_")
            ]
            assert {tool.__name__ for tool in tools} >= {"find_operation", "call", "finish"}
            prompt = row["prompt"][-1]["content"] + environment.reset(**row)
            assert "You are" in prompt
            assert "helpdesk_" in environment.find_operation(text="tickets")
            self.rewards.append(environment.get_reward())


@pytest.fixture
def at_server(running: RunningServer, monkeypatch: pytest.MonkeyPatch) -> RunningServer:
    """The server whose token is in the environment."""
    monkeypatch.setenv("SANDLOT_TOKEN", running.token)
    return running


def run(snippet: str, server: RunningServer) -> dict[str, Any]:
    """Run a snippet at the server's address and return its names."""
    names: dict[str, Any] = {"__name__": "snippet"}
    exec(compile(snippet.replace(ADDRESS, server.control_url), "train.md", "exec"), names)  # noqa: S102 - ours
    return names


def test_every_snippet_is_run() -> None:
    found = {
        section: len(snippets(section)) for section in re.findall(r"^## (.*)$", PAGE, re.MULTILINE)
    }
    once = ["TRL", "Plain HTTP", "OpenEnv", "Gymnasium", "SkyRL", "Tinker", "BrowserGym", "Inspect"]
    # `tests/live/test_integrations_verifiers.py` runs the command.
    assert found == dict.fromkeys(once, 1) | {"Harbor": 0, "verifiers": 0}
    (check,) = snippets("TRL", "sh")
    # `tests/live/test_trl.py` runs it.
    assert check == f".venv/bin/python -m sandlot.trl --check {ADDRESS}\n"


def test_trl(at_server: RunningServer, monkeypatch: pytest.MonkeyPatch) -> None:
    trl, datasets = types.ModuleType("trl"), types.ModuleType("datasets")
    vars(trl).update(GRPOTrainer=GRPOTrainer, GRPOConfig=dict)
    vars(datasets).update(Dataset=Dataset)
    monkeypatch.setitem(sys.modules, "trl", trl)
    monkeypatch.setitem(sys.modules, "datasets", datasets)
    (snippet,) = snippets("TRL")
    names = run(snippet, at_server)
    assert GRPOTrainer.rewards == [0.0, 0.0]
    names["env"].close()


def test_plain_http(at_server: RunningServer) -> None:
    (snippet,) = snippets("Plain HTTP")
    names = run(snippet, at_server)
    assert names["numbers"]["status"] == "completed"
    assert names["numbers"]["reward"] == 0.0
    assert len(names["numbers"]["steps"]) == 2


def test_openenv(running: RunningServer, tmp_path: Path) -> None:
    (snippet,) = snippets("OpenEnv")
    assert running.gateways is not None
    script = tmp_path / "snippet.py"
    script.write_text(snippet.replace(GATEWAY, running.gateways.openenv_url))
    done = run_client(client_python(**OPENENV), script)
    assert (done.returncode, done.stdout) == (0, "0.0 False\n"), done.stderr


def test_gymnasium(at_server: RunningServer, tmp_path: Path) -> None:
    (snippet,) = snippets("Gymnasium")
    script = tmp_path / "snippet.py"
    script.write_text(
        f"import sys\nsys.path.insert(0, {str(ROOT)!r})\n"
        + snippet.replace(ADDRESS, at_server.control_url)
    )
    python = client_python("gymnasium", REQUIREMENTS)
    done = run_client(python, script, SANDLOT_TOKEN=at_server.token)
    assert (done.returncode, done.stdout) == (0, "0.0 False\n"), done.stderr


@pytest.mark.browser
@pytest.mark.everything
def test_browsergym(at_server: RunningServer, tmp_path: Path) -> None:
    installing, (snippet,) = snippets("BrowserGym", "sh"), snippets("BrowserGym")
    # `pip install` is tried by hand: here the packages lie on the path.
    assert installing[0].endswith("pip install . ./integrations/sandlot-browsergym\n")
    browser = find_browser()
    if browser is None:
        pytest.skip("no Chromium found: run `make setup`")
    for given, found in ((ADDRESS, at_server.control_url), ("/usr/bin/chromium", str(browser))):
        assert given in snippet
        snippet = snippet.replace(given, found)
    script = tmp_path / "snippet.py"
    script.write_text(f"import sys\nsys.path[:0] = {[str(BROWSERGYM), str(ROOT)]!r}\n{snippet}")
    python = client_python("browsergym", REQUIREMENTS_OF_BROWSERGYM)
    done = run_client(python, script, SANDLOT_TOKEN=at_server.token)
    assert (done.returncode, done.stdout) == (0, "0.0 False\n"), done.stderr


@pytest.mark.everything
def test_harbor(at_server: RunningServer, tmp_path: Path) -> None:
    (snippet,) = snippets("Harbor", "sh")
    installed, command = snippet.splitlines()
    assert installed == ".venv/bin/pip install ./integrations/sandlot-harbor"
    program, *words = command.split()
    assert program == ".venv/bin/sandlot-harbor"
    assert words[-1] == "tasks"
    done = write(at_server, tmp_path, *words[: words.index("--out")])
    assert done.returncode == 0, done.stderr
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == [f"{family}-train-{n:04d}" for family in ("h05", "x02") for n in range(3)]


@pytest.mark.parametrize("section", ["SkyRL", "Tinker"])
def test_text_trainers(
    at_server: RunningServer, section: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (snippet,) = snippets(section)
    run(snippet, at_server)
    assert capsys.readouterr().out.startswith("0.0")


# A model that says nothing to the point, and what that cost: else tokens would be counted.
SILENT: Final = """
import sys
from inspect_ai.model import ModelOutput, ModelUsage, get_model
sys.path.insert(0, sys.argv[1])
said = ModelOutput.from_content("mockllm/model", "I am done.")
said.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
MODEL = get_model("mockllm/model", custom_outputs=[said])
"""


@pytest.mark.slow
@pytest.mark.everything
@pytest.mark.timeout(1_200)
def test_inspect(at_server: RunningServer, tmp_path: Path) -> None:
    (snippet,) = snippets("Inspect")
    assert '"openai/gpt-5"' in snippet
    script = tmp_path / "snippet.py"
    there = snippet.replace(ADDRESS, at_server.control_url)
    script.write_text(SILENT + there.replace('"openai/gpt-5"', "MODEL"))
    packages = str(installed_packages(tmp_path))
    python = client_python(**INSPECT)
    done = run_client(python, script, packages, SANDLOT_TOKEN=at_server.token)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1].strip() == "{'reward': 0.0, 'success': 0.0}"


def test_the_token_is_where_the_page_says(running: RunningServer) -> None:
    serving, token = re.findall(r"```sh\n(.*?)```", PAGE.partition("\n## ")[0], re.DOTALL)
    # Another test of the command starts such a server.
    assert serving == "make setup\n.venv/bin/sandlot serve --data data\n"
    script = token.replace("data/", f"{server().data}/") + 'echo "$SANDLOT_TOKEN"'
    done = subprocess.run(["sh", "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == f"{running.token}\n"
