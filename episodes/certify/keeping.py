"""What a certification has played and found, kept so that one that was stopped can go on.

It holds for the very sources that played it: whoever changed a line begins anew.
"""

from __future__ import annotations

import hashlib
import pickle
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from clones.core.journal import schema_version

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("clones", "seeds", "snapshots", "episodes", "sandlot")
# Made by certification itself, or by Python.
LEFT_OUT = ("episodes/reports/", "__pycache__/")


@cache
def sources_version() -> str:
    """Return a name for the sources that this process works by, as they are when first asked."""
    return version_of(ROOT)


def version_of(root: Path) -> str:
    """Return a name for all of our sources in a folder, and for the packages they are pinned to.

    Templates and data files are sources too.
    """
    digest = hashlib.sha256()
    found = (path for package in PACKAGES for path in sorted((root / package).rglob("*")))
    for path in (root / "pyproject.toml", *found):
        name = path.relative_to(root).as_posix()
        if path.is_file() and not any(part in name for part in LEFT_OUT):
            digest.update(f"{name}\0{path.stat().st_size}\0".encode() + path.read_bytes())
    return digest.hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Kept:
    """What is kept of one instance, by names; with no folder nothing is."""

    folder: Path | None = None

    def get(self, name: str) -> Any:
        """Return what is kept by a name, None where nothing is."""
        path = self._path(name)
        if path is None or not path.is_file():
            return None
        return pickle.loads(path.read_bytes())  # noqa: S301 - a certification of ours wrote it

    def put(self, name: str, value: Any) -> None:
        """Keep something by a name, whole or not at all."""
        path = self._path(name)
        if path is None:
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        making = path.with_suffix(".making")
        making.write_bytes(pickle.dumps(value, protocol=pickle.HIGHEST_PROTOCOL))
        making.replace(path)

    def _path(self, name: str) -> Path | None:
        if self.folder is None:
            return None
        return self.folder / f"{hashlib.sha256(name.encode()).hexdigest()[:24]}.pickle"


def kept_in(folder: Path | None, instance: str, asked: object, *, is_deep: bool) -> Kept:
    """Return what is kept of an instance, for who asks the same of it with the same sources."""
    if folder is None:
        return Kept()
    question = repr((instance, asked, is_deep, schema_version()))  # which clones are installed
    what = hashlib.sha256(question.encode()).hexdigest()[:24]
    return Kept(folder / sources_version() / what)
