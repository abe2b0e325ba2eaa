"""Where things are, for tests that read the repository itself."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
# The conformance suite ships beside the interface that it tests, for whoever writes an engine.
SUITES = frozenset(
    f"snapshots/conformance/{name}.py"
    for name in ("__init__", "damage", "fixtures", "images", "rewind_suite", "traffic", "upkeep")
)
SHIPPED = ("clones", "seeds", "snapshots", "episodes", "sandlot")


def clone_names() -> list[str]:
    """Return the clones of the house."""
    return sorted({path.parent.name for path in ROOT.glob("clones/*/apps.py")} - {"core"})


@cache
def pyproject() -> dict[str, Any]:
    """Return `pyproject.toml`."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text())


def python_files(*folders: str) -> Iterator[Path]:
    """Yield the Python files of some folders that people write."""
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*.py")):
            if "migrations" not in path.parts:
                yield path


def documents() -> list[Path]:
    """Return the Markdown files that people write."""
    return [
        *sorted(ROOT.glob("*.md")),
        *sorted((ROOT / "docs").rglob("*.md")),
        *sorted((ROOT / "changelog.d").glob("*.md")),
        *sorted((ROOT / "integrations").rglob("*.md")),
    ]
