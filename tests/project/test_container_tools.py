"""The tools around containers: secrets, an engine where there is none, where packages come from."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.project.paths import ROOT
from tools import base_image, secret_files

SHOW = "import os; print(os.environ.get('SANDLOT_NO_ENGINE'), os.environ['SANDLOT_CONTAINERS'])"


def test_secrets_are_made_once_and_read_by_whoever_is_handed_them(tmp_path: Path) -> None:
    folder = tmp_path / "secrets"
    assert secret_files.write(folder) == list(secret_files.NAMES)
    texts = {path.name: path.read_text() for path in folder.iterdir()}
    assert len(set(texts.values())) == len(secret_files.NAMES)
    assert folder.stat().st_mode & 0o777 == 0o700
    assert {path.stat().st_mode & 0o777 for path in folder.iterdir()} == {0o644}
    (folder / "redis-password").unlink()
    assert secret_files.write(folder) == ["redis-password"]
    assert (folder / "control-token").read_text() == texts["control-token"]


def test_without_an_engine_the_command_runs_and_knows_why(tmp_path: Path) -> None:
    """No engine answers and nothing can be installed: the tests have to say so themselves."""
    done = subprocess.run(
        [sys.executable, "tools/engine.py", "--", sys.executable, "-c", SHOW],
        env={"PATH": str(tmp_path), "DOCKER_HOST": f"unix://{tmp_path}/nobody"},
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0
    assert done.stdout.startswith("no Docker engine answers: install docker.io")
    assert done.stdout.endswith(" 1\n")
    assert done.stderr.startswith("engine: no Docker engine answers")


def test_what_a_base_image_lacks_is_said_in_one_line(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "tools/base_image.py"],
        env={"PATH": str(tmp_path), "DOCKER_HOST": f"unix://{tmp_path}/nobody"},
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 3
    assert done.stderr.startswith("base-image: no Docker engine answers")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("place", "text"),
    [
        ("sources.list", "# deb http://old/debian x main\ndeb http://here/debian bookworm main\n"),
        ("sources.list", "deb [signed-by=/k.gpg] http://here/debian bookworm main\n"),
        ("sources.list.d/debian.sources", "Types: deb\nURIs: http://here/debian\nSuites: x\n"),
    ],
)
def test_packages_come_from_where_the_machines_own_do(
    tmp_path: Path, place: str, text: str
) -> None:
    path = tmp_path / "etc/apt" / place
    path.parent.mkdir(parents=True)
    path.write_text(text)
    assert base_image.mirror(tmp_path) == ["http://here/debian"]


def test_a_machine_that_does_not_say_leaves_it_to_the_tool(tmp_path: Path) -> None:
    assert base_image.mirror(tmp_path) == []
