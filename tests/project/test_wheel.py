"""What is built holds the packages with all their files, and nothing of the development."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.project.paths import ROOT, SHIPPED

NOT_FILES_OF_OURS = ("__pycache__", ".pyc")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this working tree."""
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    (built,) = folder.glob("*.whl")
    return built


@pytest.mark.slow(shares="wheel")
def test_the_wheel_has_every_file_of_the_packages_and_no_other(wheel: Path) -> None:
    names = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    files = {
        str(path.relative_to(ROOT))
        for package in SHIPPED
        for path in (ROOT / package).rglob("*")
        if path.is_file() and not any(mark in str(path) for mark in NOT_FILES_OF_OURS)
    }
    assert names == files
    assert any(name.endswith("htmx.min.js") for name in names)


@pytest.mark.slow(shares="wheel")
def test_the_front_door_starts_from_the_wheel_alone(wheel: Path, tmp_path: Path) -> None:
    zipfile.ZipFile(wheel).extractall(tmp_path)
    code = (
        "import sys\n"
        "import sandlot.client, sandlot.cli.main\n"
        "assert 'django' not in sys.modules, 'the command line starts without Django'\n"
        "print(sandlot.client.__file__)"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", code],
        cwd=tmp_path,
        env={"PYTHONPATH": str(tmp_path), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(str(tmp_path))
