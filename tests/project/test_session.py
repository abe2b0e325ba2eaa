"""The README's working session, typed as it stands there, works."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from sandlot.cli.serving import RunningServer
from sandlot.client import ControlClient
from tests.project.paths import ROOT

CLI = "from sandlot.cli.main import main; main()"
UNDO = """
.venv/bin/sandlot sandbox rewind $ID before
.venv/bin/sandlot sandbox diff $ID --since before --json
"""


def typed_lines() -> str:
    """Return what the README's session types, but for starting the server."""
    section = (ROOT / "README.md").read_text().partition("## A working session")[2]
    section = section.partition("\n## ")[0]
    return "".join(re.findall(r"```\n(.*?)```", section, re.DOTALL)).replace("make serve\n", "")


@pytest.fixture
def tidied(running: RunningServer) -> Iterator[RunningServer]:
    """The shared server, without what the session makes afterwards."""
    with ControlClient(running.control_url, running.token) as control:
        before = {entry["id"] for entry in control.get("/v1/sandboxes")["sandboxes"]}
        yield running
        control.delete("/v1/snapshots/after-two-hours")
        after = {entry["id"] for entry in control.get("/v1/sandboxes")["sandboxes"]}
        for sandbox in after - before:
            control.delete(f"/v1/sandboxes/{sandbox}")


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("curl") is None, reason="the session types curl")
def test_the_session_works_as_typed(tidied: RunningServer, tmp_path: Path) -> None:
    clone = tmp_path / "clone"
    (clone / ".venv" / "bin").mkdir(parents=True)
    options = f"--url {tidied.control_url} --data {tidied.options.data}"
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
