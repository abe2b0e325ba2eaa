"""The worlds there are, and how one is built into an empty store.

A world is a pure function of (name, size, seed, version): the same four give the same rows on any
machine. Story and ledger are returned, for the caller to keep beside the image and never in it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

from clones.core.garbage import uncollected
from clones.core.journal import schema_version
from clones.core.models import SandboxState
from seeds.kestrel.catalogue import PRESENT
from seeds.kestrel.sizes import SIZES
from seeds.ledger import Ledger
from seeds.pools import Half, half_of

SOURCES = (".py", ".toml", ".txt", ".json", ".tsv")
Builder = Callable[[str, str, Half], tuple[Ledger, dict[str, Any], dict[str, int]]]


@dataclass(frozen=True, slots=True)
class WorldSpec:
    """A world that can be built: its present and its sizes."""

    name: str
    title: str
    present: datetime
    sizes: tuple[str, ...]
    build: Builder


@dataclass(frozen=True, slots=True)
class BuildReport:
    """What a build made: `ledger` and `facts` are secret from agents, `counts` is rows by model."""

    world: str
    size: str
    seed: int
    half: Half
    version: str
    ledger: list[dict[str, Any]]
    facts: dict[str, Any]
    counts: dict[str, int]
    corruptions: dict[str, int] = field(default_factory=dict)


class UnknownWorld(Exception):
    """Raised when no world has the name, or it has no such size."""


def build_kestrel(size: str, material: str, half: Half) -> tuple[Ledger, Any, dict[str, int]]:
    """Write Kestrel's world; what does it is loaded only now: most processes build none."""
    from seeds.kestrel.build import build  # noqa: PLC0415 - see above

    return build(size, material, half)


WORLDS: dict[str, WorldSpec] = {
    "kestrel": WorldSpec(
        "kestrel",
        "Kestrel Laser Works: workshop laser cutters and their software",
        PRESENT,
        tuple(SIZES),
        build_kestrel,
    ),
}


def build_world(name: str, size: str, seed: int) -> BuildReport:
    """Write a world into the bound, empty store.

    The caller has opened `unit_of_work("write")`. Sets the sandbox's clock and seed too.

    Raises:
        UnknownWorld: there is no such world or size.
    """
    spec = WORLDS.get(name)
    if spec is None or size not in spec.sizes:
        known = ", ".join(f"{item.name} ({', '.join(item.sizes)})" for item in WORLDS.values())
        raise UnknownWorld(f"there is no world {name!r} of size {size!r}: choose from {known}")
    half = half_of(seed)
    material = f"{name}|{seed}"
    SandboxState.objects.create(id=1, now=spec.present, seed=material)
    with uncollected():
        ledger, facts, counts = spec.build(size, material, half)
    return BuildReport(
        name, size, seed, half, world_version(), ledger.plain(), facts, counts, ledger.counts()
    )


@cache
def world_version() -> str:
    """Return a name for what worlds are made of: the schema, the pools and the generators."""
    digest = hashlib.sha256(schema_version().encode())
    folder = Path(__file__).parent
    for path in sorted(folder.rglob("*")):
        if path.suffix in SOURCES and "people" not in path.relative_to(folder).parts[:1]:
            digest.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]
