"""An unmodified Gymnasium checks the environment, with its checks of determinism."""

from __future__ import annotations

import json
from pathlib import Path

from sandlot.cli.serving import RunningServer
from tests.clients import client_python, run_client

ROOT = Path(__file__).resolve().parents[2]
REQUIREMENTS = ("gymnasium==1.4.0", "httpx==0.28.1", "pydantic==2.14.3")
SCRIPT = Path(__file__).with_name("gymnasium_checks.py")


def test_gymnasium_finds_nothing_wrong(running: RunningServer) -> None:
    python = client_python("gymnasium", REQUIREMENTS)
    done = run_client(python, SCRIPT, str(ROOT), running.control_url, running.token)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    assert found == {
        "same": True,
        "task": found["task"],
        "tools": ["find_operation", "call", "wait", "say", "finish"],
        "look": [200, 0.0, False, False, "read_new"],
        "mistake": ["error", 0.0, False, False, "refused"],
        "finish": [0.0, True, False, 0.0, False],
        "over": "no episode runs: reset first",
        "short": [0.0, False, True],
        "lost": "raised",
    }
    assert found["task"].startswith("H05@")
    assert found["task"].endswith("/kestrel-tiny/1/0003")
