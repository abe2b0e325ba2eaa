"""What a family alone stands on: its own files, and those of the families that it takes from."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).resolve().parents[1] / "families"
IMPORTED: Final = re.compile(r"\bepisodes\.families\.([a-z]\w*)")


def sources_of(family: str, folder: Path = FOLDER) -> str:
    """Return a name for a family's files as they are, by its id.

    What all families stand on is not in it: it changes with nearly every change, so that it would
    tell no family from another.
    """
    digest = hashlib.sha256()
    for package in sorted(packages_of(family, folder)):
        for path in sorted(_files(folder / package)):
            name = path.relative_to(folder).as_posix()
            digest.update(f"{name}\0{path.stat().st_size}\0".encode() + path.read_bytes())
    return digest.hexdigest()[:16]


def packages_of(family: str, folder: Path = FOLDER) -> set[str]:
    """Return the package of a family and those that its modules import, and theirs."""
    found, waiting = set[str](), [family.lower()]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            texts = (path.read_text() for path in _files(folder / name) if path.suffix == ".py")
            waiting += [other for text in texts for other in IMPORTED.findall(text)]
    return found


def _files(package: Path) -> Iterator[Path]:
    return (
        path for path in package.rglob("*") if path.is_file() and "__pycache__" not in path.parts
    )
