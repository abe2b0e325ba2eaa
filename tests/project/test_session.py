"""The README's working session, typed as it stands there, works."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from sandlot.cli.ports import free_port
from tests.project.paths import ROOT

CLI = "from sandlot.cli.main import main; main()"
START_SECONDS = 60
UNDO = """
.venv/bin/sandlot sandbox rewind $ID before
.venv/bin/sandlot sandbox diff $ID --since before --json
"""


def typed_lines() -> str:
    """Return what the README's session types, but for starting the server."""
    section = (ROOT / "README.md").read_text().partition("## A working session")[2]
    section = section.partition("\n## ")[0]
    return "".join(re.findall(r"```\n(.*?)```", section, re.DOTALL)).replace("make serve\n", "")


@dataclass(frozen=True, slots=True)
class Served:
    """A server that a test started: where it lies and how to reach it."""

    data: Path
    control_url: str


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    """A server of its own, ready to answer."""
    data, (port, control) = tmp_path / "data", (free_port("127.0.0.1"), free_port("127.0.0.1"))
    command = [sys.executable, "-c", CLI, "serve", "--port", str(port)]
    command += ["--control-port", str(control), "--workers", "1", "--data", str(data)]
    log = tmp_path / "log"
    with log.open("w") as output:
        process = subprocess.Popen(command, cwd=ROOT, stdout=output, stderr=output)
    found = Served(data, f"http://127.0.0.1:{control}")
    try:
        wait_until_ready(found, process, log)
        yield found
    finally:
        process.terminate()
        process.wait(timeout=30)


def wait_until_ready(served: Served, process: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    while process.poll() is None and time.monotonic() < deadline:
        try:
            httpx.get(f"{served.control_url}/healthz", timeout=5).raise_for_status()
        except httpx.HTTPError:
            time.sleep(0.1)
        else:
            return
    pytest.fail(f"the server did not start: {log.read_text()}")


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("curl") is None, reason="the session types curl")
def test_the_session_works_as_typed(served: Served, tmp_path: Path) -> None:
    clone = tmp_path / "clone"
    (clone / ".venv" / "bin").mkdir(parents=True)
    options = f"--url {served.control_url} --data {served.data}"
    for name, call in (
        ("python", f'{sys.executable} "$@"'),
        ("sandlot", f'{sys.executable} -c "{CLI}" "$@" {options}'),
    ):
        program = clone / ".venv" / "bin" / name
        program.write_text(f"#!/bin/sh\nexec {call}\n")
        program.chmod(0o755)
    session = subprocess.run(
        ["bash", "-euxo", "pipefail", "-c", typed_lines() + UNDO],
        cwd=clone,
        env={"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert session.returncode == 0, session.stdout + session.stderr
    assert "table: helpdesk_ticket" in session.stdout
    assert "value: urgent" in session.stdout
    last = session.stdout[session.stdout.rindex("\n{") :]
    assert json.loads(last)["changes"] == [], "after a rewind nothing differs"
