"""The packages of `integrations/` as they are installed: built as wheels, and unpacked."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Final

INTEGRATIONS: Final = Path(__file__).resolve().parents[2] / "integrations"


def installed_packages(folder: Path) -> Path:
    """Build the wheel of each package, unpack all in one place and return it."""
    # Frameworks know installed packages by the name of their folder.
    place = folder / "site-packages"
    for project in sorted(INTEGRATIONS.glob("*/pyproject.toml")):
        wheels = folder / project.parent.name
        subprocess.run(
            [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", wheels],
            cwd=project.parent,
            check=True,
            capture_output=True,
        )
        (wheel,) = wheels.glob("*.whl")
        zipfile.ZipFile(wheel).extractall(place)
    return place
