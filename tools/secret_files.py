"""Write the stack's secrets into files, each unless it is there: `compose/secrets/` by default.

    python tools/secret_files.py [FOLDER]

The folder is its owner's alone. The files in it can be read by whoever is handed them, since the
processes in containers are nobody on this machine.
"""

from __future__ import annotations

import secrets
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[1] / "compose" / "secrets"
NAMES = ("control-token", "postgres-password", "postgres-admin-password", "redis-password")


def write(folder: Path) -> list[str]:
    """Write what is missing and return its names."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    made = [name for name in NAMES if not (folder / name).exists()]
    for name in made:
        (folder / name).write_text(secrets.token_urlsafe(32) + "\n")
        (folder / name).chmod(0o644)
    return made


if __name__ == "__main__":
    place = Path(sys.argv[1]) if sys.argv[1:] else FOLDER
    print(f"secrets: {place}: made {', '.join(write(place)) or 'nothing, all are there'}")
