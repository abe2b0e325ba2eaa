"""The file that stands for a database: what a store's path holds on PostgreSQL."""

from __future__ import annotations

import json
import re
from pathlib import Path

from django.db import OperationalError

NAME = re.compile(r"^sandlot_([0-9a-f]{8}|shared)_[0-9a-f]{16}$")


def write_marker(path: Path, database: str) -> None:
    """Write the file that names a database."""
    path.write_text(json.dumps({"database": database}) + "\n")


def database_of(path: Path) -> str:
    """Return the database that a store's file names.

    Raises:
        OperationalError: there is no such file, or it names none of our databases.
    """
    try:
        name = json.loads(path.read_text())["database"]
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise OperationalError(f"{path} names no database: {error!r}") from error
    if not isinstance(name, str) or not NAME.match(name):
        raise OperationalError(f"{path} names no database of ours: {name!r}")
    return name
