"""Where no browser starts, commands say so in one line, and what needs none is done."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from episodes.browser import BrowserPool
from sandlot.cli.serving import RunningServer
from sandlot.client import ControlClient
from tests.browser.test_starting import failing

pytestmark = pytest.mark.slow
WHY = "Playwright's driver does not start: libatomic.so.1 is not installed: "


def sandlot(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "sandlot.cli", *arguments],
        env={**os.environ, **variables}, capture_output=True, text=True, timeout=240, check=False,
    )  # fmt: skip


@pytest.mark.browser
def test_the_demo_skips_the_part_in_a_browser(tmp_path: Path) -> None:
    node = failing(tmp_path / "node", "libatomic.so.1")
    data = str(tmp_path / "data")
    done = sandlot("demo", "--data", data, PLAYWRIGHT_NODEJS_PATH=str(node))
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("outcome completed, success True, reward ") == 1
    said = [line for line in done.stderr.splitlines() if not line.endswith(" s")]
    assert len(said) == 1, done.stderr
    assert said[0].startswith(f"episode in a browser: skipped: {WHY}")


def test_an_episode_in_a_browser_fails_in_one_line(
    running: RunningServer,
    control: ControlClient,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("PLAYWRIGHT_NODEJS_PATH", str(failing(tmp_path / "node", "libatomic.so.1")))
    pool, running.host.browsers = running.host.browsers, BrowserPool(Path("/bin/true"))
    place = ("--url", running.control_url)
    try:
        done = sandlot(
            "episode", "run", "H05", "--space", "browser", *place, SANDLOT_TOKEN=running.token
        )
    finally:
        running.host.browsers.close()
        running.host.browsers = pool
        control.post("/v1/failures/acknowledge")
    assert done.returncode == 1
    (said,) = done.stderr.splitlines()
    assert said.startswith(f"sandlot: the episode cannot begin: harness_browser: {WHY}")
    assert capfd.readouterr().err == "", "nor does the server print more"
