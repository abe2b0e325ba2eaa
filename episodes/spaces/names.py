"""What requests are called when those that ask for the same are counted together."""

from __future__ import annotations

import re
from typing import Final

# How much of a name is kept.
NAME_LENGTH: Final = 120
_NUMBERS = re.compile(r"\d+")


def path_name(path: str) -> str:
    """Return a path without query and numbers."""
    return _NUMBERS.sub("{}", path.partition("?")[0])[:NAME_LENGTH]
