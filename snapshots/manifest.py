"""What a snapshot says of itself."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from snapshots.errors import CorruptSnapshot

FORMAT = 1


@dataclass(frozen=True, slots=True)
class Manifest:
    """The facts of one image.

    `digest` names the content (canonical rows, the same on every engine); `rows_digest` covers the
    stored values of this engine, and `file_sha256` its file. `position` is the journal position
    from which sandboxes of this image start; `parent` is the digest of the image it came from.
    """

    digest: str
    rows_digest: str
    file_sha256: str
    bytes: int
    world: str
    size: str
    seed: int
    schema: str
    engine: str
    clock: str
    position: int
    parent: str | None
    format: int = FORMAT

    def to_json(self) -> str:
        """Return the manifest as text."""
        return json.dumps(asdict(self), indent=1, sort_keys=True) + "\n"


def read_manifest(path: Path) -> Manifest:
    """Read a manifest.

    Raises:
        CorruptSnapshot: it is unreadable or of another format.
    """
    try:
        values = json.loads(path.read_text())
    except (OSError, ValueError) as error:
        raise CorruptSnapshot(f"{path} is no manifest: {error}") from error
    return manifest_of(values)


def manifest_of(values: Any) -> Manifest:
    """Return a manifest from what `to_json` or `dataclasses.asdict` made of it.

    Raises:
        CorruptSnapshot: a fact is missing, unknown or of the wrong kind, or the format is another.
    """
    wanted = {field.name: str(field.type) for field in fields(Manifest)}
    if not isinstance(values, dict) or values.keys() != wanted.keys():
        raise CorruptSnapshot("a manifest has other facts than it should")
    if values["format"] != FORMAT:
        raise CorruptSnapshot(
            f"a manifest has format {values['format']}, this build reads {FORMAT}"
        )
    for name, kind in wanted.items():
        if type(values[name]).__name__ not in kind.replace("None", "NoneType").split(" | "):
            raise CorruptSnapshot(f"a manifest's {name} is {values[name]!r}")
    return Manifest(**values)
