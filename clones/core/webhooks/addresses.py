"""What is wrong with the address of an endpoint; how that is said is the vendor's."""

from __future__ import annotations

import re
from typing import Literal
from urllib.parse import urlsplit

Flaw = Literal[
    "unreadable",
    "scheme",  # it is neither of http nor of https
    "host",  # it names none, or the port 0
    "spaces",  # or what controls terminals
    "credentials",
]
_SPACES = re.compile(r"[\s\x00-\x1f]")


def flaw_of(address: str) -> Flaw | None:
    """Return the first thing that is wrong with an address, None if nothing is."""
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError:
        return "unreadable"
    if parts.scheme not in ("http", "https"):
        return "scheme"
    if not parts.hostname or port == 0:
        return "host"
    if _SPACES.search(address):
        return "spaces"
    has_credentials = parts.username is not None or parts.password is not None
    return "credentials" if has_credentials else None
