"""What a snapshot says of itself."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

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
        manifest = Manifest(**values)
    except (OSError, ValueError, TypeError) as error:
        raise CorruptSnapshot(f"{path} is no manifest: {error}") from error
    if manifest.format != FORMAT:
        raise CorruptSnapshot(f"{path} has format {manifest.format}, this build reads {FORMAT}")
    return manifest
