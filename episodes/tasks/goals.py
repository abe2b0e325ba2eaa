"""Goal templates: each family's `goals.json`, a list of {"level", "text"}."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path


@cache
def goals_of(module: str) -> list[dict[str, str]]:
    """Return the goal templates that lie beside a module's file."""
    found: list[dict[str, str]] = json.loads(
        Path(module).with_name("goals.json").read_text(encoding="utf-8")
    )
    return found
