"""What lies in a queue of held mail: subjects and texts by sort, from `mails.json`."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

Text = tuple[str, str]


def texts(sort: str) -> list[Text]:
    """Return the subjects and bodies of a sort; a body may stand alone."""
    return [(subject, body) for subject, body in _all()[sort]]


def names(sort: str) -> list[str]:
    """Return the names of a sort: people's, or mail domains."""
    return [str(name) for name in _all()[sort]]


@cache
def _all() -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = json.loads(
        Path(__file__).with_name("mails.json").read_text(encoding="utf-8")
    )
    return found
