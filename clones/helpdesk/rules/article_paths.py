"""The addresses of the help center's pages: a key, and behind it the name in plain letters."""

from __future__ import annotations

import re
from typing import Final

from clones.core.digits import is_digits

HOME: Final = "/hc/en-us"


def page_path(kind: str, key: int, name: str) -> str:
    """Return the path of a record's page: `articles`, 33 and a title give articles/33-The-title."""
    slug = re.sub(r"[^0-9A-Za-z]+", "-", name).strip("-")
    return f"{HOME}/{kind}/{key}" + (f"-{slug}" if slug else "")


def key_of(text: str) -> int | None:
    """Return the key at the beginning of a page's name, None if there is none."""
    digits = text.partition("-")[0]
    return int(digits) if is_digits(digits, 18) else None
