"""Which headers somebody may add to a request that goes to a foreign host.

What says where a request ends, or whose it is, is up to what sends it: by a length of their own
somebody would begin a second request inside the first, by a host of their own they would reach a
site that the operator has not listed, at the address of one that is.
"""

from __future__ import annotations

import re

_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}")
_FRAMING = re.compile(
    r"(?i)connection|content-length|expect|host|keep-alive|te|trailer|transfer-encoding|upgrade"
    r"|proxy-.*"
)
_LONGEST = 8192


def is_name(name: str) -> bool:
    """Tell whether a text can be a header's name."""
    return bool(_NAME.fullmatch(name))


def is_value(value: str) -> bool:
    """Tell whether a text can be a header's value."""
    return len(value) <= _LONGEST and value.isascii() and value.isprintable()


def is_framing(name: str) -> bool:
    """Tell whether a header is of those that a request has anyway, and nobody sets besides."""
    return bool(_FRAMING.fullmatch(name))


def flaw_of_header(name: str, value: str) -> str | None:
    """Return in words why a header cannot be sent, None if it can."""
    shown = name[:100]
    if not is_name(name):
        return f"{shown!r} is no header"
    if is_framing(name):
        return f"the header {shown} is not yours to set"
    return None if is_value(value) else f"the header {shown} has a value that cannot be sent"
