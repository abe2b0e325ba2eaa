"""What builds a world in this process: all the code and data that a build may run or read.

`seeds.worlds.world_version` is a world's version, by schema, pools and generators. Whoever keeps a
world for other processes needs more: rules of the clones write rows of it too.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import django
import psutil
from django.conf import settings

ROOT = Path(__file__).resolve().parents[1]
ROOMS = ("clones", "seeds", "snapshots")
FILES = ("episodes/worlds.py", "episodes/sources.py")
# What only browsers read, and what Python makes of the rest.
LEFT_OUT = ("static", "__pycache__")


class ChangedSources(Exception):
    """Raised when files have changed since this process began: which of them it runs is unknown."""


def made_by() -> str:
    """Return a name for what builds a world in this process; equal names build equal rows.

    Raises:
        ChangedSources: a file of them is younger than the process.
    """
    name, youngest = _read()
    if youngest > psutil.Process().create_time():
        raise ChangedSources("files have changed since this process began")
    return name


@cache
def _read() -> tuple[str, float]:
    """Return the hash of sources, packages and interpreter, and when a source last changed."""
    packages = sorted(path.name for path in Path(django.__file__).parents[1].glob("*.dist-info"))
    about = (sys.version, sys.platform, settings.INSTALLED_APPS, packages)
    digest, youngest = hashlib.sha256(repr(about).encode()), 0.0
    for path in _sources():
        content = path.read_bytes()
        digest.update(f"{path.relative_to(ROOT).as_posix()}\0{len(content)}\0".encode() + content)
        youngest = max(youngest, path.stat().st_mtime)
    return digest.hexdigest(), youngest


def _sources() -> Iterator[Path]:
    yield from (ROOT / name for name in FILES)
    for room in ROOMS:
        for folder, inside, names in os.walk(ROOT / room):
            inside[:] = sorted(name for name in inside if name not in LEFT_OUT)
            yield from (Path(folder, name) for name in sorted(names))
