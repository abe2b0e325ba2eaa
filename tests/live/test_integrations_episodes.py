"""`sandlot-episodes`, on which packages for frameworks stand: its README, and what it refuses."""

from __future__ import annotations

import re
import subprocess
import sys
from typing import Final

import pytest

from sandlot.cli.serving import RunningServer
from tests.live.integration_packages import INTEGRATIONS

PACKAGE: Final = INTEGRATIONS / "sandlot-episodes"
ADDRESS: Final = "http://127.0.0.1:8801"
(SNIPPET,) = re.findall(r"```python\n(.*?)```", (PACKAGE / "README.md").read_text(), re.DOTALL)


def run(snippet: str, token: str) -> subprocess.CompletedProcess[str]:
    """Run a snippet with the package alone beside what is installed."""
    environment = {"PYTHONPATH": str(PACKAGE), "SANDLOT_TOKEN": token, "PATH": "/usr/bin:/bin"}
    return subprocess.run(
        [sys.executable, "-P", "-c", snippet],
        check=False,
        capture_output=True,
        text=True,
        env=environment,
        cwd="/",
    )


def test_the_readme_plays_an_episode(running: RunningServer) -> None:
    done = run(SNIPPET.replace(ADDRESS, running.control_url), running.token)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("You are ")
    assert done.stdout.splitlines()[-1] == "0.0"


@pytest.mark.parametrize(
    ("change", "token", "told"),
    [
        ((ADDRESS, "http://127.0.0.1:9"), "t", "ServerError: no server at http://127.0.0.1:9"),
        ((ADDRESS, "http://[nowhere"), "t", "ServerError: no server at http://[nowhere"),
        (('"train"', '"tests"'), None, "ServerError: there is no split 'tests'"),
        (('"H05"', '"H99"'), None, "ServerError: there is no family H99"),
        (('surface="search_call"', 'surface="none"'), None, "EnvironmentFailed: body.surface"),
        (("", ""), "", "ServerError: "),
        (("", ""), "wrong\n", "ValueError: the token is none"),
    ],
)
def test_what_is_wrong_is_said_in_a_line(
    running: RunningServer, change: tuple[str, str], token: str | None, told: str
) -> None:
    snippet = SNIPPET.replace(*change) if change[0] else SNIPPET
    given = running.token if token is None else token
    done = run(snippet.replace(ADDRESS, running.control_url), given)
    assert done.returncode == 1
    assert told in done.stderr.splitlines()[-1]
