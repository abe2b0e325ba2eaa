"""Write a task folder: what is the same in each is copied, the rest is made of the record."""

from __future__ import annotations

import json
import shutil
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any, Final

from sandlot_harbor.recording import Recorded

SCHEMA: Final = "1.4"
SCRIPTS: Final = ("environment/act", "tests/test.sh", "solution/solve.sh")
HOW_TO_ACT: Final = """

## How you act

By the tools of the MCP server `sandlot`. In a shell the command `act` calls them:

```sh
act --tools                       # lists them, with the schemas of their arguments
act finish '{"status": "done"}'   # calls one
```
"""


def write_folder(recorded: Recorded, split: str, place: Path) -> Path:
    """Write the folder of one instance below `place` and return it.

    Raises:
        FileExistsError: there is one already.
    """
    name = name_of(recorded.task, split)
    folder = place / name
    if folder.exists():
        raise FileExistsError(f"{folder} is there already: remove it, or name another place")
    with as_file(files("sandlot_harbor") / "folder") as given:
        shutil.copytree(given, folder, ignore=shutil.ignore_patterns("__pycache__"))
    for script in SCRIPTS:
        (folder / script).chmod(0o755)
    compose = folder / "environment" / "docker-compose.yaml"
    filled = compose.read_text(encoding="utf-8")
    for word, value in (("@TASK@", recorded.task), ("@SURFACE@", recorded.surface)):
        filled = filled.replace(word, value)
    compose.write_text(filled, encoding="utf-8")
    _write(folder / "task.toml", _toml(name, recorded, split))
    _write(folder / "instruction.md", recorded.prompt + HOW_TO_ACT)
    acts = (json.dumps(list(act), ensure_ascii=False) + "\n" for act in recorded.acts)
    _write(folder / "solution" / "acts.jsonl", "".join(acts))
    return folder


def name_of(task: str, split: str) -> str:
    """Return the name of an instance's folder: `h05-train-0003`."""
    family, _, rest = task.partition("@")
    return f"{family.lower()}-{split}-{rest.rpartition('/')[2]}"


def _toml(name: str, recorded: Recorded, split: str) -> str:
    """Return `task.toml`. JSON's texts are TOML's."""
    family = recorded.task.partition("@")[0]

    def text(value: Any) -> str:
        return json.dumps(value, ensure_ascii=False)

    return f"""\
schema_version = {text(SCHEMA)}
# The score is taken in the side-car, once the agent's container has stopped.
artifacts = [{{ source = "/data/score.json", service = "sandlot" }}]

[task]
name = {text(f"sandlot/{name}")}
description = {text(f"{family} of Sandlot, instance {recorded.task}")}
keywords = ["sandlot", {text(family)}]

[metadata]
instance = {text(recorded.task)}
split = {text(split)}
surface = {text(recorded.surface)}
oracle_reward = {recorded.reward!r}

[agent]
timeout_sec = 1800.0
user = "agent"

[environment]
build_timeout_sec = 1200.0
cpus = 2
memory_mb = 4096

[[environment.mcp_servers]]
name = "sandlot"
transport = "streamable-http"
url = "http://sandlot:8910/mcp"

[verifier]
environment_mode = "separate"
timeout_sec = 120.0

[[verifier.collect]]
service = "sandlot"
command = "python3 /opt/task/sidecar.py score"
timeout_sec = 300.0

[verifier.environment]
cpus = 1
memory_mb = 512
"""


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")
